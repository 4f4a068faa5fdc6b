"""Whether a call may be made: every policy is asked, then a person if need be, then the guards."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from inspect import isawaitable
from typing import Protocol, TypeVar, cast

from codemode.errors import RuntimeFault, UsageError
from codemode.runtime import AbortSignal
from codemode.session import EventSink
from codemode.tools.approval import Approvals
from codemode.tools.definition import ToolCall
from codemode.tools.errors import Effect, ToolCallError
from codemode.tools.hooks import Allow, Ask, Deny, Hooks
from codemode.tools.work import hook_failed

T = TypeVar("T")


class Waiting(Protocol):
    """What a call gives up while a person is asked about it: its slot among the others."""

    def park(self) -> None:
        """Give it up."""

    async def go_on(self) -> None:
        """Wait for one again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """What calls find around them, beside their policies.

    Attributes:
        sink: Where events go, if anywhere.
        approvals: Who is asked; one for a call of a model and all that come of it.
        signal: Cancels a call when it fires.
        on_start: Called just before the body.
    """

    sink: EventSink | None
    approvals: Approvals
    signal: AbortSignal | None = None
    on_start: Callable[[ToolCall], object] | None = None


async def permit(call: ToolCall, hooks: Hooks, around: Surroundings, slot: Waiting | None) -> None:
    """Return once the call may be made.

    Raises:
        ToolCallError: If it may not.
    """
    ask = await decide(call, hooks)
    if ask is not None:
        await _approve(call, ask, around, slot)
    for guard in hooks.guard:
        reason = cast("object", await answer_of(call, guard, call))
        if isinstance(reason, str):
            raise _denied(reason)
        if reason is not None:
            raise hook_failed(call, guard, _no_answer(reason, "a reason (text)"), "not-started")


async def decide(call: ToolCall, hooks: Hooks) -> Ask | None:
    """Ask each policy: one denial ends it, and one question is enough.

    Raises:
        ToolCallError: If one denies the call.
    """
    question = None
    for policy in hooks.pre_execute:
        decision = cast("object", await answer_of(call, policy, call))
        if isinstance(decision, Deny):
            raise _denied(decision.reason)
        if isinstance(decision, Ask):
            question = question or decision
        elif decision is not None and not isinstance(decision, Allow):
            error = _no_answer(decision, "one of Allow, Deny, Ask")
            raise hook_failed(call, policy, error, "not-started")
    return question


async def answer_of(
    call: ToolCall,
    hook: Callable[..., Awaitable[T] | T],
    *args: object,
    effect: Effect = "not-started",
) -> T:
    """Return the answer of a hook, async or not.

    Raises:
        ToolCallError: If it fails: a policy that cannot answer allows nothing.
    """
    try:
        answer = hook(*args)
        return await answer if isawaitable(answer) else answer
    except Exception as error:
        raise hook_failed(call, hook, error, effect) from error


async def _approve(call: ToolCall, ask: Ask, around: Surroundings, slot: Waiting | None) -> None:
    if slot is not None:
        slot.park()
    try:
        await around.approvals.obtain(call, ask.reason, around.sink)
    except (ToolCallError, RuntimeFault):
        raise
    except Exception as error:
        raise hook_failed(call, around.approvals, error, "not-started") from error
    if slot is not None:
        await slot.go_on()


def _denied(reason: str) -> ToolCallError:
    return ToolCallError(reason, code="DENIED", effect="not-started")


def _no_answer(given: object, answers: str) -> UsageError:
    return UsageError(f"it answered {given!r}; answer None or {answers}")
