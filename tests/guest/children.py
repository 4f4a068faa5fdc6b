"""Processes that do what would end or confine this one."""

from __future__ import annotations

import select
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from codemode_guest import values
from codemode_guest.frames import FrameDecoder, pack

WAIT_S = 60


@dataclass(frozen=True, slots=True)
class Ended:
    """What a child said and how it ended."""

    status: int
    stdout: str
    stderr: str


def run_child(code: str, *arguments: str) -> Ended:
    """Run code in a fresh interpreter to its end."""
    done = subprocess.run(
        # Unbuffered: a child that it forks would write what it has not written yet.
        [sys.executable, "-u", "-c", code, *arguments],
        capture_output=True,
        text=True,
        timeout=WAIT_S,
        check=False,
    )
    return Ended(done.returncode, done.stdout, done.stderr)


class Peer:
    """The host's end of a bridge to a child, as plain as can be.

    Attributes:
        process: The child.
        frames: What it has said that nobody has taken.
    """

    def __init__(self, process: subprocess.Popen[str], sock: socket.socket) -> None:
        self.process = process
        self.frames: list[list[object]] = []
        self._socket = sock
        self._decoder = FrameDecoder()

    def send(self, frame: list[object]) -> None:
        """Send a frame."""
        self._socket.sendall(pack(values.encode(frame)))

    def next(self) -> list[object]:
        """Return the next frame."""
        deadline = time.monotonic() + WAIT_S
        while not self.frames:
            ready, _, _ = select.select([self._socket], [], [], deadline - time.monotonic())
            assert ready, "the child says nothing"
            data = self._socket.recv(2**16)
            assert data, f"the child has ended: {self.end()}"
            for body in self._decoder.feed(data):
                frame = values.decode(body)
                assert isinstance(frame, list)
                self.frames.append(frame)
        return self.frames.pop(0)

    def end(self) -> Ended:
        """Close the bridge and wait for the child to end."""
        self._socket.close()
        stdout, stderr = self.process.communicate(timeout=WAIT_S)
        return Ended(self.process.returncode, stdout, stderr)


@contextmanager
def child_on_a_bridge(code: str) -> Iterator[Peer]:
    """Run code in a fresh interpreter whose first argument is the number of a socket."""
    ours, theirs = socket.socketpair()
    with ours:
        with theirs:
            process = subprocess.Popen(
                [sys.executable, "-c", code, str(theirs.fileno())],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
            )
        with process:
            try:
                yield Peer(process, ours)
            finally:
                process.kill()
