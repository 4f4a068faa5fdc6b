"""A runtime that the tests of a module share, on asyncio and on trio."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass

import pytest

from codemode import (
    CodeMode,
    ProcessRuntime,
    ProcessRuntimeConfig,
    ToolCallError,
    ToolRegistry,
)
from codemode.bridge import Answer
from codemode.session import Event, MemoryLog, Session
from codemode.tools import ImagePart, Scope, TextPart, ToolContext, ToolOutput


@pytest.fixture(scope="module", params=["asyncio", "trio"])
def anyio_backend(request: pytest.FixtureRequest) -> str:
    found: str = request.param
    return found


@pytest.fixture(scope="module")
async def runtime(anyio_backend: str) -> AsyncIterator[ProcessRuntime]:
    config = ProcessRuntimeConfig(compute_ms=500, max_wall_ms=20_000)
    async with ProcessRuntime(config) as opened:
        yield opened


@dataclass
class Agent:
    """A code mode with its log, and a shorter way to run a program."""

    codemode: CodeMode
    log: MemoryLog

    async def run(self, program: str, call_id: str = "c1") -> Answer:
        return await self.codemode.execute("run_code", {"code": program}, call_id=call_id)

    def events(self, *kinds: type[Event]) -> list[Event]:
        return self.log.events(*kinds)


def agent_of(tools: Scope, runtime: ProcessRuntime | None, **options: int) -> Agent:
    log = MemoryLog()
    made = CodeMode(tools, runtime=runtime, session=Session(log), **options)  # type: ignore[arg-type]  # limits
    return Agent(made, log)


@pytest.fixture
def registry() -> ToolRegistry:
    registry = ToolRegistry(mode="code")

    @registry.tool(concurrency_safe=True)
    async def add(a: int, b: int) -> int:
        """Add two numbers."""
        return a + b

    @registry.tool
    async def fail(message: str) -> None:
        """Fail."""
        raise ToolCallError(message)

    @registry.tool
    async def draw(name: str, context: ToolContext) -> ToolOutput:
        """Draw."""
        image = ImagePart(data=f"{name}==", mime_type="image/png")
        context.defer(TextPart(f"about {name}"))
        return ToolOutput(value=name, content=[TextPart(name), image])

    @registry.tool
    async def finish(context: ToolContext, broken: bool = False) -> str:  # noqa: FBT001, FBT002
        """End the turn."""
        context.conclude_turn()
        if broken:
            raise ToolCallError("not yet")
        return "finished"

    return registry


@pytest.fixture
def agent(registry: ToolRegistry, runtime: ProcessRuntime) -> Agent:
    return agent_of(registry, runtime)
