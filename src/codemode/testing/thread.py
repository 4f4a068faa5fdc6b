"""The program's side of one run in memory: its event loop, its calls, its end."""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import queue
import sys
import threading
import time
from collections import deque
from typing import TYPE_CHECKING, Any, Final, NoReturn, Protocol

from codemode.runtime import Failed, Returned
from codemode_guest import values, world
from codemode_guest.calls import install
from codemode_guest.failure import described
from codemode_guest.loop import GuestLoop
from codemode_guest.policy import MAIN, NO_VALUE, Program
from codemode_guest.program import compiled, completion, findings

if TYPE_CHECKING:
    from asyncio import Future
    from collections.abc import Callable, Coroutine, Sequence

    from codemode_guest.calls import NamespaceSpec

# The clock of one thread, by its number. Source: the kernel's posix-timers.h,
# MAKE_THREAD_CPUCLOCK. By its pthread it could not be asked for once it has ended.
_CPUCLOCK_OF_THREAD: Final = 6


class _StopProgram(SystemExit):
    """Raised into the program's thread to end it; asyncio lets this kind through."""


class Listener(Protocol):
    """The host's side, as the program's thread knows it; `Course` is one."""

    source: str
    check_only: bool
    seed: int
    max_output_bytes: int
    namespaces: Sequence[NamespaceSpec]

    def post(self, told: Callable[[], object]) -> None:
        """Have the host's task call a function; from any thread."""

    def printed(self, text: str) -> None:
        """Keep what the program printed."""

    def settled(self, outcome: Returned | Failed) -> None:
        """Take the outcome."""

    def called(self, call: ThreadCall) -> None:
        """Serve a call."""

    def dropped(self, call: ThreadCall) -> None:
        """Cancel a call that the program waits for no longer."""


class ThreadCall:
    """A call on its way between the threads."""

    __slots__ = ("args", "failed", "future", "member", "namespace", "number")

    def __init__(
        self,
        namespace: int,
        member: int,
        args: bytes,
        failed: Callable[[str], Exception],
        future: Future[object],
    ) -> None:
        self.namespace = namespace
        self.member = member
        self.args = args
        self.failed = failed
        self.future = future
        self.number = 0


class ProgramThread:
    """The program's side: its event loop, its calls, its end."""

    def __init__(self, course: Listener) -> None:
        self._course = course
        self._inbox: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._live, name="codemode program", daemon=True)
        self._cpu_s = 0.0
        self._unanswered = 0
        self._loop: GuestLoop
        self._over = False
        self._sealing = threading.Lock()
        self._sealed = False

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    @property
    def ended(self) -> bool:
        """Whether the program and all that it left behind are over."""
        return self._sealed

    def interrupt(self) -> None:
        """Raise into the thread, and wake it to be raised into."""
        with self._sealing:
            if not self._sealed:
                self._raise_later(ctypes.py_object(_StopProgram))
                self._inbox.put(lambda: None)

    def cpu_s(self) -> float:
        """CPU seconds of the thread; 0 where the system does not tell."""
        if self._thread.native_id is not None and not self._sealed and sys.platform == "linux":
            with contextlib.suppress(OSError):  # it has ended
                clock = (~self._thread.native_id << 3) | _CPUCLOCK_OF_THREAD
                self._cpu_s = time.clock_gettime(clock)
        return self._cpu_s

    def answer(self, call: ThreadCall, payload: object, *, succeeded: bool) -> None:
        """Settle a call in the program; from the host's thread."""

        def settle() -> None:
            if call.future.done():
                return
            if succeeded:
                call.future.set_result(payload)
            else:
                call.future.set_exception(call.failed(str(payload)))

        self._inbox.put(settle)

    # What the guest's own parts ask of a bridge and of calls.

    def receive(self, timeout_s: float | None) -> list[object]:
        """Return what the host has put in; see `FrameSource`."""
        found: list[object] = []
        try:
            found.append(self._inbox.get(timeout_s != 0, timeout_s or None))
            while True:
                found.append(self._inbox.get_nowait())
        except queue.Empty:
            return found

    def encode(self, args: dict[str, object]) -> bytes:
        """Write arguments down; see `CallSink`."""
        return values.encode(args)

    async def submit(
        self, namespace: int, member: int, args: bytes, failed: Callable[[str], Exception]
    ) -> object:
        """Have the host serve a call; see `CallSink`."""
        call = ThreadCall(namespace, member, args, failed, self._loop.create_future())
        self._course.post(lambda: self._course.called(call))
        self._unanswered += 1
        try:
            return await call.future
        finally:
            self._unanswered -= 1
            if call.future.cancelled():
                self._course.post(lambda: self._course.dropped(call))

    def _live(self) -> None:
        self._loop = GuestLoop(
            self,
            _call,  # type: ignore[arg-type]  # what `receive` returns
            lambda: self._unanswered > 0,
        )
        steps = deque((self._run, self._let_tasks_go, self._seal))
        while steps:
            with contextlib.suppress(_StopProgram):
                steps.popleft()()
        self._course.post(lambda: None)

    def _seal(self) -> None:
        """Have nothing raised into this thread from now on."""
        self._cpu_s = time.thread_time()
        with self._sealing:
            self._sealed = True
            self._raise_later(None)

    def _raise_later(self, error: object) -> None:
        ident = ctypes.c_ulong(self._thread.ident or 0)
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ident, error)

    def _let_tasks_go(self) -> None:
        """Close what the program left running, so that nothing is said about it later."""
        self._over = True
        for task in asyncio.all_tasks(self._loop):
            with contextlib.suppress(BaseException):  # the program's own, at its very end
                task.get_coro().close()
        self._loop.close()

    def _run(self) -> None:
        course = self._course
        program: Program | None = None

        def settle(outcome: Returned | Failed) -> NoReturn:
            course.post(lambda: course.settled(outcome))
            raise _StopProgram

        async def body(main: Callable[[], Coroutine[Any, Any, object]]) -> NoReturn:
            try:
                value = await main()
            except BaseException as error:
                if self._over or type(error) is _StopProgram:
                    raise
                settle(_failed(error, program))
            settle(_returned(value, course.max_output_bytes))

        try:
            world.seed(course.seed)
            bindings = install(course.namespaces, self)
            if course.check_only:
                settle(Returned(findings(course.source, bindings, course.namespaces)))
            program = compiled(course.source, bindings, course.namespaces)
            namespace = world.new_globals(output=self._print) | bindings
            exec(program.code, namespace)  # noqa: S102 - what a runtime is for
            main: Any = namespace.pop(MAIN)
            self._loop.run_until_complete(self._loop.create_task(body(main)))
        except _StopProgram:
            raise
        except BaseException as error:
            settle(_failed(error, program))

    def _print(self, text: str) -> None:
        self._course.post(lambda: self._course.printed(text))


def _call(settle: Callable[[], None]) -> None:
    settle()


def _returned(value: object, max_bytes: int) -> Returned | Failed:
    if value is NO_VALUE:
        return Returned()
    found = completion(value, max_bytes)
    if isinstance(found, bytes):
        return Returned(values.decode(found), len(found))
    return Failed(found["kind"], found["message"])


def _failed(error: BaseException, program: Program | None) -> Failed:
    found = described(error, program, phase="run" if program is not None else "compile")
    return Failed(
        found["kind"],
        found["message"],
        found["phase"],
        found.get("line"),
        found.get("column"),
        found.get("source_line"),
        found.get("exception_type"),
    )
