"""What the filter says of calls, on both machines, by carrying it out here."""

from __future__ import annotations

import mmap
import sys

import pytest

from codemode_guest.confinement import bpf, seccomp
from codemode_guest.confinement.call_numbers import MACHINES, NEWEST, numbers_of
from tests.guest.children import run_child
from tests.guest.confinement.filters import verdict

ARCHS = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
I386 = 0x40000003
PID = 0x7FFFFFFF  # what stands in the filter until a guest writes its own number


@pytest.fixture(params=MACHINES)
def machine(request: pytest.FixtureRequest) -> str:
    found: str = request.param
    return found


def said(machine: str, name: str, *arguments: int) -> int:
    known = numbers_of(machine)
    code = seccomp.instructions(machine, known)
    return verdict(code, machine=ARCHS[machine], call=known[name], arguments=arguments)


def test_a_plain_call_of_computing_is_allowed(machine: str) -> None:
    """Each one that the list has without a test."""
    plain = {name for name, tests in seccomp.ALLOWED.items() if not tests}

    assert {bpf.ALLOW} == {said(machine, name) for name in plain & numbers_of(machine).keys()}


def test_a_deadly_call_ends_the_process(machine: str) -> None:
    """Each one that the list has."""
    deadly = set(seccomp.KILLED) & numbers_of(machine).keys()

    assert {bpf.KILL_PROCESS} == {said(machine, name) for name in deadly}


def test_every_other_number_is_refused_and_a_newer_one_is_unknown(machine: str) -> None:
    """By an error that a library can live with."""
    known = numbers_of(machine)
    named = {
        known[n] for n in {*seccomp.ALLOWED, *seccomp.KILLED, "tgkill", "clone3"} & known.keys()
    }
    code = seccomp.instructions(machine, known)

    others = {
        verdict(code, machine=ARCHS[machine], call=call)
        for call in range(NEWEST + 1)
        if call not in named
    }
    newer = {verdict(code, machine=ARCHS[machine], call=NEWEST + n) for n in (1, 2, 1000)}

    assert {bpf.REFUSE} == others
    assert {bpf.UNKNOWN} == newer
    assert bpf.UNKNOWN == said(machine, "clone3")


ANONYMOUS = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS
HIGH = 2**32
ARGUMENTS = {
    "memory of its own": ("mmap", (0, 1, 3, ANONYMOUS), True),
    "memory for a stack": ("mmap", (0, 1, 3, ANONYMOUS | 0x20000), True),
    "memory at an address": ("mmap", (4096, 1, 3, ANONYMOUS), False),
    "memory at an address far above": ("mmap", (HIGH, 1, 3, ANONYMOUS), False),
    "memory in a place that is taken": ("mmap", (0, 1, 3, ANONYMOUS | 0x10), False),
    "locked memory": ("mmap", (0, 1, 3, ANONYMOUS | 0x2000), False),
    "the machine's huge pages": ("mmap", (0, 1, 3, ANONYMOUS | 0x40000), False),
    "memory that grows": ("mremap", (0, 1, 2, 1), True),
    "memory that grows at an address": ("mremap", (0, 1, 2, 3, HIGH), False),
    "memory to execute": ("mmap", (0, 1, 7, ANONYMOUS), False),
    "memory to execute, with bits above": ("mmap", (0, 1, 4 | HIGH, ANONYMOUS), False),
    "shared memory": ("mmap", (0, 1, 3, mmap.MAP_SHARED | mmap.MAP_ANONYMOUS), False),
    "both shared and private": ("mmap", (0, 1, 3, 3 | mmap.MAP_ANONYMOUS), False),
    "a file's memory": ("mmap", (0, 1, 1, mmap.MAP_PRIVATE), False),
    "protect": ("mprotect", (0, 1, 1), True),
    "protect, to execute": ("mprotect", (0, 1, 5), False),
    "let go of memory": ("madvise", (0, 1, 4), True),
    "poison memory": ("madvise", (0, 1, 100), False),
    "send over the bridge": ("sendto", (3, 1, 1, 0, 0, 0), True),
    "send without waiting": ("sendto", (3, 1, 1, 0x40, 0, 0), True),
    "send out of band": ("sendto", (3, 1, 1, 1, 0, 0), False),
    "receive without waiting": ("recvfrom", (3, 1, 1, 0x40), True),
    "receive out of band": ("recvfrom", (3, 1, 1, 1), False),
    "send to somebody": ("sendto", (3, 1, 1, 0, 1, 16), False),
    "send to somebody far above": ("sendto", (3, 1, 1, 0, HIGH, 16), False),
    "wait": ("futex", (0, 0 | 128), True),
    "wait by the clock": ("futex", (0, 9 | 128 | 256), True),
    "inherit a priority": ("futex", (0, 6 | 128), False),
    "the time": ("clock_gettime", (1,), True),
    "its own CPU time": ("clock_gettime", (2,), True),
    "another's CPU time": ("clock_gettime", ((~4711 << 3) | 2,), False),
    "read a limit": ("prlimit64", (0, 7, 0, 1), True),
    "read a limit of the template's": ("prlimit64", (1, 7, 0, 1), False),
    "its own processors": ("sched_getaffinity", (0, 8), True),
    "the template's processors": ("sched_getaffinity", (1, 8), False),
    "set a limit": ("prlimit64", (0, 7, 1, 0), False),
    "set a limit far above": ("prlimit64", (0, 7, HIGH, 0), False),
    "a descriptor's flags": ("fcntl", (3, 1), True),
    "another descriptor": ("fcntl", (3, 0), False),
    "signals for a descriptor": ("fcntl", (3, 8), False),
    "a signal to itself": ("tgkill", (PID, 1, 6), True),
    "a signal to another": ("tgkill", (1, 1, 9), False),
}


@pytest.mark.parametrize("case", ARGUMENTS)
def test_a_call_that_could_do_more_is_allowed_by_its_arguments(machine: str, case: str) -> None:
    """Whatever stands in the halves that are not looked at."""
    name, arguments, allowed = ARGUMENTS[case]

    assert (bpf.ALLOW if allowed else bpf.REFUSE) == said(machine, name, *arguments)


def test_a_call_in_the_way_of_another_machine_ends_the_process(machine: str) -> None:
    """Its numbers mean something else: 32-bit calls, and those of x32."""
    known = numbers_of(machine)
    code = seccomp.instructions(machine, known)

    for arch in {I386, *ARCHS.values()} - {ARCHS[machine]}:
        assert bpf.KILL_PROCESS == verdict(code, machine=arch, call=known["read"])
    if machine == "x86_64":
        for call in (0x40000000 | known["read"], 0xFFFFFFFF):
            assert bpf.KILL_PROCESS == verdict(code, machine=ARCHS[machine], call=call)


def test_a_filter_is_of_a_length_that_every_kernel_takes(machine: str) -> None:
    """And each comparison jumps as far as its byte can say. Source: BPF_MAXINSNS."""
    code = seccomp.instructions(machine, numbers_of(machine))

    assert len(code) <= 4096
    assert all(0 <= jump <= 255 for _, *jumps, _ in code for jump in jumps)


@pytest.mark.skipif(sys.platform != "linux", reason="Linux's seccomp")
def test_a_process_under_the_filter_crashes_as_any_other() -> None:
    """`abort` sends a signal to itself, and the filter has the number of this very process."""
    ended = run_child(
        "import os\n"
        "from codemode_guest.confinement import privileges, seccomp\n"
        "filter = seccomp.Filter()\n"
        "privileges.forbid_new_privileges()\n"
        "if os.fork() == 0:\n"
        "    filter.install()\n"
        "    seccomp.prove()\n"
        "    os.abort()\n"
        "print(os.wait()[1] & 127)"
    )

    assert ("6\n", "") == (ended.stdout, ended.stderr)


@pytest.mark.skipif(sys.platform != "linux", reason="Linux's seccomp")
def test_the_proof_fails_without_the_filter() -> None:
    """So it cannot succeed by itself."""
    with pytest.raises(OSError, match="still succeeds"):
        seccomp.prove()
