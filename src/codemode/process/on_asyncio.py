"""Watching sockets and starting tasks as asyncio itself does; see `event_loop`."""

from __future__ import annotations

import asyncio
import sys
from typing import TYPE_CHECKING, Any, ClassVar, cast

import anyio

if TYPE_CHECKING:
    import socket
    from collections.abc import Callable, Coroutine
    from contextlib import AbstractContextManager


def watch(sock: socket.socket) -> _Watch:
    """Watch a socket."""
    return _Watch(sock.fileno(), asyncio.get_running_loop())


def new_tasks() -> _Tasks:
    """Get ready to start tasks."""
    return _Tasks(asyncio.get_running_loop())


class _Watch:
    """Keeps the socket registered, and has it read in the callback that tells of bytes."""

    def __init__(self, fd: int, loop: asyncio.AbstractEventLoop) -> None:
        self._fd = fd
        self._loop = loop
        self._read: Callable[[], bool]
        self._failure: BaseException | None = None
        self._enough: asyncio.Future[None] | None = None
        self._is_reading = False
        self._is_writing = False

    async def reading(self, read: Callable[[], bool]) -> None:
        self._read = read
        self._enough = self._loop.create_future()
        if not self._is_reading:
            self._loop.add_reader(self._fd, self._on_readable)
            self._is_reading = True
        try:
            if self._failure is None:
                await self._enough
        finally:
            self._enough = None
        if self._failure is not None:
            failure, self._failure = self._failure, None
            raise failure

    def writing(self, write: Callable[[], bool]) -> None:
        self._loop.add_writer(self._fd, self._on_writable, write)
        self._is_writing = True

    def close(self) -> None:
        self._stop_reading()
        if self._is_writing:
            self._loop.remove_writer(self._fd)
            self._is_writing = False

    def _stop_reading(self) -> None:
        if self._is_reading:
            self._loop.remove_reader(self._fd)
            self._is_reading = False

    def _on_readable(self) -> None:
        if self._enough is None or self._enough.done():
            # Nobody will read for a while, and until then each turn of the loop would come here.
            self._stop_reading()
            return
        goes_on = False
        try:
            goes_on = self._read()
        except BaseException as error:  # raised here it would reach nobody
            self._failure = error
        # What was read may have had the wait cancelled.
        if not goes_on and not self._enough.done():
            self._enough.set_result(None)

    def _on_writable(self, write: Callable[[], bool]) -> None:
        if not write() and self._is_writing:
            self._loop.remove_writer(self._fd)
            self._is_writing = False


class _Tasks:
    in_order: ClassVar[bool] = True

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        # asyncio itself keeps no reference to a task that it runs.
        self._tasks: set[asyncio.Task[Any]] = set()
        # anyio itself asks anew, for each scope, which event loop this is.
        self._scope_class = type(anyio.CancelScope())

    async def open(self) -> None:
        pass

    def start(self, coroutine: Coroutine[Any, Any, None]) -> None:
        # Eagerly: most bindings end in their first step. A task factory of the host's comes first.
        if sys.version_info >= (3, 12) and self._loop.get_task_factory() is None:
            asyncio.Task(self._keeping(coroutine), loop=self._loop, eager_start=True)
        else:
            self._loop.create_task(self._keeping(coroutine))

    def scope(self) -> AbstractContextManager[anyio.CancelScope]:
        return self._scope_class()

    def call_soon(self, function: Callable[[], object]) -> None:
        self._loop.call_soon(function)

    async def close(self, within_s: float) -> bool:
        with anyio.move_on_after(within_s, shield=True):
            while self._tasks:
                await asyncio.wait(self._tasks)
        return not self._tasks

    async def _keeping(self, coroutine: Coroutine[Any, Any, None]) -> None:
        # A callback for the end of the task would be one more turn of the loop.
        task = cast("asyncio.Task[Any]", asyncio.current_task())
        self._tasks.add(task)
        try:
            await coroutine
        finally:
            self._tasks.discard(task)
