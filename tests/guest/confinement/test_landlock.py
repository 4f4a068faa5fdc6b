"""Landlock with no right to anything, in processes of their own."""

from __future__ import annotations

import sys

import pytest

from codemode_guest.confinement import landlock
from tests.guest.children import run_child


def landlock_is_missing() -> bool:
    try:
        return landlock.version() < 1
    except (OSError, ValueError):
        return True


pytestmark = pytest.mark.skipif(
    sys.platform != "linux" or landlock_is_missing(), reason="this kernel has no Landlock"
)

RESTRICTED = """
import encodings.idna, errno, os, socket
from codemode_guest.confinement import landlock, privileges
if os.getuid() == 0:
    os.setresuid(54321, 54321, 54321)
    privileges.prctl(4, 1)
privileges.forbid_new_privileges()
parent = os.getpid()
reading, writing = os.pipe()
ruleset_fd = landlock.make_ruleset()
pid = os.fork()
if pid == 0:
    def tried(action):
        try:
            action()
        except OSError as error:
            return errno.errorcode[error.errno]
        return "done"
    landlock.restrict_self(ruleset_fd)
    landlock.prove()
"""


def tried(action: str) -> str:
    ended = run_child(
        f"{RESTRICTED}    os.write(writing, tried(lambda: {action}).encode())\n    os._exit(0)\n"
        "os.close(writing)\nprint(os.read(reading, 99).decode())"
    )
    assert 0 == ended.status, ended.stderr
    return ended.stdout.strip()


@pytest.mark.parametrize(
    "action",
    [
        "os.open('/etc/passwd', os.O_RDONLY)",
        "os.open('/tmp/codemode-landlock', os.O_WRONLY | os.O_CREAT)",
        "os.listdir('/')",
        "os.mkdir('/tmp/codemode-landlock')",
        "os.execv('/bin/true', ['true'])",
        "os.open(f'/proc/{parent}/mem', os.O_RDWR)",
    ],
)
def test_no_file_can_be_reached(action: str) -> None:
    """Nor made, nor started, nor the memory of the parent, which is of the same user."""
    assert "EACCES" == tried(action)


@pytest.mark.skipif(landlock_is_missing() or landlock.version() < 6, reason="needs Linux 6.12")
def test_no_process_outside_can_be_signalled() -> None:
    """The parent neither, though it is of the same user; itself it can."""
    assert "EPERM" == tried("os.kill(parent, 0)")
    assert "done" == tried("os.kill(os.getpid(), 0)")


@pytest.mark.skipif(landlock_is_missing() or landlock.version() < 4, reason="needs Linux 6.7")
def test_no_port_can_be_reached() -> None:
    """Refused before anything is sent."""
    assert "EACCES" == tried("socket.socket().connect(('127.0.0.1', 9))")


def test_the_proof_fails_without_it() -> None:
    """So it cannot succeed by itself."""
    with pytest.raises(OSError, match="can still be read"):
        landlock.prove()
