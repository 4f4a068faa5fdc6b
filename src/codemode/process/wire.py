"""The host's end of a bridge: bytes in and out of a socket that is never waited for blindly."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Final

from codemode.process.event_loop import watch

if TYPE_CHECKING:
    import socket
    from collections.abc import Callable, Sequence

_READ_BYTES: Final = 2**16


class Wire:
    """Sends at once what the socket takes, keeps the rest, and reads what is there.

    Args:
        sock: Non-blocking; it stays its owner's to close.

    Attributes:
        at_end: Whether the guest has closed its end.
        bytes_received: So far.
        bytes_sent: So far, accepted by the kernel.
    """

    def __init__(self, sock: socket.socket) -> None:
        self.at_end = False
        self.bytes_received = 0
        self.bytes_sent = 0
        self._socket = sock
        self._watch = watch(sock)
        self._unsent: deque[tuple[memoryview, Callable[[], object]]] = deque()

    async def receive(self, take: Callable[[bytes], bool]) -> None:
        """Hand over bytes as they come, until `take` has had enough or the guest has ended.

        Args:
            take: Says whether to go on. It may be called outside of any task; what it raises is
                raised here.
        """

        def read() -> bool:
            try:
                data = self._socket.recv(_READ_BYTES)
            except BlockingIOError:
                return True
            except OSError:
                data = b""
            self.bytes_received += len(data)
            self.at_end = not data
            return bool(data) and take(data)

        await self._watch.reading(read)

    def close(self) -> None:
        """Neither send nor receive from now on."""
        self._watch.close()

    def send(self, frame: bytes, on_sent: Callable[[], object] = lambda: None) -> None:
        """Send a frame after those before it, without waiting.

        Args:
            frame: Whole.
            on_sent: Called when nothing of it is kept here any longer.
        """
        if self._unsent:
            self._unsent.append((memoryview(frame), on_sent))
            return
        sent = self._write(frame)
        if sent == len(frame):
            on_sent()
        else:
            self._unsent.append((memoryview(frame)[sent:], on_sent))
            self._watch.writing(self._send_unsent)

    def send_together(self, frames: Sequence[tuple[bytes, Callable[[], object]]]) -> None:
        """Send frames as `send` does, in one call of the system if it takes them.

        Args:
            frames: Each with what is called as soon as it has left, though others have not.
        """
        if self._unsent or len(frames) == 1:
            for frame, on_sent in frames:
                self.send(frame, on_sent)
            return
        sent = self._write(b"".join(frame for frame, _ in frames))
        for frame, on_sent in frames:
            if sent >= len(frame):
                sent -= len(frame)
                on_sent()
            else:
                self._unsent.append((memoryview(frame)[sent:], on_sent))
                sent = 0
        if self._unsent:
            self._watch.writing(self._send_unsent)

    def _send_unsent(self) -> bool:
        """Send what the socket takes; whether there is more."""
        while self._unsent:
            rest, on_sent = self._unsent[0]
            sent = self._write(rest)
            if sent < len(rest):
                self._unsent[0] = rest[sent:], on_sent
                return True
            self._unsent.popleft()
            on_sent()
        return False

    def _write(self, data: bytes | memoryview) -> int:
        """Write what the socket takes; all of it, so to say, when nobody is there to read."""
        try:
            sent = self._socket.send(data)
        except BlockingIOError:
            return 0
        except OSError:
            return len(data)
        self.bytes_sent += sent
        return sent
