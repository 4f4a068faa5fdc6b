"""The one path of every call: policy, approval, body, inspection, result.

Checked arguments -> pre_execute -> approval -> guards -> execute (around the body) -> checked
value -> post_execute -> finalize -> result. Whatever fails on the way becomes a failure; only
the cancellation of the calling task goes through, and leaves a result behind as well.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import replace
from typing import Final, NoReturn

import anyio

from codemode.errors import RuntimeFault, UsageError
from codemode.runtime import ABSENT, AbortSignal
from codemode.runtime.threads import threadsafe_scheduler
from codemode.tools.definition import ToolCall, ToolContext
from codemode.tools.errors import ToolCallError
from codemode.tools.hooks import Block, Hooks, PostExecute, Replace, Verdict
from codemode.tools.policies import Surroundings, Waiting, answer_of, decide, permit
from codemode.tools.results import ToolResult
from codemode.tools.work import Work, hook_failed, tool_failed

_log: Final = logging.getLogger("codemode.tools")


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
        self._work = Work(call, context)

    async def carry_out(self) -> ToolResult:
        """Return what comes of the call. Never raises for what a tool or a hook does."""
        signal = self._around.signal
        try:
            result = await (self._outcome() if signal is None else self._until_fired(signal))
            for hook in self._hooks.post_execute:
                result = await self._inspected(hook, result)
        except BaseException:
            # The task is being cancelled, or the host is going down. Nothing can be awaited any
            # more, but what was begun is brought to its end for those who keep records.
            self._finish(self._aborted())
            raise
        return self._finish(result)

    async def _until_fired(self, signal: AbortSignal) -> ToolResult:
        """Return the outcome, cancelled when the signal fires."""
        if signal.aborted:
            return self._aborted()
        schedule = threadsafe_scheduler()
        result: ToolResult | None = None
        with anyio.CancelScope() as scope, signal.calling(lambda: schedule(scope.cancel)):
            result = await self._outcome()
        if result is None or _is_late(result, signal):
            return self._aborted()
        return result

    async def _outcome(self) -> ToolResult:
        """Return what comes of policy and body."""
        call, hooks, around, work = self._call, self._hooks, self._around, self._work
        try:
            if call.definition is None:
                await self._refuse_unknown()
            arguments = work.accept()
            if hooks.pre_execute or hooks.guard:
                await permit(call, hooks, around, self._slot)
            if around.on_start is not None:
                around.on_start(call)
            if hooks.execute:
                await work.run_in(hooks.execute, arguments)
            else:
                await work.run(arguments)
        except ToolCallError as error:
            return self._failed(error)
        except RuntimeFault:
            raise  # the log cannot be written, which is not the tool's doing
        except Exception as error:
            return self._failed(tool_failed(error, work.effect))
        return work.result()

    async def _refuse_unknown(self) -> NoReturn:
        """Refuse a call of what is not there; policies see it all the same.

        Raises:
            ToolCallError: Always.
        """
        await decide(self._call, self._hooks)
        raise ToolCallError(self._unknown, code="UNKNOWN_TOOL", effect="not-started")

    # --- after the body ---

    async def _inspected(self, hook: PostExecute, result: ToolResult) -> ToolResult:
        """Return the result as one inspector wants it."""
        call, effect = self._call, self._work.effect
        try:
            verdict = await answer_of(call, hook, call, result, effect=effect)
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
        context, tool = self._context, self._call.definition
        context.sink = None  # a thread that was left behind reports to nobody
        if self._hooks.finalize or (tool is not None and tool.finalize is not None):
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
        tool, content = self._call.definition, result.content
        try:
            if tool is not None and tool.finalize is not None:
                content = tuple(tool.finalize(content))
            for finalize in self._hooks.finalize:
                content = tuple(finalize(self._call, content))
        except Exception as error:
            self._context.deferred.clear()
            return self._failed(self._hook_failed("finalize", error))
        return replace(result, content=content)

    # --- failures ---

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
        _log.info("the call %s of %r failed", self._call.id, self._call.name, exc_info=error)
        return ToolResult.failed(error)


def _is_late(result: ToolResult, signal: AbortSignal) -> bool:
    """Whether nobody waits for a success any more; a failure keeps its cause."""
    return signal.aborted and not result.is_error
