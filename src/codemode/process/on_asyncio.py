"""Reading and starting tasks as asyncio itself does; see `event_loop`."""

from __future__ import annotations

import asyncio
import sys
from typing import TYPE_CHECKING, Any, ClassVar

import anyio

from codemode.process.receiving import Take, received

if TYPE_CHECKING:
    import socket
    from collections.abc import Callable, Coroutine
    from contextlib import AbstractContextManager


def reader(sock: socket.socket) -> _Reader:
    """Watch a socket."""
    return _Reader(sock, asyncio.get_running_loop())


def binding_tasks() -> _BindingTasks:
    """Get ready to start tasks."""
    return _BindingTasks(asyncio.get_running_loop())


class _Reader:
    """Keeps the socket registered, and hands over in the callback that tells of bytes."""

    def __init__(self, sock: socket.socket, loop: asyncio.AbstractEventLoop) -> None:
        self._socket = sock
        self._loop = loop
        self._take: Take
        self._failure: BaseException | None = None
        self._enough: asyncio.Future[None] | None = None
        self._is_watched = False

    async def read(self, take: Take) -> None:
        self._take = take
        self._enough = self._loop.create_future()
        if not self._is_watched:
            self._loop.add_reader(self._socket, self._hand_over)
            self._is_watched = True
        try:
            if self._failure is None:
                await self._enough
        finally:
            self._enough = None
        if self._failure is not None:
            failure, self._failure = self._failure, None
            raise failure

    def close(self) -> None:
        self._loop.remove_reader(self._socket)
        self._is_watched = False

    def _hand_over(self) -> None:
        if self._enough is None or self._enough.done():
            # Nobody will read for a while, and until then each turn of the loop would come here.
            self.close()
            return
        goes_on = False
        try:
            data = received(self._socket)
            goes_on = data is None or self._take(data)
        except BaseException as error:  # raised here it would reach nobody
            self._failure = error
        # What was taken may have had the wait cancelled.
        if not goes_on and not self._enough.done():
            self._enough.set_result(None)


class _BindingTasks:
    in_order: ClassVar[bool] = True

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        # asyncio itself keeps no reference to a task that it runs.
        self._tasks: set[asyncio.Task[Any] | None] = set()
        # anyio itself asks anew, for each scope, which event loop this is.
        self._scope_class = type(anyio.CancelScope())

    async def open(self) -> None:
        pass

    def start(self, coroutine: Coroutine[Any, Any, None]) -> None:
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
                await asyncio.wait([task for task in self._tasks if task is not None])
        return not self._tasks

    async def _keeping(self, coroutine: Coroutine[Any, Any, None]) -> None:
        # A callback for the end of the task would be one more turn of the loop.
        task = asyncio.current_task()
        self._tasks.add(task)
        try:
            await coroutine
        finally:
            self._tasks.discard(task)
