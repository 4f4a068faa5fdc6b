"""The runtimes that the contract suite puts through its claims, on asyncio and on trio."""

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, Literal

import pytest

from codemode import (
    CodeBindingErrorClass,
    CodeBindingNamespace,
    CodeRunRequest,
    CodeRunResult,
    CodeRuntime,
    ProcessRuntime,
    ProcessRuntimeConfig,
)
from codemode.testing import InMemoryRuntime

Kind = Literal["process", "memory"]
MakeRuntime = Callable[..., CodeRuntime]
RunProgram = Callable[..., Awaitable[CodeRunResult]]


@pytest.fixture(scope="module", params=["process", "memory"])
def kind(request: pytest.FixtureRequest) -> Kind:
    found: Kind = request.param
    return found


@pytest.fixture(scope="module")
def make_runtime(kind: Kind) -> MakeRuntime:
    """An unopened runtime with the given limits."""

    def make(**limits: int) -> CodeRuntime:
        if kind == "memory":
            return InMemoryRuntime(**limits)
        return ProcessRuntime(ProcessRuntimeConfig.model_validate(limits))

    return make


@pytest.fixture(scope="module", params=["asyncio", "trio"])
def anyio_backend(request: pytest.FixtureRequest) -> str:
    """Of a whole module, so that its tests share an open runtime."""
    found: str = request.param
    return found


@pytest.fixture(scope="module")
async def runtime(make_runtime: MakeRuntime, anyio_backend: str) -> AsyncIterator[CodeRuntime]:
    """An open runtime whose limits no well-behaved program meets."""
    async with make_runtime(compute_ms=20_000, max_wall_ms=60_000) as opened:
        yield opened


@pytest.fixture
def run(runtime: CodeRuntime) -> RunProgram:
    """Run a program whose `tools` are the given bindings."""

    async def run_program(program: str, **functions: Any) -> CodeRunResult:
        return await runtime.run(request_for(program, **functions))

    return run_program


def request_for(program: str, **functions: Any) -> CodeRunRequest:
    """A request with one namespace, `tools`, whose rejections are `ToolCallError`."""
    namespace = CodeBindingNamespace(
        global_name="tools",
        functions=functions,
        error_class=CodeBindingErrorClass(name="ToolCallError", member_name_property="tool_name"),
    )
    return CodeRunRequest(program=program, bindings=[namespace])
