"""What the machine and plain CPython can do at best, confined by nothing: the references."""

from __future__ import annotations

import json
import platform
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import ClassVar, Final, Literal

import anyio

from benchmarks.peers import Confinement, Peer
from benchmarks.work import CALLS, ROWS, Dialect, Task, cost, programs

_BRIDGE: Final = Path(__file__).with_name("bare_bridge.py")
_FORKS: Final = """
import os, time
began = time.perf_counter()
for _ in range(20):
    pid = os.fork()
    if not pid:
        os._exit(0)
    os.waitpid(pid, 0)
print((time.perf_counter() - began) / 20)
"""


async def _printed(*arguments: str) -> str:
    """What a small, fresh interpreter prints, whose cost ours does not touch."""
    return (await anyio.run_process([sys.executable, *arguments])).stdout.decode()


class Machine(Peer):
    """A fork of an empty interpreter, two bare asyncio loops, and `json`."""

    title = "bare: a fork, two asyncio loops, json"
    confines: ClassVar[Confinement] = "nothing"
    process: ClassVar[Literal["one of its own"]] = "one of its own"
    programs: ClassVar[Mapping[Task, str]] = dict.fromkeys(("cold", "call", "gathered", "rows"), "")
    why_not: ClassVar[Mapping[Task, str]] = {
        "reused": "nothing to run",
        "compute": "nothing to run",
    }

    @classmethod
    def version(cls) -> str:
        return f"{platform.system()} {platform.release()}"

    async def measure(self, task: Task) -> float:
        if task == "cold":
            return float(await _printed("-I", "-S", "-c", _FORKS))
        if task == "rows":
            began = time.perf_counter()
            json.loads(json.dumps(ROWS))
            return time.perf_counter() - began
        found = (await _printed("-I", str(_BRIDGE), str(CALLS))).split()
        return float(found[task == "gathered"])


class PlainPython(Peer):
    """A process for each program, and the tools in it."""

    title = "bare: python -I -S"
    confines: ClassVar[Confinement] = "nothing"
    process: ClassVar[Literal["one of its own"]] = "one of its own"
    programs: ClassVar[Mapping[Task, str]] = {
        "cold": "pass",
        "compute": programs(Dialect(echo="", count=""))["compute"],
    }
    why_not: ClassVar[Mapping[Task, str]] = dict.fromkeys(
        ("reused", "call", "gathered", "rows"), "no bridge"
    )

    @classmethod
    def version(cls) -> str:
        return f"{platform.python_implementation()} {platform.python_version()}"

    async def measure(self, task: Task) -> float:
        program = self.programs[task]
        if task == "compute":
            before, _, value = program.rpartition("return ")
            printed = await _printed("-I", "-S", "-c", f"{before}print({value})")
            return cost(task, json.loads(printed), 0)
        began = time.perf_counter()
        await _printed("-I", "-S", "-c", program)
        return time.perf_counter() - began
