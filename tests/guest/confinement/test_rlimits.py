"""The limits of a guest, as the kernel itself tells them."""

from __future__ import annotations

import signal
import sys
from pathlib import Path

import pytest

from tests.guest.children import run_child

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
        "Max pending signals": 0,
    }.items():
        assert [str(value), str(value)] == found[name]


@pytest.mark.parametrize("kind", ["AS", "CPU", "FSIZE", "CORE", "NOFILE", "NPROC", "SIGPENDING"])
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
