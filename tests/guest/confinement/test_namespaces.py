"""Out of the host's namespaces, in a process of its own."""

from __future__ import annotations

import sys

import pytest

from tests.guest.children import run_child

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="Linux's namespaces")

LEFT = """
import errno, os, socket
from codemode_guest.confinement import LAYERS, confine_template
# Its number is what the test waits for.
attempts = confine_template(set(LAYERS) - {"pid_namespace"})
if "mount_namespace" in attempts.missing:
    print("missing", attempts.missing)
    os._exit(0)
def tried(action):
    try:
        return str(action())
    except OSError as error:
        return errno.errorcode[error.errno]
"""


def printed(code: str) -> str:
    ended = run_child(LEFT + code)
    assert 0 == ended.status, ended.stderr
    if ended.stdout.startswith("missing"):
        pytest.skip(f"this system gives no namespaces: {ended.stdout}")
    return ended.stdout.strip()


@pytest.mark.parametrize(
    "action,came",
    [
        ("os.listdir('/')", "[]"),
        ("os.listdir('/..')", "[]"),
        ("os.mkdir('/x')", "EROFS"),
        ("os.open('/x', os.O_CREAT | os.O_WRONLY)", "EROFS"),
        ("os.chroot('/')", "EPERM"),
        ("os.setresuid(0, 0, 0)", "EINVAL"),
        ("socket.if_nameindex()", "[(1, 'lo')]"),
    ],
)
def test_outside_there_is_nothing_and_no_right_to_make_it(action: str, came: str) -> None:
    """An empty root, no user to become, and a network of one interface, which is down."""
    assert came == printed(f"print(tried(lambda: {action}))")


def test_what_the_system_refuses_is_told_in_its_own_words() -> None:
    """One reason for each layer: here no more namespaces of a kind may be made."""
    ended = run_child(
        """
import os
from codemode_guest.confinement import Attempts
def refuse():
    raise OSError(28, "no room")
attempts = Attempts({"user_namespace", "landlock"})
attempts.make("user_namespace", refuse)
attempts.make("landlock", lambda: None)
attempts.make("seccomp", refuse)
print(attempts.made, attempts.missing)
attempts.make("user_namespace", lambda: None)
print(sorted(attempts.made), attempts.missing)
"""
    )

    first, second = ended.stdout.splitlines()
    assert "{'landlock'} {'user_namespace': 'No space left on device'}" == first
    assert "['landlock', 'user_namespace'] {}" == second
