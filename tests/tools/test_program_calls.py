"""The calls of one program: bindings, ids, order, events, and the end of them all."""

from __future__ import annotations

from functools import partial
from typing import cast

import anyio
import anyio.lowlevel
import pytest

from codemode.process import ProcessRuntime, ProcessRuntimeConfig
from codemode.runtime import ABSENT, AbortSignal, CodeRunRequest, CodeRunResult, refuse_bad_names
from codemode.session import SubCallSettled, SubCallStarted
from codemode.testing import InMemoryRuntime
from codemode.tools import (
    Approval,
    ApprovalRequest,
    Ask,
    ImagePart,
    ProgramCalls,
    TextPart,
    ToolCall,
    ToolCallError,
    ToolContext,
    ToolDefinition,
    ToolOutput,
    ToolRegistry,
)
from tests.tools.sinks import Events

DOT = ImagePart(data="aGk=", mime_type="image/png")


async def run(
    calls: ProgramCalls, program: str, signal: AbortSignal | None = None
) -> CodeRunResult:
    """Run a program with these calls, in memory, and end them with it."""
    async with InMemoryRuntime() as runtime:
        with anyio.fail_after(10):
            async with calls:
                return await runtime.run(
                    CodeRunRequest(program=program, bindings=calls.bindings, signal=signal)
                )


async def call(calls: ProgramCalls, name: str, **arguments: object) -> object:
    """Call a tool as a program does, without one."""
    return await calls.bindings[0].functions[name](arguments)


@pytest.fixture
def registry() -> ToolRegistry:
    registry = ToolRegistry(mode="code")

    @registry.tool(concurrency_safe=True)
    async def add(a: int, b: int = 0) -> int:
        return a + b

    @registry.tool(concurrency_safe=True)
    async def fail(why: str) -> None:
        raise ToolCallError(why)

    return registry


async def test_a_program_calls_by_keyword_by_dict_and_without_arguments(
    registry: ToolRegistry,
) -> None:
    """Checklist 113: and is told which name it may have meant."""
    registry.tool(name="now")(lambda: "noon")
    program = """
try:
    await tools.ad(a=1)
except AttributeError as error:
    print(error)
return [await tools.add(a=1, b=2), await tools.add({"a": 3}), await tools.now()]
"""

    result = await run(registry.program_calls(), program)

    assert [3, 3, "noon"] == result.value
    assert "did you mean" in result.logs[0]
    assert "'add'" in result.logs[0]


async def test_a_program_that_misspells_an_argument_is_told_which_there_are(
    registry: ToolRegistry,
) -> None:
    """Checklist 113, 16: before anything has happened, with the tool's name."""
    program = """
try:
    await tools.add(a=1, c=2)
except ToolCallError as error:
    return [error.tool_name, str(error)]
"""

    result = await run(registry.program_calls(), program)

    assert ["add", "add: there is no argument 'c'; it takes (a, b?)"] == result.value


async def test_a_namespace_and_the_subscript_reach_one_and_the_same_tool() -> None:
    """`github.search(…)` and `tools["github_search"](…)` are one binding."""
    registry = ToolRegistry(mode="code")
    registry.tool(name="github_search", namespace="github", member="search")(lambda q: q)
    registry.tool(name="mail_send", namespace="mail")(lambda: "sent")
    program = """
return [
    await github.search(q=1),
    await tools["github_search"](q=2),
    await mail.mail_send(),
]
"""
    calls = registry.program_calls()

    refuse_bad_names(calls.bindings)
    result = await run(calls, program)

    assert [1, 2, "sent"] == result.value
    assert ["tools", "github", "mail"] == [binding.global_name for binding in calls.bindings]


async def test_a_failure_is_an_exception_with_the_tool_s_name_and_nothing_else(
    registry: ToolRegistry,
) -> None:
    """Checklist 62: `isinstance` works, and what the host knows beside it stays there."""
    program = """
try:
    await tools.fail(why="disk full")
except Exception as error:
    return [isinstance(error, ToolCallError), error.tool_name, str(error), vars_of(error)]
""".replace("vars_of(error)", "[n for n in ('code', 'exception') if hasattr(error, n)]")

    result = await run(registry.program_calls(), program)

    assert [True, "fail", "fail: disk full", []] == result.value


async def test_sub_calls_are_numbered_as_they_are_submitted(registry: ToolRegistry) -> None:
    """Checklist 61: `<outer>:code:<n>`, with root and parent."""
    events = Events()
    calls = registry.program_calls(parent_id="c1", sink=events)

    pending = [call(calls, "add", a=n) for n in range(3)]
    async with calls:
        for waiting in reversed(pending):
            await waiting

    started = [event for event in events.all if isinstance(event, SubCallStarted)]
    assert {("c1:code:3", 0), ("c1:code:2", 1), ("c1:code:1", 2)} == {
        (event.call_id, cast("dict[str, int]", event.arguments)["a"]) for event in started
    }
    assert {("c1", "c1")} == {(event.parent_id, event.root_id) for event in started}


async def test_start_and_settlement_are_told_once_each_with_value_and_content(
    registry: ToolRegistry,
) -> None:
    """Checklist 61: what the program got is on record, a failure with its code."""
    events = Events()
    calls = registry.program_calls(parent_id="c1", sink=events)

    async with calls:
        await call(calls, "add", a=1)
        with pytest.raises(ToolCallError):
            await call(calls, "fail", why="no")

    first, done, _, failed = events.all
    assert (
        SubCallStarted(
            call_id="c1:code:1", parent_id="c1", root_id="c1", tool="add", arguments={"a": 1}
        )
        == first
    )
    assert isinstance(done, SubCallSettled)
    assert (1, [{"type": "text", "text": "1"}], None, False) == (
        done.value,
        done.content,
        done.failure,
        done.is_error,
    )
    assert isinstance(failed, SubCallSettled)
    assert (ABSENT, "TOOL_FAILED", True) == (
        failed.value,
        failed.failure and failed.failure["code"],
        failed.is_error,
    )


async def test_images_and_what_tools_defer_come_in_order_of_submission() -> None:
    """Checklist 63: after the outer result, whatever ended first; of failures too."""
    registry = ToolRegistry(mode="code")
    first_may_end = anyio.Event()

    async def body(arguments: dict[str, object], context: ToolContext) -> ToolOutput:
        context.defer(TextPart(f"note {arguments['n']}"))
        if arguments["n"] == 1:
            await first_may_end.wait()
        else:
            first_may_end.set()
        if arguments["n"] == 3:
            raise ToolCallError("no")
        return ToolOutput(value=arguments["n"], content=[TextPart("a dot"), DOT])

    registry.register(ToolDefinition(name="draw", body=body, concurrency_safe=True))
    calls = registry.program_calls()
    async with calls:
        async with anyio.create_task_group() as tasks:
            for n in (1, 2):
                tasks.start_soon(partial(call, calls, "draw", n=n))
                await anyio.wait_all_tasks_blocked()
        with pytest.raises(ToolCallError):
            await call(calls, "draw", n=3)

    assert (DOT, TextPart("note 1"), DOT, TextPart("note 2"), TextPart("note 3")) == calls.deferred


@pytest.mark.parametrize("succeeds", [True, False])
async def test_only_a_success_can_conclude_the_turn(*, succeeds: bool) -> None:
    """Checklist 64: a failed call asks in vain."""
    registry = ToolRegistry(mode="code")

    @registry.tool
    async def finish(context: ToolContext) -> None:
        context.conclude_turn()
        if not succeeds:
            raise ToolCallError("not yet")

    calls = registry.program_calls()
    await run(calls, "try:\n    await tools.finish()\nexcept ToolCallError:\n    pass")

    assert succeeds == calls.concludes_turn


async def test_each_result_is_delivered_when_it_is_there(registry: ToolRegistry) -> None:
    """Checklist 72: a fast call does not wait behind a slow one that was submitted before it."""
    registry = ToolRegistry(mode="code")
    released = anyio.Event()

    @registry.tool(concurrency_safe=True)
    async def slow() -> str:
        await released.wait()
        return "slow"

    @registry.tool(concurrency_safe=True)
    async def release() -> str:
        released.set()
        return "fast"

    program = """
import asyncio
order = []
async def note(awaited):
    order.append(await awaited)
slow = asyncio.create_task(note(tools.slow()))
await asyncio.sleep(0.01)
await note(tools.release())
await slow
return order
"""

    result = await run(registry.program_calls(), program)

    assert ["fast", "slow"] == result.value


async def test_a_program_that_waits_no_longer_cancels_the_tool() -> None:
    """Checklist 73: the host's side of the call ends, and is on record as aborted."""
    registry = ToolRegistry(mode="code")
    cancelled = anyio.Event()

    @registry.tool
    async def wait() -> None:
        try:
            await anyio.sleep_forever()
        finally:
            cancelled.set()

    events = Events()
    program = """
import asyncio
try:
    await asyncio.wait_for(tools.wait(), 0.05)
except asyncio.TimeoutError:
    return "went on"
"""

    result = await run(registry.program_calls(sink=events), program)

    assert ("went on", True) == (result.value, cancelled.is_set())
    settled = events.all[-1]
    assert isinstance(settled, SubCallSettled)
    assert settled.failure is not None
    assert ("ABORTED", "unknown") == (settled.failure["code"], settled.failure["effect"])


@pytest.mark.parametrize("limit", [1, 4])
async def test_safe_calls_overlap_up_to_the_limit(limit: int) -> None:
    """Checklist 66: and no further."""
    registry = ToolRegistry(mode="code", max_parallel_calls=limit)
    on, most = 0, 0

    @registry.tool(concurrency_safe=True)
    async def count() -> None:
        nonlocal on, most
        on += 1
        most = max(most, on)
        await anyio.lowlevel.checkpoint()
        on -= 1

    calls = registry.program_calls()
    async with calls, anyio.create_task_group() as tasks:
        for _ in range(3 * limit):
            tasks.start_soon(call, calls, "count")

    assert limit == most


@pytest.mark.parametrize(
    "flag", [False, None, 1, "yes", lambda arguments: 1, lambda arguments: arguments["gone"]]
)
async def test_what_is_not_exactly_true_runs_alone(flag: object) -> None:
    """Checklist 68: absent, false, truthy and failing answers are all the same."""
    registry = ToolRegistry(mode="code")
    on, most = 0, 0

    async def body(arguments: dict[str, object], context: ToolContext) -> None:
        nonlocal on, most
        on += 1
        most = max(most, on)
        await anyio.lowlevel.checkpoint()
        on -= 1

    registry.register(ToolDefinition(name="count", body=body, concurrency_safe=flag))  # type: ignore[arg-type]  # that is the case
    calls = registry.program_calls()
    async with calls, anyio.create_task_group() as tasks:
        for _ in range(3):
            tasks.start_soon(call, calls, "count")

    assert 1 == most


async def test_a_key_can_be_told_from_the_arguments() -> None:
    """Checklist 67: two files may be written at once, one file not; a broken key shares all."""
    registry = ToolRegistry(mode="code")
    on: list[object] = []
    most: list[list[object]] = []

    async def body(arguments: dict[str, object], context: ToolContext) -> None:
        on.append(arguments.get("path"))
        most.append(sorted(on, key=str))
        await anyio.wait_all_tasks_blocked()
        on.remove(arguments.get("path"))

    registry.register(
        ToolDefinition(
            name="write", body=body, resource_key=lambda arguments: str(arguments["path"])
        )
    )
    calls = registry.program_calls()
    async with calls, anyio.create_task_group() as tasks:
        for arguments in ({"path": "a"}, {"path": "b"}, {"path": "a"}, {}):
            tasks.start_soon(partial(call, calls, "write", **arguments))
            await anyio.lowlevel.checkpoint()

    assert ["a", "b"] in most
    assert ["a", "a"] not in most
    assert [[None]] == [each for each in most if None in each]


@pytest.mark.parametrize("ending", ["return 1", "raise ValueError('x')"])
async def test_at_the_end_queued_calls_vanish_and_those_in_flight_are_aborted(ending: str) -> None:
    """Checklist 69: of the queued ones there is no event, of the others both, before the end."""
    registry = ToolRegistry(mode="code")
    entered, ran = [], []

    @registry.tool
    async def wait(n: int) -> None:
        entered.append(n)
        await anyio.sleep_forever()
        ran.append(n)

    events = Events()
    calls = registry.program_calls(parent_id="c", sink=events)
    program = f"""
import asyncio
pending = [asyncio.create_task(tools.wait(n=n)) for n in range(3)]
await asyncio.sleep(0.1)
{ending}
"""

    await run(calls, program)
    after = len(events.all)
    with pytest.raises(ToolCallError, match="wait: the run is over, the call was not made"):
        await call(calls, "wait", n=9)

    assert [SubCallStarted, SubCallSettled] == [type(event) for event in events.all]
    assert 1 == len(entered)
    assert after == len(events.all)
    assert ["ABORTED"] == [sub.result.failure and sub.result.failure.code for sub in calls.settled]


async def test_a_call_after_the_end_is_told_that_the_run_is_over(registry: ToolRegistry) -> None:
    """Checklist 70: nothing is begun any more, and nothing is logged."""
    events = Events()
    calls = registry.program_calls(sink=events)
    async with calls:
        pass

    with pytest.raises(ToolCallError) as refused:
        await call(calls, "add", a=1)

    assert ("RUN_OVER", "add: the run is over, the call was not made") == (
        refused.value.code,
        str(refused.value),
    )
    assert [] == events.all


async def test_whoever_waits_in_the_queue_at_the_end_is_let_go(registry: ToolRegistry) -> None:
    """Checklist 69, 70: also where no runtime has cancelled it."""
    registry = ToolRegistry(mode="code")
    released = anyio.Event()
    told: list[str] = []

    @registry.tool
    async def wait() -> None:
        await released.wait()

    calls = registry.program_calls()

    async def second() -> None:
        try:
            await call(calls, "wait")
        except ToolCallError as error:
            told.append(str(error))

    async with anyio.create_task_group() as tasks, calls:
        tasks.start_soon(call, calls, "wait")
        await anyio.wait_all_tasks_blocked()
        tasks.start_soon(second)
        await anyio.wait_all_tasks_blocked()
        released.set()

    assert ["wait: the run is over, the call was not made"] == told


async def test_a_tool_that_is_gone_or_replaced_is_refused_in_mid_run(
    registry: ToolRegistry,
) -> None:
    """Checklist 34: what a program was told of is what it gets, or nothing."""
    handle = registry.register(
        ToolDefinition(name="old", body=lambda arguments, context: anyio.lowlevel.checkpoint())
    )
    calls = registry.program_calls()
    async with calls:
        await call(calls, "old")
        handle.close()
        with pytest.raises(ToolCallError, match="old: it was removed or replaced"):
            await call(calls, "old")
        registry.tool(name="old")(lambda: 1)
        with pytest.raises(ToolCallError, match="old: it was removed or replaced"):
            await call(calls, "old")
        assert 1 == await call(calls, "add", a=1)


async def test_the_notes_of_many_calls_stay_small(registry: ToolRegistry) -> None:
    """A program that moves gigabytes through its tools leaves none of them with the host."""
    registry.tool(name="echo")(lambda text: text)
    calls = registry.program_calls()
    async with calls:
        await call(calls, "echo", text="x" * 10_000)
        await call(calls, "add", a=1)

    large, small = calls.settled
    assert ({"…": "10011 bytes"}, {"a": 1}) == (large.call.arguments, small.call.arguments)
    assert (None, None) == (large.result.value_json, small.result.value_json)


@pytest.mark.parametrize("anyio_backend", ["asyncio"])
async def test_five_thousand_gathered_calls_go_through_the_pipeline(
    registry: ToolRegistry,
) -> None:
    """Checklist 71: they are queued, never an error, and each gets its own result."""
    program = """
import asyncio
return sum(await asyncio.gather(*(tools.add(a=n) for n in range(5_000))))
"""
    calls = registry.program_calls()
    async with ProcessRuntime(ProcessRuntimeConfig()) as runtime, calls:
        result = await runtime.run(CodeRunRequest(program=program, bindings=calls.bindings))

    assert (None, sum(range(5_000))) == (result.error, result.value)
    assert 5_000 == len(calls.settled)


@pytest.mark.parametrize("anyio_backend", ["asyncio"])
async def test_approval_of_one_of_twenty_parks_a_real_process(registry: ToolRegistry) -> None:
    """Checklist 24: as in memory, with a wall budget shorter than the person takes."""

    async def slowly(request: ApprovalRequest) -> Approval:
        await anyio.sleep(0.9)
        return "allowed-once"

    @registry.pre_execute
    def policy(call: ToolCall) -> Ask | None:
        return Ask() if call.arguments["a"] == 7 else None

    program = """
import asyncio
done = []
async def one(n):
    done.append(await tools.add(a=n))
await asyncio.gather(*(one(n) for n in range(20)))
return done
"""
    calls = registry.program_calls(approval=slowly)
    async with ProcessRuntime(ProcessRuntimeConfig(max_wall_ms=600)) as runtime, calls:
        result = await runtime.run(CodeRunRequest(program=program, bindings=calls.bindings))

    assert result.error is None
    assert isinstance(result.value, list)
    assert (7, list(range(20))) == (result.value[-1], sorted(result.value))
