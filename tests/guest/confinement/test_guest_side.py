"""What guests apply is what a child of the template could apply."""

from __future__ import annotations

import sys

import pytest

from tests.guest.children import run_child

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="Linux confines")

PREPARED = """
import os, resource, sys
from codemode_guest.confinement import LAYERS, Attempts, GuestConfinement
from codemode_guest.confinement.privileges import forbid_new_privileges
if os.getuid() == 0:
    os.setresuid(54321, 54321, 54321)
forbid_new_privileges()
attempts = Attempts(sys.argv[1].split())
confinement = GuestConfinement(memory_bytes=2**29, cpu_seconds=7)
def confined():
    parent = os.getpid()
    if os.fork() == 0:
        confinement.begin(parent)
        confinement.complete()
        print(resource.getrlimit(resource.RLIMIT_CPU)[0], flush=True)
        os._exit(0)
    return os.wait()[1]
"""


def printed(code: str, *layers: str) -> list[str]:
    ended = run_child(PREPARED + code, " ".join(layers))
    assert 0 == ended.status, ended.stderr
    return ended.stdout.splitlines()


def test_a_layer_that_the_trial_could_not_have_is_left_out_with_its_reason() -> None:
    """The others are applied: here a lower limit of memory stands in the way of one."""
    code = """
resource.setrlimit(resource.RLIMIT_AS, (2**28, 2**28))
confinement.prepare(attempts)
print(*attempts.missing.items())
print(*sorted(attempts.made))
print(confined())
"""
    reason = "('resource_limits', 'not allowed to raise maximum limit')"

    missing, made, _, status = printed(code, "resource_limits", "seccomp")

    assert (reason, "seccomp", "0") == (missing, made, status)


def test_a_trial_that_does_not_live_to_tell_leaves_all_out() -> None:
    """With how it ended."""
    code = """
confinement._limit = lambda: os.kill(os.getpid(), 9)
confinement.prepare(attempts)
print(*attempts.missing.values())
"""

    assert ["a process that tried it ended with wait status 9"] == printed(code, "resource_limits")


def test_a_guest_that_cannot_have_what_the_trial_had_is_told_so() -> None:
    """By an exception before its program comes, and it goes no further."""
    code = """
confinement.prepare(attempts)
resource.setrlimit(resource.RLIMIT_AS, (2**28, 2**28))
print(*attempts.made)
try:
    status = confined()
except ValueError:
    os._exit(3)
print(os.waitstatus_to_exitcode(status))
"""

    assert ["resource_limits", "3"] == printed(code, "resource_limits")


def test_what_is_not_wanted_is_not_tried() -> None:
    """And a guest goes without it."""
    code = (
        "confinement.prepare(attempts); print(attempts.made, attempts.missing); print(confined())"
    )

    assert ["set() {}", "-1", "0"] == printed(code, "capabilities")
