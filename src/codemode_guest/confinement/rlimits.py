"""Resource limits of this process."""

from __future__ import annotations

import resource
from typing import Final

from codemode_guest.confinement.layers import LINUX

# Those that are open stay open; no other can be, whatever number is free.
_MAX_DESCRIPTORS: Final = 0


def limit_self(*, memory_bytes: int, cpu_seconds: int) -> None:
    """Lower this process's own limits; they cannot be raised again without privileges.

    Call before reading a byte of the program.

    Args:
        memory_bytes: Address space, interpreter included (`RLIMIT_AS`).
        cpu_seconds: Whole seconds, user plus system. The soft limit is the hard one: for the
            init process of a namespace the soft one alone is ignored. Source: setrlimit(2).

    Raises:
        ValueError: If a hard limit is already lower.
    """
    _set(resource.RLIMIT_AS, memory_bytes)
    _set(resource.RLIMIT_CPU, cpu_seconds)
    _set(resource.RLIMIT_FSIZE, 0)
    _set(resource.RLIMIT_CORE, 0)
    _set(resource.RLIMIT_NOFILE, _MAX_DESCRIPTORS)
    # No effect for root; other layers stop root's forks.
    _set(resource.RLIMIT_NPROC, 0)
    if LINUX:
        # Signals that wait are counted for a user, and a flood of them would leave none to others
        # of this one. What the system sends arrives all the same.
        _set(resource.RLIMIT_SIGPENDING, 0)


def _set(kind: int, value: int) -> None:
    resource.setrlimit(kind, (value, value))
