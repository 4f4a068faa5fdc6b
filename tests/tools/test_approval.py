"""Approvals: who is asked, what an answer means, and what goes on meanwhile."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import anyio
import pytest

from codemode.runtime import CodeRunRequest, CodeRunResult
from codemode.session import ApprovalAnswered, ApprovalAsked
from codemode.testing import InMemoryRuntime
from codemode.tools import (
    Approval,
    ApprovalRequest,
    Ask,
    ToolCall,
    ToolRegistry,
    ToolResult,
    content_text,
)
from tests.tools.sinks import Events

Handler = Callable[[ApprovalRequest], Awaitable[Approval]]


def answering(answer: str) -> Handler:
    """A handler that always gives this answer."""

    async def handler(request: ApprovalRequest) -> Approval:
        return answer  # type: ignore[return-value]  # one of them is none

    return handler


def asking(registry: ToolRegistry, *names: str) -> ToolRegistry:
    """Have a person asked about these tools."""

    @registry.pre_execute
    def policy(call: ToolCall) -> Ask | None:
        return Ask("it writes") if call.name in names else None

    return registry


def writing(approval: Handler | None) -> ToolRegistry:
    registry = ToolRegistry(approval=approval)
    registry.tool(name="write")(lambda: "written")
    return asking(registry, "write")


@pytest.mark.parametrize(
    "handler,told,code",
    [
        (answering("allowed-once"), "written", None),
        (answering("allowed-for-run"), "written", None),
        (
            answering("denied"),
            "Error: a person was asked and denied the call (it writes)",
            "DENIED",
        ),
        (
            answering("cancelled"),
            "Error: the question whether to allow the call was withdrawn unanswered (it writes)",
            "ABORTED_BEFORE_DISPATCH",
        ),
        (
            None,
            "Error: the call needs a person's approval, and nobody can be asked (it writes)",
            "DENIED",
        ),
        (
            answering("yes"),
            "Error: a hook of the host failed: UsageError: the approval handler answered 'yes'; ",
            "HOOK_FAILED",
        ),
    ],
)
async def test_each_answer_has_its_own_consequence_and_words(
    handler: Handler | None, told: str, code: str | None
) -> None:
    """Checklist 24, 25: allowed, denied, withdrawn, nobody there, and an answer that is none."""
    result = await writing(handler).call("write", {})

    assert content_text(result.content).startswith(told)
    assert code == (result.failure and result.failure.code)


async def test_a_handler_that_fails_allows_nothing() -> None:
    """Checklist 25: a broken screen is not a yes."""

    async def broken(request: ApprovalRequest) -> Approval:
        raise ConnectionError("no terminal")

    events = Events()
    result = await writing(broken).call("write", {}, sink=events)

    assert result.failure is not None
    assert ("HOOK_FAILED", "not-started") == (result.failure.code, result.failure.effect)
    assert ["approval/asked", "approval/answered"] == events.kinds()


async def test_question_and_answer_are_events_with_the_time_it_took() -> None:
    """Checklist 24: before the body begins."""
    events = Events()

    await writing(answering("allowed-once")).call("write", {}, call_id="c", sink=events)

    asked, answered, started = events.all
    assert ApprovalAsked(call_id="c", tool="write", reason="it writes") == asked
    assert isinstance(answered, ApprovalAnswered)
    assert "allowed-once" == answered.outcome
    assert answered.waited_ms >= 0
    assert "tool/start" == started.kind


async def test_the_handler_sees_the_call_and_the_reason() -> None:
    """Checklist 24: what a person needs in order to decide."""
    seen: list[ApprovalRequest] = []

    async def handler(request: ApprovalRequest) -> Approval:
        seen.append(request)
        return "denied"

    registry = ToolRegistry()
    registry.tool(name="write")(lambda path: None)
    await asking(registry, "write").call("write", {"path": "a.txt"}, approval=handler)

    assert [("write", {"path": "a.txt"}, "it writes")] == [
        (request.call.name, request.call.arguments, request.reason) for request in seen
    ]


async def run(registry: ToolRegistry, program: str, **budgets: int) -> CodeRunResult:
    """Run a program with the registry's tools, in memory."""
    async with InMemoryRuntime(**budgets) as runtime:
        with anyio.fail_after(10):
            return await runtime.run(
                CodeRunRequest(program=program, bindings=registry.binding_namespaces())
            )


GATHERED = """
import asyncio
done = []
async def one(n):
    if n == 7:
        done.append(await tools.write())
    else:
        done.append(await tools.read(n=n))
await asyncio.gather(*(one(n) for n in range(20)))
return done
"""


async def test_one_of_twenty_gathered_calls_is_asked_about_for_longer_than_the_wall_budget() -> (
    None
):
    """Checklist 24: the program is parked, its other calls go on, and its budget is not used."""
    read: set[int] = set()
    all_read = anyio.Event()

    async def handler(request: ApprovalRequest) -> Approval:
        await all_read.wait()
        await anyio.sleep(0.6)
        return "allowed-once"

    registry = ToolRegistry(approval=handler)
    registry.tool(name="write", concurrency_safe=True)(lambda: "written")

    @registry.tool(name="read", concurrency_safe=True)
    async def read_one(n: int) -> int:
        read.add(n)
        if len(read) == 19:
            all_read.set()
        return n

    result = await run(asking(registry, "write"), GATHERED, max_wall_ms=500)

    assert result.error is None
    assert isinstance(result.value, list)
    assert "written" == result.value[-1]
    assert 20 == len(result.value)
    assert result.report.parked_ms >= 600


async def test_a_program_that_catches_everything_cannot_catch_the_wait() -> None:
    """Checklist 24: what it awaits is a call like any other, and the answer is its result."""
    program = """
try:
    return await tools.write()
except BaseException as error:
    return f"caught {error!r}"
"""

    async def handler(request: ApprovalRequest) -> Approval:
        await anyio.sleep(0.3)
        return "allowed-once"

    result = await run(writing(handler), program, max_wall_ms=200)

    assert "written" == result.value


async def test_a_hot_loop_beside_the_wait_still_uses_up_the_compute_budget() -> None:
    """Checklist 24: only the wall clock stands still."""
    program = """
import asyncio
waiting = asyncio.create_task(tools.write())
await asyncio.sleep(0)
while True:
    pass
"""

    async def handler(request: ApprovalRequest) -> Approval:
        await anyio.sleep_forever()
        return "denied"

    result = await run(writing(handler), program, compute_ms=200, max_wall_ms=5_000)

    assert result.error is not None
    assert ("timeout", "compute_ms") == (result.error.kind, result.error.budget)


async def test_a_denied_sub_call_raises_and_the_program_can_go_on() -> None:
    """Checklist 65: with the tool's name and the reason."""
    program = """
try:
    await tools.write()
except ToolCallError as error:
    print(error.tool_name, "|", error)
return "went on"
"""

    result = await run(writing(answering("denied")), program)

    assert "went on" == result.value
    assert ("write | write: a person was asked and denied the call (it writes)",) == result.logs


async def test_allowed_for_the_run_spares_the_questions_behind_it() -> None:
    """Checklist 24: those that wait for their turn too; another run asks anew."""
    asked: list[str] = []

    async def handler(request: ApprovalRequest) -> Approval:
        asked.append(request.call.id)
        return "allowed-for-run"

    registry = ToolRegistry(approval=handler)
    registry.tool(name="write", concurrency_safe=True)(lambda: 1)
    asking(registry, "write")
    program = """
import asyncio
return sum(await asyncio.gather(*(tools.write() for _ in range(5)))) + await tools.write()
"""

    values = [(await run(registry, program)).value for _ in range(2)]

    assert [6, 6] == values
    assert 2 == len(asked)


async def test_a_question_is_withdrawn_with_its_call() -> None:
    """Checklist 73: a program that waits no longer leaves nobody with a question."""
    withdrawn = anyio.Event()

    async def handler(request: ApprovalRequest) -> Approval:
        try:
            await anyio.sleep_forever()
        finally:
            withdrawn.set()
        return "denied"

    program = """
import asyncio
try:
    await asyncio.wait_for(tools.write(), 0.05)
except asyncio.TimeoutError:
    return "gave up"
"""

    result = await run(writing(handler), program)

    assert ("gave up", True) == (result.value, withdrawn.is_set())


async def test_a_native_call_can_wait_for_a_person_too() -> None:
    """Checklist 24: there is no program to park, and nothing else is different."""
    results: list[ToolResult] = []
    answer = anyio.Event()

    async def handler(request: ApprovalRequest) -> Approval:
        await answer.wait()
        return "allowed-once"

    registry = writing(handler)

    async def call() -> None:
        results.append(await registry.call("write", {}))

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(call)
        await anyio.wait_all_tasks_blocked()
        assert [] == results
        answer.set()

    assert ["written"] == [result.value for result in results]
