"""The one path of every call, seen through calls that a model makes itself."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Sequence
from typing import Any

import anyio
import anyio.lowlevel
import pytest
from pydantic import BaseModel, field_serializer, field_validator

from codemode.errors import RuntimeFault
from codemode.runtime import ABSENT, AbortSignal
from codemode.session import Event, ToolStarted
from codemode.tools import (
    Allow,
    Ask,
    Block,
    Decision,
    Deny,
    ImagePart,
    Part,
    Proceed,
    Replace,
    TextPart,
    ToolCall,
    ToolCallError,
    ToolContext,
    ToolDefinition,
    ToolOutput,
    ToolRegistry,
    ToolResult,
    content_text,
)
from tests.tools.sinks import Events


@pytest.fixture
def registry() -> ToolRegistry:
    """With one tool, which doubles."""
    registry = ToolRegistry()

    @registry.tool
    async def double(n: int) -> int:
        if n > 100:
            raise ToolCallError("too large; give at most 100")
        return 2 * n

    return registry


def code(result: ToolResult) -> str | None:
    return result.failure.code if result.failure else None


async def test_a_call_gives_content_for_the_model_and_a_value_for_programs(
    registry: ToolRegistry,
) -> None:
    """The same result speaks to both."""
    result = await registry.call("double", {"n": 2})

    assert ((TextPart("4"),), 4, False) == (result.content, result.value, result.is_error)


async def test_the_stations_of_the_pipeline_come_in_one_fixed_order(
    registry: ToolRegistry,
) -> None:
    """Checklist 21: whatever the order in which the hooks were hung up."""
    passed: list[str] = []

    @registry.result
    def told(call: ToolCall, result: ToolResult) -> None:
        passed.append("result")

    @registry.finalize
    def finalize(call: ToolCall, content: tuple[Part, ...]) -> tuple[Part, ...]:
        passed.append("finalize")
        return content

    @registry.post_execute
    async def post(call: ToolCall, result: ToolResult) -> None:
        passed.append("post_execute")

    @registry.execute
    async def around(call: ToolCall, proceed: Proceed) -> object:
        passed.append("execute")
        value = await proceed()
        passed.append("executed")
        return value

    @registry.guard
    def guard(call: ToolCall) -> None:
        passed.append("guard")

    @registry.pre_execute
    async def pre(call: ToolCall) -> Allow:
        passed.append("pre_execute")
        return Allow()

    @registry.tool
    async def body() -> None:
        passed.append("body")

    await registry.call("body", {})

    assert [
        *("pre_execute", "guard", "execute", "body", "executed"),
        *("post_execute", "finalize", "result"),
    ] == passed


async def test_wrappers_nest_in_the_order_in_which_they_were_hung_up(
    registry: ToolRegistry,
) -> None:
    """The first is the outermost."""
    passed: list[str] = []
    for name in ("outer", "inner"):

        async def around(call: ToolCall, proceed: Proceed, name: str = name) -> object:
            passed.append(name)
            return await proceed()

        registry.execute(around)

    await registry.call("double", {"n": 1})

    assert ["outer", "inner"] == passed


async def test_what_a_policy_does_to_its_copy_of_the_arguments_reaches_nobody() -> None:
    """Checklist 22: arguments are taken down before anybody sees them."""
    registry = ToolRegistry()
    seen: list[object] = []
    sent = {"items": [1]}

    @registry.pre_execute
    def vandal(call: ToolCall) -> None:
        items = call.arguments["items"]
        assert isinstance(items, list)
        items.append("spoilt")
        sent["items"].append(2)

    @registry.tool
    async def keep(items: list[Any]) -> None:
        seen.append(items)

    await registry.call("keep", sent)

    assert [[1]] == seen


async def test_a_denial_is_an_error_with_its_reason_and_the_body_does_not_run() -> None:
    """Checklist 23: those who inspect results see it all the same."""
    registry = ToolRegistry()
    ran: list[str] = []

    @registry.tool
    async def remove() -> None:
        ran.append("body")

    @registry.pre_execute
    async def policy(call: ToolCall) -> Deny:
        return Deny("not on Sundays")

    @registry.post_execute
    async def inspect(call: ToolCall, result: ToolResult) -> None:
        ran.append("post_execute")

    result = await registry.call("remove", {})

    assert ("Error: not on Sundays", ["post_execute"]) == (content_text(result.content), ran)
    assert result.failure is not None
    assert {
        "code": "DENIED",
        "message": "not on Sundays",
        "retryable": False,
        "effect": "not-started",
    } == dict(result.failure.record())
    assert result.value is ABSENT


@pytest.mark.parametrize(
    "answers", [[Allow(), Deny("no")], [Deny("no"), Allow()], [Ask(), Deny("no")]]
)
async def test_the_strictest_policy_counts(
    registry: ToolRegistry, answers: Sequence[Decision]
) -> None:
    """Checklist 21: one that allows does not undo one that denies, whichever came first."""
    remaining = list(answers)
    for _ in answers:
        registry.pre_execute(lambda call: remaining.pop(0))

    result = await registry.call("double", {"n": 1})

    assert "Error: no" == content_text(result.content)


async def test_a_guard_denies_what_every_policy_allows(registry: ToolRegistry) -> None:
    """Checklist 10: no policy can undo it, and a guard of a scope is for that scope only."""
    scope = registry.scope("intern")

    @scope.guard
    def guard(call: ToolCall) -> str | None:
        return "interns may not double" if call.name == "double" else None

    @scope.pre_execute
    def eager(call: ToolCall) -> Allow:
        return Allow()

    denied = await scope.call("double", {"n": 1})
    allowed = await registry.call("double", {"n": 1})

    assert ("DENIED", "Error: interns may not double") == (
        code(denied),
        content_text(denied.content),
    )
    assert 2 == allowed.value


@pytest.mark.parametrize("place", ["pre_execute", "guard", "execute", "post_execute", "finalize"])
async def test_a_hook_that_fails_fails_the_call_and_nothing_escapes(
    registry: ToolRegistry, place: str
) -> None:
    """Checklist 26: a policy that cannot answer allows nothing, and shows nothing."""

    def broken(*_: object) -> Any:
        raise LookupError("the policy server is gone")

    registry.attach(**{place: broken})

    result = await registry.call("double", {"n": 1})

    assert "Error: a hook of the host failed: LookupError: the policy server is gone" == (
        content_text(result.content)
    )
    assert result.failure is not None
    assert "HOOK_FAILED" == result.failure.code
    assert isinstance(result.failure.exception, LookupError)
    before = place in {"pre_execute", "guard", "execute"}
    assert ("not-started" if before else "committed") == result.failure.effect


@pytest.mark.parametrize(
    "place,told",
    [
        ("pre_execute", "it answered True; answer None or one of Allow, Deny, Ask"),
        ("guard", "it answered True; answer None or a reason (text)"),
        ("post_execute", "answer None, Block, or one of Replace"),
    ],
)
async def test_an_answer_that_is_none_is_a_failure_of_the_hook(
    registry: ToolRegistry, place: str, told: str
) -> None:
    """Checklist 26: a typo in a policy does not let calls through."""
    registry.attach(**{place: lambda *_: True})  # type: ignore[arg-type]  # which one varies

    result = await registry.call("double", {"n": 1})

    assert "HOOK_FAILED" == code(result)
    assert told in content_text(result.content)


async def test_a_wrapper_can_retry_and_each_attempt_has_arguments_of_its_own() -> None:
    """Checklist 27: a wrapper decides when the body runs, and not what it is given."""
    registry = ToolRegistry()
    attempts: list[list[int]] = []
    causes: list[object] = []

    @registry.tool
    async def flaky(items: list[int]) -> int:
        attempts.append(list(items))
        items.clear()
        if len(attempts) < 3:
            raise ConnectionError("try again")
        return len(attempts)

    @registry.execute
    async def retry(call: ToolCall, proceed: Proceed) -> object:
        for _ in range(2):
            try:
                return await proceed()
            except ToolCallError as error:
                causes.append(type(error.__cause__))
        return await proceed()

    result = await registry.call("flaky", {"items": [1, 2]})

    assert (3, [[1, 2]] * 3) == (result.value, attempts)
    assert [ConnectionError, ConnectionError] == causes


async def test_the_caller_s_signal_reaches_the_body_through_a_wrapper(
    registry: ToolRegistry,
) -> None:
    """Checklist 27: a wrapper that sets a deadline of its own does not take that away."""
    signal, entered = AbortSignal(), anyio.Event()

    @registry.tool
    async def wait() -> None:
        entered.set()
        await anyio.sleep_forever()

    @registry.execute
    async def deadline(call: ToolCall, proceed: Proceed) -> object:
        with anyio.fail_after(60):
            return await proceed()

    results: list[ToolResult] = []

    async def call() -> None:
        results.append(await registry.call("wait", {}, signal=signal))

    with anyio.fail_after(5):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(call)
            await entered.wait()
            threading.Thread(target=signal.abort).start()

    assert "ABORTED" == code(results[0])


async def test_a_deadline_of_a_wrapper_is_a_timeout(registry: ToolRegistry) -> None:
    """Checklist 27: `fail_after` around the body says what happened, and that a retry may help."""

    @registry.tool
    async def wait() -> None:
        await anyio.sleep_forever()

    @registry.execute
    async def deadline(call: ToolCall, proceed: Proceed) -> object:
        with anyio.fail_after(0.01):
            return await proceed()

    result = await registry.call("wait", {})

    assert result.failure is not None
    assert ("TOOL_TIMEOUT", True) == (result.failure.code, result.failure.retryable)


@pytest.mark.parametrize("value,failure", [(7, None), ("seven", "INVALID_TOOL_OUTPUT")])
async def test_a_wrapper_s_own_value_is_checked_like_the_body_s(
    registry: ToolRegistry, value: object, failure: str | None
) -> None:
    """Checklist 28: a cache that returns something else than the tool declares is found out."""

    @registry.execute
    async def cache(call: ToolCall, proceed: Proceed) -> object:
        return value

    result = await registry.call("double", {"n": 1})

    assert failure == code(result)
    assert failure or 7 == result.value


async def test_an_inspector_replaces_the_content_and_leaves_the_value(
    registry: ToolRegistry,
) -> None:
    """Checklist 29: what the model sees is not what a program would get."""
    registry.post_execute(lambda call, result: Replace(content=[TextPart("secret")]))

    result = await registry.call("double", {"n": 1})

    assert ("secret", 2) == (content_text(result.content), result.value)


async def test_a_value_that_is_replaced_is_checked_and_rendered_anew(
    registry: ToolRegistry,
) -> None:
    """Checklist 29: content and value go on telling the same."""
    registry.post_execute(lambda call, result: Replace(value=8))

    result = await registry.call("double", {"n": 1})

    assert ("8", 8) == (content_text(result.content), result.value)


@pytest.mark.parametrize(
    "verdict,failure",
    [
        (Replace(value=8, content=[TextPart("8")]), "HOOK_FAILED"),
        (Replace(), "HOOK_FAILED"),
        (Replace(value="eight"), "INVALID_TOOL_OUTPUT"),
    ],
)
async def test_a_replacement_that_makes_no_sense_is_an_error(
    registry: ToolRegistry, verdict: Replace, failure: str
) -> None:
    """Checklist 29: both at once, neither, or a value of another type."""
    registry.post_execute(lambda call, result: verdict)

    result = await registry.call("double", {"n": 1})

    assert failure == code(result)


async def test_a_failure_has_no_value_to_replace(registry: ToolRegistry) -> None:
    """Checklist 29: an inspector can reword a failure, and not turn it into a success."""
    registry.post_execute(lambda call, result: Replace(value=8))

    result = await registry.call("double", {"n": 101})

    assert "HOOK_FAILED" == code(result)


async def test_a_blocked_result_is_a_failure_and_what_its_tool_deferred_is_dropped() -> None:
    """Checklist 30: the effect stays, and the failure says so."""
    registry = ToolRegistry()

    @registry.tool
    async def shoot(context: ToolContext) -> str:
        context.defer(ImagePart(data="", mime_type="image/png"))
        context.conclude_turn()
        return "secret"

    shown = await registry.call("shoot", {})
    registry.post_execute(lambda call, result: Block("it showed a password"))
    blocked = await registry.call("shoot", {})

    assert (1, True) == (len(shown.deferred), shown.concludes_turn)
    assert ((), False) == (blocked.deferred, blocked.concludes_turn)
    assert blocked.failure is not None
    assert ("BLOCKED", "committed") == (blocked.failure.code, blocked.failure.effect)
    assert "Error: it showed a password" == content_text(blocked.content)


async def aborted(registry: ToolRegistry) -> ToolResult:
    signal = AbortSignal()
    signal.abort()
    return await registry.call("double", {"n": 1}, signal=signal)


@pytest.mark.parametrize(
    "make",
    [
        lambda registry: registry.call("double", {"n": 1}),
        lambda registry: registry.call("double", {"n": 101}),
        lambda registry: registry.call("double", {"n": "one"}),
        lambda registry: registry.call("dubble", {}),
        aborted,
    ],
    ids=["success", "failure", "bad arguments", "no such tool", "aborted"],
)
async def test_the_last_words_are_said_exactly_once_on_every_outcome(
    registry: ToolRegistry, make: Callable[[ToolRegistry], Any]
) -> None:
    """Checklist 31: and they change what is shown, never what it is."""
    said: list[str] = []

    @registry.finalize
    def finalize(call: ToolCall, content: tuple[Part, ...]) -> Sequence[Part]:
        said.append(content_text(content))
        return [TextPart("finalized")]

    result = await make(registry)

    assert (1, "finalized") == (len(said), content_text(result.content))
    assert result.is_error == said[0].startswith("Error: ")


async def test_a_tool_s_own_last_words_come_before_those_of_the_host() -> None:
    """Checklist 31: the definition finalizes first."""
    registry = ToolRegistry()
    registry.tool(name="f", finalize=lambda content: [*content, TextPart("tool")])(lambda: "body")
    registry.finalize(lambda call, content: [*content, TextPart("host")])

    result = await registry.call("f", {})

    assert "body\ntool\nhost" == content_text(result.content)


async def test_observers_see_what_cannot_be_changed_and_their_failures_stay_theirs(
    registry: ToolRegistry,
) -> None:
    """Checklist 32: neither a change to a copy nor an exception reaches the result."""
    seen: list[object] = []

    @registry.tool
    async def listing() -> list[int]:
        return [1]

    @registry.result
    def vandal(call: ToolCall, result: ToolResult) -> None:
        value = result.value
        assert isinstance(value, list)
        value.append(2)
        with pytest.raises(AttributeError):
            result.failure = None  # type: ignore[misc]  # that is the test
        raise RuntimeError("observer")

    @registry.result
    def observer(call: ToolCall, result: ToolResult) -> None:
        seen.append(result.value)

    result = await registry.call("listing", {})

    assert ([[1]], [1]) == (seen, result.value)


async def test_a_call_cancelled_before_its_body_has_done_nothing(registry: ToolRegistry) -> None:
    """Checklist 33: while a policy still thinks about it, for one."""
    signal = AbortSignal()

    @registry.pre_execute
    async def policy(call: ToolCall) -> None:
        signal.abort()
        await anyio.sleep_forever()

    with anyio.fail_after(5):
        result = await registry.call("double", {"n": 1}, signal=signal)

    assert result.failure is not None
    assert ("ABORTED_BEFORE_DISPATCH", "not-started", True) == (
        result.failure.code,
        result.failure.effect,
        result.failure.retryable,
    )


@pytest.mark.parametrize(
    "succeeds,failure,effect",
    [(True, "ABORTED", "committed"), (False, "TOOL_FAILED", "unknown")],
)
async def test_a_success_that_comes_too_late_is_aborted_and_a_failure_keeps_its_cause(
    *, succeeds: bool, failure: str, effect: str
) -> None:
    """Checklist 33: what the tool has done is done, and the failure says so."""
    registry, signal = ToolRegistry(), AbortSignal()

    @registry.tool
    async def late() -> int:
        signal.abort()
        if not succeeds:
            raise ToolCallError("disk full")
        return 1

    result = await registry.call("late", {}, signal=signal)

    assert result.failure is not None
    assert (failure, effect) == (result.failure.code, result.failure.effect)


async def test_cancelling_the_task_goes_through_and_leaves_a_result_behind(
    registry: ToolRegistry,
) -> None:
    """Checklist 33: those who keep records learn of it, once."""
    entered, seen = anyio.Event(), []

    @registry.tool
    async def wait() -> None:
        entered.set()
        await anyio.sleep_forever()

    @registry.result
    def observer(call: ToolCall, result: ToolResult) -> None:
        seen.append(result)

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(registry.call, "wait", {})
        await entered.wait()
        tasks.cancel_scope.cancel()

    assert ["ABORTED"] == [code(result) for result in seen]
    assert ["unknown"] == [result.failure and result.failure.effect for result in seen]


async def test_an_unknown_tool_is_named_to_the_policies_and_to_the_model(
    registry: ToolRegistry,
) -> None:
    """Checklist 34: with the tool that may have been meant."""
    seen: list[tuple[str, object]] = []
    registry.pre_execute(lambda call: seen.append((call.name, call.definition)))

    result = await registry.call("dubble", {"n": 1})

    assert [("dubble", None)] == seen
    assert "UNKNOWN_TOOL" == code(result)
    assert "Error: there is no tool 'dubble' (did you mean 'double'?)" == (
        content_text(result.content)
    )


async def test_in_code_mode_a_direct_call_is_shown_the_way_before_any_policy() -> None:
    """Checklist 35: the tool is there, but only a program reaches it."""
    registry = ToolRegistry(mode="code")
    registry.tool(name="list-items")(lambda: 1)
    seen: list[str] = []
    registry.pre_execute(lambda call: seen.append(call.name))

    result = await registry.call("list-items", {})
    unknown = await registry.call("run_code", {"code": ""})

    assert (
        "Error: 'list-items' cannot be called directly; call run_code with a program that says "
        "`await tools['list-items'](...)`"
    ) == content_text(result.content)
    assert ("UNKNOWN_TOOL", "UNKNOWN_TOOL") == (code(result), code(unknown))
    assert ["run_code"] == seen


def transport(body: Callable[[ToolContext], Any]) -> ToolDefinition:
    """A `run_code` whose body is given."""

    async def run(arguments: dict[str, object], context: ToolContext) -> object:
        return await body(context)

    schema = {"type": "object", "properties": {"code": {"type": "string"}}, "required": ["code"]}
    return ToolDefinition(name="run_code", input_schema=schema, body=run)


async def test_the_transport_passes_the_same_policies_which_see_the_program() -> None:
    """Checklist 35: a guard can read a program before it runs."""
    registry = ToolRegistry(mode="code")
    ran: list[str] = []

    @registry.guard
    def guard(call: ToolCall) -> str | None:
        return "no loops" if "while" in str(call.arguments["code"]) else None

    async def body(context: ToolContext) -> None:
        ran.append(context.call.id)

    run_code = transport(body)
    denied = await registry.call("run_code", {"code": "while 1: pass"}, transport=run_code)
    ran_well = await registry.call("run_code", {"code": "1"}, call_id="c7", transport=run_code)
    invalid = await registry.call("run_code", {}, transport=run_code)

    assert ("DENIED", None, "INVALID_ARGS") == (code(denied), code(ran_well), code(invalid))
    assert ["c7"] == ran


async def test_a_nested_call_carries_its_parent_and_passes_though_the_mode_is_code() -> None:
    """Checklist 36: it says whose it is, and meets the same policies."""
    registry = ToolRegistry(mode="code")
    registry.tool(name="one")(lambda: 1)
    seen: list[tuple[str, str | None, str, bool]] = []
    registry.pre_execute(
        lambda call: seen.append((call.id, call.parent_id, call.root_id, call.is_nested))
    )

    async def body(context: ToolContext) -> object:
        async with context.program_calls() as calls:
            return await calls.bindings[0].functions["one"]({})

    result = await registry.call("run_code", {"code": ""}, call_id="c1", transport=transport(body))

    assert 1 == result.value
    assert [("c1", None, "c1", False), ("c1:code:1", "c1", "c1", True)] == seen


async def test_a_timeout_of_a_definition_is_enforced(registry: ToolRegistry) -> None:
    """The body is cancelled, and the model told that a retry may help."""

    @registry.tool(timeout_ms=10)
    async def slow() -> None:
        await anyio.sleep_forever()

    with anyio.fail_after(5):
        result = await registry.call("slow", {})

    assert result.failure is not None
    assert ("TOOL_TIMEOUT", "it took longer than its 10 ms", True, "unknown") == (
        result.failure.code,
        result.failure.message,
        result.failure.retryable,
        result.failure.effect,
    )


async def test_a_tool_that_raises_is_told_in_words_and_shown_to_the_host_whole() -> None:
    """The model gets type and message; the host has the exception with its traceback."""
    registry = ToolRegistry()

    @registry.tool
    async def broken() -> None:
        raise KeyError("no such row")

    result = await registry.call("broken", {})

    assert result.failure is not None
    assert "KeyError: 'no such row'" == result.failure.message
    error = result.failure.exception
    assert isinstance(error, KeyError)
    assert error.__traceback__ is not None


async def test_a_lone_error_in_a_group_is_unpacked(registry: ToolRegistry) -> None:
    """A task group inside a tool does not hide what went wrong in it."""

    @registry.tool
    async def grouped() -> None:
        async def fail() -> None:
            raise ToolCallError("row 3 is malformed")

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(fail)

    result = await registry.call("grouped", {})

    assert "Error: row 3 is malformed" == content_text(result.content)


@pytest.mark.parametrize("anyio_backend", ["asyncio"])
async def test_a_cancellation_that_the_tool_made_up_is_a_failure_of_the_tool(
    registry: ToolRegistry,
) -> None:
    """Awaiting a task that somebody cancelled does not look like the caller's own wish."""

    @registry.tool
    async def odd() -> None:
        raise asyncio.CancelledError

    result = await registry.call("odd", {})

    assert ("TOOL_FAILED", "Error: the tool was cancelled") == (
        code(result),
        content_text(result.content),
    )


async def test_a_body_can_return_more_than_a_value(registry: ToolRegistry) -> None:
    """Content of its own goes to the model, the value to programs, checked as ever."""
    image = ImagePart(data="aGk=", mime_type="image/png")

    async def body(arguments: dict[str, object], context: ToolContext) -> ToolOutput:
        return ToolOutput(value={"width": 1}, content=[TextPart("a dot"), image])

    registry.register(ToolDefinition(name="draw", output_schema={"type": "object"}, body=body))

    result = await registry.call("draw", {})

    assert ((TextPart("a dot"), image), {"width": 1}) == (result.content, result.value)


async def test_a_value_is_rendered_as_its_definition_says(registry: ToolRegistry) -> None:
    """Text as it is, other values as JSON, or what `render` makes of them."""
    registry.tool(name="text")(lambda: 'say "hi"')
    registry.tool(name="json")(lambda: {"a": [1, None]})
    registry.tool(name="shown", render=lambda arguments, value: f"{arguments} -> {value}")(
        lambda: 1
    )

    shown = [content_text((await registry.call(n, {})).content) for n in ("text", "json", "shown")]

    assert ['say "hi"', '{"a":[1,null]}', "{} -> 1"] == shown


async def test_only_a_call_that_begins_is_told_to_the_log(registry: ToolRegistry) -> None:
    """A refused one has no start."""
    events = Events()
    registry.guard(lambda call: "no" if call.arguments == {"n": 1} else None)

    await registry.call("double", {"n": 1}, call_id="a", sink=events)
    await registry.call("double", {"n": 2}, call_id="b", sink=events)

    assert [ToolStarted(call_id="b", tool="double", arguments={"n": 2})] == events.all


async def test_arguments_that_are_no_json_are_refused_with_their_path(
    registry: ToolRegistry,
) -> None:
    """Checklist 19: NaN and infinities are no JSON numbers, whoever sends them."""
    result = await registry.call("double", {"n": float("inf")})

    assert "INVALID_ARGS" == code(result)
    assert "Error: $.n: inf is not a JSON number; " in content_text(result.content)


class Odd(BaseModel):
    n: int

    @field_validator("n")
    @classmethod
    def break_down(cls, n: int) -> int:
        if n == 1:
            raise RuntimeError("the validator broke")
        return n

    @field_serializer("n")
    def refuse(self, n: int) -> int:
        raise RuntimeError("the serializer broke")


@pytest.mark.parametrize(
    "n,told,effect",
    [
        (1, "RuntimeError: the validator broke", "not-started"),
        (2, "the serializer broke", "committed"),
    ],
)
async def test_a_type_whose_own_code_fails_is_a_failure_of_the_tool(
    registry: ToolRegistry, n: int, told: str, effect: str
) -> None:
    """Checklist 26: nothing escapes, wherever it is raised."""

    @registry.tool
    async def odd(item: Odd) -> Odd:
        return item

    result = await registry.call("odd", {"item": {"n": n}})

    assert result.failure is not None
    assert told in result.failure.message
    assert effect == result.failure.effect


async def test_a_log_that_cannot_be_written_is_no_failure_of_the_tool(
    registry: ToolRegistry,
) -> None:
    """It goes through to the host, and the body does not run unrecorded."""

    class Full(Events):
        def emit(self, event: Event) -> None:
            raise RuntimeFault("no space left")

    with pytest.raises(RuntimeFault, match="no space left"):
        await registry.call("double", {"n": 1}, sink=Full())


async def test_a_plain_body_runs_in_a_thread() -> None:
    """So it holds up no other call, and needs no annotation to be a tool."""
    registry = ToolRegistry()
    here, there = threading.get_ident(), []

    def body(arguments: dict[str, object], _: object) -> object:
        there.append(threading.get_ident())
        return arguments["n"]

    registry.register(ToolDefinition(name="plain", body=body))

    result = await registry.call("plain", {"n": 3})

    assert 3 == result.value
    assert [here] != there
