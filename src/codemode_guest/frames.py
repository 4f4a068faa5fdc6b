"""Frames: what crosses the bridge, and how it is cut out of a stream of bytes.

A frame is a length of four bytes, big-endian, and a JSON array whose first item names its kind.

    guest to host                                   host to guest
    ["ready", cpu_ns]                               ["start", {…}]
    ["call", id, namespace, member, args]           ["reply", id, true, value]
    ["cancel", id]                                  ["reply", id, false, message]
    ["log", text]
    ["done", {"value": …} or {"failure": {…}}]

Ids count from 1. A namespace and a member are positions in the lists of the start frame: an
index has no spelling to get wrong.
"""

from __future__ import annotations

from struct import Struct
from typing import Final

_LENGTH: Final = Struct(">I")

#: What the program's code calls its file, in tracebacks and in what the interpreter says when it
#: crashes, where the host looks for it.
FILENAME: Final = "<program>"
#: The longest frame that four bytes can announce.
MAX_LENGTH: Final = 2**32 - 1
#: The longest text of a log frame, in characters: a huge one reaches the host's cap before it is
#: all sent, and none keeps the host busy for long.
MAX_LOG_CHARACTERS: Final = 2**15
#: More than a frame has around the one value in it, whatever its ids and indexes.
ENVELOPE_BYTES: Final = 128
#: Likewise, of values.
ENVELOPE_PARTS: Final = 8


class FrameTooLargeError(Exception):
    """A frame announces a body that is longer than its receiver allows."""

    def __init__(self, length: int, max_bytes: int) -> None:
        super().__init__(f"a frame of {length} bytes, where {max_bytes} are allowed")
        self.length = length


def pack(*parts: bytes) -> bytes:
    """Return the frame whose body is the parts in order."""
    body = b"".join(parts)
    return _LENGTH.pack(len(body)) + body


class FrameDecoder:
    """Cuts frames out of bytes as they come, however they are split.

    Args:
        max_bytes: The longest body that is accepted; checked before any of it is kept.
    """

    def __init__(self, max_bytes: int = MAX_LENGTH) -> None:
        self._max_bytes = max_bytes
        self._buffer = bytearray()

    def feed(self, data: bytes) -> list[bytes]:
        """Return the bodies that `data` completes.

        Raises:
            FrameTooLargeError: If a frame announces too much. Frames before it are lost with
                it: a peer that does this is not worth hearing out.
        """
        buffer = self._buffer
        buffer += data
        bodies: list[bytes] = []
        start, end = 0, len(buffer)
        while end - start >= _LENGTH.size:
            (length,) = _LENGTH.unpack_from(buffer, start)
            if length > self._max_bytes:
                raise FrameTooLargeError(length, self._max_bytes)
            after = start + _LENGTH.size + length
            if after > end:
                break
            with memoryview(buffer) as view:
                bodies.append(bytes(view[start + _LENGTH.size : after]))
            start = after
        if start:
            del buffer[:start]
        return bodies
