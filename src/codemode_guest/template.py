"""The template: a process that has imported what a guest needs and does nothing but fork guests.

It is single-threaded and waits for three things: its control socket, the end of the host, and
the ends of its guests.
"""

from __future__ import annotations

import array
import errno
import faulthandler
import gc
import json
import os
import resource
import select
import signal
import socket
import sys
from pathlib import Path
from typing import Final, NoReturn

from codemode_guest import guest, world
from codemode_guest.compacting import fill_holes, gather_code
from codemode_guest.confinement import GuestConfinement, confine_template, kernel
from codemode_guest.control import (
    EXITED,
    FORKED,
    GONE,
    HELLO,
    KILL,
    READY,
    RECORD,
    REFUSED,
    Record,
    Settings,
)

_FDS_OF_A_FORK: Final = 2
_PAGE_BYTES: Final = resource.getpagesize()
#: After so many calls the interpreter has specialized a function; 3.11 waits for 8. It writes into
#: the code for that and remembers where attributes were found, in memory that guests would copy:
#: a fifth of what a guest writes to, and of its time.
_REHEARSALS: Final = 16


def main(control_fd: int, host_fd: int, settings: str) -> None:
    """Serve forks until the host closes the control socket or ends.

    Args:
        control_fd: The control socket, a stream.
        host_fd: A pidfd of the host.
        settings: `Settings` as JSON.
    """
    _restore_signals()
    _lift_descriptor_limit()
    limits = Settings(**json.loads(settings))
    world.preload()
    stage, _kept = _arranged_stage(limits)
    # What is needed is loaded; from here on no path leads to a file.
    sys.path.clear()
    size = size_bytes()
    attempts = confine_template(limits.layers)
    control = socket.socket(fileno=control_fd)
    # Whoever started this process may know another one by now: see `confine_template`.
    has_moved = "pid_namespace" in attempts.made
    own_fd = os.pidfd_open(os.getpid())
    _tell(control, Record(HELLO, has_moved), own_fd)
    os.close(own_fd)
    faulthandler.enable(file=2)
    faulthandler.register(signal.SIGUSR1, file=2, all_threads=False)
    gc.collect()
    gc.disable()
    gc.freeze()
    # A guest lives briefly: with Python's 700 a program that gathers calls spends a seventh of
    # its time on looking for garbage.
    gc.set_threshold(20_000, 20, 20)
    confinement = GuestConfinement(memory_bytes=limits.memory_bytes, cpu_seconds=limits.cpu_seconds)
    confinement.prepare(attempts)
    missing = json.dumps(attempts.missing).encode()
    control.sendall(RECORD.pack(READY, len(missing), 0, size) + missing)
    _Template(control, host_fd, confinement, stage).serve()


def _arranged_stage(limits: Settings) -> tuple[guest.Stage, tuple[object, ...]]:
    """Return a stage whose code is fast and lies together, and what is to be kept for that.

    What is let go leaves holes.
    """
    stage = guest.set_stage(limits)
    replaced = gather_code(lambda: guest.rehearse(stage))
    for _ in range(_REHEARSALS):
        guest.rehearse(stage)
    gc.collect()
    return stage, (replaced, fill_holes())


def _tell(control: socket.socket, record: Record, *fds: int) -> None:
    rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", fds))] if fds else []
    control.sendmsg([RECORD.pack(*record)], rights)


def _restore_signals() -> None:
    """Undo what the host did to signals, for this process and its guests.

    Dispositions survive an exec. A host that ignores SIGCHLD would have the ends of guests go
    unseen, one that ignores SIGXCPU would make them hard to end.
    """
    for number in signal.valid_signals():
        if number not in (signal.SIGKILL, signal.SIGSTOP, signal.SIGPIPE):
            signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_SETMASK, ())


def _lift_descriptor_limit() -> None:
    """Have as many descriptors as may be had.

    The host may raise its own limit later, and each of its guests takes one here.
    """
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def size_bytes() -> int:
    """Return the address space of this process; 0 where the system does not tell."""
    try:
        pages = Path("/proc/self/statm").read_text(encoding="ascii").split()[0]
        return int(pages) * _PAGE_BYTES
    except OSError:
        return 0


class _Template:
    """The state of the process: who was forked and has not been reported gone."""

    def __init__(
        self,
        control: socket.socket,
        host_fd: int,
        confinement: GuestConfinement,
        stage: guest.Stage,
    ) -> None:
        self._control = control
        self._host_fd = host_fd
        self._confinement = confinement
        self._stage = stage
        self._pid = os.getpid()
        self._guests: dict[int, tuple[int, int]] = {}
        self._poll = select.poll()
        self._poll.register(control, select.POLLIN)
        self._poll.register(host_fd, select.POLLIN)

    def serve(self) -> None:
        """Serve until the host is gone; then end all guests."""
        while True:
            for fd, _ in self._poll.poll():
                if fd == self._host_fd:
                    self._end()
                elif fd == self._control.fileno():
                    self._obey()
                else:
                    self._reap(fd)

    def _obey(self) -> None:
        size = RECORD.size
        data, ancillary, _, _ = self._control.recvmsg(
            size, socket.CMSG_SPACE(_FDS_OF_A_FORK * 4), socket.MSG_WAITALL
        )
        if len(data) < size:
            self._end()
        fds = array.array("i")
        for _level, _type, payload in ancillary:
            fds.frombytes(payload)
        record = Record(*RECORD.unpack(data))
        if record.kind == KILL:
            self._kill(record.number)
        elif len(fds) == _FDS_OF_A_FORK:
            self._fork(record, *fds)
        else:
            # There was no room for the descriptors here.
            for fd in fds:
                os.close(fd)
            self._report(Record(REFUSED, record.number, errno.EMFILE))

    def _fork(self, record: Record, bridge_fd: int, stderr_fd: int) -> None:
        pid = -1
        try:
            pid = kernel.fork()
        except OSError as error:
            self._report(Record(REFUSED, record.number, error.errno or 0))
            return
        finally:
            if pid != 0:
                os.close(bridge_fd)
                os.close(stderr_fd)
        if pid == 0:
            ours = (self._host_fd, self._control.fileno(), *self._guests)
            guest.main(
                bridge_fd,
                stderr_fd,
                highest_fd=max(bridge_fd, stderr_fd, *ours),
                parent=self._pid,
                confinement=self._confinement,
                stage=self._stage,
                spare=bool(record.status),
            )
        pidfd = os.pidfd_open(pid)
        self._guests[pidfd] = record.number, pid
        self._poll.register(pidfd, select.POLLIN)
        self._report(Record(FORKED, record.number), pidfd)

    def _kill(self, number: int) -> None:
        for known, pid in self._guests.values():
            if known == number:
                os.kill(pid, signal.SIGKILL)

    def _reap(self, pidfd: int) -> None:
        number, pid = self._guests.pop(pidfd)
        _, status, usage = os.wait4(pid, 0)
        cpu_ns = int((usage.ru_utime + usage.ru_stime) * 1e9)
        # First of all: a run waits for it.
        self._report(Record(EXITED, number, status, cpu_ns))
        self._poll.unregister(pidfd)
        os.close(pidfd)

    def _report(self, record: Record, *fds: int) -> None:
        try:
            _tell(self._control, record, *fds)
        except OSError as error:
            if error.errno in GONE or not fds:
                self._end()
            # The descriptor could not be sent. Without it the host has this guest killed.
            self._report(record)

    def _end(self) -> NoReturn:
        for pidfd, (_, pid) in self._guests.items():
            signal.pidfd_send_signal(pidfd, signal.SIGKILL)
            os.waitpid(pid, 0)
        os._exit(0)
