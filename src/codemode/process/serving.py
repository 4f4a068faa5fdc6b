"""The calls of one run that are with their bindings: begun, cancelled, answered, left behind."""

from __future__ import annotations

import logging
import math
from typing import TYPE_CHECKING

import anyio

from codemode.runtime import begin_call, lossy_result_words, rejection_words

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from anyio.abc import TaskGroup

    from codemode.process.conversation import CallMade, Conversation
    from codemode.runtime import CodeBindingNamespace

_log = logging.getLogger("codemode.process")


class Serving:
    """Awaits bindings and has their answers sent.

    Bindings run in tasks that outlive the run: what its author wrote may catch its cancellation
    and go on for ever, and must not hold whoever waits for the run.

    Args:
        bindings: What the program may call.
        conversation: What is told of each answer.
        send: Sends a frame, and calls back when it has left.
        tasks: Where bindings run.
        on_strike: Called when a binding has raised what is no program's to catch, such as
            KeyboardInterrupt.

    Attributes:
        strike: What that was, if there was any.
    """

    def __init__(
        self,
        bindings: Sequence[CodeBindingNamespace],
        conversation: Conversation,
        send: Callable[[bytes, Callable[[], object]], object],
        tasks: TaskGroup,
        on_strike: Callable[[], object],
    ) -> None:
        self.strike: BaseException | None = None
        self._bindings = bindings
        self._conversation = conversation
        self._send = send
        self._tasks = tasks
        self._on_strike = on_strike
        self._running: dict[int, tuple[str, anyio.CancelScope]] = {}
        self._all_ended = anyio.Event()
        self._is_over = False

    def begin(self, call: CallMade) -> None:
        """Call the binding now, in the order of the program's calls, and have it awaited."""
        begun = begin_call(self._bindings[call.namespace].functions[call.member], call.args)
        # Here and not in its task: a cancel may come before that has begun.
        scope = anyio.CancelScope()
        self._running[call.number] = call.member, scope
        self._tasks.start_soon(self._serve, call, begun, scope)

    def drop(self, number: int) -> None:
        """Cancel a call, unless it was answered."""
        if number in self._running:
            self._running[number][1].cancel()

    def stop(self) -> None:
        """Cancel what goes on; nothing is sent from now on."""
        self._is_over = True
        for _, scope in self._running.values():
            scope.cancel()

    async def wait_ended(self, grace_s: float) -> None:
        """Wait until what was stopped has ended, though no longer than this. Shield it."""
        with anyio.move_on_after(grace_s):
            if self._running:
                await self._all_ended.wait()
        for member, _ in self._running.values():
            _log.warning(
                "binding %r was cancelled %.0f ms ago and has not ended; it is left behind "
                "(binding_grace_ms)",
                member,
                grace_s * 1000,
            )

    async def _serve(
        self, call: CallMade, begun: Awaitable[object], scope: anyio.CancelScope
    ) -> None:
        """Await the binding of one call and answer it."""
        frame = None
        with scope:
            try:
                frame = self._answer(call.number, await begun)
            except anyio.get_cancelled_exc_class():
                # Ours goes on to the scope; one that the tool made up does not.
                if anyio.current_effective_deadline() == -math.inf:
                    raise
                frame = self._conversation.raised(call.number, "the tool was cancelled")
            except BaseException as error:  # nothing may get into the tasks of other runs
                frame = self._rejection(call, error)
        del self._running[call.number]
        if self._is_over:
            if not self._running:
                self._all_ended.set()
            return
        if frame is None:
            frame = self._conversation.cancelled(call.number)
        self._send(frame, lambda: self._conversation.delivered(call.number))

    def _answer(self, number: int, result: object) -> bytes:
        try:
            return self._conversation.returned(number, result)
        except ValueError as error:  # lossy, or longer than a frame can be
            return self._conversation.raised(number, lossy_result_words(error))

    def _rejection(self, call: CallMade, error: BaseException) -> bytes | None:
        """Put into a frame what a binding raised; None when it is not the program's to catch."""
        rest: BaseException | None = error
        if isinstance(error, BaseExceptionGroup):
            # A tool with a task group of its own may raise its errors beside the cancellation.
            _, rest = error.split(anyio.get_cancelled_exc_class())
        if rest is None or isinstance(rest, (Exception, SystemExit)):
            _log.debug("binding %r raised", call.member, exc_info=error)
            return self._conversation.raised(call.number, rejection_words(rest or error))
        self.strike = error
        self._on_strike()
        return None
