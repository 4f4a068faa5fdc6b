"""The numbers of system calls on the two machines whose filter is known.

Sources: the kernel's arch/x86/entry/syscalls/syscall_64.tbl, and include/uapi/asm-generic/unistd.h
for aarch64. A test compares them with the headers of the system, where those are installed.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Final

#: As `os.uname().machine` has them; the columns of the table.
MACHINES: Final = ("x86_64", "aarch64")

#: No number above this one is of a call that is known here. Source: the headers of Linux 6.1.
NEWEST: Final = 450

_TABLE: Final[Mapping[str, tuple[int, int | None]]] = MappingProxyType(
    {
        "add_key": (248, 217),
        "bpf": (321, 280),
        "brk": (12, 214),
        "capset": (126, 91),
        "chroot": (161, 51),
        "clock_getres": (229, 114),
        "clock_gettime": (228, 113),
        "clock_nanosleep": (230, 115),
        "clock_settime": (227, 112),
        "clone": (56, 220),
        "clone3": (435, 435),
        "close": (3, 57),
        "delete_module": (176, 106),
        "execve": (59, 221),
        "execveat": (322, 281),
        "exit": (60, 93),
        "exit_group": (231, 94),
        "fanotify_init": (300, 262),
        "fcntl": (72, 25),
        "finit_module": (313, 273),
        "fsconfig": (431, 431),
        "fsmount": (432, 432),
        "fsopen": (430, 430),
        "fspick": (433, 433),
        "futex": (202, 98),
        "getcpu": (309, 168),
        "getegid": (108, 177),
        "geteuid": (107, 175),
        "getgid": (104, 176),
        "getpid": (39, 172),
        "getppid": (110, 173),
        "getrandom": (318, 278),
        "getrlimit": (97, 163),
        "getrusage": (98, 165),
        "gettid": (186, 178),
        "gettimeofday": (96, 169),
        "getuid": (102, 174),
        "init_module": (175, 105),
        "io_uring_enter": (426, 426),
        "io_uring_register": (427, 427),
        "io_uring_setup": (425, 425),
        "ioperm": (173, None),
        "iopl": (172, None),
        "kcmp": (312, 272),
        "kexec_file_load": (320, 294),
        "kexec_load": (246, 104),
        "keyctl": (250, 219),
        "landlock_create_ruleset": (444, 444),
        "landlock_restrict_self": (446, 446),
        "madvise": (28, 233),
        "mmap": (9, 222),
        "modify_ldt": (154, None),
        "mount": (165, 40),
        "mount_setattr": (442, 442),
        "move_mount": (429, 429),
        "mprotect": (10, 226),
        "mremap": (25, 216),
        "munmap": (11, 215),
        "name_to_handle_at": (303, 264),
        "nanosleep": (35, 101),
        "open_by_handle_at": (304, 265),
        "open_tree": (428, 428),
        "perf_event_open": (298, 241),
        "pidfd_getfd": (438, 438),
        "pivot_root": (155, 41),
        "poll": (7, None),
        "ppoll": (271, 73),
        "prlimit64": (302, 261),
        "process_madvise": (440, 440),
        "process_vm_readv": (310, 270),
        "process_vm_writev": (311, 271),
        "pselect6": (270, 72),
        "ptrace": (101, 117),
        "read": (0, 63),
        "reboot": (169, 142),
        "recvfrom": (45, 207),
        "request_key": (249, 218),
        "restart_syscall": (219, 128),
        "rt_sigaction": (13, 134),
        "rt_sigprocmask": (14, 135),
        "rt_sigreturn": (15, 139),
        "sched_getaffinity": (204, 123),
        "sched_yield": (24, 124),
        "seccomp": (317, 277),
        "select": (23, None),
        "sendto": (44, 206),
        "set_robust_list": (273, 99),
        "setns": (308, 268),
        "settimeofday": (164, 170),
        "sigaltstack": (131, 132),
        "swapoff": (168, 225),
        "swapon": (167, 224),
        "tgkill": (234, 131),
        "time": (201, None),
        "times": (100, 153),
        "umount2": (166, 39),
        "unshare": (272, 97),
        "userfaultfd": (323, 282),
        "write": (1, 64),
        "writev": (20, 66),
    }
)


@cache
def numbers() -> dict[str, int]:
    """Return the numbers of this machine by name; nothing where there is no table for it."""
    machine = os.uname().machine
    if machine not in MACHINES or sys.maxsize < 2**32:
        return {}
    return numbers_of(machine)


def numbers_of(machine: str) -> dict[str, int]:
    """Return the numbers of one of `MACHINES` by name, without the calls that it does not have."""
    column = MACHINES.index(machine)
    return {name: found for name, row in _TABLE.items() if (found := row[column]) is not None}


def number(name: str) -> int:
    """Return the number of a call on this machine.

    Raises:
        ValueError: If there is no table of it.
    """
    known = numbers()
    if name not in known:
        raise ValueError(f"no system calls are known for a {os.uname().machine} machine")
    return known[name]
