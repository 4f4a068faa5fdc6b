"""A runtime without processes.

It runs programs under the same policy, in a thread of this very process, and ends them as the
real one does. It confines nothing: give it no program that you would not import.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import anyio
from anyio.lowlevel import current_token

from codemode.errors import UsageError
from codemode.runtime import (
    AbortSignal,
    CodeRuntime,
    RuntimeNotOpenError,
    never_begun,
    refuse_bad_names,
)
from codemode.testing.course import Course

if TYPE_CHECKING:
    from codemode.runtime import CodeRunRequest, CodeRunResult


class InMemoryRuntime(CodeRuntime):
    """Passes the contract suite of runtimes, in threads instead of processes.

    Its limits are those of `ProcessRuntimeConfig` that make sense without a process. What it
    cannot do: interrupt a loop inside a C function, and limit memory.
    """

    def __init__(  # noqa: PLR0913 - one field a budget
        self,
        *,
        compute_ms: int = 60_000,
        max_wall_ms: int = 600_000,
        max_parked_ms: int = 86_400_000,
        max_output_bytes: int = 2**20,
        max_calls: int = 100_000,
        memory_bytes: int = 2**29,
    ) -> None:
        self.compute_ms = compute_ms
        self.max_wall_ms = max_wall_ms
        self.max_parked_ms = max_parked_ms
        self.max_output_bytes = max_output_bytes
        self.max_calls = max_calls
        self.memory_bytes = memory_bytes
        self._home: tuple[int, object] | None = None
        self._closing = AbortSignal()
        self._running = 0
        self._idle = anyio.Event()

    @property
    def language(self) -> str:
        """`python`."""
        return "python"

    @property
    def isolation(self) -> str:
        """`none`."""
        return "none"

    async def open(self) -> None:
        """Get ready to run.

        Raises:
            UsageError: If it was opened before.
        """
        if self._home is not None:
            raise UsageError("this runtime was opened before; make a new one")
        self._home = os.getpid(), current_token()

    async def run(self, request: CodeRunRequest) -> CodeRunResult:
        """Run one program; see `CodeRuntime.run`."""
        if self._home != (os.getpid(), current_token()):
            raise RuntimeNotOpenError("is not open in this process and event loop")
        if self._closing.aborted:
            raise RuntimeNotOpenError("is closed; make a new one")
        refuse_bad_names(request.bindings)
        signals = tuple(s for s in (request.signal, self._closing) if s is not None)
        if any(signal.aborted for signal in signals):
            return never_begun(signals, 0.0)
        self._running += 1
        try:
            return await Course(self, request, signals).finish()
        finally:
            self._running -= 1
            self._idle.set()
            self._idle = anyio.Event()

    async def aclose(self) -> None:
        """End all runs as `abort`; see `CodeRuntime.aclose`."""
        self._closing.abort("the runtime was closed")
        with anyio.CancelScope(shield=True):
            while self._running:
                await self._idle.wait()
