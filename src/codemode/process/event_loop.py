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


class Watch(Protocol):
    """Watches one non-blocking socket, which stays its owner's to close."""

    async def reading(self, read: Callable[[], bool]) -> None:
        """Call `read` whenever there is something to read, until it returns False.

        The first call may come at once or with the first bytes. It may be made outside of any task.
        What it raises is raised here, or by the next wait when this one was cancelled in the same
        moment. One task at a time may wait like this. Nothing is lost when it is cancelled: what
        comes later is there for the next wait.
        """

    def writing(self, write: Callable[[], bool]) -> None:
        """Have `write` called whenever the socket takes bytes, until it returns False.

        It must not raise.
        """

    def close(self) -> None:
        """Let the socket go; nothing is called from now on."""


class Tasks(Protocol):
    """Starts tasks that may outlive the run that started them, and raise nothing.

    What the author of a binding wrote may catch its cancellation and go on for ever, and must not
    hold whoever waits for the run.

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
        """Call a function soon, outside of any task; on asyncio after what is ready now."""

    async def close(self, within_s: float) -> bool:
        """Wait for tasks to end, which who started them has cancelled, though no longer than this.

        Returns:
            Whether all of it has ended.
        """


class _Kind(Protocol):
    """A module for one kind of event loop."""

    def watch(self, sock: socket.socket) -> Watch: ...

    def new_tasks(self) -> Tasks: ...


def watch(sock: socket.socket) -> Watch:
    """Watch a socket on the event loop that runs now, until the watch is closed."""
    return _kind().watch(sock)


def new_tasks() -> Tasks:
    """Return what starts tasks on the event loop that runs now."""
    return _kind().new_tasks()


def _kind() -> _Kind:
    if sniffio.current_async_library() == "asyncio":
        from codemode.process import on_asyncio  # noqa: PLC0415 - not both are there

        return on_asyncio
    from codemode.process import on_trio  # noqa: PLC0415 - likewise

    return on_trio
