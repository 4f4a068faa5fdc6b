"""The guest's end of the bridge."""

from __future__ import annotations

import os
import select
import socket
from typing import Final, NoReturn

from codemode_guest import values
from codemode_guest.frames import MAX_LOG_CHARACTERS, FrameDecoder, pack

_SMALL_READ: Final = 2**16
_LARGE_READ: Final = 2**20


class Bridge:
    """Sends and receives frames on one blocking socket.

    The guest trusts the host, and has nothing to do without it: when the socket closes, the
    process ends.

    Args:
        sock: None when it is opened later, before anything crosses it.
    """

    def __init__(self, sock: socket.socket | None = None) -> None:
        if sock is not None:
            self.open(sock)
        self._decoder = FrameDecoder()
        self._read_bytes = _SMALL_READ

    def open(self, sock: socket.socket) -> None:
        """Begin to use a socket."""
        self._socket = sock

    def send(self, *parts: bytes) -> None:
        """Send one frame, waiting while the host is behind."""
        try:
            self._socket.sendall(pack(*parts))
        except OSError:
            leave()

    def log(self, text: str) -> None:
        """Send printed text."""
        for start in range(0, len(text), MAX_LOG_CHARACTERS):
            piece = text[start : start + MAX_LOG_CHARACTERS]
            self.send(b'["log",', values.encoded_text(piece), b"]")

    def receive(self, timeout_s: float | None) -> list[object]:
        """Return the frames that have come.

        Args:
            timeout_s: How long to wait for the first bytes: not at all for 0, without end for
                None. No frames may be the outcome of any wait, since they come in pieces.
        """
        flags = 0
        if timeout_s is not None:
            if timeout_s > 0 and not select.select([self._socket], [], [], timeout_s)[0]:
                return []
            flags = socket.MSG_DONTWAIT
        try:
            data = self._socket.recv(self._read_bytes, flags)
        except BlockingIOError:
            return []
        except OSError:
            leave()
        if not data:
            leave()
        self._read_bytes = _LARGE_READ if len(data) == self._read_bytes else _SMALL_READ
        return [values.decode(body) for body in self._decoder.feed(data)]


def leave(status: int = 0) -> NoReturn:
    """End this process at once: nothing in it is worth a farewell."""
    os._exit(status)
