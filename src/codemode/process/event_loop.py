"""What a run asks of the event loop beyond anyio, because a call of a tool must be cheap.

anyio registers and unregisters a socket around each wait, wakes a task for what it brings, and
keeps books on each task that it starts: together three times what reading a call, running a small
tool and answering cost. `on_asyncio` does without; `on_trio` has what trio offers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Protocol

import sniffio

if TYPE_CHECKING:
    import socket
    from collections.abc import Callable, Coroutine
    from contextlib import AbstractContextManager

    import anyio

    from codemode.process.receiving import Take


class Reader(Protocol):
    """Reads one non-blocking socket, for one task at a time."""

    async def read(self, take: Take) -> None:
        """Hand over bytes as they come, until `take` has had enough.

        Nothing is lost when this is cancelled: what comes later is there for the next call.
        """

    def close(self) -> None:
        """Let the socket go; it is its owner's to close."""


class BindingTasks(Protocol):
    """Starts the tasks that bindings run in, which end by themselves and raise nothing.

    They outlive the run that started them: what the author of a binding wrote may catch its
    cancellation and go on for ever, and must not hold whoever waits for the run.

    Attributes:
        in_order: Whether they take their first steps in the order in which they were started.
    """

    in_order: ClassVar[bool]

    async def open(self) -> None:
        """Get ready to start tasks."""

    def start(self, coroutine: Coroutine[Any, Any, None]) -> None:
        """Start a task, whose first step may be taken at once.

        On asyncio this may be called outside of any task.
        """

    def scope(self) -> AbstractContextManager[anyio.CancelScope]:
        """Make a cancel scope, within such a task."""

    def call_soon(self, function: Callable[[], object]) -> None:
        """Call a function, outside of any task, after what is to run already has run."""

    async def close(self, within_s: float) -> bool:
        """Wait for what has been cancelled, though no longer than this.

        Returns:
            Whether all of it has ended.
        """


class _Kind(Protocol):
    """A module for one kind of event loop."""

    def reader(self, sock: socket.socket) -> Reader: ...

    def binding_tasks(self) -> BindingTasks: ...


def reader(sock: socket.socket) -> Reader:
    """Watch a socket, until the reader is closed."""
    return _kind().reader(sock)


def binding_tasks() -> BindingTasks:
    """Return what starts tasks on the event loop that runs now."""
    return _kind().binding_tasks()


def _kind() -> _Kind:
    if sniffio.current_async_library() == "asyncio":
        from codemode.process import on_asyncio  # noqa: PLC0415 - not both are there

        return on_asyncio
    from codemode.process import on_trio  # noqa: PLC0415 - likewise

    return on_trio
