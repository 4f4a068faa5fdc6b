"""What a run and a call cost. Nothing here asserts a time: `tox -e bench` prints them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from anyio.from_thread import BlockingPortal, start_blocking_portal

from codemode import (
    CodeBindingNamespace,
    CodeRunRequest,
    CodeRunResult,
    ProcessRuntime,
    ProcessRuntimeConfig,
    ToolRegistry,
)

CALLS = 1_000
IN_TURN = f"""
for n in range({CALLS}):
    await tools.add(a=n, b=1)
"""
GATHERED = f"""
import asyncio
await asyncio.gather(*(tools.add(a=n, b=1) for n in range({CALLS})))
"""

registry = ToolRegistry()


@registry.tool
async def add(a: int, b: int) -> int:
    return a + b


async def bare_add(args: Any) -> object:
    return args["a"] + args["b"]


NAMESPACES = {
    "binding": CodeBindingNamespace(global_name="tools", functions={"add": bare_add}),
    "tool": registry.binding_namespace(),
}


@pytest.fixture
def portal() -> Iterator[BlockingPortal]:
    """An event loop in another thread, since a benchmark is not async."""
    with start_blocking_portal() as portal:
        yield portal


def runner(
    portal: BlockingPortal, runtime: ProcessRuntime, request: CodeRunRequest
) -> Callable[[], CodeRunResult]:
    """Run the request and insist that it went well."""

    def run() -> CodeRunResult:
        result = portal.call(runtime.run, request)
        assert result.error is None, result.error
        return result

    return run


@pytest.mark.parametrize("spare_guests", [0, 1])
def test_an_empty_program(
    benchmark: Callable[..., object], portal: BlockingPortal, spare_guests: int
) -> None:
    """Runs back to back, so that a spare guest is being made while the one before it is used."""
    config = ProcessRuntimeConfig(spare_guests=spare_guests)
    with portal.wrap_async_context_manager(ProcessRuntime(config)) as runtime:
        benchmark(runner(portal, runtime, CodeRunRequest(program="return 1")))


@pytest.mark.parametrize("namespace", NAMESPACES)
@pytest.mark.parametrize("program", [IN_TURN, GATHERED], ids=["in-turn", "gathered"])
def test_a_thousand_calls(
    benchmark: Callable[..., object], portal: BlockingPortal, program: str, namespace: str
) -> None:
    """One run with a thousand calls, of a bare binding and of a typed tool."""
    request = CodeRunRequest(program=program, bindings=[NAMESPACES[namespace]])
    with portal.wrap_async_context_manager(ProcessRuntime()) as runtime:
        benchmark(runner(portal, runtime, request))
