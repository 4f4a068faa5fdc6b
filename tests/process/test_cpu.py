"""What another process has used of the CPU."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from codemode.process.cpu import pid_behind, process_cpu_ns

BUSY = "import time; t = time.process_time()\nwhile time.process_time() - t < 0.2: pass\nprint()"


@pytest.fixture
def busy() -> Iterator[subprocess.Popen[bytes]]:
    """A process that has used a fifth of a second and now waits."""
    code = f"{BUSY}; import sys; sys.stdout.flush(); sys.stdin.read()"
    with subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        try:
            assert process.stdout is not None
            assert b"\n" == process.stdout.readline()
            yield process
        finally:
            process.kill()


def test_the_cpu_time_of_another_process_is_read(busy: subprocess.Popen[bytes]) -> None:
    """In nanoseconds: at least what it had to use, and no more than there was time for."""
    used = process_cpu_ns(busy.pid)

    assert used is not None
    assert 200_000_000 <= used < 60_000_000_000


def test_a_waiting_process_uses_none(busy: subprocess.Popen[bytes]) -> None:
    """Checklist 83: waiting costs nothing, so two looks see the same."""
    wait_until_asleep(busy.pid)

    first = process_cpu_ns(busy.pid)

    assert first is not None
    assert first == process_cpu_ns(busy.pid)


def wait_until_asleep(pid: int) -> None:
    """Wait, for a while, until a process has nothing to do."""
    deadline = time.monotonic() + 5
    while time.monotonic() < deadline:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="ascii")
        if stat.rpartition(")")[2].split()[0] == "S":
            return
    pytest.fail("the process never slept")


def test_this_process_is_read_like_its_own_clock() -> None:
    """The other process's clock is the very one that a process sees as its own."""
    before = time.process_time_ns()
    used = process_cpu_ns(os.getpid())
    after = time.process_time_ns()

    assert used is not None
    assert before <= used <= after


def test_a_process_that_is_gone_has_no_cpu_time(busy: subprocess.Popen[bytes]) -> None:
    """None, not zero: nobody knows."""
    busy.kill()
    busy.wait(5)

    assert process_cpu_ns(busy.pid) is None


@pytest.mark.skipif(sys.platform != "linux", reason="pidfds are Linux's")
def test_a_pidfd_tells_the_number_of_its_process(busy: subprocess.Popen[bytes]) -> None:
    """Until it has been reaped: from then on the number is anybody's."""
    pidfd = os.pidfd_open(busy.pid)
    try:
        while_alive = pid_behind(pidfd)
        busy.kill()
        busy.wait(5)
        afterwards = pid_behind(pidfd)
    finally:
        os.close(pidfd)

    assert (busy.pid, None) == (while_alive, afterwards)


@pytest.mark.skipif(sys.platform != "linux", reason="pidfds are Linux's")
def test_what_is_no_pidfd_tells_no_number() -> None:
    """A descriptor of another kind, and one that is closed."""
    reading, writing = os.pipe()
    os.close(writing)
    of_a_pipe = pid_behind(reading)
    os.close(reading)

    assert (None, None) == (of_a_pipe, pid_behind(reading))
