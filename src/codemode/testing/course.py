"""The host's side of one run in memory: its calls, its clocks and its outcome."""

from __future__ import annotations

import contextlib
import secrets
from collections import deque
from contextlib import ExitStack
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import anyio

from codemode.runtime import (
    Aborted,
    CallBook,
    CodeRunReport,
    CodeRunResult,
    Expired,
    Flooded,
    OutputLedger,
    RunClock,
    begin_call,
    current_clock,
    failure_of,
    lossy_result_words,
    packed_signatures,
    rejection_words,
    result_of,
)
from codemode.runtime.threads import threadsafe_scheduler
from codemode.testing.thread import ProgramThread, ThreadCall
from codemode_guest import values
from codemode_guest.calls import NamespaceSpec

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from codemode.runtime import (
        AbortSignal,
        Budgets,
        CallState,
        CodeRunRequest,
        Failed,
        Returned,
    )

#: How often the CPU clock of a thread is looked at, and how soon what was raised into it to end
#: it is raised again, since it may have been caught there.
_LOOK_S: Final = 0.02


class Course:
    """One run: the host's side here, the program's in a thread."""

    def __init__(
        self, limits: Budgets, request: CodeRunRequest, signals: tuple[AbortSignal, ...]
    ) -> None:
        self._limits = limits
        self.source = request.program
        self.check_only = request.check_only
        self.bindings = request.bindings
        self.max_output_bytes = limits.max_output_bytes
        self.namespaces: Sequence[NamespaceSpec] = [
            NamespaceSpec(
                namespace.global_name,
                tuple(namespace.functions),
                error.name if (error := namespace.error_class) else None,
                error.member_name_property if error else None,
                packed_signatures(namespace.global_name, namespace.signatures, request.program),
            )
            for namespace in request.bindings
        ]
        self._signals = signals
        self._schedule = threadsafe_scheduler()
        self.seed = secrets.randbits(64) if request.seed is None else request.seed
        self._ledger = OutputLedger(limits.max_output_bytes, request.on_print)
        self._book = CallBook()
        self._scopes: dict[int, anyio.CancelScope] = {}
        self._clock = RunClock(anyio.current_time)
        self._outcome: Returned | Failed | None = None
        self._ending: Expired | Aborted | Flooded | None = None
        self._over = False
        # What the program's thread says is acted on in the task that runs it, where bindings
        # find the caller's context.
        self._mail: deque[Callable[[], object]] = deque()
        self._mail_came = anyio.Event()
        self._program = ProgramThread(self)
        self._tasks: anyio.abc.TaskGroup

    async def finish(self) -> CodeRunResult:
        """Run to the end; the thread is gone afterwards."""
        context = current_clock.set(self._clock)
        try:
            async with anyio.create_task_group() as self._tasks:
                with ExitStack() as listening:
                    for signal in self._signals:
                        listening.enter_context(signal.calling(lambda: self.post(self._abort)))
                    self._program.start()
                    while not self._over:
                        await self._read_mail()
                        self._look_at_clocks()
                self._tasks.cancel_scope.cancel()
        finally:
            current_clock.reset(context)
            with anyio.CancelScope(shield=True):
                await self._stop_program()
        return self._result()

    async def _stop_program(self) -> None:
        while not self._program.ended:
            if self._outcome is None:
                self._program.interrupt()
            with anyio.move_on_after(_LOOK_S):
                while not self._program.ended:
                    await self._read_mail()

    def post(self, told: Callable[[], object]) -> None:
        """Have the host's task call a function; from any thread."""
        self._mail.append(told)
        with contextlib.suppress(RuntimeError):  # the loop is gone, and with it who would read
            self._schedule(self._wake)

    def _wake(self) -> None:
        self._mail_came.set()

    async def _read_mail(self) -> None:
        """Wait for word from the program, though not for long, and act on it."""
        with anyio.move_on_after(_LOOK_S):
            await self._mail_came.wait()
        self._mail_came = anyio.Event()
        while self._mail:
            self._mail.popleft()()

    def printed(self, text: str) -> None:
        """Keep what the program printed."""
        if not self._over and not self._ledger.write(text):
            self._end(Flooded())

    def settled(self, outcome: Returned | Failed) -> None:
        """Take the outcome; what comes later changes nothing."""
        if not self._over:
            self._outcome = outcome
            self._over = True

    def called(self, call: ThreadCall) -> None:
        """Serve a call."""
        if self._over:
            return
        if len(self._book) >= self._limits.max_calls:
            self._end(Expired("max_calls"))
            return
        namespace = self.bindings[call.namespace]
        member = tuple(namespace.functions)[call.member]
        call.number = self._book.enter(namespace.global_name, member)
        self._scopes[call.number] = anyio.CancelScope()
        begun = begin_call(namespace.functions[member], values.decode(call.args))
        self._tasks.start_soon(self._serve, call, begun)

    def dropped(self, call: ThreadCall) -> None:
        """Cancel a call that the program waits for no longer."""
        if call.number in self._scopes:
            self._scopes[call.number].cancel()

    async def _serve(self, call: ThreadCall, begun: Awaitable[object]) -> None:
        state: CallState = "cancelled"
        with self._scopes[call.number]:
            try:
                state = self._answer(call, await begun)
            except (Exception, SystemExit) as error:
                # Whatever a tool raises is the program's to catch.
                state = "raised"
                self._program.answer(call, rejection_words(error), succeeded=False)
        self._book.settle(call.number, state)

    def _answer(self, call: ThreadCall, result: object) -> CallState:
        try:
            encoded = values.encode(result)
        except values.LossyValueError as error:
            self._program.answer(call, lossy_result_words(error), succeeded=False)
            return "raised"
        self._program.answer(call, values.decode(encoded), succeeded=True)
        return "returned"

    def _abort(self) -> None:
        fired = next(signal for signal in self._signals if signal.aborted)
        self._end(Aborted(fired.reason))

    def _end(self, ending: Expired | Aborted | Flooded) -> None:
        if not self._over:
            self._ending = ending
            self._over = True

    def _look_at_clocks(self) -> None:
        limits, clock = self._limits, self._clock
        if clock.parked_s() * 1000 >= limits.max_parked_ms:
            self._end(Expired("max_parked_ms"))
        elif clock.running_s() * 1000 >= limits.max_wall_ms:
            self._end(Expired("max_wall_ms"))
        elif self._program.cpu_s() * 1000 >= limits.compute_ms:
            self._end(Expired("compute_ms"))

    def _result(self) -> CodeRunResult:
        report = CodeRunReport(
            calls=self._book.calls(),
            wall_ms=self._clock.elapsed_s() * 1000,
            compute_ms=self._program.cpu_s() * 1000,
            parked_ms=self._clock.parked_s() * 1000,
            seed=self.seed,
        )
        if self._outcome is not None:
            return replace(result_of(self._outcome, self._ledger, self._limits), report=report)
        # Over without an outcome is what an ending is for.
        ending = self._ending or Aborted(None)
        error = failure_of(ending, self._limits, self.source)
        return CodeRunResult(logs=self._ledger.lines(), error=error, report=report)
