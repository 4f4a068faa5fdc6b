"""The seam itself: what every backend is."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Self

from codemode.errors import UsageError

if TYPE_CHECKING:
    from types import TracebackType

    from codemode.runtime.vocabulary import CodeRunRequest, CodeRunResult


class RuntimeNotOpenError(UsageError):
    """A run was asked of a runtime that is not open, or is somebody else's."""

    def __init__(self, why: str) -> None:
        """Say why it cannot run."""
        super().__init__(f"this runtime {why}")


class CodeRuntime(ABC):
    """Runs programs. Open it with `async with`; it belongs to one process and one event loop.

    Opening and closing may happen in different tasks.
    """

    @property
    @abstractmethod
    def language(self) -> str:
        """The language that programs are written in, such as `python`."""

    @property
    @abstractmethod
    def isolation(self) -> str:
        """What separates a program from the host: a label, not a claim."""

    @abstractmethod
    async def open(self) -> None:
        """Get ready to run.

        Raises:
            RuntimeFault: If the machine lacks what the configuration requires.
            UsageError: If it was opened before.
        """

    @abstractmethod
    async def run(self, request: CodeRunRequest) -> CodeRunResult:
        """Run one program to its end. What the program did is a value, never an exception.

        Cancelling the awaiting task kills the program and re-raises.

        Raises:
            UsageError: If a name in the request is reserved or duplicate, or the runtime is
                closed, of another process or of another event loop.
            RuntimeFault: If no process could be started.
        """

    @abstractmethod
    async def aclose(self) -> None:
        """End the runs in flight as `abort`, wait for their exits, and let everything go.

        A second call waits for the first.
        """

    async def __aenter__(self) -> Self:
        await self.open()
        return self

    async def __aexit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.aclose()
