"""Flags of this process that the standard library has no call for."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from typing import Final

# Source: linux/prctl.h.
_PR_SET_PDEATHSIG: Final = 1
_PR_SET_NO_NEW_PRIVS: Final = 38

_LINUX: Final = sys.platform == "linux"
_LIBC: Final = ctypes.CDLL(None, use_errno=True)


def forbid_new_privileges() -> None:
    """Make setuid and file capabilities void for this process and its descendants."""
    if _LINUX:
        _prctl(_PR_SET_NO_NEW_PRIVS, 1)


def die_with_parent(parent: int) -> None:
    """Have the kernel kill this process when the thread that forked it ends.

    Args:
        parent: The process id of the parent, known from before the fork.
    """
    if _LINUX:
        _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    # It may have ended between the fork and the call, and then no signal will come.
    if os.getppid() != parent:
        os._exit(1)


def _prctl(option: int, value: int) -> None:
    if _LIBC.prctl(option, value, 0, 0, 0) != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"prctl({option}): {os.strerror(number)}")
