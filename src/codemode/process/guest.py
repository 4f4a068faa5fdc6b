"""The host's hold on one guest: its socket, its process, and how it ended."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import socket
from typing import TYPE_CHECKING, Final

import anyio

from codemode.process.cpu import pid_behind, process_cpu_ns

if TYPE_CHECKING:
    from collections.abc import Callable

#: The longest text of the interpreter's that is kept.
MAX_STDERR_BYTES: Final = 64 * 2**10
#: A killed process is reaped and reported within milliseconds, unless its template is stuck.
_REPORT_S: Final = 5.0


class Guest:
    """One forked process, used for one run.

    A guest exists from the moment its fork is asked for: what is sent before it lives waits in
    the socket. Its pidfd comes later, by `forked`.

    Args:
        give_up: Ends the template, when it does not report the end of this guest.

    Attributes:
        number: What the template knows it by.
        socket: The host's end of the bridge, non-blocking.
        held: Set once there is a hold on the process: its pidfd has come, or never will.
        ended: Set once the process is gone and reaped, or known never to have been.
        status: Its wait status, once ended; None when nobody could tell.
        cpu_ns: The CPU time of its whole life, once ended, where the template told.
        fork_error: The errno of a fork that failed.
    """

    def __init__(
        self,
        number: int,
        bridge: socket.socket,
        stderr_fd: int,
        give_up: Callable[[], object] = lambda: None,
    ) -> None:
        self.number = number
        self.socket = bridge
        self.held = anyio.Event()
        self.ended = anyio.Event()
        self.status: int | None = None
        self.cpu_ns: int | None = None
        self.fork_error: int | None = None
        self._give_up = give_up
        self._stderr_fd = stderr_fd
        self._pidfd = -1
        self._pid: int | None = None
        self._doomed = False

    def forked(self, pidfd: int) -> None:
        """Take the pidfd of the process."""
        self._pidfd = pidfd
        self.held.set()
        # A kill that came first set the flag before it looked for the descriptor.
        if self._doomed:
            self.kill()

    async def end(self) -> None:
        """Kill the process and wait until it is gone.

        A template that doesn't report the end in time is killed itself, and then buried with all
        its guests by whoever serves it. Shield this: it does not take long.
        """
        self.kill()
        with anyio.move_on_after(_REPORT_S):
            await self.ended.wait()
        if not self.ended.is_set():
            self._give_up()
            await self.ended.wait()

    def kill(self) -> None:
        """End the process, now or as soon as it is there. Safe from any thread."""
        self._doomed = True
        self._send(signal.SIGKILL)

    def ask_where_it_is(self) -> None:
        """Have the process write the line that it is executing to its standard error.

        Its handler is C code that waits for nothing, so it answers from within a loop in C too.
        """
        self._send(signal.SIGUSR1)

    @property
    def pid(self) -> int | None:
        """The number that this process knows it by; None while or when that cannot be known."""
        if self._pid is None and self._pidfd >= 0:
            self._pid = pid_behind(self._pidfd)
        return self._pid

    def cpu_now_ns(self) -> int | None:
        """Return its CPU time so far; None while or when that cannot be known."""
        return None if self.pid is None else process_cpu_ns(self.pid)

    def has_ended(self) -> bool:
        """Whether the process is over, reaped or not, as the kernel says now."""
        if self.fork_error is not None or self._pidfd < 0:
            return self.fork_error is not None or self.ended.is_set()
        poll = select.poll()
        poll.register(self._pidfd, select.POLLIN)
        return bool(poll.poll(0))

    async def wait_has_ended(self) -> None:
        """Wait until the kernel says that it is over, whoever may reap it."""
        if self._pidfd >= 0:
            await anyio.wait_readable(self._pidfd)

    async def wait_stderr_written(self) -> None:
        """Wait until the interpreter has said something."""
        await anyio.wait_readable(self._stderr_fd)

    def stderr(self) -> str:
        """Return what the interpreter has said and nobody has read, cut at 64 KiB."""
        said = b""
        with contextlib.suppress(BlockingIOError):
            while len(said) < MAX_STDERR_BYTES and (
                more := os.read(self._stderr_fd, MAX_STDERR_BYTES - len(said))
            ):
                said += more
        return said.decode(errors="backslashreplace")

    def close(self) -> None:
        """Let the descriptors go. The process must have ended."""
        self.socket.close()
        for fd in (self._stderr_fd, self._pidfd):
            if fd >= 0:
                os.close(fd)
        # With -1 a late use can only fail; the old numbers are soon somebody else's.
        self._stderr_fd = self._pidfd = -1

    def _send(self, number: int) -> None:
        if self._pidfd >= 0:
            with contextlib.suppress(ProcessLookupError):
                signal.pidfd_send_signal(self._pidfd, number)
