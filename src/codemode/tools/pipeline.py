"""The one path of every call: policy, approval, body, inspection, result.

Checked arguments -> pre_execute -> approval -> guards -> execute (around the body) -> checked
value -> post_execute -> finalize -> result. Whatever fails on the way becomes a failure; only
the cancellation of the calling task goes through, and leaves a result behind as well.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from functools import partial
from inspect import isawaitable
from typing import Final, Protocol, TypeVar

import anyio

from codemode.errors import RuntimeFault, UsageError
from codemode.runtime import ABSENT, AbortSignal
from codemode.runtime.threads import threadsafe_scheduler
from codemode.session import EventSink
from codemode.tools.approval import Approvals
from codemode.tools.contract import no_object
from codemode.tools.definition import ToolCall, ToolContext
from codemode.tools.errors import ToolCallError
from codemode.tools.hooks import (
    Allow,
    Ask,
    Block,
    Deny,
    Execute,
    Hooks,
    PostExecute,
    Proceed,
    Replace,
    Verdict,
)
from codemode.tools.parts import TextPart
from codemode.tools.results import ToolFailure, ToolResult
from codemode.tools.work import Work, hook_failed, tool_failed
from codemode_guest.values import decode

T = TypeVar("T")

_log: Final = logging.getLogger("codemode.tools")


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


class Passage:
    """One call on its way through the pipeline.

    Args:
        call: The call, taken down.
        hooks: The policies of its scope, captured now.
        around: What it finds around it.
        context: What its body can say beside the value.
        settle: Told the result, exactly once, before anybody else sees it.
        slot: What it gives up while a person is asked about it.
        unknown: Why there is no such tool, if there is none.
    """

    def __init__(  # noqa: PLR0913 - all that a call meets
        self,
        call: ToolCall,
        hooks: Hooks,
        around: Surroundings,
        context: ToolContext,
        *,
        settle: Callable[[ToolResult], object] | None = None,
        slot: Waiting | None = None,
        unknown: str = "",
    ) -> None:
        self._call = call
        self._hooks = hooks
        self._around = around
        self._context = context
        self._settle = settle
        self._slot = slot
        self._unknown = unknown
        self._finalize = call.definition.finalize if call.definition else None
        self._work = Work(call, context)

    async def carry_out(self) -> ToolResult:
        """Return what comes of the call. Never raises for what a tool or a hook does."""
        try:
            result = await self._attempt()
            for hook in self._hooks.post_execute:
                result = await self._inspected(hook, result)
        except BaseException:
            # The task is being cancelled, or the host is going down. Nothing can be awaited any
            # more, but what was begun is brought to its end for those who keep records.
            self._finish(self._aborted())
            raise
        return self._finish(result)

    async def _attempt(self) -> ToolResult:
        """Return the result of policy and body, cancelled by the signal if there is one."""
        signal = self._around.signal
        if signal is None:
            return await self._policy_and_body()
        if signal.aborted:
            return self._aborted()
        schedule = threadsafe_scheduler()
        result: ToolResult | None = None
        with anyio.CancelScope() as scope, signal.calling(lambda: schedule(scope.cancel)):
            result = await self._policy_and_body()
        if result is None or _is_late(result, signal):
            return self._aborted()
        return result

    async def _policy_and_body(self) -> ToolResult:
        try:
            arguments = await self._permitted()
            if self._around.on_start is not None:
                self._around.on_start(self._call)
            await self._executed(arguments)
        except ToolCallError as error:
            return self._failed(error)
        except RuntimeFault:
            raise  # the log cannot be written, which is not the tool's doing
        except Exception as error:
            return self._failed(tool_failed(error, self._work.effect))
        return self._work.result()

    # --- before the body ---

    async def _permitted(self) -> dict[str, object]:
        """Return the arguments for the body, every policy having agreed.

        Raises:
            ToolCallError: If one has not, the arguments do not fit, or there is no such tool.
        """
        call, hooks = self._call, self._hooks
        if call.definition is None:
            await self._decided()
            raise ToolCallError(self._unknown, code="UNKNOWN_TOOL", effect="not-started")
        if not call.arguments_json.startswith(b"{"):
            raise no_object(decode(call.arguments_json))
        arguments = call.definition.checks().accept(call.arguments_json)
        if hooks.pre_execute and (ask := await self._decided()) is not None:
            await self._approved(ask)
        for guard in hooks.guard:
            reason = await self._asked(guard, call)
            if isinstance(reason, str):
                raise _denied(reason)
            if reason is not None:
                raise self._hook_failed(guard, _no_answer(reason, "a reason (text)"))
        return arguments

    async def _decided(self) -> Ask | None:
        """Ask each policy: one denial ends it, and one question is enough."""
        question = None
        for policy in self._hooks.pre_execute:
            decision = await self._asked(policy, self._call)
            if isinstance(decision, Deny):
                raise _denied(decision.reason)
            if isinstance(decision, Ask):
                question = question or decision
            elif decision is not None and not isinstance(decision, Allow):
                raise self._hook_failed(policy, _no_answer(decision, "one of Allow, Deny, Ask"))
        return question

    async def _approved(self, ask: Ask) -> None:
        approvals, slot = self._around.approvals, self._slot
        if slot is not None:
            slot.park()
        try:
            await approvals.obtain(self._call, ask.reason, self._around.sink)
        except (ToolCallError, RuntimeFault):
            raise
        except Exception as error:
            raise self._hook_failed(approvals, error) from error
        if slot is not None:
            await slot.go_on()

    # --- the body ---

    async def _executed(self, arguments: dict[str, object]) -> None:
        """Run the body, with the wrappers around it, and keep value and content."""
        if not self._hooks.execute:
            await self._work.run(arguments)
            return
        work, unused = self._work, [arguments]

        async def proceed() -> object:
            # A second attempt gets arguments of its own: the first may have changed them.
            taken = unused.pop() if unused else work.tool.checks().accept(self._call.arguments_json)
            await work.run(taken)
            return decode(work.value_json)

        for wrapper in reversed(self._hooks.execute):
            proceed = partial(self._wrapped, wrapper, proceed)
        value = await proceed()
        if not work.has_kept(value):
            work.keep(value)

    # --- after the body ---

    async def _inspected(self, hook: PostExecute, result: ToolResult) -> ToolResult:
        """Return the result as one inspector wants it."""
        try:
            verdict = await self._asked(hook, self._call, result)
            return result if verdict is None else self._amended(hook, result, verdict)
        except ToolCallError as error:
            # Blocked, or nobody knows whether it should be: nothing of it is shown.
            self._context.deferred.clear()
            return self._failed(error)

    def _amended(self, hook: PostExecute, result: ToolResult, verdict: Verdict) -> ToolResult:
        match verdict:
            case Block(feedback):
                raise ToolCallError(feedback, code="BLOCKED", effect=self._work.effect)
            case Replace(value=value, content=None) if value is not ABSENT:
                if result.is_error:
                    raise self._hook_failed(hook, UsageError("a failure has no value to replace"))
                self._work.keep(value)
                return self._work.result()
            case Replace(value=value, content=content) if value is ABSENT and content is not None:
                return replace(result, content=tuple(content))
        raise self._hook_failed(
            hook, UsageError(f"it answered {verdict!r}; answer None, Block, or one of Replace(...)")
        )

    def _finish(self, result: ToolResult) -> ToolResult:
        """Return the result as everybody will see it, having told those who want to know."""
        context = self._context
        context.sink = None  # a thread that was left behind reports to nobody
        if self._finalize is not None or self._hooks.finalize:
            result = self._finalized(result)
        if context.deferred or context.concludes_turn:
            result = replace(
                result,
                deferred=tuple(context.deferred),
                concludes_turn=context.concludes_turn and not result.is_error,
            )
        if self._settle is not None:
            self._settle(result)
        for observe in self._hooks.result:
            try:
                observe(self._call, result)
            except Exception:
                _log.warning("an observer of results failed: %r", observe, exc_info=True)
        return result

    def _finalized(self, result: ToolResult) -> ToolResult:
        """Let the last words be said; if they fail, nothing of the content is shown."""
        steps = [partial(finalize, self._call) for finalize in self._hooks.finalize]
        content = result.content
        try:
            for finalize in (*((self._finalize,) if self._finalize else ()), *steps):
                content = tuple(finalize(content))
        except Exception as error:
            self._context.deferred.clear()
            return self._failed(self._hook_failed("finalize", error))
        return replace(result, content=content)

    # --- failures ---

    async def _asked(self, hook: Callable[..., Awaitable[T] | T], *args: object) -> T:
        """Return the answer of a hook, async or not.

        Raises:
            ToolCallError: If it fails: a policy that cannot answer allows nothing.
        """
        try:
            answer = hook(*args)
            return await answer if isawaitable(answer) else answer
        except Exception as error:
            raise self._hook_failed(hook, error) from error

    async def _wrapped(self, wrapper: Execute, proceed: Proceed) -> object:
        try:
            return await wrapper(self._call, proceed)
        except ToolCallError:
            raise
        except TimeoutError as error:
            raise ToolCallError(
                "it took longer than the host allows", code="TOOL_TIMEOUT", retryable=True
            ) from error
        except Exception as error:
            raise self._hook_failed(wrapper, error) from error

    def _hook_failed(self, hook: object, error: Exception) -> ToolCallError:
        return hook_failed(self._call, hook, error, self._work.effect)

    def _aborted(self) -> ToolResult:
        begun = self._work.effect != "not-started"
        return self._failed(
            ToolCallError(
                "the call was cancelled" if begun else "the call was cancelled before it began",
                code="ABORTED" if begun else "ABORTED_BEFORE_DISPATCH",
                retryable=True,
                effect=self._work.effect,
            )
        )

    def _failed(self, error: ToolCallError) -> ToolResult:
        failure = ToolFailure(
            code=error.code,
            message=str(error),
            retryable=error.retryable,
            effect=error.effect,
            exception=error.__cause__ or error,
        )
        _log.info("the call %s of %r failed", self._call.id, self._call.name, exc_info=error)
        content = (
            (TextPart(f"Error: {failure.message}"),) if error.content is None else error.content
        )
        return ToolResult(content=content, failure=failure)


def _is_late(result: ToolResult, signal: AbortSignal) -> bool:
    """Whether nobody waits for a success any more; a failure keeps its cause."""
    return signal.aborted and not result.is_error


def _denied(reason: str) -> ToolCallError:
    return ToolCallError(reason, code="DENIED", effect="not-started")


def _no_answer(given: object, answers: str) -> UsageError:
    return UsageError(f"it answered {given!r}; answer None or {answers}")
