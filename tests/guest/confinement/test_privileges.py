"""What a process gives up, as the kernel tells it afterwards."""

from __future__ import annotations

import os
import sys

import pytest

from tests.guest.children import run_child

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="asks Linux's /proc")

TOLD = """
import subprocess
from codemode_guest.confinement import privileges
def told(name):
    (line,) = [line for line in open("/proc/self/status") if line.startswith(name + ":")]
    return line.split(":")[1].split()
"""
needs_root = pytest.mark.skipif(os.getuid() != 0, reason="only root has these to give up")


def printed(code: str) -> list[str]:
    ended = run_child(TOLD + code)
    assert 0 == ended.status, ended.stderr
    return ended.stdout.split()


def test_new_privileges_are_forbidden_for_a_process_and_its_children() -> None:
    """A program that it starts gains none either."""
    code = """
privileges.forbid_new_privileges()
print(*told("NoNewPrivs"), flush=True)
subprocess.run(["grep", "-h", "NoNewPrivs", "/proc/self/status"], check=True)
"""

    assert ["1", "NoNewPrivs:", "1"] == printed(code)


def test_all_five_sets_of_capabilities_are_empty_afterwards() -> None:
    """The bounding one too, where there is the right to empty it."""
    code = """
may_bound = bool(int(*told("CapEff"), 16) & 1 << 8)
privileges.drop_capabilities()
names = ["CapInh", "CapPrm", "CapEff", "CapAmb"] + ["CapBnd"] * may_bound
print(*(int(*told(name), 16) for name in names))
"""

    assert {"0"} == set(printed(code))


@needs_root
def test_root_regains_no_capability_by_its_number() -> None:
    """Nor by a program that it starts."""
    code = """
privileges.drop_capabilities()
subprocess.run(["grep", "-h", "CapEff", "/proc/self/status"], check=True)
"""

    assert ["CapEff:", "0000000000000000"] == printed(code)


@needs_root
def test_root_becomes_nobody_for_good() -> None:
    """In the user, the group and every other group."""
    code = """
import os
privileges.become_nobody()
print(*told("Uid"), *told("Gid"), *told("Groups"))
try:
    os.setuid(0)
except PermissionError:
    print("refused")
"""

    assert ["65534"] * 8 + ["refused"] == printed(code)


def test_who_is_not_root_stays_who_they_are() -> None:
    """There is nothing to give up."""
    code = """
import os
if os.getuid() == 0:
    os.setresuid(54321, 54321, 54321)
user = os.getuid()
privileges.become_nobody()
print(os.getuid() == user)
"""

    assert ["True"] == printed(code)


def test_a_process_without_dumps_cannot_be_looked_into_by_its_own_user() -> None:
    """Not even by itself, through `/proc`."""
    code = """
import os
if os.getuid() == 0:
    os.setresuid(54321, 54321, 54321)
privileges.prctl(4, 1)
open("/proc/self/mem").close()
privileges.forbid_dumps()
try:
    open("/proc/self/mem")
except PermissionError:
    print("refused")
"""

    assert ["refused"] == printed(code)


def test_a_process_whose_parent_is_gone_already_ends_itself() -> None:
    """Then no signal would ever come."""
    ended = run_child(
        "from codemode_guest.confinement.privileges import die_with_parent\n"
        "die_with_parent(1 << 22)\n"
        "print('still here')"
    )

    assert (1, "") == (ended.status, ended.stdout)


def test_a_process_dies_with_its_parent() -> None:
    """It would keep standard output open for ten seconds and then say that it was interrupted."""
    code = """
import os, signal, sys
from codemode_guest.confinement.privileges import die_with_parent
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
