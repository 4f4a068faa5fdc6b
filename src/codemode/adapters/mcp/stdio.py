"""The server over standard input and output, which are the client's alone.

The SDK's own transport reads and writes in threads. Nothing interrupts a thread that waits for a
client, so a server could not stop while its client says nothing, and each message would wait for
three of them. These read and write when the descriptor is ready.
"""

from __future__ import annotations

import contextlib
import os
import select
import stat
import sys
from collections.abc import AsyncIterator, Iterator
from typing import TYPE_CHECKING, Final, cast

import anyio
import anyio.lowlevel
from mcp.server.stdio import stdio_server

from codemode.adapters.mcp.serving import CodeModeServer

if TYPE_CHECKING:
    from anyio import AsyncFile

_READ_BYTES: Final = 2**16


async def serve_stdio(server: CodeModeServer) -> None:
    """Serve until the client closes our standard input, or until cancelled.

    Meanwhile descriptor 0 is empty and descriptor 1 is standard error, so that nothing that tools
    read or print comes between us and the client.
    """
    with _diverted(0, os.devnull) as reading, _diverted(1, None) as writing:
        # All that it does with them is to read lines, write and flush.
        lines = cast("AsyncFile[str]", _Lines(reading))
        output = cast("AsyncFile[str]", _Output(writing))
        async with stdio_server(lines, output) as (incoming, outgoing):
            await server.server.run(incoming, outgoing, server.options)


class _Lines:
    """The lines of a descriptor."""

    def __init__(self, fd: int) -> None:
        self._fd = fd
        self._waits = _may_wait(fd)

    async def __aiter__(self) -> AsyncIterator[str]:
        pending = bytearray()
        while chunk := await self._read():
            pending += chunk
            if b"\n" in chunk:
                *lines, pending = pending.split(b"\n")
                for line in lines:
                    yield line.decode(errors="replace")

    async def _read(self) -> bytes:
        if self._waits:
            await anyio.wait_readable(self._fd)
        return os.read(self._fd, _READ_BYTES)


class _Output:
    """What is written to a descriptor, in pieces that a pipe takes at once when it is ready."""

    def __init__(self, fd: int) -> None:
        self._fd = fd
        self._waits = _may_wait(fd)

    async def write(self, text: str) -> None:
        """Write a text; what nobody reads any more is lost."""
        rest = memoryview(text.encode())
        with contextlib.suppress(BrokenPipeError):
            while rest:
                if self._waits:
                    await anyio.wait_writable(self._fd)
                rest = rest[os.write(self._fd, rest[: select.PIPE_BUF]) :]

    async def flush(self) -> None:
        """Do nothing: nothing is kept back."""
        await anyio.lowlevel.checkpoint()


def _may_wait(fd: int) -> bool:
    """Whether one can wait for a descriptor; others are always ready, and epoll refuses them."""
    mode = os.fstat(fd).st_mode
    return stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode) or os.isatty(fd)


@contextlib.contextmanager
def _diverted(fd: int, to: str | None) -> Iterator[int]:
    """Give a private copy of a standard descriptor, which is something else meanwhile.

    Args:
        fd: Which.
        to: A file, or `None` for standard error.
    """
    sys.stdout.flush()
    # No child is to have it.
    private = os.dup(fd)
    instead = os.dup(2) if to is None else os.open(to, os.O_RDONLY)
    os.dup2(instead, fd)
    os.close(instead)
    try:
        yield private
    finally:
        os.dup2(private, fd)
        os.close(private)
