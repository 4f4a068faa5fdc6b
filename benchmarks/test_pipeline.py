"""What the pipeline adds to a call. Nothing here asserts a time.

`python benchmarks/test_pipeline.py` measures a call of a program through the pipeline and one of
a bare binding in turns, in one run, and prints their ratio. The aim is 1.5 at most.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterator
from typing import Any

import anyio
import pytest
from anyio.from_thread import BlockingPortal, start_blocking_portal

from codemode.process import ProcessRuntime, ProcessRuntimeConfig
from codemode.runtime import CodeBindingNamespace, CodeRunRequest
from codemode.session import MemoryLog, Session
from codemode.tools import ToolDefinition, ToolRegistry

CALLS = 1_000
ROUNDS = 15
TIMED = f"""
import time
began = time.perf_counter()
for n in range({CALLS}):
    await tools.add(a=n, b=1)
return (time.perf_counter() - began) / {CALLS} * 1e6
"""
INTEGER = {"type": "integer"}
SCHEMA = {
    "type": "object",
    "properties": {"a": INTEGER, "b": INTEGER},
    "required": ["a", "b"],
    "additionalProperties": False,
}


async def bare_add(args: Any) -> object:
    return args["a"] + args["b"]


async def typed_add(a: int, b: int) -> int:
    return a + b


async def raw_add(args: dict[str, Any], _: object) -> object:
    return args["a"] + args["b"]


def namespaces() -> dict[str, CodeBindingNamespace]:
    """The same tool in each way, the last with a policy and a log in memory."""
    typed, raw, watched = ToolRegistry(), ToolRegistry(), ToolRegistry()
    typed.tool(name="add")(typed_add)
    raw.register(
        ToolDefinition(name="add", input_schema=SCHEMA, output_schema=INTEGER, body=raw_add)
    )
    watched.tool(name="add")(typed_add)
    watched.attach(pre_execute=lambda _: None, guard=lambda _: None)
    return {
        "bare": CodeBindingNamespace(global_name="tools", functions={"add": bare_add}),
        "typed": typed.binding_namespace(),
        "raw": raw.binding_namespace(),
        "watched": watched.program_calls(sink=Session(MemoryLog())).bindings[0],
    }


@pytest.fixture
def portal() -> Iterator[BlockingPortal]:
    """An event loop in another thread, since a benchmark is not async."""
    with start_blocking_portal() as portal:
        yield portal


@pytest.mark.parametrize("way", namespaces())
def test_a_thousand_calls_in_turn(
    benchmark: Callable[..., object], portal: BlockingPortal, way: str
) -> None:
    """One run of a process; see `main` for the ratio."""
    request = CodeRunRequest(program=TIMED, bindings=[namespaces()[way]])
    with portal.wrap_async_context_manager(ProcessRuntime()) as runtime:
        benchmark(portal.call, runtime.run, request)


@pytest.mark.parametrize("way", namespaces())
def test_the_host_s_share_of_a_call(benchmark: Callable[..., object], way: str) -> None:
    """Without a process: the pipeline alone."""
    binding = namespaces()[way].functions["add"]

    async def calls() -> None:
        for n in range(CALLS):
            await binding({"a": n, "b": 1})

    benchmark(lambda: anyio.run(calls))


async def main() -> None:
    """Print microseconds a call, and the ratio to a bare binding, of rounds in turns."""
    times: dict[str, list[float]] = {}
    async with ProcessRuntime(ProcessRuntimeConfig(spare_guests=1)) as runtime:
        for _ in range(ROUNDS):
            for way, namespace in namespaces().items():
                result = await runtime.run(CodeRunRequest(program=TIMED, bindings=[namespace]))
                assert isinstance(result.value, float), result.error
                times.setdefault(way, []).append(result.value)
    # The best of each: the least disturbed by whatever else the machine does.
    bare = min(times["bare"])
    for way, each in times.items():
        best, median = min(each), statistics.median(each)
        print(f"{way:8} {best:6.1f} us at best, {best / bare:.2f} times bare; median {median:6.1f}")


if __name__ == "__main__":
    anyio.run(main)
