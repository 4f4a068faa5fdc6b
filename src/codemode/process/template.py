"""The host's hold on one template: starting it, asking for forks, hearing of ends."""

from __future__ import annotations

import array
import contextlib
import errno
import json
import os
import select
import signal
import socket
from collections import deque
from typing import TYPE_CHECKING, Final

import anyio

from codemode.errors import RuntimeFault
from codemode.process.cpu import pid_behind
from codemode.process.event_loop import watch
from codemode.process.guest import Guest
from codemode.process.launching import launch
from codemode_guest.control import (
    EXITED,
    FORK,
    FORKED,
    GONE,
    HELLO,
    KILL,
    READY,
    RECORD,
    REFUSED,
    Record,
)

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Callable

    from codemode_guest.confinement import Layer

#: A cold import of the guest takes a fifth of a second; a machine this slow is broken.
_START_S: Final = 60.0
_READ_BYTES: Final = 4096
#: Descriptors that one read of the control socket may bring.
_MAX_FDS: Final = 16
_MAX_WORDS: Final = 2_000

_BOOT: Final = (
    "import sys; sys.path += sys.argv[4:]; "
    "from codemode_guest.template import main; "
    "main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3])"
)


class TemplateStartError(RuntimeFault):
    """The process that forks guests did not come up."""

    def __init__(self, said: str) -> None:
        """Quote what it said."""
        super().__init__(
            "the template process did not start; run `codemode doctor` to see what this "
            f"machine lacks. It said: {said.strip() or '(nothing)'}"
        )


class OutOfDescriptorsError(RuntimeFault):
    """The host may open no more descriptors."""

    def __init__(self, error: OSError) -> None:
        """Say what to raise or lower."""
        super().__init__(
            f"no descriptors for another guest ({error.strerror}); raise the limit of this "
            "process (ulimit -n) or lower max_concurrent_runs"
        )


class Template:
    """One template process. Whoever starts it runs `serve` until it returns.

    The process that is launched may end when it has made another one, a child of this process
    too, which is the template then: the first one in a PID namespace. Either tells its pidfd.

    Attributes:
        size_bytes: Its address space when it was ready; 0 where the system does not tell.
        missing: The layers of confinement that it could not put in force, with the reason.
        forks: How many guests were asked of it.
    """

    def __init__(self, launched: subprocess.Popen[bytes], control: socket.socket) -> None:
        self.size_bytes = 0
        self.missing: dict[Layer, str] = {}
        self.forks = 0
        self._launched = launched
        self._is_ready = False
        self._has_moved = False
        self._pidfd = -1
        self._control = control
        self._watch = watch(control)
        self._unsent: deque[tuple[Record, tuple[int, ...]]] = deque()
        self._received = bytearray()
        self._fds: deque[int] = deque()
        self._guests: dict[int, Guest] = {}

    @classmethod
    async def start(cls, settings: str) -> Template:
        """Start a template and wait until it is ready.

        Args:
            settings: `codemode_guest.control.Settings` as JSON.

        Raises:
            TemplateStartError: If the system does not let it start, or it ends before it is
                ready, or takes a minute.
        """
        if not hasattr(os, "pidfd_open"):
            raise TemplateStartError(
                "this system has no pidfds; programs run on Linux 5.4 or newer"
            )
        try:
            template = cls(*launch(_BOOT, settings))
        except OSError as error:
            raise TemplateStartError(str(error)) from None
        try:
            await template._wait_ready()
        except BaseException:
            with anyio.CancelScope(shield=True):
                await template._bury()
            raise
        return template

    @property
    def idle(self) -> bool:
        """Whether none of its guests lives."""
        return not self._guests

    @property
    def pid(self) -> int | None:
        """Its number, as this process knows it; None when it is gone."""
        return pid_behind(self._pidfd)

    def has_ended(self) -> bool:
        """Whether the process is over, as the kernel says now."""
        return is_over(self._pidfd)

    def fork(self, *, spare: bool = False) -> Guest:
        """Ask for a guest. It can be written to at once.

        Args:
            spare: Whether it has time to prepare before its program comes.

        Raises:
            OutOfDescriptorsError: If the host may open no more.
        """
        self.forks += 1
        with contextlib.ExitStack() as undo:
            try:
                ours, theirs = socket.socketpair()
                undo.callback(ours.close)
                bridge_fd = theirs.detach()
                undo.callback(os.close, bridge_fd)
                read_fd, write_fd = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
            except OSError as error:
                raise OutOfDescriptorsError(error) from None
            undo.pop_all()
        ours.setblocking(False)
        guest = Guest(self.forks, ours, read_fd, give_up=self.kill)
        self._guests[guest.number] = guest
        self._send(Record(FORK, guest.number, spare), bridge_fd, write_fd)
        return guest

    async def serve(self, on_change: Callable[[], object]) -> None:
        """Take reports until the template ends, then reap it and let everything go.

        Args:
            on_change: Called after guests or the template have ended.
        """

        def take() -> bool:
            is_open = self._receive()
            on_change()
            return is_open

        try:
            await self._watch.reading(take)
        finally:
            with anyio.CancelScope(shield=True):
                await self._bury()
            on_change()

    def dismiss(self) -> None:
        """Have the template end its guests and itself."""
        with contextlib.suppress(OSError):
            self._control.shutdown(socket.SHUT_WR)

    def kill(self) -> None:
        """End the template without asking; its guests end with it."""
        if self._pidfd >= 0:
            with contextlib.suppress(ProcessLookupError):
                signal.pidfd_send_signal(self._pidfd, signal.SIGKILL)

    async def _wait_ready(self) -> None:
        try:
            with anyio.fail_after(_START_S):
                await self._watch.reading(lambda: self._receive() and not self._is_ready)
                if not self._is_ready:
                    raise TemplateStartError(await self._last_words())
            if self._pidfd < 0:
                raise TemplateStartError("no descriptor is left to hold it by; raise ulimit -n")
            if self._has_moved:
                # What was launched had only to make the other one.
                self._launched.wait()
        except TimeoutError:
            raise TemplateStartError(f"nothing within {_START_S:.0f} seconds") from None

    async def _last_words(self) -> str:
        await self._wait_gone()
        said = self._launched.stderr.read() if self._launched.stderr is not None else b""
        return said.decode(errors="backslashreplace")[-_MAX_WORDS:]

    def _send(self, record: Record, *fds: int) -> None:
        """Send a record, or keep it until the next report shows that there is room again.

        The descriptors are this process's no more.
        """
        self._unsent.append((record, fds))
        self._send_waiting()

    def _send_waiting(self) -> None:
        while self._unsent:
            record, fds = self._unsent[0]
            rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", fds))]
            try:
                self._control.sendmsg([RECORD.pack(*record)], rights if fds else [])
            except BlockingIOError:
                return
            except OSError as error:
                self._not_sent(record, error)
            for fd in fds:
                os.close(fd)
            self._unsent.popleft()

    def _not_sent(self, record: Record, error: OSError) -> None:
        # When the template is gone, the end of its reports tells everybody. Anything else, such
        # as too many descriptors on their way, is about this record alone.
        if error.errno not in GONE and record.kind == FORK:
            guest = self._guests[record.number]
            guest.fork_error = error.errno
            self._let_go(guest)

    def _receive(self) -> bool:
        """Take the reports that have come; False when no more will."""
        try:
            data, ancillary, _, _ = self._control.recvmsg(
                _READ_BYTES, socket.CMSG_SPACE(_MAX_FDS * 4), socket.MSG_CMSG_CLOEXEC
            )
        except BlockingIOError:
            return True
        except OSError:
            return False
        self._received += data
        for _level, _type, payload in ancillary:
            fds = array.array("i")
            fds.frombytes(payload[: len(payload) - len(payload) % fds.itemsize])
            self._fds.extend(fds)
        self._take_reports()
        return bool(data)

    def _take_reports(self) -> None:
        while len(self._received) >= RECORD.size:
            record = Record(*RECORD.unpack_from(self._received))
            if record.kind == READY and len(self._received) < RECORD.size + record.number:
                return
            del self._received[: RECORD.size]
            if record.kind == HELLO:
                self._has_moved = bool(record.number)
                # Without room for the descriptor there is none.
                self._pidfd = self._fds.popleft() if self._fds else -1
                continue
            if record.kind == READY:
                self.missing = json.loads(self._received[: record.number])
                del self._received[: record.number]
                self.size_bytes, self._is_ready = record.amount, True
                continue
            guest = self._guests[record.number]
            if record.kind == FORKED and self._fds:
                guest.forked(self._fds.popleft())
            elif record.kind == FORKED:
                # The host had no room for the descriptor, and without it no hold on the guest.
                guest.fork_error = errno.EMFILE
                self._send(Record(KILL, record.number))
            elif record.kind == REFUSED:
                guest.fork_error = record.status
                self._let_go(guest)
            elif record.kind == EXITED:
                guest.status, guest.cpu_ns = record.status, record.amount
                self._let_go(guest)
        self._send_waiting()

    def _let_go(self, guest: Guest) -> None:
        del self._guests[guest.number]
        guest.ended.set()
        guest.held.set()  # nobody is to wait for what will not come any more

    async def _wait_known(self) -> None:
        """Wait for the pidfd. It comes before the control socket ends, or there is no process."""
        if self._pidfd < 0:
            await self._watch.reading(lambda: self._receive() and self._pidfd < 0)

    async def _wait_gone(self) -> None:
        """Wait until the process is over, and reap it."""
        if self._pidfd >= 0:
            await anyio.wait_readable(self._pidfd)
        self._reap()

    def _reap(self) -> None:
        # Who ignores the ends of children has them reaped by the kernel.
        with contextlib.suppress(ChildProcessError):
            if self._pidfd >= 0:
                os.waitid(os.P_PIDFD, self._pidfd, os.WEXITED)
        self._launched.wait()

    async def _bury(self) -> None:
        """Reap the process and see its guests off, whom the kernel ends with it."""
        # If the template is another one by now, this hits nobody.
        self._launched.kill()
        self.dismiss()
        await self._wait_known()
        self.kill()
        await self._wait_gone()
        if self._launched.stderr is not None:
            self._launched.stderr.close()
        if self._pidfd >= 0:
            os.close(self._pidfd)
        self._pidfd = -1
        self._watch.close()
        self._control.close()
        for _, fds in self._unsent:
            for fd in fds:
                os.close(fd)
        self._unsent.clear()
        for guest in list(self._guests.values()):
            await guest.wait_has_ended()
            self._let_go(guest)


def is_over(pidfd: int) -> bool:
    """Whether the process behind a pidfd has ended, reaped or not, as the kernel says now."""
    if pidfd < 0:
        return True
    poll = select.poll()
    poll.register(pidfd, select.POLLIN)
    return bool(poll.poll(0))
