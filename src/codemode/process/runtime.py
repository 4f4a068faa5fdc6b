"""The process backend: each program runs in a fresh, confined child process."""

from __future__ import annotations

import logging
import os
import secrets
from contextlib import AsyncExitStack, ExitStack
from typing import TYPE_CHECKING, Final, Literal

import anyio
from anyio.lowlevel import current_token

from codemode.errors import UsageError
from codemode.process.config import ProcessRuntimeConfig
from codemode.process.containment import Containment
from codemode.process.event_loop import new_tasks
from codemode.process.guests import Guests
from codemode.process.run import Run, Shared
from codemode.runtime import (
    AbortSignal,
    CodeRunResult,
    CodeRuntime,
    Owner,
    RuntimeNotOpenError,
    never_begun,
    refuse_bad_names,
)
from codemode.runtime.threads import threadsafe_scheduler

if TYPE_CHECKING:
    from codemode.process.event_loop import Tasks
    from codemode.runtime import CodeRunRequest

_CLOSED: Final = "the runtime was closed"
_FAREWELL_S: Final = 0.1

_log = logging.getLogger("codemode.process")


class ProcessRuntime(CodeRuntime):
    """Runs each program in a process of its own, forked from a prepared template.

    Args:
        config: Budgets and limits; the defaults where there is none.
    """

    def __init__(self, config: ProcessRuntimeConfig | None = None) -> None:
        self.config = ProcessRuntimeConfig() if config is None else config
        if not isinstance(self.config, ProcessRuntimeConfig):
            raise UsageError(
                f"config is a ProcessRuntimeConfig, not {type(config).__name__}; "
                "write ProcessRuntimeConfig(compute_ms=…)"
            )
        self._state: Literal["new", "opening", "open", "closed"] = "new"
        self._home: tuple[int, object] | None = None
        self._guests: Guests
        self._owner: Owner
        self._tasks: Tasks
        self._shared: Shared
        self._places: anyio.Semaphore
        self._opening: anyio.CancelScope
        self._settled: anyio.Event
        self._closing = AbortSignal()
        self._closed: anyio.Event | None = None
        self._runs = 0
        self._no_runs: anyio.Event

    @property
    def language(self) -> str:
        """`python`."""
        return "python"

    @property
    def isolation(self) -> str:
        """`process`."""
        return "process"

    async def open(self) -> None:
        """Start the template, which begins to fork the first spares; takes a fifth of a second.

        Raises:
            TemplateStartError: If the template does not come up.
            MemoryBudgetError: If `memory_bytes` is too small for it.
            RuntimeNotOpenError: If it is closed already, or meanwhile.
            UsageError: If it is open, or being opened.
        """
        if self._state == "closed":
            raise RuntimeNotOpenError("is closed; make a new one")
        if self._state != "new":
            raise UsageError("this runtime was opened before; make a new one")
        self._state = "opening"
        self._home = os.getpid(), current_token()
        self._settled = anyio.Event()
        try:
            with anyio.CancelScope() as self._opening:
                await self._start()
                self._state = "open"
        finally:
            if self._state == "opening":
                self._state = "closed"
            self._settled.set()
        if self._state == "closed":
            raise RuntimeNotOpenError("was closed while it was being opened; make a new one")

    async def _start(self) -> None:
        self._places = anyio.Semaphore(self.config.max_concurrent_runs)
        self._owner, self._tasks = Owner(), new_tasks()
        async with AsyncExitStack() as undo:
            undo.push_async_callback(self._owner.stop)
            await self._owner.start()
            undo.push_async_callback(self._tasks.close, _FAREWELL_S)
            await self._tasks.open()
            self._shared = Shared(
                config=self.config,
                tasks=self._tasks,
                readers=anyio.CapacityLimiter(1),
            )
            self._guests = Guests(self.config, self._owner.tasks)
            await self._guests.open()
            undo.pop_all()

    async def run(self, request: CodeRunRequest) -> CodeRunResult:
        """Run one program; see `CodeRuntime.run`."""
        self._refuse_unopened()
        refuse_bad_names(request.bindings)
        signals = tuple(s for s in (request.signal, self._closing) if s is not None)
        queued_at = anyio.current_time()
        self._runs += 1
        try:
            if not await self._take_place(signals):
                return never_begun(signals, anyio.current_time() - queued_at)
            try:
                return await self._run_now(request, signals, queued_at)
            finally:
                self._places.release()
        finally:
            self._runs -= 1
            if self._closed is not None and not self._runs:
                self._no_runs.set()

    async def containment(self) -> Containment:
        """Return what confines the programs of this runtime, as the kernel tells it.

        A process is forked for it as for a run, looked at and ended.

        Raises:
            UsageError: If the runtime is not open, or is somebody else's.
            RuntimeFault: If no process could be started.
        """
        self._refuse_unopened()
        return await self._guests.containment()

    async def aclose(self) -> None:
        """End all runs as `abort` and every process; see `CodeRuntime.aclose`.

        Waits for bindings that clean up when they are cancelled, for `binding_grace_ms`; what
        takes longer is left behind, with a warning.
        """
        if self._state == "new":
            return
        self._refuse_strangers()
        with anyio.CancelScope(shield=True):
            if self._state == "opening":
                self._opening.cancel()
                await self._settled.wait()
            if self._closed is not None:
                await self._closed.wait()
            elif self._state == "open":
                await self._close()

    async def _close(self) -> None:
        self._state = "closed"
        self._closed, self._no_runs = anyio.Event(), anyio.Event()
        try:
            self._closing.abort(_CLOSED)
            if self._runs:
                await self._no_runs.wait()
            await self._guests.close()
        finally:
            await self._owner.stop()
            # Each run has waited for its bindings; what goes on now will not be told twice.
            if not await self._tasks.close(_FAREWELL_S):
                _log.warning("the runtime was closed with bindings that have not ended")
            self._closed.set()

    async def _run_now(
        self, request: CodeRunRequest, signals: tuple[AbortSignal, ...], queued_at: float
    ) -> CodeRunResult:
        queued_ms = (anyio.current_time() - queued_at) * 1000
        guest = await self._guests.take()
        try:
            seed = secrets.randbits(64) if request.seed is None else request.seed
            run = Run(request, guest, self._shared, seed=seed, signals=signals, queued_ms=queued_ms)
            return await run.finish()
        finally:
            self._guests.release(guest)

    async def _take_place(self, signals: tuple[AbortSignal, ...]) -> bool:
        """Wait for a place among the concurrent runs, first come, first served.

        Returns:
            False if a signal fired first.
        """
        try:
            self._places.acquire_nowait()
        except anyio.WouldBlock:
            schedule = threadsafe_scheduler()
            with anyio.CancelScope() as scope, ExitStack() as listening:
                for signal in signals:
                    listening.enter_context(signal.calling(lambda: schedule(scope.cancel)))
                await self._places.acquire()
                if not any(signal.aborted for signal in signals):
                    return True
                self._places.release()
            return False
        if any(signal.aborted for signal in signals):
            self._places.release()
            return False
        return True

    def _refuse_strangers(self) -> None:
        if self._home is None:
            raise RuntimeNotOpenError("is not open; use it in `async with`")
        pid, token = self._home
        if pid != os.getpid():
            raise RuntimeNotOpenError("was opened in another process; open one of its own here")
        if token != current_token():
            raise RuntimeNotOpenError("was opened in another event loop; open one of its own here")

    def _refuse_unopened(self) -> None:
        self._refuse_strangers()
        if self._state == "opening":
            raise RuntimeNotOpenError("is still being opened; await that first")
        if self._state == "closed":
            raise RuntimeNotOpenError("is closed; make a new one")


def run_sync(request: CodeRunRequest, config: ProcessRuntimeConfig | None = None) -> CodeRunResult:
    """Run one program from a script that has no event loop of its own.

    Opens a runtime and closes it again, which costs a fifth of a second: for many programs open
    one runtime and keep it.

    Raises:
        UsageError: If a name in the request is reserved or duplicate.
        RuntimeFault: If no process could be started.
        RuntimeError: If an event loop is running in this thread.
    """

    async def main() -> CodeRunResult:
        async with ProcessRuntime(config) as runtime:
            return await runtime.run(request)

    return anyio.run(main)
