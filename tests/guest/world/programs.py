"""Run a text as a program would run, in this process: our globals, and a loop like the guest's."""

from __future__ import annotations

import ast
import asyncio
from collections.abc import Coroutine
from types import FunctionType
from typing import Any

from codemode_guest import world
from codemode_guest.policy import FILENAME
from codemode_guest.world.awaiting import HidesFutures


class NestingLoop(HidesFutures, asyncio.SelectorEventLoop):
    """An asyncio loop that can also run a coroutine from within one of its callbacks."""

    def run_nested(self, coroutine: Coroutine[Any, Any, object]) -> object:
        """Do as the guest's loop does."""
        task = self.create_task(coroutine)
        outer = asyncio.current_task(self)
        assert outer is not None
        asyncio.tasks._leave_task(self, outer)  # noqa: SLF001
        try:
            while not task.done():
                self._run_once()  # type: ignore[attr-defined]
        finally:
            asyncio.tasks._enter_task(self, outer)  # noqa: SLF001
        return task.result()


def run(source: str) -> str:
    """Run a text with top-level `await` and no static policy; return what it printed."""
    printed: list[str] = []
    names = world.new_globals(output=printed.append)
    code = compile(source, FILENAME, "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True)

    async def body() -> None:
        found = FunctionType(code, names)()
        if asyncio.iscoroutine(found):
            await found

    with asyncio.Runner(loop_factory=NestingLoop) as runner:
        runner.run(body())
    return "".join(printed)


def run_natively(source: str) -> str:
    """Run the same text on plain CPython, for comparison; return what it printed."""
    printed: list[str] = []
    names: dict[str, Any] = {"__name__": "__main__", "asyncio": asyncio}
    names["print"] = lambda *values: printed.append(" ".join(map(str, values)) + "\n")
    code = compile(source, FILENAME, "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True)

    async def body() -> None:
        found = FunctionType(code, names)()
        if asyncio.iscoroutine(found):
            await found

    asyncio.run(body())
    return "".join(printed)
