"""One run: send the program, serve its calls, watch its budgets, see its process off."""

from __future__ import annotations

import logging
import math
import os
import re
from contextlib import ExitStack
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import anyio

from codemode.errors import RuntimeFault
from codemode.process.conversation import (
    CallDropped,
    CallMade,
    Conversation,
    Printed,
    ProtocolViolationError,
    Ready,
)
from codemode.process.cpu import cpu_limit_s
from codemode.process.ending import Died, Violated, failure_of_process
from codemode.process.guest import MAX_STDERR_BYTES
from codemode.process.wire import Wire
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
    RunClock,
    current_clock,
    failure_of,
    lossy_result_words,
    rejection_words,
    result_of,
)
from codemode_guest.frames import FILENAME

if TYPE_CHECKING:
    from anyio.abc import TaskGroup

    from codemode.process.config import ProcessRuntimeConfig
    from codemode.process.conversation import Event
    from codemode.process.guest import Guest
    from codemode.runtime import AbortSignal, CodeRunRequest

#: How long a guest gets to say which line it is at before it is killed. It answers within a
#: millisecond or, having been stopped or beaten, never.
_LAST_LINE_S: Final = 0.1
#: How soon to look again at a CPU clock that could not be read yet.
_CLOCK_RETRY_S: Final = 0.05

_LINE_SAID: Final = re.compile(rf'File "{re.escape(FILENAME)}", line (\d{{1,9}})')

# The module frame is the outermost: the program was not on the stack, it waited for something.
_STACK_TOLD: Final = re.compile(rf"{_LINE_SAID.pattern} |in <module>\n")

_log = logging.getLogger("codemode.process")


class NoProcessError(RuntimeFault):
    """The system gave no process for a guest."""

    def __init__(self, number: int) -> None:
        """Say what fork said."""
        super().__init__(
            f"no process for another guest ({os.strerror(number)}); raise the limits of "
            "processes and descriptors, or lower max_concurrent_runs"
        )


class Run:
    """The course of one run on one guest.

    Args:
        request: What to run.
        config: Within which limits.
        guest: On which process; it is killed and gone when `finish` returns or raises.
        seed: For the program's random numbers.
        signals: Any of them ends the run.
        queued_ms: How long the request has waited.
    """

    def __init__(  # noqa: PLR0913, PLR0917 - what a run is made of
        self,
        request: CodeRunRequest,
        config: ProcessRuntimeConfig,
        guest: Guest,
        seed: int,
        signals: tuple[AbortSignal, ...],
        queued_ms: float,
    ) -> None:
        self._request = request
        self._config = config
        self._guest = guest
        self._seed = seed
        self._signals = signals
        self._queued_ms = queued_ms
        self._conversation = Conversation(
            request.bindings,
            max_frame_bytes=config.max_frame_bytes,
            max_pending_calls=config.max_pending_calls,
        )
        self._ledger = OutputLedger(config.max_output_bytes)
        self._wire = Wire(guest.socket)
        self._clock = RunClock(anyio.current_time, self._set_deadline)
        self._turn = anyio.CancelScope()
        self._running: dict[int, anyio.CancelScope] = {}
        self._outcome: Returned | Failed | None = None
        self._ending: Expired | Aborted | Flooded | Violated | None = None
        self._cpu_at_start_ns: int | None = None
        self._compute_checked_at = anyio.current_time()
        self._compute_left_s = config.compute_ms / 1000
        self._said = ""

    async def finish(self) -> CodeRunResult:
        """Run to the end; whatever happens, the guest is gone afterwards.

        Raises:
            NoProcessError: If the guest never came to be.
        """
        try:
            with ExitStack() as listening:
                for signal in self._signals:
                    listening.enter_context(signal.calling(self._guest.kill))
                await self._converse()
        finally:
            with anyio.CancelScope(shield=True):
                await self._guest.end()
        if self._guest.fork_error is not None and self._cpu_at_start_ns is None:
            raise NoProcessError(self._guest.fork_error)
        self._hear()
        return self._result()

    async def _converse(self) -> None:
        """Exchange frames until the program, its budget or its process ends."""
        context = current_clock.set(self._clock)
        try:
            async with anyio.create_task_group() as calls:
                self._wire.send(self._conversation.start(self._request.program, self._seed), calls)
                while not self._is_over():
                    with anyio.CancelScope() as self._turn:
                        self._set_deadline()
                        await self._exchange(calls)
                    if not self._is_over():
                        await self._stop_if_expired()
                self._guest.kill()
                # A socket at its end would wake the loop again and again while bindings clean up.
                self._wire.close()
                calls.cancel_scope.cancel()
        finally:
            self._wire.close()
            current_clock.reset(context)

    def _is_over(self) -> bool:
        return self._outcome is not None or self._ending is not None or self._wire.at_end

    async def _exchange(self, calls: TaskGroup) -> None:
        """Receive frames and act on them until the run is over."""
        while not self._is_over():
            data = await self._wire.receive()
            try:
                for event in self._conversation.receive(data):
                    self._act(event, calls)
                    if self._is_over():
                        return
            except ProtocolViolationError as error:
                self._ending = Violated(str(error))

    def _act(self, event: Event, calls: TaskGroup) -> None:
        match event:
            case CallMade():
                if self._conversation.call_count > self._config.max_calls:
                    self._ending = Expired("max_calls")
                else:
                    # Here and not in its task: a cancel may come before that has begun.
                    self._running[event.number] = anyio.CancelScope()
                    calls.start_soon(self._serve, event, calls)
            case Printed(text):
                if not self._ledger.write(text):
                    self._ending = Flooded()
            case CallDropped(number):
                if number in self._running:
                    self._running[number].cancel()
            case Ready(cpu_ns):
                # To be trusted: it was said before the program came.
                self._cpu_at_start_ns = cpu_ns
            case Returned() | Failed():
                self._outcome = event

    async def _serve(self, call: CallMade, calls: TaskGroup) -> None:
        """Await the binding of one call and answer it."""
        binding = self._request.bindings[call.namespace].functions[call.member]
        frame = None
        with self._running[call.number]:
            try:
                frame = self._answer(call.number, await binding(call.args))
            except anyio.get_cancelled_exc_class():
                # Ours and the caller's cancellations go on; one that the tool made up does not.
                if anyio.current_effective_deadline() == -math.inf:
                    raise
                frame = self._conversation.raised(call.number, "the tool was cancelled")
            except (Exception, SystemExit) as error:
                # Whatever a tool raises is the program's to catch.
                _log.debug("binding %r raised", call.member, exc_info=True)
                frame = self._conversation.raised(call.number, rejection_words(error))
        del self._running[call.number]
        if frame is None:
            frame = self._conversation.cancelled(call.number)
        self._wire.send(frame, calls)

    def _answer(self, number: int, result: object) -> bytes:
        try:
            return self._conversation.returned(number, result)
        except ValueError as error:  # lossy, or longer than a frame can be
            return self._conversation.raised(number, lossy_result_words(error))

    def _set_deadline(self) -> None:
        """Have the exchange interrupted when the next budget could be used up."""
        config, clock, now = self._config, self._clock, anyio.current_time()
        if clock.parked:
            due = now + config.max_parked_ms / 1000 - clock.parked_s()
        else:
            due = now + config.max_wall_ms / 1000 - clock.running_s()
        # A single thread cannot use CPU time faster than time passes, so until the rest of its
        # budget has passed there is nothing to see.
        self._turn.deadline = min(due, self._compute_checked_at + self._compute_left_s)

    async def _stop_if_expired(self) -> None:
        """Look at the clocks and end the run if one has run out."""
        config, clock = self._config, self._clock
        if clock.parked_s() >= config.max_parked_ms / 1000:
            await self._expire("max_parked_ms")
        elif clock.running_s() >= config.max_wall_ms / 1000:
            await self._expire("max_wall_ms")
        else:
            used_ns = self._guest.cpu_now_ns()
            self._compute_checked_at = anyio.current_time()
            if used_ns is None or self._cpu_at_start_ns is None:
                self._compute_left_s = _CLOCK_RETRY_S
                return
            left_ns = config.compute_ms * 1_000_000 - (used_ns - self._cpu_at_start_ns)
            if left_ns <= 0:
                await self._expire("compute_ms")
            self._compute_left_s = max(left_ns / 1e9, 0.001)

    def _hear(self) -> bool:
        """Keep what the interpreter has said since; False when there was nothing, or enough."""
        said = self._guest.stderr()
        self._said = (self._said + said)[:MAX_STDERR_BYTES]
        return bool(said) and len(self._said) < MAX_STDERR_BYTES

    async def _expire(self, budget: str) -> None:
        """End the run for a budget, having asked the guest for the line it is at."""
        self._guest.ask_where_it_is()
        with anyio.move_on_after(_LAST_LINE_S):
            # It comes in pieces, from the innermost frame outwards.
            while not _STACK_TOLD.search(self._said):
                await self._guest.wait_stderr_written()
                if not self._hear():
                    break
        self._ending = Expired(budget, _line_said(self._said))

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
            guest, said = self._guest, self._said
            death = ending or Died(guest.status, guest.cpu_ns, said, _line_said(said))
            return failure_of_process(death, self._config, cpu_limit_s(self._config), program)
        return failure_of(ending, self._config, program)

    def _report(self) -> CodeRunReport:
        cpu_ns, start_ns = self._guest.cpu_ns, self._cpu_at_start_ns
        compute_ms = None
        if cpu_ns is not None and start_ns is not None:
            compute_ms = max(0, cpu_ns - start_ns) / 1e6
        return CodeRunReport(
            calls=self._conversation.calls(),
            wall_ms=self._clock.elapsed_s() * 1000,
            compute_ms=compute_ms,
            queued_ms=self._queued_ms,
            parked_ms=self._clock.parked_s() * 1000,
            bytes_from_program=self._wire.bytes_received,
            bytes_to_program=self._wire.bytes_sent,
            seed=self._seed,
            stderr=self._said,
        )


def _line_said(said: str) -> int | None:
    """The innermost line of the program in the interpreter's own words, which are not trusted."""
    found = _LINE_SAID.search(said)
    return int(found.group(1)) if found else None
