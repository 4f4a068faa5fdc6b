"""What the pipeline adds to a call, beside a bare binding: in a run, and in the host alone.

    python benchmarks/measure_pipeline.py [--fast] [...]

Takes pyperf's options. Each way is measured in several processes; the ratios of the medians come
last. The aim is 1.5 at most in a run; nothing is asserted.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, Final

import anyio
import pyperf

from codemode.process import ProcessRuntime
from codemode.runtime import CodeBindingNamespace, CodeRunRequest
from codemode.session import MemoryLog, Session
from codemode.tools import ToolDefinition, ToolRegistry

PROCESSES: Final = 5
TIMED: Final = """
import time
began = time.perf_counter()
for n in range({calls}):
    await tools.add(a=n, b=1)
return time.perf_counter() - began
"""
INTEGER: Final = {"type": "integer"}
SCHEMA: Final = {
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


async def in_a_run(calls: int, way: str) -> float:
    """Seconds that so many calls in turn take a program, by its own clock."""
    request = CodeRunRequest(program=TIMED.format(calls=calls), bindings=[namespaces()[way]])
    async with ProcessRuntime() as runtime:
        result = await runtime.run(request)
    assert isinstance(result.value, float), result.error
    return result.value


async def in_the_host(calls: int, way: str) -> float:
    """Seconds that so many take without a process: the pipeline alone."""
    binding = namespaces()[way].functions["add"]
    began = time.perf_counter()
    for n in range(calls):
        await binding({"a": n, "b": 1})
    return time.perf_counter() - began


def timed(measure: Callable[..., Any], way: str) -> Callable[[int], float]:
    return lambda calls: anyio.run(measure, calls, way)


def main() -> None:
    """Measure, and print what a call in a run takes beside a bare one."""
    runner = pyperf.Runner(processes=PROCESSES)
    found = {
        way: runner.bench_time_func(f"in a run, {way}", timed(in_a_run, way))
        for way in namespaces()
    }
    for way in namespaces():
        runner.bench_time_func(f"in the host, {way}", timed(in_the_host, way))
    # A process that measures one way for another process knows nothing of the others.
    if not runner.args.worker:
        bare = found.pop("bare").median()
        for way, measured in found.items():
            print(f"in a run, {way}: {measured.median() / bare:.2f} times bare")


if __name__ == "__main__":
    main()
