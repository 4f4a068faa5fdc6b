"""What is on record of a run, and can be seen while it runs."""

from __future__ import annotations

from functools import partial

import anyio

from codemode import (
    CodeMode,
    ProcessRuntime,
    ToolRegistry,
)
from codemode.bridge import RunReport
from codemode.session import (
    MemoryLog,
    RunEnded,
    RunPrinted,
    RunStarted,
    Session,
    SubCallSettled,
    SubCallStarted,
    ToolCalled,
    ToolReturned,
    ToolStarted,
    repairs,
)
from codemode.tools import (
    Ask,
    ToolCall,
)
from tests.bridge.conftest import Agent, agent_of

DEADLINE_S = 20


async def test_events_of_a_run_stand_between_the_call_and_its_result(agent: Agent) -> None:
    """Each sub-call starts and settles once, with parent and root (checklist 61, 99, 100)."""
    await agent.run(
        "import asyncio\nawait asyncio.gather(tools.add(a=1, b=2), tools.add(a=3, b=4))\nreturn 5"
    )

    kinds = [type(entry.event) for entry in agent.log.entries[1:]]
    assert [ToolCalled, ToolStarted, RunStarted] == kinds[:3]
    assert [RunEnded, ToolReturned] == kinds[-2:]
    assert {SubCallStarted: 2, SubCallSettled: 2} == {
        kind: kinds[3:-2].count(kind) for kind in kinds[3:-2]
    }
    starts = [e for e in agent.events(SubCallStarted) if isinstance(e, SubCallStarted)]
    assert [("c1:code:1", "c1", "c1"), ("c1:code:2", "c1", "c1")] == [
        (start.call_id, start.parent_id, start.root_id) for start in starts
    ]
    settles = {e.call_id: e for e in agent.events(SubCallSettled) if isinstance(e, SubCallSettled)}
    assert [3, 7] == [settles[start.call_id].value for start in starts]
    assert [[{"type": "text", "text": "3"}], False] == [
        settles["c1:code:1"].content,
        settles["c1:code:1"].is_error,
    ]


async def test_a_run_is_on_record_with_program_seed_and_outcome(agent: Agent) -> None:
    """All that it takes to run it again (checklist 102)."""
    program = "import random\nprint('x')\nreturn random.random()"
    answer = await agent.run(program)

    (start,), (end,) = agent.events(RunStarted), agent.events(RunEnded)
    assert isinstance(start, RunStarted)
    assert isinstance(end, RunEnded)
    assert (program, "python", "process") == (start.program, start.language, start.isolation)
    assert answer.report is not None
    assert start.seed == answer.report.seed
    assert (("x",), answer.value) == (end.logs, {"logs": ["x"], "result": end.value})
    assert answer.report.record() == end.report


async def test_the_report_of_a_run_counts_calls_times_and_bytes(agent: Agent) -> None:
    """For whoever pays (checklist 114)."""
    answer = await agent.run(
        "await tools.add(a=1, b=2)\nawait tools.add(a=1, b=2)\n"
        "try:\n    await tools.fail(message='x')\nexcept ToolCallError:\n    pass"
    )

    report = answer.report
    assert isinstance(report, RunReport)
    assert (3, 1, {"add": 2, "fail": 1}) == (report.calls, report.errors, dict(report.by_tool))
    assert report.wall_ms > 0
    assert report.compute_ms is not None
    assert report.queued_ms >= 0
    assert report.bytes_in > 100
    assert report.bytes_out > 100


async def test_lines_and_calls_can_be_watched_while_the_program_runs(
    registry: ToolRegistry, agent: Agent
) -> None:
    """A printed line is seen before the call after it is answered (checklist 112)."""
    seen: list[str] = []
    seen_at_call: list[list[str]] = []

    @registry.tool
    async def look() -> None:
        seen_at_call.append(list(seen))

    def watch(entry: object) -> None:
        event = getattr(entry, "event", None)
        if isinstance(event, RunPrinted):
            seen.append(event.text)
        if isinstance(event, SubCallStarted | SubCallSettled):
            seen.append(type(event).__name__)

    with agent.codemode.session.watching(watch):
        await agent.run("print('one')\nawait tools.look()\nprint('two')")

    assert [["one\n", "SubCallStarted"]] == seen_at_call
    assert ["one\n", "SubCallStarted", "SubCallSettled", "two\n"] == seen


async def test_nothing_is_logged_after_the_call_has_returned(
    registry: ToolRegistry, agent: Agent
) -> None:
    """A call that the program did not wait for settles before the run ends (checklist 69, 99)."""

    @registry.tool(concurrency_safe=True)
    async def hang() -> None:
        await anyio.sleep_forever()

    answer = await agent.run(
        "import asyncio\n"
        "task = asyncio.create_task(tools.hang())\n"
        "await tools.add(a=1, b=2)\n"
        "return 'done'"
    )

    assert "done" == answer.content
    kinds = [type(entry.event) for entry in agent.log.entries]
    assert [RunEnded, ToolReturned] == kinds[-2:]
    assert kinds.count(SubCallStarted) == kinds.count(SubCallSettled) == 2


async def test_giving_up_on_a_run_leaves_its_end_on_record(
    registry: ToolRegistry, agent: Agent
) -> None:
    """Its calls are settled, and the call itself stays without an answer (checklist 99, 103)."""

    @registry.tool
    async def hang() -> None:
        scope.cancel()
        await anyio.sleep_forever()

    with anyio.CancelScope() as scope:
        await agent.run("await tools.hang()")

    assert scope.cancelled_caught
    started, settled, ended = agent.log.entries[-3:]
    assert isinstance(started.event, SubCallStarted)
    assert isinstance(settled.event, SubCallSettled)
    assert settled.event.is_error
    assert isinstance(ended.event, RunEnded)
    assert ended.event.error is not None
    assert "abort" == ended.event.error["kind"]
    (repaired,) = repairs(agent.log.entries)
    assert "not known; check" in str(repaired.content)


async def test_two_runs_at_once_keep_their_calls_apart(agent: Agent) -> None:
    """By the ids of their parents (checklist 61)."""
    program = "for n in range(3):\n    await tools.add(a=n, b=0)"
    async with anyio.create_task_group() as both:
        both.start_soon(agent.run, program, "one")
        both.start_soon(agent.run, program, "two")

    starts = [e for e in agent.events(SubCallStarted) if isinstance(e, SubCallStarted)]
    for parent in ("one", "two"):
        ids = [start.call_id for start in starts if start.parent_id == parent]
        assert [f"{parent}:code:{n}" for n in (1, 2, 3)] == ids


async def test_a_denied_approval_is_on_record(runtime: ProcessRuntime) -> None:
    """Asked and answered, between start and end of the sub-call (checklist 24, 99)."""
    registry = ToolRegistry(mode="code")

    @registry.tool
    async def remove(path: str) -> None:
        """Remove."""

    @registry.pre_execute
    def ask(call: ToolCall) -> Ask | None:
        return Ask("it removes") if call.name == "remove" else None

    agent = agent_of(registry, runtime)
    answer = await agent.run("await tools.remove(path='x')")

    assert answer.is_error
    assert "refused, nothing was done" in answer.content


async def test_ids_that_are_made_up_are_new_in_a_log_that_goes_on() -> None:
    """Or the records of two calls could not be told apart."""
    registry = ToolRegistry(mode="native")

    @registry.tool
    async def ping() -> str:
        return "pong"

    log = MemoryLog()
    for _ in range(2):
        log = MemoryLog(log.entries)
        codemode = CodeMode(registry, session=Session(log))
        for _ in range(2):
            await codemode.execute("ping", {})

    called = [e.call_id for e in log.events(ToolCalled) if isinstance(e, ToolCalled)]
    assert 4 == len(set(called)) == len(called)


async def test_a_call_is_refused_while_another_of_its_id_is_in_flight(
    runtime: ProcessRuntime,
) -> None:
    """The log has no word of it, and after the first has ended the id may come again."""
    registry, begun, end = ToolRegistry(), anyio.Event(), anyio.Event()

    @registry.tool
    async def wait() -> None:
        begun.set()
        await end.wait()

    agent = agent_of(registry, runtime)
    with anyio.fail_after(DEADLINE_S):
        async with anyio.create_task_group() as group:
            group.start_soon(partial(agent.codemode.execute, "wait", {}, call_id="c1"))
            await begun.wait()
            refused = await agent.codemode.execute("wait", {}, call_id="c1")
            end.set()
        again = await agent.codemode.execute("wait", {}, call_id="c1")

    assert "'c1' has not ended; this one was not made" in refused.content
    assert "not-started" == (refused.failure and refused.failure.effect)
    assert not again.is_error
    assert 2 == len(agent.events(ToolCalled)) == len(agent.events(ToolReturned))


async def test_an_empty_id_is_none(runtime: ProcessRuntime) -> None:
    """Some servers of models send it: such a call is numbered like one without."""
    registry = ToolRegistry()
    registry.tool(name="ping")(lambda: "pong")
    agent = agent_of(registry, runtime)

    answer = await agent.codemode.execute("ping", {}, call_id="")

    assert "call_1" == answer.call_id
    (called,) = agent.events(ToolCalled)
    assert isinstance(called, ToolCalled)
    assert "call_1" == called.call_id


async def test_an_id_that_is_made_up_is_none_of_a_call_in_flight(runtime: ProcessRuntime) -> None:
    """A model may number its calls as we do."""
    registry, begun, end = ToolRegistry(), anyio.Event(), anyio.Event()
    registry.tool(name="ping")(lambda: "pong")

    @registry.tool
    async def wait() -> None:
        begun.set()
        await end.wait()

    agent = agent_of(registry, runtime)
    with anyio.fail_after(DEADLINE_S):
        async with anyio.create_task_group() as group:
            group.start_soon(partial(agent.codemode.execute, "wait", {}, call_id="call_1"))
            await begun.wait()
            answer = await agent.codemode.execute("ping", {})
            end.set()

    assert ("call_2", "pong") == (answer.call_id, answer.content)
