"""System calls that the standard library has no function for, or not in every version."""

from __future__ import annotations

import ctypes
import os
from typing import Final

_LIBC: Final = ctypes.CDLL(None, use_errno=True)
_LIBC.syscall.restype = ctypes.c_long


def prctl(option: int, *arguments: int) -> int:
    """Set or ask something of this process; arguments not given are zeros.

    Raises:
        OSError: If the kernel refuses.
    """
    padded = [ctypes.c_ulong(value) for value in (*arguments, 0, 0, 0, 0)[:4]]
    return _checked(_LIBC.prctl(option, *padded), f"prctl({option})")


def fork() -> int:
    """Fork this process, which must have one thread and no use for the handlers of `os.fork`.

    Those mend what other threads had in hand and seed `random` anew. A child would copy a hundred
    pages of memory for it, which takes it half a millisecond.

    Raises:
        OSError: If the kernel refuses.
    """
    # Older C libraries have no such function: glibc before 2.34, musl before 1.2.2.
    bare = getattr(_LIBC, "_Fork", None)
    return os.fork() if bare is None else _checked(bare(), "fork")


def unshare(flags: int) -> None:
    """Leave namespaces. The standard library can since Python 3.12.

    Raises:
        OSError: If the kernel refuses.
    """
    _checked(_LIBC.unshare(flags), "unshare")


def mount(source: bytes | None, target: bytes, kind: bytes | None, flags: int, how: bytes) -> None:
    """Attach a file system.

    Raises:
        OSError: If the kernel refuses.
    """
    _checked(_LIBC.mount(source, target, kind, ctypes.c_ulong(flags), how), "mount")


def umount(target: bytes, flags: int) -> None:
    """Detach a file system.

    Raises:
        OSError: If the kernel refuses.
    """
    _checked(_LIBC.umount2(target, flags), "umount2")


def system_call(number: int, *arguments: object) -> int:
    """Make a system call by its number; see `numbers`.

    Args:
        number: Of this machine's table.
        arguments: Integers, bytes, or what ctypes passes by reference.

    Raises:
        OSError: If the kernel refuses.
    """
    passed = [ctypes.c_long(a) if isinstance(a, int) else a for a in arguments]
    return _checked(_LIBC.syscall(ctypes.c_long(number), *passed), f"system call {number}")


def _checked(result: int, what: str) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")
    return result
