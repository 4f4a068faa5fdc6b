"""smolagents' local executor: walks the program's syntax tree in the host's process."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.metadata import version
from typing import Any, ClassVar, Literal

from smolagents.local_python_executor import LocalPythonExecutor

from benchmarks.peers import Confinement, Peer
from benchmarks.work import ROWS, Dialect, Task, as_function, programs


def _executor() -> LocalPythonExecutor:
    executor = LocalPythonExecutor(["time"])
    executor.send_tools({"echo": lambda text: text, "table": lambda: ROWS})
    return executor


class LocalExecutor(Peer):
    title = "smolagents, local executor"
    confines: ClassVar[Confinement] = "language rules"
    process: ClassVar[Literal["the host's"]] = "the host's"
    programs: ClassVar[Mapping[Task, str]] = {
        task: as_function(program)
        for task, program in programs(
            Dialect(echo="echo(text='hello')", count="len(table())")
        ).items()
    }
    why_not: ClassVar[Mapping[Task, str]] = {"gathered": "no await"}
    once: ClassVar[frozenset[Task]] = frozenset({"compute"})

    @classmethod
    def version(cls) -> str:
        return f"smolagents {version('smolagents')}"

    async def open(self) -> None:
        self._executor = _executor()

    async def run(self, program: str) -> Any:
        return _executor()(program).output

    async def rerun(self, program: str) -> Any:
        return self._executor(program).output
