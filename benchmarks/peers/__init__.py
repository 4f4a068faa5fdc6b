"""One small adapter for each way to run a model's program, all behind `Peer`.

An adapter is imported only in the process that measures it, and says by `MissingPeerError` what it
lacks on this machine. None of them changes what the peer does by default, but for limits that the
work would hit (the number of calls, the time).
"""

from __future__ import annotations

import importlib
import time
from collections.abc import Mapping
from typing import Any, ClassVar, Final, Literal

from benchmarks.work import ROWS, Task, cost

Confinement = Literal["nothing", "language rules", "resource limits", "OS layers"]


class MissingPeerError(Exception):
    """What this machine lacks for a peer, in one line."""


class Peer:
    """One way to run programs, opened once for many runs.

    Attributes:
        title: What the table calls it.
        confines: The strongest thing that stands between a program and the machine.
        process: Whose process a program runs in.
        programs: The work in the peer's words; a task that is not there is not measured.
        why_not: For such a task, the reason.
        once: Tasks so slow that one value per round must do.
    """

    title: ClassVar[str]
    confines: ClassVar[Confinement]
    process: ClassVar[Literal["the host's", "one of its own", "a worker, reused"]]
    programs: ClassVar[Mapping[Task, str]]
    why_not: ClassVar[Mapping[Task, str]] = {}
    once: ClassVar[frozenset[Task]] = frozenset()

    @classmethod
    def version(cls) -> str:
        """Name and version of what is measured.

        Raises:
            MissingPeerError: If it is not installed.
        """
        raise NotImplementedError

    async def open(self) -> None:
        """Start what outlives a run."""

    async def close(self) -> None:
        """End it."""

    async def run(self, program: str) -> Any:
        """What a program returns, run where nothing has run before it."""
        raise NotImplementedError

    async def rerun(self, program: str) -> Any:
        """What it returns in an interpreter that has run others before."""
        raise NotImplementedError

    async def rest(self) -> None:
        """Wait, untimed, until the peer has got ready for the next run."""

    async def measure(self, task: Task) -> float:
        """Do the work once, and tell what a piece of it took, in seconds."""
        await self.rest()
        run, program = self.rerun if task == "reused" else self.run, self.programs[task]
        began = time.perf_counter()
        value = await run(program)
        return cost(task, value, time.perf_counter() - began)


#: Module and class of each adapter, in the order of the table.
PEERS: Final = {
    "spare": "codemode_runs:SpareGuest",
    "demand": "codemode_runs:OnDemand",
    "pipeline": "codemode_runs:Pipeline",
    "monty": "monty:Monty",
    "fastmcp": "fastmcp_code_mode:FastMCPCodeMode",
    "smolagents": "smolagents_local:LocalExecutor",
    "restricted": "restricted_python:RestrictedPythonGuards",
    "node": "npm_runtimes:NodeWorker",
    "dsh-worker": "npm_runtimes:DshWorkerThread",
    "dsh-cpython": "npm_runtimes:DshCPython",
    "machine": "bare:Machine",
    "python": "bare:PlainPython",
}


def adapter(key: str) -> type[Peer]:
    """The class behind a key.

    Raises:
        MissingPeerError: If what it imports is not installed.
    """
    module, _, name = PEERS[key].partition(":")
    try:
        found: type[Peer] = getattr(importlib.import_module(f"benchmarks.peers.{module}"), name)
    except ImportError as error:
        raise MissingPeerError(str(error)) from error
    return found


async def echo(text: str) -> str:
    """The tool that every peer calls, for peers whose tools have typed parameters."""
    return text


async def table() -> list[dict[str, Any]]:
    """The tool that gives 10,000 rows."""
    return ROWS
