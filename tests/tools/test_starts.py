"""When a call of a program counts as started, and how far it says it is."""

from __future__ import annotations

from collections.abc import Awaitable

import anyio
import pytest

from codemode.session import SubCallSettled, SubCallStarted, ToolProgressed, ToolStarted
from codemode.tools import ToolContext, ToolRegistry
from tests.tools.sinks import Events


async def _wait_for(call: Awaitable[object]) -> None:
    await call


async def test_calls_let_go_together_start_on_record_in_the_order_of_submission() -> None:
    """Checklist 66: whichever of their tasks an event loop runs first; trio draws lots."""
    registry = ToolRegistry(mode="code", max_parallel_calls=20)
    registry.tool(concurrency_safe=True, name="add")(lambda a: a)
    events = Events()

    calls = registry.program_calls(parent_id="c", sink=events)
    add = calls.bindings[0].functions["add"]
    async with calls, anyio.create_task_group() as tasks:
        for waiting in [add({"a": number}) for number in range(20)]:
            tasks.start_soon(_wait_for, waiting)

    starts = [event.call_id for event in events.all if isinstance(event, SubCallStarted)]
    assert [f"c:code:{number}" for number in range(1, 21)] == starts


async def test_a_call_on_record_whose_task_never_begins_is_settled_at_the_end() -> None:
    """Started and settled once, though a call after it was the one to put it on record."""
    registry = ToolRegistry(mode="code")
    registry.tool(concurrency_safe=True, name="add")(lambda a: a)
    events = Events()

    calls = registry.program_calls(parent_id="c", sink=events)
    add = calls.bindings[0].functions["add"]
    async with calls:
        never = add({"a": 1})
        assert 2 == await add({"a": 2})
    never.close()  # type: ignore[attr-defined] # what a cancelled task does with it

    kinds = [
        (type(event), event.call_id)
        for event in events.all
        if isinstance(event, SubCallStarted | SubCallSettled)
    ]
    assert [
        (SubCallStarted, "c:code:1"),
        (SubCallStarted, "c:code:2"),
        (SubCallSettled, "c:code:2"),
        (SubCallSettled, "c:code:1"),
    ] == kinds
    codes = [sub.result.failure and sub.result.failure.code for sub in calls.settled]
    assert ["ABORTED_BEFORE_DISPATCH", None] == codes


@pytest.mark.parametrize("is_async", [True, False])
async def test_a_tool_tells_its_progress_while_it_is_under_way(*, is_async: bool) -> None:
    """From the event loop, and from the thread that a sync tool has."""
    registry = ToolRegistry()

    def walk(context: ToolContext) -> str:
        context.report_progress(1, 4, "a quarter")
        return "there"

    async def run(context: ToolContext) -> str:
        return walk(context)

    registry.tool(name="walk")(run if is_async else walk)
    events = Events()

    await registry.call("walk", {}, call_id="c", sink=events)

    started, progressed = events.all
    assert isinstance(started, ToolStarted)
    assert ToolProgressed(call_id="c", progress=1, total=4, message="a quarter") == progressed


async def test_progress_after_the_end_of_a_call_is_told_to_nobody() -> None:
    """Whatever a tool left running has no call to speak of."""
    registry = ToolRegistry()
    kept: list[ToolContext] = []

    @registry.tool
    async def walk(context: ToolContext) -> None:
        kept.append(context)

    events = Events()
    await registry.call("walk", {}, call_id="c", sink=events)
    kept[0].report_progress(1)

    assert [ToolStarted] == [type(event) for event in events.all]
