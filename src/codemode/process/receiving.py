"""One read from a socket that does not block, and what takes it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import socket

#: Takes what was read, none at the end of the stream, and says whether to go on. It may be
#: called outside of any task, and what it raises is raised to whoever reads.
Take = Callable[[bytes], bool]

_READ_BYTES: Final = 2**16


def received(sock: socket.socket) -> bytes | None:
    """Return what is there: nothing at the end of the stream, None when nothing is there yet."""
    try:
        return sock.recv(_READ_BYTES)
    except BlockingIOError:
        return None
    except OSError:
        return b""
