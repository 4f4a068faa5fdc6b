"""Reading from a socket as soon as it can be read, as cheaply as the event loop allows.

anyio registers and unregisters a socket around each wait, which costs more than the read does. A
bridge is read thousands of times, so on asyncio it stays registered, and is read in the very
callback that says that it can be.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol

import anyio
import anyio.lowlevel
import sniffio

if TYPE_CHECKING:
    import asyncio
    import socket

_READ_BYTES: Final = 2**16


class Reader(Protocol):
    """Reads one non-blocking socket, for one task at a time."""

    async def read(self) -> bytes:
        """Wait for bytes and return them; none at the end of the stream.

        Nothing is lost when the wait is cancelled.
        """

    def close(self) -> None:
        """Let the socket go; it is its owner's to close."""


def reader(sock: socket.socket) -> Reader:
    """Watch a socket, until `close` is called."""
    if sniffio.current_async_library() == "asyncio":
        import asyncio  # noqa: PLC0415 - it is the current library, so it is loaded

        return _StaysRegistered(sock, asyncio.get_running_loop())
    return _RegistersEachTime(sock)


def _read_now(sock: socket.socket) -> bytes | None:
    """Return what is there; None when nothing is yet."""
    try:
        return sock.recv(_READ_BYTES)
    except BlockingIOError:
        return None
    except OSError:
        return b""


class _StaysRegistered:
    def __init__(self, sock: socket.socket, loop: asyncio.AbstractEventLoop) -> None:
        self._socket = sock
        self._loop = loop
        self._waiter: asyncio.Future[bytes] | None = None
        self._is_watched = False

    async def read(self) -> bytes:
        # One with a result is left when the wait for it was cancelled a moment too late.
        waiter = self._waiter
        if waiter is None or waiter.cancelled():
            waiter = self._waiter = self._loop.create_future()
        if not self._is_watched:
            self._loop.add_reader(self._socket, self._wake)
            self._is_watched = True
        try:
            return await waiter
        finally:
            if waiter.done() and not waiter.cancelled():
                self._waiter = None

    def close(self) -> None:
        self._loop.remove_reader(self._socket)
        self._is_watched = False

    def _wake(self) -> None:
        if self._waiter is None or self._waiter.done():
            # Nobody will read for a while, and until then each turn of the loop would come here.
            self.close()
            return
        try:
            data = _read_now(self._socket)
        except MemoryError as error:
            # Raised here it would reach nobody, and come again in each turn of the loop.
            self._waiter.set_exception(error)
            return
        if data is not None:
            self._waiter.set_result(data)


class _RegistersEachTime:
    def __init__(self, sock: socket.socket) -> None:
        self._socket = sock

    async def read(self) -> bytes:
        while True:
            # A peer that never stops sending must not keep the loop to itself.
            await anyio.lowlevel.checkpoint()
            data = _read_now(self._socket)
            if data is not None:
                return data
            await anyio.wait_readable(self._socket)

    def close(self) -> None:
        pass
