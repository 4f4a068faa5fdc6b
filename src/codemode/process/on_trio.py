"""Reading through anyio, and tasks in a nursery of trio; see `event_loop`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import anyio
import anyio.lowlevel
import trio.lowlevel

from codemode.process.receiving import Take, received
from codemode.runtime import Owner

if TYPE_CHECKING:
    import socket
    from collections.abc import Callable, Coroutine
    from contextlib import AbstractContextManager


def reader(sock: socket.socket) -> _Reader:
    """Watch a socket."""
    return _Reader(sock)


def binding_tasks() -> _BindingTasks:
    """Get ready to start tasks."""
    return _BindingTasks()


class _Reader:
    """Registers the socket for each wait."""

    def __init__(self, sock: socket.socket) -> None:
        self._socket = sock

    async def read(self, take: Take) -> None:
        goes_on = True
        while goes_on:
            # A peer that never stops sending must not keep the loop to itself.
            await anyio.lowlevel.checkpoint()
            data = received(self._socket)
            if data is None:
                await anyio.wait_readable(self._socket)
            else:
                goes_on = take(data)

    def close(self) -> None:
        pass


class _BindingTasks:
    # trio shuffles the tasks that are ready.
    in_order: ClassVar[bool] = False

    def __init__(self) -> None:
        self._owner = Owner()

    async def open(self) -> None:
        await self._owner.start()

    def start(self, coroutine: Coroutine[Any, Any, None]) -> None:
        self._owner.tasks.start_soon(_awaited, coroutine)

    def scope(self) -> AbstractContextManager[anyio.CancelScope]:
        return anyio.CancelScope()

    def call_soon(self, function: Callable[[], object]) -> None:
        trio.lowlevel.current_trio_token().run_sync_soon(function)

    async def close(self, within_s: float) -> bool:
        return await self._owner.stop(within_s)


async def _awaited(coroutine: Coroutine[Any, Any, None]) -> None:
    await coroutine
