"""The host's hold on one template: starting it, asking for forks, hearing of ends."""

from __future__ import annotations

import array
import contextlib
import errno
import os
import socket
import subprocess
import sys
from collections import deque
from importlib.util import find_spec
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

import anyio

from codemode.errors import RuntimeFault
from codemode.process.guest import Guest
from codemode_guest.control import EXITED, FORK, FORKED, GONE, HELLO, KILL, RECORD, REFUSED, Record

if TYPE_CHECKING:
    from collections.abc import Callable

#: A cold import of the guest takes a fifth of a second; a machine this slow is broken.
_START_S: Final = 60.0
_READ_BYTES: Final = 4096
#: Descriptors that one read of the control socket may bring.
_MAX_FDS: Final = 16
_MAX_WORDS: Final = 2_000

# The seed makes the order of sets the same in every run of a program; isolated mode (-I) would
# ignore it, so what else that mode does is asked for by name.
_ENVIRONMENT: Final = MappingProxyType({"PYTHONHASHSEED": "0", "TZ": "UTC0"})
_FLAGS: Final = ("-s", "-S", "-P", "-B")
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

    Attributes:
        size_bytes: Its address space when it was ready.
        forks: How many guests were asked of it.
    """

    def __init__(
        self, process: subprocess.Popen[bytes], pidfd: int, control: socket.socket
    ) -> None:
        self.size_bytes = 0
        self.forks = 0
        self._process = process
        self._pidfd = pidfd
        self._control = control
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
        try:
            template = cls._launch(settings)
        except OSError as error:
            raise TemplateStartError(str(error)) from None
        try:
            await template._wait_ready()  # noqa: SLF001 - its own
        except BaseException:
            with anyio.CancelScope(shield=True):
                await template._bury()  # noqa: SLF001 - its own
            raise
        return template

    @classmethod
    def _launch(cls, settings: str) -> Template:
        with contextlib.ExitStack() as ours, contextlib.ExitStack() as theirs:
            control, their_control = socket.socketpair()
            ours.callback(control.close)
            theirs.callback(their_control.close)
            control.setblocking(False)
            host_fd = os.pidfd_open(os.getpid())
            theirs.callback(os.close, host_fd)
            process = subprocess.Popen(  # noqa: S603 - the interpreter, our words
                _command(their_control.fileno(), host_fd, settings),
                env=dict(_ENVIRONMENT),
                cwd="/",
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                pass_fds=(their_control.fileno(), host_fd),
                start_new_session=True,
            )
            ours.callback(process.wait)
            ours.callback(process.kill)
            template = cls(process, os.pidfd_open(process.pid), control)
            ours.pop_all()
        return template

    @property
    def idle(self) -> bool:
        """Whether none of its guests lives."""
        return not self._guests

    def has_ended(self) -> bool:
        """Whether the process is over, as the kernel says now."""
        return self._process.poll() is not None

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
        try:
            while await self._receive():
                self._take_reports()
                on_change()
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
        self._process.kill()

    async def _wait_ready(self) -> None:
        try:
            with anyio.fail_after(_START_S):
                while not self.size_bytes:
                    if not await self._receive():
                        raise TemplateStartError(await self._last_words())
                    self._take_reports()
        except TimeoutError:
            raise TemplateStartError(f"nothing within {_START_S:.0f} seconds") from None

    async def _last_words(self) -> str:
        await anyio.wait_readable(self._pidfd)
        said = self._process.stderr.read() if self._process.stderr is not None else b""
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

    async def _receive(self) -> bool:
        """Wait for reports; False when no more will come."""
        while True:
            try:
                data, ancillary, _, _ = self._control.recvmsg(
                    _READ_BYTES, socket.CMSG_SPACE(_MAX_FDS * 4), socket.MSG_CMSG_CLOEXEC
                )
            except BlockingIOError:
                await anyio.wait_readable(self._control)
                continue
            except OSError:
                return False
            self._received += data
            for _level, _type, payload in ancillary:
                fds = array.array("i")
                fds.frombytes(payload[: len(payload) - len(payload) % fds.itemsize])
                self._fds.extend(fds)
            return bool(data)

    def _take_reports(self) -> None:
        while len(self._received) >= RECORD.size:
            record = Record(*RECORD.unpack_from(self._received))
            del self._received[: RECORD.size]
            if record.kind == HELLO:
                self.size_bytes = record.amount
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

    async def _bury(self) -> None:
        """Reap the process and see its guests off, whom the kernel ends with it."""
        self._process.kill()
        await anyio.wait_readable(self._pidfd)
        self._process.wait()
        if self._process.stderr is not None:
            self._process.stderr.close()
        os.close(self._pidfd)
        self._control.close()
        for _, fds in self._unsent:
            for fd in fds:
                os.close(fd)
        self._unsent.clear()
        for guest in list(self._guests.values()):
            await guest.wait_has_ended()
            self._let_go(guest)


def _command(control_fd: int, host_fd: int, settings: str) -> list[str]:
    """The command line of a template.

    The standard library comes first on its path: a package of the same name, a backport, must not
    take the place of a module of it.
    """
    specs = [find_spec(name) for name in ("codemode_guest", "RestrictedPython", "tzdata")]
    homes = dict.fromkeys(
        str(Path(spec.origin).parent.parent) for spec in specs if spec and spec.origin
    )
    return [sys.executable, *_FLAGS, "-c", _BOOT, str(control_fd), str(host_fd), settings, *homes]
