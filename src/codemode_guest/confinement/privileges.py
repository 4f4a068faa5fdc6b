"""What this process may do beyond others, given up; and its tie to its parent."""

from __future__ import annotations

import contextlib
import os
import signal
from struct import Struct
from typing import Final

from codemode_guest.confinement.call_numbers import number
from codemode_guest.confinement.kernel import prctl, system_call
from codemode_guest.confinement.layers import LINUX

# Source: include/uapi/linux/prctl.h, securebits.h and capability.h.
_PR_SET_PDEATHSIG: Final = 1
_PR_SET_DUMPABLE: Final = 4
_PR_CAPBSET_DROP: Final = 24
_PR_SET_SECUREBITS: Final = 28
_PR_SET_NO_NEW_PRIVS: Final = 38
_PR_CAP_AMBIENT: Final = 47
_PR_CAP_AMBIENT_CLEAR_ALL: Final = 4
#: Root is nobody special, no change of user brings capabilities or keeps them; each one locked.
_SECUREBITS: Final = 0xEF
_CAPABILITY_VERSION_3: Final = 0x20080522
_HEADER: Final = Struct("=Ii")
_SETS: Final = Struct("=6I")
#: No kernel has more than these.
_CAPABILITIES: Final = range(64)

#: The user whom nothing belongs to, on every Linux. Source: the kernel's `overflowuid`.
NOBODY: Final = 65534


def forbid_new_privileges() -> None:
    """Make setuid and file capabilities void for this process and its descendants."""
    prctl(_PR_SET_NO_NEW_PRIVS, 1)


def become_nobody() -> None:
    """Cease to be root, if this process is; it cannot become anybody again.

    Raises:
        OSError: If the system does not let it.
    """
    if 0 in os.getresuid():
        os.setgroups([])
        os.setresgid(NOBODY, NOBODY, NOBODY)
        os.setresuid(NOBODY, NOBODY, NOBODY)


def bound_capabilities() -> None:
    """Give up, for ever, all capabilities that could be gained; keep those that are held.

    That takes a capability itself: a process without it has none of the others to gain either,
    once new privileges are forbidden.
    """
    for capability in _CAPABILITIES:
        with contextlib.suppress(OSError):  # EINVAL beyond the kernel's last one
            prctl(_PR_CAPBSET_DROP, capability)


def drop_capabilities() -> None:
    """Give up all capabilities: those held, inheritable, ambient, and those to be gained.

    Raises:
        OSError: If the kernel refuses.
    """
    bound_capabilities()
    with contextlib.suppress(PermissionError):  # as above
        prctl(_PR_SET_SECUREBITS, _SECUREBITS)
    prctl(_PR_CAP_AMBIENT, _PR_CAP_AMBIENT_CLEAR_ALL)
    header = _HEADER.pack(_CAPABILITY_VERSION_3, 0)
    system_call(number("capset"), header, _SETS.pack(0, 0, 0, 0, 0, 0))


def forbid_dumps() -> None:
    """Have no core dump made of this process, and no other of its user look into it.

    `RLIMIT_CORE` does not bind a dump that the system pipes into a program. Source: core(5).
    """
    if LINUX:
        prctl(_PR_SET_DUMPABLE, 0)


def die_with_parent(parent: int) -> None:
    """Have the kernel kill this process when the thread that forked it ends.

    A change of user would clear it: call afterwards.

    Args:
        parent: The process id of the parent, known from before the fork.
    """
    if LINUX:
        prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    # It may have ended between the fork and the call, and then no signal will come.
    if os.getppid() != parent:
        os._exit(1)
