"""One run: send the program, serve its calls, watch its budgets, see its process off."""

from __future__ import annotations

import os
from collections import deque
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import anyio
import anyio.lowlevel

from codemode.errors import RuntimeFault
from codemode.process.budget import BudgetWatch
from codemode.process.conversation import (
    CallDropped,
    CallMade,
    Conversation,
    Printed,
    ProtocolViolationError,
    Ready,
)
from codemode.process.cpu import cpu_limit_s
from codemode.process.decoding import FrameReader, is_small
from codemode.process.ending import Died, Violated, failure_of_process
from codemode.process.serving import Serving
from codemode.process.wire import Wire
from codemode.process.words import LastWords
from codemode.runtime import (
    Aborted,
    CodeRunFailure,
    CodeRunReport,
    CodeRunResult,
    Expired,
    Failed,
    Flooded,
    OutputLedger,
    Returned,
    current_clock,
    failure_of,
    result_of,
)

if TYPE_CHECKING:
    from codemode.process.config import ProcessRuntimeConfig
    from codemode.process.conversation import Event
    from codemode.process.event_loop import Tasks
    from codemode.process.guest import Guest
    from codemode.runtime import AbortSignal, CodeRunRequest

#: Frames that are acted on before other runs get their turn.
_FRAMES_PER_TURN: Final = 256


class NoProcessError(RuntimeFault):
    """The system gave no process for a guest."""

    def __init__(self, number: int) -> None:
        """Say what fork said."""
        super().__init__(
            f"no process for another guest ({os.strerror(number)}); raise the limits of "
            "processes and descriptors, or lower max_concurrent_runs"
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Shared:
    """What the runs of one runtime have in common.

    Attributes:
        config: Their limits.
        tasks: Where bindings run, and large frames are waited for; they outlive every run.
        readers: The threads that read large frames.
    """

    config: ProcessRuntimeConfig
    tasks: Tasks
    readers: anyio.CapacityLimiter


class Run:
    """The course of one run on one guest.

    Args:
        request: What to run.
        guest: On which process; it is killed and gone when `finish` returns or raises.
        shared: What it has in common with others.
        seed: For the program's random numbers.
        signals: Any of them ends the run.
        queued_ms: How long the request has waited.
    """

    def __init__(  # noqa: PLR0913 - what a run is made of
        self,
        request: CodeRunRequest,
        guest: Guest,
        shared: Shared,
        *,
        seed: int,
        signals: tuple[AbortSignal, ...],
        queued_ms: float,
    ) -> None:
        config = shared.config
        self._request = request
        self._config = config
        self._guest = guest
        self._seed = seed
        self._signals = signals
        self._queued_ms = queued_ms
        self._conversation = Conversation(
            request.bindings,
            max_frame_bytes=config.max_frame_bytes,
            max_frame_parts=config.max_frame_parts,
            max_pending_calls=config.max_pending_calls,
        )
        self._reader = FrameReader(config.max_frame_parts, shared.tasks, shared.readers)
        self._bodies: deque[bytes] = deque()
        self._ledger = OutputLedger(config.max_output_bytes, request.on_print)
        self._words = LastWords(guest)
        self._watch = BudgetWatch(config, guest, lambda: self._reader.cpu_ns, self._set_deadline)
        self._turn = anyio.CancelScope()
        self._outcome: Returned | Failed | None = None
        self._ending: Expired | Aborted | Flooded | Violated | None = None
        self._wire = Wire(guest.socket)
        self._serving = Serving(
            request.bindings,
            self._conversation,
            self._wire.send_together,
            shared.tasks,
            self._turn_over,
        )

    async def finish(self) -> CodeRunResult:
        """Run to the end; whatever happens, the guest is gone afterwards.

        Raises:
            NoProcessError: If the guest never came to be.
            BaseException: What a binding raised that no program should catch, such as
                KeyboardInterrupt, as it was raised.
        """
        try:
            with ExitStack() as listening:
                for signal in self._signals:
                    listening.enter_context(signal.calling(self._guest.kill))
                await self._converse()
        finally:
            with anyio.CancelScope(shield=True):
                await self._serving.wait_ended(self._config.binding_grace_ms / 1000)
                await self._guest.end()
        if self._serving.strike is not None:
            raise self._serving.strike
        if self._guest.fork_error is not None and not self._has_acted():
            raise NoProcessError(self._guest.fork_error)
        self._words.hear()
        return self._result()

    async def _converse(self) -> None:
        """Exchange frames until the program, its budget or its process ends."""
        context = current_clock.set(self._watch.clock)
        try:
            program, check_only = self._request.program, self._request.check_only
            start = self._conversation.start(program, self._seed, check_only=check_only)
            self._wire.send(start)
            while not self._is_over():
                await self._take_turn()
        finally:
            self._guest.kill()
            self._serving.stop()
            self._reader.stop()
            # A socket at its end would wake the loop again and again while bindings clean up.
            self._wire.close()
            current_clock.reset(context)

    async def _take_turn(self) -> None:
        """Exchange frames until the run is over or a budget could be used up."""
        with anyio.CancelScope() as self._turn:
            self._set_deadline()
            await self._exchange()
            if self._turn.cancel_called:
                # By a binding, in a step of this very task, it may be. Before Python 3.13 leaving
                # the scope does not take that back, so it is met in here.
                await anyio.lowlevel.checkpoint()
        if not self._is_over() and (budget := self._watch.expired()) is not None:
            self._ending = Expired(budget, await self._words.ask_line())

    def _is_over(self) -> bool:
        return (
            self._outcome is not None
            or self._ending is not None
            or self._serving.strike is not None
            or (self._wire.at_end and not self._bodies)
        )

    def _has_acted(self) -> bool:
        """Whether anything came of the program that a second attempt could not undo."""
        return self._outcome is not None or self._conversation.call_count > 0

    def _set_deadline(self) -> None:
        """Have the exchange interrupted when the next budget could be used up."""
        self._turn.deadline = self._watch.due()

    def _turn_over(self) -> None:
        """Have it interrupted now."""
        self._turn.cancel()

    async def _exchange(self) -> None:
        """Receive frames and act on them until the run is over."""
        try:
            while not self._is_over():
                if not self._bodies:
                    await self._wire.receive(self._take)
                elif is_small(self._bodies[0]):
                    self._act_on_small()
                    await anyio.lowlevel.checkpoint()
                else:
                    # Taken away when it was read: this may be interrupted, and go on.
                    frame = await self._reader.read_large(self._bodies[0])
                    self._act(self._conversation.hear(self._bodies.popleft(), frame))
        except ProtocolViolationError as error:
            self._ending = Violated(str(error))
        except MemoryError:
            self._ending = Violated("a frame that the host has no memory to read")

    def _take(self, data: bytes) -> bool:
        """Act on what has come; False when the rest of it is for a task to act on."""
        self._bodies.extend(self._conversation.bodies(data))
        self._act_on_small()
        return not self._bodies and not self._is_over()

    def _act_on_small(self) -> None:
        """Act on frames as they come, up to the first large one, or to where others have a turn."""
        bodies = self._bodies
        for _ in range(min(len(bodies), _FRAMES_PER_TURN)):
            if self._is_over() or not is_small(bodies[0]):
                break
            body = bodies.popleft()
            self._act(self._conversation.hear(body, self._reader.read(body)))

    def _act(self, event: Event) -> None:
        match event:
            case CallMade():
                if self._conversation.call_count > self._config.max_calls:
                    self._ending = Expired("max_calls")
                else:
                    self._serving.begin(event)
            case Printed(text):
                if not self._ledger.write(text):
                    self._ending = Flooded()
            case CallDropped(number):
                self._serving.drop(number)
            case Ready(cpu_ns):
                # To be trusted: it was said before the program came.
                self._watch.begin(cpu_ns)
            case Returned() | Failed():
                self._outcome = event

    def _result(self) -> CodeRunResult:
        """Decide what the outcome is, now that nothing can change it any more."""
        report = self._report()
        if self._outcome is None:
            return CodeRunResult(logs=self._ledger.lines(), error=self._failure(), report=report)
        return replace(result_of(self._outcome, self._ledger, self._config), report=report)

    def _failure(self) -> CodeRunFailure:
        """The failure of a program that did not end by itself."""
        ending, program = self._ending, self._request.program
        fired = [signal for signal in self._signals if signal.aborted]
        if ending is None and fired:
            ending = Aborted(fired[0].reason)
        if ending is None or isinstance(ending, Violated):
            guest, words = self._guest, self._words
            death = ending or Died(guest.status, guest.cpu_ns, words.text, words.line)
            return failure_of_process(death, self._config, cpu_limit_s(self._config), program)
        return failure_of(ending, self._config, program)

    def _report(self) -> CodeRunReport:
        return CodeRunReport(
            calls=self._conversation.calls(),
            wall_ms=self._watch.clock.elapsed_s() * 1000,
            compute_ms=self._watch.compute_ms(),
            queued_ms=self._queued_ms,
            parked_ms=self._watch.clock.parked_s() * 1000,
            bytes_from_program=self._wire.bytes_received,
            bytes_to_program=self._wire.bytes_sent,
            seed=self._seed,
            stderr=self._words.text,
        )
