"""How cost grows with the size of the work: the sizes, and what is done at each.

Budgets are raised where a size needs it, and a limit that is met all the same is told. The least
of the rounds counts; a size that takes seconds is measured once.
"""

from __future__ import annotations

import json
import resource
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import Any, Final

import anyio

from benchmarks import growth, machine, plots, report
from benchmarks.capacity import seconds_of_crowd
from codemode import (
    CodeBindingNamespace,
    CodeMode,
    CodeRunRequest,
    ProcessRuntime,
    ProcessRuntimeConfig,
    ToolDefinition,
    ToolRegistry,
)
from codemode.sdk import render_sdk

#: Beyond which one round must do.
_LONG_S: Final = 3.0
_WAIT_S: Final = 0.5
_ROW_BYTES: Final = 100
#: What the clocks of two requests may differ by: several runs begin and end in it.
_ORDER_S: Final = 0.02

Cost = Callable[[int], Awaitable[float]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Axis:
    """One question: what costs what, at which sizes.

    Attributes:
        title: What grows.
        x: The unit of a size.
        sizes: From small to large.
        opened: Gives what is measured, by name: a function from a size to seconds.
    """

    title: str
    x: str
    sizes: Sequence[int]
    opened: Callable[[], AbstractAsyncContextManager[Mapping[str, Cost]]]


async def _value(runtime: ProcessRuntime, program: str, **tools: Any) -> Any:
    return await _value_of(
        runtime, program, CodeBindingNamespace(global_name="tools", functions=tools)
    )


async def _value_of(runtime: ProcessRuntime, program: str, tools: CodeBindingNamespace) -> Any:
    result = await runtime.run(CodeRunRequest(program=program, bindings=[tools]))
    if result.error is not None:
        raise RuntimeError(" ".join(result.error.message.split()))
    return result.value


@asynccontextmanager
async def _waiting() -> AsyncIterator[Mapping[str, Cost]]:
    config = ProcessRuntimeConfig(max_concurrent_runs=1_000, guests_per_template=100_000)
    async with ProcessRuntime(config) as runtime:

        async def beyond_the_wait(runs: int) -> float:
            return await seconds_of_crowd(runtime, runs, _WAIT_S) - _WAIT_S

        yield {"all runs, less the wait": beyond_the_wait}


@asynccontextmanager
async def _calls() -> AsyncIterator[Mapping[str, Cost]]:
    async def echo(args: Any) -> object:
        return args["n"]

    begin, end = (
        "import asyncio, time\nt = time.perf_counter()\n",
        "\nreturn time.perf_counter() - t",
    )
    async with ProcessRuntime() as runtime:

        async def in_turn(calls: int) -> float:
            work = f"for n in range({calls}):\n    await tools.echo(n=n)"
            return float(await _value(runtime, begin + work + end, echo=echo))

        async def gathered(calls: int) -> float:
            work = f"await asyncio.gather(*(tools.echo(n=n) for n in range({calls})))"
            return float(await _value(runtime, begin + work + end, echo=echo))

        yield {"in turn": in_turn, "gathered": gathered}


@asynccontextmanager
async def _results() -> AsyncIterator[Mapping[str, Cost]]:
    config = ProcessRuntimeConfig(
        max_output_bytes=2**30,
        max_frame_bytes=2**30,
        max_frame_parts=2**24,
        memory_bytes=8 * 2**30,
    )
    row = {"id": 1_234_567, "name": "a row of a table", "price": 12.25, "tags": ["new", "sale"]}
    row["note"] = "x" * (_ROW_BYTES - len(json.dumps(row)) - 14)

    async def rows(args: Any) -> object:
        return [row] * (args["bytes"] // _ROW_BYTES or 1)

    async def take(args: Any) -> object:
        return len(args["rows"])

    def made(count: int) -> str:
        return f"[{row!r} for _ in range({count // _ROW_BYTES or 1})]"

    def timed(rows: str, work: str) -> str:
        timed = f"t = time.perf_counter()\n{work}\nreturn time.perf_counter() - t"
        return f"import time\nrows = {rows}\n{timed}"

    async with ProcessRuntime(config) as runtime:

        async def returned(count: int) -> float:
            began = time.perf_counter()
            await _value(runtime, f"return {made(count)}")
            return time.perf_counter() - began

        async def from_a_tool(count: int) -> float:
            program = timed("0", f"await tools.rows(bytes={count})")
            return float(await _value(runtime, program, rows=rows))

        async def to_a_tool(count: int) -> float:
            program = timed(made(count), "await tools.take(rows=rows)")
            return float(await _value(runtime, program, take=take))

        yield {"a tool's result": from_a_tool, "arguments": to_a_tool, "run and value": returned}


#: Ten short lines: 10,000 of them are within the length that the policy allows.
_PARAGRAPH: Final = """
def part{n}(x):
    y = x + {n}
    if y % 2:
        y = y * 3
    for v in [y, x]:
        y += v
    return str(y)
async def more{n}():
    return part{n}(1)
await more{n}()"""


@asynccontextmanager
async def _programs() -> AsyncIterator[Mapping[str, Cost]]:
    registry = ToolRegistry()

    @registry.tool
    async def list_items(page: int) -> list[str]:
        return [str(page)]

    async with ProcessRuntime() as runtime:

        def program(lines: int) -> str:
            return "".join(_PARAGRAPH.format(n=n) for n in range(lines // 10)) + "\nreturn 1"

        async def plain(lines: int) -> float:
            began = time.perf_counter()
            await _value(runtime, program(lines))
            return time.perf_counter() - began

        async def checked(lines: int) -> float:
            began = time.perf_counter()
            await _value_of(runtime, program(lines), registry.binding_namespace())
            return time.perf_counter() - began

        yield {"run": plain, "run with the check": checked}


def _tool(number: int) -> ToolDefinition:
    async def body(args: Any, _context: object) -> object:
        return {"title": args["query"], "count": number}

    text, integer = {"type": "string", "description": "What to look for."}, {"type": "integer"}
    return ToolDefinition(
        name=f"search_{number % 20}_{number}",
        description=f"Search collection {number} and tell how much there is.",
        input_schema={
            "type": "object",
            "properties": {"query": text, "limit": integer},
            "required": ["query"],
        },
        output_schema={
            "type": "object",
            "properties": {"title": {"type": "string"}, "count": integer},
            "required": ["title", "count"],
        },
        body=body,
    )


@asynccontextmanager
async def _tools() -> AsyncIterator[Mapping[str, Cost]]:
    async def text(count: int) -> float:
        tools = [_tool(number) for number in range(count)]
        began = time.perf_counter()
        render_sdk(tools, language="python")
        return time.perf_counter() - began

    def registered(count: int) -> ToolRegistry:
        registry = ToolRegistry(mode="code")
        for number in range(count):
            registry.register(_tool(number))
        return registry

    async def register(count: int) -> float:
        began = time.perf_counter()
        registered(count)
        return time.perf_counter() - began

    async def mode(count: int, *, again: bool) -> float:
        registry = registered(count)
        async with CodeMode(registry, runtime=ProcessRuntime()) as opened:
            began = time.perf_counter()
            await opened.assemble()
            if not again:
                return time.perf_counter() - began
            program = {"code": "return (await tools.search_1_1(query='x'))['count']"}
            await opened.execute("run_code", program)
            began = time.perf_counter()
            answer = await opened.execute("run_code", program)
            assert not answer.is_error, answer.content
            return time.perf_counter() - began

    async def assembled(count: int) -> float:
        return await mode(count, again=False)

    async def run(count: int) -> float:
        return await mode(count, again=True)

    yield {
        "definitions": register,
        "SDK text": text,
        "first assembly": assembled,
        "run_code, one call": run,
    }


@asynccontextmanager
async def _burst() -> AsyncIterator[Mapping[str, Cost]]:
    async with ProcessRuntime(ProcessRuntimeConfig(max_concurrent_runs=8)) as runtime:

        async def all_done(requests: int) -> float:
            begun: list[float] = [0.0] * requests

            async def one(number: int) -> None:
                asked = time.perf_counter()
                result = await runtime.run(CodeRunRequest(program=f"return {number}"))
                if result.value != number:
                    raise RuntimeError(f"request {number} failed: {result.error}")
                begun[number] = asked + result.report.queued_ms / 1000

            began = time.perf_counter()
            async with anyio.create_task_group() as group:
                for number in range(requests):
                    group.start_soon(one, number)
            late = max(
                first - own for first, own in zip(accumulate(begun, max), begun, strict=True)
            )
            if late > _ORDER_S:
                raise RuntimeError(f"a request began {late:.3f} s after a later one")
            return time.perf_counter() - began

        yield {"until all are done": all_done}


AXES: Final = {
    "waiting": Axis(
        title="Runs at once, each waiting 0.5 s",
        x="runs",
        sizes=(1, 3, 10, 30, 100, 300, 1_000),
        opened=_waiting,
    ),
    "calls": Axis(
        title="Calls in one run",
        x="calls",
        sizes=(1, 10, 100, 1_000, 10_000, 100_000),
        opened=_calls,
    ),
    "results": Axis(
        title="Values of one kind of row",
        x="bytes of JSON",
        sizes=(1_000, 10_000, 100_000, 1_000_000, 10_000_000, 50_000_000),
        opened=_results,
    ),
    "programs": Axis(
        title="Lines of a program",
        x="lines",
        sizes=(10, 30, 100, 300, 1_000, 3_000, 10_000),
        opened=_programs,
    ),
    "tools": Axis(
        title="Tools of a registry",
        x="tools",
        sizes=(10, 30, 100, 300, 1_000, 3_000),
        opened=_tools,
    ),
    "burst": Axis(
        title="A burst of requests, 8 places",
        x="requests",
        sizes=(10, 100, 1_000, 10_000),
        opened=_burst,
    ),
}


async def _measured(axis: Axis, rounds: int) -> dict[str, Any]:
    series: dict[str, list[tuple[int, float]]] = {}
    caps = []
    async with axis.opened() as costs:
        for name, cost in costs.items():
            pairs = series.setdefault(name, [])
            for count in axis.sizes:
                try:
                    seconds = await cost(count)
                    if seconds < _LONG_S:
                        seconds = min([seconds, *[await cost(count) for _ in range(rounds - 1)]])
                except Exception as error:  # a limit, which is a finding
                    caps.append(f"{name}, {count:,} {axis.x}: {error}")
                    break
                pairs.append((count, seconds))
    return {"title": axis.title, "x": axis.x, "series": series, "caps": caps}


def main(docs: Path, *, rounds: int, axes: Sequence[str] = tuple(AXES)) -> None:
    """Measure, and write tables, JSON and plot into the folder `docs`."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    where = {**machine.described(), "descriptors": f"{soft} raised to {hard}"}
    panels = []
    for name in axes:
        panels.append(anyio.run(_measured, AXES[name], rounds))
        print(growth.table(panels[-1]), "\n", flush=True)
    command = f"tox -e bench -- scale --rounds {rounds}"
    record = {"command": command, "machine": where, "growth": panels}
    (docs / "scale.json").write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    page = docs / "benchmarks.md"
    block = "\n\n".join([report.setting(where, command), *map(growth.table, panels)])
    text = report.put(page.read_text(encoding="utf-8"), "scale", block)
    page.write_text(text, encoding="utf-8")
    plots.grown(panels, docs / "scale.svg")
