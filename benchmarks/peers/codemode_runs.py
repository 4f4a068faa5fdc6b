"""codemode three ways: with a spare guest ready, forked on demand, and through `run_code`."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.metadata import version
from typing import Any, ClassVar, Final, Literal

import anyio

from benchmarks.peers import Confinement, Peer, echo, table
from benchmarks.work import ROWS, Task, awaited, programs
from codemode import (
    CodeBindingNamespace,
    CodeMode,
    CodeRunRequest,
    CodeRuntime,
    ProcessRuntime,
    ProcessRuntimeConfig,
    ToolRegistry,
)

#: After which a spare that was used has been replaced.
_REST_S: Final = 0.02


async def _echo(args: Any) -> object:
    return args["text"]


async def _table(_args: object) -> object:
    return ROWS


TOOLS: Final = CodeBindingNamespace(global_name="tools", functions={"echo": _echo, "table": _table})


class OnDemand(Peer):
    title = "codemode, forked on demand"
    confines: ClassVar[Confinement] = "OS layers"
    process: ClassVar[Literal["one of its own"]] = "one of its own"
    programs: ClassVar[Mapping[Task, str]] = {
        task: program
        for task, program in programs(
            awaited("tools.echo(text='hello')", "len(await tools.table())")
        ).items()
        if task != "reused"
    }
    why_not: ClassVar[Mapping[Task, str]] = {"reused": "each run has a process of its own"}
    spare_guests: ClassVar[int] = 0
    runtime: CodeRuntime

    @classmethod
    def version(cls) -> str:
        return f"codemode {version('codemode')}"

    async def open(self) -> None:
        self.runtime = ProcessRuntime(ProcessRuntimeConfig(spare_guests=self.spare_guests))
        await self.runtime.__aenter__()

    async def close(self) -> None:
        await self.runtime.aclose()

    async def run(self, program: str) -> Any:
        result = await self.runtime.run(CodeRunRequest(program=program, bindings=[TOOLS]))
        if result.error is not None:
            raise RuntimeError(result.error.message)
        return result.value


class SpareGuest(OnDemand):
    title = "codemode, a spare guest ready"
    spare_guests = 1

    async def rest(self) -> None:
        await anyio.sleep(_REST_S)


class Pipeline(SpareGuest):
    """What an agent's host does: typed tools, validation, policies' places, rendering."""

    title = "codemode, run_code over a registry"
    _mode: CodeMode

    async def open(self) -> None:
        registry = ToolRegistry(mode="code")
        registry.tool(concurrency_safe=True)(echo)
        registry.tool(concurrency_safe=True)(table)
        self._mode = CodeMode(registry, runtime=ProcessRuntime())
        await self._mode.__aenter__()

    async def close(self) -> None:
        await self._mode.__aexit__(None, None, None)

    async def run(self, program: str) -> Any:
        answer = await self._mode.execute("run_code", {"code": program})
        if answer.is_error:
            raise RuntimeError(answer.content)
        value: Any = answer.value
        return value["result"]
