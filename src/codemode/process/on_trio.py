"""Watching sockets and starting tasks on trio; see `event_loop`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import anyio
import anyio.lowlevel
import trio.lowlevel

from codemode.runtime import Owner

if TYPE_CHECKING:
    import socket
    from collections.abc import Callable, Coroutine
    from contextlib import AbstractContextManager


def watch(sock: socket.socket) -> _Watch:
    """Watch a socket."""
    return _Watch(sock)


def new_tasks() -> _Tasks:
    """Get ready to start tasks."""
    return _Tasks()


class _Watch:
    """Registers the socket for each wait."""

    def __init__(self, sock: socket.socket) -> None:
        self._socket = sock
        self._writing = anyio.CancelScope()

    async def reading(self, read: Callable[[], bool]) -> None:
        # A peer that never stops sending must not keep the loop to itself.
        await anyio.lowlevel.checkpoint()
        while read():
            await anyio.wait_readable(self._socket)

    def writing(self, write: Callable[[], bool]) -> None:
        self._writing = anyio.CancelScope()
        trio.lowlevel.spawn_system_task(self._write, write, self._writing)

    def close(self) -> None:
        self._writing.cancel()

    async def _write(self, write: Callable[[], bool], scope: anyio.CancelScope) -> None:
        with scope:
            while write():
                await anyio.wait_writable(self._socket)


class _Tasks:
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
