"""Stock RestrictedPython with the guards that it ships, in the host's process."""

from __future__ import annotations

import operator
import time
from collections.abc import Mapping
from importlib.metadata import version
from typing import Any, ClassVar, Literal

from RestrictedPython import (  # type: ignore[attr-defined]  # more than our own stubs tell
    compile_restricted,
    limited_builtins,
    safe_builtins,
    utility_builtins,
)
from RestrictedPython.Eval import default_guarded_getitem, default_guarded_getiter
from RestrictedPython.Guards import (
    full_write_guard,
    guarded_iter_unpack_sequence,
    guarded_unpack_sequence,
    safer_getattr,
)

from benchmarks.peers import Confinement, Peer
from benchmarks.work import ROWS, Dialect, Task, as_function, programs


def _imported(name: str, *_: object) -> object:
    if name != "time":
        raise ImportError(name)
    return time


def _world() -> dict[str, Any]:
    return {
        "__builtins__": {
            **safe_builtins,
            **limited_builtins,
            **utility_builtins,
            "__import__": _imported,
            # What the defaults do with containers that were made by the program.
            "range": range,
            "len": len,
        },
        "_getattr_": safer_getattr,
        "_getitem_": default_guarded_getitem,
        "_getiter_": default_guarded_getiter,
        "_iter_unpack_sequence_": guarded_iter_unpack_sequence,
        "_unpack_sequence_": guarded_unpack_sequence,
        "_write_": full_write_guard,
        "_inplacevar_": lambda _, left, right: operator.iadd(left, right),  # type: ignore[no-untyped-call]  # typeshed
        "echo": lambda text: text,
        "table": lambda: ROWS,
    }


class RestrictedPythonGuards(Peer):
    title = "RestrictedPython, default guards"
    confines: ClassVar[Confinement] = "language rules"
    process: ClassVar[Literal["the host's"]] = "the host's"
    programs: ClassVar[Mapping[Task, str]] = {
        task: as_function(program, "result = main()")
        for task, program in programs(
            Dialect(echo="echo(text='hello')", count="len(table())")
        ).items()
    }
    why_not: ClassVar[Mapping[Task, str]] = {"gathered": "no await"}

    @classmethod
    def version(cls) -> str:
        return f"RestrictedPython {version('RestrictedPython')}"

    async def open(self) -> None:
        self._kept = _world()

    async def run(self, program: str) -> Any:
        return _outcome(program, _world())

    async def rerun(self, program: str) -> Any:
        return _outcome(program, self._kept)


def _outcome(program: str, world: dict[str, Any]) -> Any:
    exec(compile_restricted(program, "<program>", "exec"), world)  # noqa: S102 - its way
    return world["result"]
