"""A guest on its own: confined before its program, and then as good as any interpreter."""

from __future__ import annotations

import select
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

import pytest

from codemode_guest.frames import FrameDecoder, pack
from codemode_guest.values import decode, encode
from tests.guest.children import WAIT_S

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="asks Linux's /proc")


def start_frame(program: str) -> bytes:
    """Write down what starts a program."""
    return pack(encode(["start", {"program": program, "seed": 1, "namespaces": []}]))


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
        self._socket.sendall(start_frame(program))

    def status(self) -> int:
        """How it ended."""
        return self._process.wait(WAIT_S)


GUEST = """
import os, signal, sys
from codemode_guest import guest, world
from codemode_guest.confinement import LAYERS, GuestConfinement, confine_template
from codemode_guest.control import Settings
from codemode_guest.template import _restore_signals
world.preload()
parent = os.getppid()
# The number of this process is what the test knows it by.
attempts = confine_template(set(LAYERS) - {"pid_namespace"})
confinement = GuestConfinement(memory_bytes=2**29, cpu_seconds=7)
confinement.prepare(attempts)
for number in (signal.SIGTERM, signal.SIGUSR2, signal.SIGXCPU):
    signal.signal(number, signal.SIG_IGN)
signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM, signal.SIGINT})
_restore_signals()  # as a template does, before it forks
for _ in range(20):
    highest = os.dup(0)
settings = Settings(
    memory_bytes=2**29,
    cpu_seconds=7,
    max_pending_calls=8,
    max_frame_bytes=2**20,
    max_frame_parts=1_000_000,
    max_output_bytes=2**20,
    layers=(),
)
stage = guest.set_stage(settings)
guest.main(
    int(sys.argv[1]),
    2,
    highest_fd=highest,
    parent=parent,
    confinement=confinement,
    stage=stage,
    spare=sys.argv[2] == "spare",
)
"""

#: What a program could tell by that another one has run before it.
CURIOUS = """
import random, traceback
names = [asyncio.current_task().get_name(), asyncio.create_task(asyncio.sleep(0)).get_name()]
try:
    raise ValueError
except ValueError:
    lines = traceback.format_exc()
return [names, random.random(), lines]
"""


@contextmanager
def started(kind: Literal["spare", "on demand"], early: bytes = b"") -> Iterator[Living]:
    """A guest that has said it is ready, and was sent something before."""
    ours, theirs = socket.socketpair()
    ours.sendall(early)
    with ours:
        with theirs:
            process = subprocess.Popen(
                [sys.executable, "-c", GUEST, str(theirs.fileno()), kind],
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


@pytest.fixture(scope="module")
def guest() -> Iterator[Living]:
    """A guest that has said it is ready."""
    with started("on demand") as living:
        yield living


def test_a_guest_is_confined_when_it_says_that_it_is_ready(guest: Living) -> None:
    """Before the first byte of its program is read."""
    limits = (guest.proc / "limits").read_text()
    status = (guest.proc / "status").read_text()

    assert f"Max address space         {2**29} " in limits
    assert "Max cpu time              7 " in limits
    assert "NoNewPrivs:\t1" in status
    assert "CapEff:\t0000000000000000" in status
    assert "Seccomp:\t2" in status
    assert "Threads:\t1" in status


def test_a_guest_ignores_and_blocks_no_signal_but_one(guest: Living) -> None:
    """A broken pipe is told to whoever writes; everything else kills as it should."""
    told = dict(line.split(":\t") for line in (guest.proc / "status").read_text().splitlines())

    # Two that the C library keeps for itself are ignored in whatever posix_spawn has started.
    known = sum(1 << number - 1 for number in signal.valid_signals())
    assert 0 == int(told["SigIgn"], 16) & known & ~(1 << signal.SIGPIPE - 1)
    assert 0 == int(told["SigBlk"], 16)


def test_a_confined_guest_runs_its_program_to_the_end(guest: Living) -> None:
    """The last claim about this guest: with all that taken away it still computes."""
    guest.start("import json\nprint('hi')\nreturn json.loads('[1]')")

    assert [["log", "hi\n"], ["done", {"value": [1]}]] == [guest.next(), guest.next()]
    assert 0 == guest.status()


def test_a_program_cannot_tell_whether_its_guest_was_a_spare() -> None:
    """Names that are counted, random numbers and lines of source: the rehearsal leaves no trace."""
    with started("on demand") as unrehearsed, started("spare") as rehearsed:
        unrehearsed.start(CURIOUS)
        rehearsed.start(CURIOUS)
        found = unrehearsed.next()

        assert isinstance(found, list)
        assert ["Task-1", "Task-2"] == found[1]["value"][0]
        assert found == rehearsed.next()


def test_a_spare_whose_program_has_come_already_leaves_it_be_until_it_is_ready() -> None:
    """It looks whether there is one, and takes nothing of it."""
    with started("spare", start_frame("return 'early'")) as living:
        assert ["done", {"value": "early"}] == living.next()
