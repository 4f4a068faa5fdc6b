"""What a program that has escaped the policy can do: nothing but compute and send frames."""

from __future__ import annotations

import os
import sys
from typing import Any, Final

import pytest

from codemode.process import ProcessRuntimeConfig
from tests.hostile.attacks import ATTACKS
from tests.hostile.conftest import Attack, carry_out

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="Linux confines")

ARGUMENTS: Final[dict[str, list[Any]]] = {
    "read a file": ["/etc/hostname"],
    "write a file": ["/tmp/codemode-attack"],  # noqa: S108 - it will not be there
    "delete a file": ["/etc/hostname"],
    "the host's environment": ["$pid"],
    "the host's memory": ["$pid"],
    "connect": ["$port"],
    "a setuid program": ["/bin/su"],
    "kill the host": ["$pid"],
    "ask for the host": ["$pid"],
    "take much memory": [2**40],
    "shared memory by key": ["$key"],
    "the host's CPU clock": ["$pid"],
}
#: What is not an attack, but tells what a guest has.
FACTS: Final = ("open descriptors", "environment", "own number")
#: What no program asks by mistake, so that it ends the process.
DEADLY: Final = {
    "exec",
    "exec of nothing",
    "open by handle",
    "ptrace",
    "process_vm_readv",
    "process_vm_writev",
    "kcmp",
    "pidfd_getfd",
    "mount",
    "a tree of mounts",
    "a file system",
    "chroot",
    "unshare",
    "setns",
    "bpf",
    "io_uring",
    "userfaultfd",
    "keyctl",
    "add_key",
    "perf_event_open",
    "a kernel module",
    *({"a call of x32"} if os.uname().machine == "x86_64" else ()),
}
#: What a library takes as a sign to do it in the old way.
UNKNOWN: Final = {"clone3", *({"a call of x32"} if os.uname().machine != "x86_64" else ())}
NO_MEMORY: Final = {"take much memory"}
#: Not refused, but ended.
ENDLESS: Final = {"spin, deaf to signals"}
#: The one before any call is made, the other by the limit.
OTHERWISE: Final = {"raise own limits": "ValueError", "signals that wait": "EAGAIN"}


@pytest.fixture(scope="module")
def got(user: int | None) -> dict[str, Any]:
    """What each attack got, all layers being asked for as they are by default."""
    attacks: list[Attack] = [(name, ARGUMENTS.get(name, [])) for name in ATTACKS]
    default = ProcessRuntimeConfig().confinement.model_dump()
    (found,) = carry_out(user, [(default, attacks)])
    return dict(zip(ATTACKS, found["outcomes"], strict=True))


@pytest.mark.parametrize("name", [name for name in ATTACKS if name not in FACTS])
def test_an_escaped_program_gains_nothing(got: dict[str, Any], name: str) -> None:
    """Refused, or ended with words that say why (checklist 83, 84, 110)."""
    outcome = got[name]

    if name in DEADLY:
        assert "worker-exit" in outcome["ended"]
        assert "SIGSYS: it made a system call" in outcome["ended"]
    elif name in ENDLESS:
        assert outcome["ended"].startswith("timeout: ")
        assert "(compute_ms)" in outcome["ended"]
    elif name in NO_MEMORY:
        assert {"refused": "ENOMEM"} == outcome
    elif name in UNKNOWN:
        assert {"refused": "ENOSYS"} == outcome
    else:
        assert {"refused": OTHERWISE.get(name, "EPERM")} == outcome


def test_an_escaped_program_has_its_bridge_and_its_standard_error(got: dict[str, Any]) -> None:
    """And no other descriptor, standard input neither (checklist 82)."""
    assert {"gained": [1, 2, 3]} == got["open descriptors"]


def test_an_escaped_program_finds_an_empty_environment(got: dict[str, Any]) -> None:
    """Of the host's there is nothing in it (checklist 82)."""
    environment = got["environment"]["gained"]
    # The interpreter's own, which says what locale it has chosen.
    environment.pop("LC_CTYPE", None)

    assert {"PYTHONHASHSEED": "0", "TZ": "UTC0"} == environment
