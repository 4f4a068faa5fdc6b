"""What the kernel refuses a guest, as the kernel itself tells it."""

from __future__ import annotations

import select
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from codemode_guest.frames import FrameDecoder, pack
from codemode_guest.values import decode, encode
from tests.guest.children import WAIT_S, run_child

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="asks Linux's /proc")

MEMORY_BYTES = 2**29
CPU_SECONDS = 7

LIMITED = f"""
import errno, os, resource, signal, sys
table = open("/proc/self/limits")
from codemode_guest.confinement.rlimits import limit_self
if os.getuid() == 0:
    os.setuid(65534)
limit_self(memory_bytes={MEMORY_BYTES}, cpu_seconds={CPU_SECONDS})
"""


def limited(code: str) -> str:
    """What code prints that runs without privileges and under the limits."""
    ended = run_child(LIMITED + code)
    assert 0 == ended.status, ended.stderr
    return ended.stdout.strip()


def test_the_kernel_tells_the_limits_soft_and_hard_alike() -> None:
    """Checklist 83: for an init process a soft limit of CPU time alone would be ignored."""
    table = limited("print(table.read())")

    found = {line[:26].strip(): line[26:].split()[:2] for line in table.splitlines()}
    for name, value in {
        "Max address space": MEMORY_BYTES,
        "Max cpu time": CPU_SECONDS,
        "Max file size": 0,
        "Max core file size": 0,
        "Max open files": 0,
        "Max processes": 0,
    }.items():
        assert [str(value), str(value)] == found[name]


@pytest.mark.parametrize("kind", ["AS", "CPU", "FSIZE", "CORE", "NOFILE", "NPROC"])
def test_no_limit_can_be_raised_again(kind: str) -> None:
    """Not even by one."""
    code = f"""
kind = resource.RLIMIT_{kind}
try:
    resource.setrlimit(kind, (resource.getrlimit(kind)[0], resource.getrlimit(kind)[1] + 1))
except (ValueError, OSError) as error:
    print("refused")
"""

    assert "refused" == limited(code)


def test_memory_beyond_the_limit_is_refused() -> None:
    """Checklist 83: as an exception, which a program may catch."""
    code = f"""
try:
    bytes({MEMORY_BYTES})
except MemoryError:
    print("refused")
"""

    assert "refused" == limited(code)


def test_no_process_can_be_started() -> None:
    """Checklist 84: neither by fork nor by spawning."""
    code = """
for start in (os.fork, lambda: os.posix_spawn(sys.executable, [sys.executable], {})):
    try:
        if start() == 0:
            os._exit(0)
    except OSError as error:
        print(errno.errorcode[error.errno])
"""

    assert ["EAGAIN", "EAGAIN"] == limited(code).split()


def test_nothing_can_be_written_to_a_file(tmp_path: Path) -> None:
    """Not a byte, into a file that was open already."""
    path = tmp_path / "file"
    path.touch()
    path.chmod(0o666)
    code = f"""
import errno, os
from codemode_guest.confinement.rlimits import limit_self
fd = os.open({str(path)!r}, os.O_WRONLY)
limit_self(memory_bytes={MEMORY_BYTES}, cpu_seconds={CPU_SECONDS})
try:
    os.write(fd, b"x")
except OSError as error:
    print(errno.errorcode[error.errno])
"""

    assert "EFBIG" == run_child(code).stdout.strip()
    assert b"" == path.read_bytes()


def test_no_descriptor_can_be_opened_whatever_number_is_free() -> None:
    """Standard input has been closed then, and its number is not to be had."""
    code = """
os.close(0)
for start in (lambda: os.open("/etc/passwd", os.O_RDONLY), os.pipe, lambda: os.open("/", 0)):
    try:
        start()
    except OSError as error:
        print(errno.errorcode[error.errno])
"""

    assert ["EMFILE", "EMFILE", "EMFILE"] == limited(code).split()


@pytest.mark.slow
def test_at_the_limit_of_cpu_time_the_kernel_kills() -> None:
    """Checklist 83: also a process that ignores every signal that it may."""
    ended = run_child(
        """
import signal
from codemode_guest.confinement.rlimits import limit_self
for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}:
    signal.signal(number, signal.SIG_IGN)
limit_self(memory_bytes=2**29, cpu_seconds=1)
while True:
    pass
"""
    )

    assert ended.status in (-signal.SIGKILL, -signal.SIGXCPU)


def test_a_limit_that_is_lower_already_is_told() -> None:
    """It is the caller's to know: a run must not go on with other limits than were asked."""
    code = f"""
import os, resource
from codemode_guest.confinement.rlimits import limit_self
if os.getuid() == 0:
    os.setuid(65534)
resource.setrlimit(resource.RLIMIT_AS, ({MEMORY_BYTES - 1}, {MEMORY_BYTES - 1}))
try:
    limit_self(memory_bytes={MEMORY_BYTES}, cpu_seconds=1)
except ValueError:
    print("refused")
"""

    assert "refused" == run_child(code).stdout.strip()


def test_new_privileges_are_forbidden_for_a_process_and_its_children() -> None:
    """As `/proc` tells it; before the call they were not."""
    code = """
import subprocess, sys
from codemode_guest.confinement import confine_template
def told(): return [line for line in open("/proc/self/status") if "NoNewPrivs" in line]
print(*told(), end="")
confine_template()
print(*told(), end="", flush=True)
subprocess.run(["grep", "NoNewPrivs", "/proc/self/status"], check=True)
"""

    before, after, of_a_child = (line.split()[1] for line in run_child(code).stdout.splitlines())

    assert before in ("0", "1")
    assert ("1", "1") == (after, of_a_child)


def test_a_process_whose_parent_is_gone_already_ends_itself() -> None:
    """Then no signal would ever come."""
    ended = run_child(
        "from codemode_guest.confinement.prctl import die_with_parent\n"
        "die_with_parent(1 << 22)\n"
        "print('still here')"
    )

    assert (1, "") == (ended.status, ended.stdout)


def test_a_process_dies_with_its_parent() -> None:
    """It would keep standard output open for ten seconds and then say that it was interrupted."""
    code = """
import os, signal, sys
from codemode_guest.confinement.prctl import die_with_parent
reading, writing = os.pipe()
parent = os.getpid()
if os.fork() == 0:
    die_with_parent(parent)
    signal.signal(signal.SIGALRM, signal.default_int_handler)
    signal.alarm(10)
    os.write(writing, b"ready")
    signal.pause()
os.read(reading, 5)
print("left alone", flush=True)
os._exit(0)
"""

    ended = run_child(code)

    assert ("left alone\n", "") == (ended.stdout, ended.stderr)


class Living:
    """A guest, seen from outside, after its confinement and before its program.

    Attributes:
        proc: Its directory in `/proc`.
    """

    def __init__(self, process: subprocess.Popen[bytes], sock: socket.socket) -> None:
        self.proc = Path(f"/proc/{process.pid}")
        self._process = process
        self._socket = sock
        self._decoder = FrameDecoder()
        self._bodies: list[bytes] = []

    def next(self) -> object:
        """Its next frame."""
        while not self._bodies:
            assert select.select([self._socket], [], [], WAIT_S)[0], "the guest says nothing"
            data = self._socket.recv(2**16)
            assert data, "the guest has ended"
            self._bodies += self._decoder.feed(data)
        return decode(self._bodies.pop(0))

    def start(self, program: str) -> None:
        """Send it a program."""
        start = {"program": program, "seed": 1, "namespaces": []}
        self._socket.sendall(pack(encode(["start", start])))

    def status(self) -> int:
        """How it ended."""
        return self._process.wait(WAIT_S)


GUEST = """
import os, signal, sys
from codemode_guest import guest, world
from codemode_guest.confinement import confine_template
from codemode_guest.control import Settings
world.preload()
confine_template()
from codemode_guest.template import _restore_signals
for number in (signal.SIGTERM, signal.SIGUSR2, signal.SIGXCPU):
    signal.signal(number, signal.SIG_IGN)
signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM, signal.SIGINT})
_restore_signals()  # as a template does, before it forks
for _ in range(20):
    highest = os.dup(0)
guest.main(
    int(sys.argv[1]),
    2,
    highest_fd=highest,
    parent=os.getppid(),
    settings=Settings(
        memory_bytes=2**29,
        cpu_seconds=7,
        max_pending_calls=8,
        max_frame_bytes=2**20,
        max_output_bytes=2**20,
    ),
    spare=False,
)
"""


@pytest.fixture(scope="module")
def guest() -> Iterator[Living]:
    """A guest that has said it is ready."""
    ours, theirs = socket.socketpair()
    with ours:
        with theirs:
            process = subprocess.Popen(
                [sys.executable, "-c", GUEST, str(theirs.fileno())],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
            )
        with process:
            try:
                living = Living(process, ours)
                ready = living.next()
                assert isinstance(ready, list)
                assert "ready" == ready[0]
                yield living
            finally:
                process.kill()


def test_a_guest_has_the_bridge_and_its_standard_error_and_nothing_else(guest: Living) -> None:
    """Checklist 82: whatever the template had open, standard input too."""
    found = {int(fd.name): str(fd.readlink()) for fd in (guest.proc / "fd").iterdir()}

    assert {1, 2, 3} == set(found)
    assert found[1] == found[2]
    assert found[3].startswith("socket:")


def test_a_guest_is_confined_when_it_says_that_it_is_ready(guest: Living) -> None:
    """Before the first byte of its program is read."""
    limits = (guest.proc / "limits").read_text()
    status = (guest.proc / "status").read_text()

    assert f"Max address space         {2**29} " in limits
    assert "Max cpu time              7 " in limits
    assert "NoNewPrivs:\t1" in status
    assert "Threads:\t1" in status


def test_a_guest_ignores_and_blocks_no_signal_but_one(guest: Living) -> None:
    """A broken pipe is told to whoever writes; everything else kills as it should."""
    told = dict(line.split(":\t") for line in (guest.proc / "status").read_text().splitlines())

    ignored = int(told["SigIgn"], 16)
    assert 0 == ignored & ~(1 << signal.SIGPIPE - 1)
    assert 0 == int(told["SigBlk"], 16)


def test_a_confined_guest_runs_its_program_to_the_end(guest: Living) -> None:
    """The last claim about this guest: with all that taken away it still computes."""
    guest.start("import json\nprint('hi')\nreturn json.loads('[1]')")

    assert [["log", "hi\n"], ["done", {"value": [1]}]] == [guest.next(), guest.next()]
    assert 0 == guest.status()
