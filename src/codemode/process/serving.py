"""The calls of one run that are with their bindings: begun, cancelled, answered, left behind."""

from __future__ import annotations

import logging
import math
from functools import partial
from typing import TYPE_CHECKING, Final

import anyio

from codemode.runtime import begin_call, lossy_result_words, rejection_words

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from codemode.process.conversation import CallMade, Conversation
    from codemode.process.event_loop import Tasks
    from codemode.runtime import CodeBindingNamespace

#: Replies of so many bytes are not held back for more: the program has something to do.
_MANY_BYTES: Final = 2048

_log = logging.getLogger("codemode.process")


class _Going:
    """A call that is with its binding.

    Attributes:
        call: The call.
        begun: What its binding gave to await, once it has been called.
        scope: What cancels it, once its task has begun.
        is_dropped: Whether it is to be cancelled.
    """

    __slots__ = ("begun", "call", "is_dropped", "scope")

    def __init__(self, call: CallMade, begun: Awaitable[object] | None) -> None:
        self.call = call
        self.begun = begun
        self.scope: anyio.CancelScope | None = None
        self.is_dropped = False

    def drop(self) -> None:
        """Cancel it, or see to it that it ends as soon as it has begun."""
        self.is_dropped = True
        if self.scope is not None:
            self.scope.cancel()


class Serving:
    """Awaits bindings and has their answers sent.

    Args:
        bindings: What the program may call.
        conversation: What is told of each answer.
        send: Sends frames, and calls back for each when it has left.
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
        send: Callable[[Sequence[tuple[bytes, Callable[[], object]]]], object],
        tasks: Tasks,
        on_strike: Callable[[], object],
    ) -> None:
        self.strike: BaseException | None = None
        self._bindings = bindings
        self._conversation = conversation
        self._send = send
        self._tasks = tasks
        self._on_strike = on_strike
        self._running: dict[int, _Going] = {}
        self._all_ended = anyio.Event()
        self._is_over = False
        self._replies: list[tuple[int, bytes]] = []
        self._reply_bytes = 0

    def begin(self, call: CallMade) -> None:
        """Have a binding called, in the order of the program's calls, and awaited."""
        begun = None if self._tasks.in_order else self._called(call)
        going = self._running[call.number] = _Going(call, begun)
        self._tasks.start(self._serve(going))

    def drop(self, number: int) -> None:
        """Cancel a call, unless it was answered."""
        if number in self._running:
            self._running[number].drop()

    def stop(self) -> None:
        """Cancel what goes on; nothing is sent from now on."""
        self._is_over = True
        for going in self._running.values():
            going.drop()

    async def wait_ended(self, grace_s: float) -> None:
        """Wait until what was stopped has ended, though no longer than this. Shield it."""
        if not self._running:
            return
        with anyio.move_on_after(grace_s):
            await self._all_ended.wait()
        for going in self._running.values():
            _log.warning(
                "binding %r was cancelled %.0f ms ago and has not ended; it is left behind "
                "(binding_grace_ms)",
                going.call.member,
                grace_s * 1000,
            )

    def _called(self, call: CallMade) -> Awaitable[object]:
        return begin_call(self._bindings[call.namespace].functions[call.member], call.args)

    async def _serve(self, going: _Going) -> None:
        """Await the binding of one call and answer it."""
        call, frame = going.call, None
        with self._tasks.scope() as scope:
            going.scope = scope
            if going.is_dropped:
                scope.cancel()
            try:
                begun = self._called(call) if going.begun is None else going.begun
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
        self._reply(call.number, frame)

    def _reply(self, number: int, frame: bytes) -> None:
        """Send an answer: at once if nothing else goes on, else with others of this moment."""
        if len(frame) > _MANY_BYTES:
            # It is not to be copied to be joined.
            self._send_replies()
        self._replies.append((number, frame))
        self._reply_bytes += len(frame)
        if not self._running or self._reply_bytes > _MANY_BYTES:
            self._send_replies()
        elif len(self._replies) == 1:
            self._tasks.call_soon(self._send_replies)

    def _send_replies(self) -> None:
        replies, self._replies, self._reply_bytes = self._replies, [], 0
        if not replies or self._is_over:
            return

        # The guest may answer the first before the last has left, so each counts by itself.
        self._send(
            [(frame, partial(self._conversation.delivered, number)) for number, frame in replies]
        )

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
