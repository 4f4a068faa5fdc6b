"""Which system calls a guest may make: those of computing, and of talking over its bridge.

The filter is our own and not made by libseccomp: the bindings on PyPI either load a library that
slim images do not have (pyseccomp, last released in 2021) or are compiled for few platforms, and
all that the kernel wants is an array of instructions, which ctypes hands over wherever there is an
interpreter. What libseccomp would have given, the tables of call numbers, `call_numbers` has for
the two machines, and a test compares them with the system's headers.

A call that is not permitted fails, since a library may ask and do without. Only a call that
nothing in a guest ever has a use for, and that an attack may, ends the process.
"""

from __future__ import annotations

import ctypes
import errno
import mmap
import os
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Final

from codemode_guest.confinement import bpf
from codemode_guest.confinement.bpf import INSTRUCTION, IsNull, Test, Tests
from codemode_guest.confinement.call_numbers import NEWEST, numbers
from codemode_guest.confinement.kernel import system_call

# Linux's numbers: these tables are made on other systems too. Source: include/linux/socket.h.
_DONT_WAIT: Final = 0x40
_NO_SIGNAL: Final = 0x4000
# Source: include/uapi/asm-generic/mman-common.h and mman.h.
_PRIVATE_AND_ANONYMOUS: Final = 0x22
#: Without reserve, populated, for a stack.
_HARMLESS_OF_MMAP: Final = 0x4000 | 0x8000 | 0x20000
_ALL_OF_MMAP: Final = 0xFFFFFFFF

#: Computing, memory, clocks, signals to itself, and what is open already. The tests narrow down
#: a call that could do more.
ALLOWED: Final[Mapping[str, Tests]] = MappingProxyType(
    {
        # Plain bytes: those out of band have had bugs in the kernel that led out of a sandbox
        # like this one (CVE-2025-38236).
        "recvfrom": (Test(3, (0, _DONT_WAIT)),),
        # To whom the bridge leads, and nobody else.
        "sendto": (Test(3, (0, _DONT_WAIT, _NO_SIGNAL, _DONT_WAIT | _NO_SIGNAL)), IsNull(4)),
        "futex": (Test(1, (0, 1, 4, 5, 9, 10), mask=0x7F),),  # waiting and waking, no inheritance
        # Memory of its own, never executable, never a file's, shared with nobody, not locked,
        # not of the machine's huge pages; and where the kernel puts it, since page tables, which
        # no limit counts, take more than the memory does where that is strewn about.
        "mmap": (
            IsNull(0),
            Test(2, (0,), mask=mmap.PROT_EXEC),
            Test(3, (_PRIVATE_AND_ANONYMOUS,), mask=_ALL_OF_MMAP & ~_HARMLESS_OF_MMAP),
        ),
        "mprotect": (Test(2, (0,), mask=mmap.PROT_EXEC),),
        "munmap": (),
        "mremap": (Test(3, (0, 1)),),  # MREMAP_MAYMOVE, to wherever
        "madvise": (Test(2, (0, 4, 8, 14, 15)),),  # normal, not needed, free, huge pages or none
        "brk": (),
        # The clocks of the machine and of itself; negative ones are of other processes.
        "clock_gettime": (Test(0, tuple(range(12))),),
        "clock_getres": (Test(0, tuple(range(12))),),
        "clock_nanosleep": (Test(0, tuple(range(12))),),
        "nanosleep": (),
        "gettimeofday": (),
        "time": (),
        "times": (),
        "getrusage": (),
        "getcpu": (),
        "read": (),
        "write": (),
        "writev": (),
        "close": (),
        "select": (),
        "pselect6": (),
        "poll": (),
        "ppoll": (),
        "fcntl": (Test(1, (1, 3)),),  # F_GETFD, F_GETFL
        "rt_sigreturn": (),
        "rt_sigaction": (),
        "rt_sigprocmask": (),
        "sigaltstack": (),
        "restart_syscall": (),
        "getrandom": (),
        "getpid": (),
        "gettid": (),
        "getppid": (),
        "getuid": (),
        "geteuid": (),
        "getgid": (),
        "getegid": (),
        "getrlimit": (),
        "prlimit64": (Test(0, (0,)), IsNull(2)),  # its own; reading, not setting
        "sched_getaffinity": (Test(0, (0,)),),
        "sched_yield": (),
        "set_robust_list": (),
        "exit": (),
        "exit_group": (),
    }
)

#: What no library calls by way of asking.
KILLED: Final = (
    # Other processes, and this one's own confinement.
    *("ptrace", "process_vm_readv", "process_vm_writev", "process_madvise", "kcmp", "pidfd_getfd"),
    *("setns", "unshare", "execve", "execveat"),
    # The tree of files.
    *("mount", "umount2", "move_mount", "open_tree", "fsopen", "fsconfig", "fsmount", "fspick"),
    *("mount_setattr", "pivot_root", "chroot", "name_to_handle_at", "open_by_handle_at"),
    "fanotify_init",
    # Wide doors into the kernel.
    *("bpf", "perf_event_open", "userfaultfd", "add_key", "keyctl", "request_key"),
    *("io_uring_setup", "io_uring_enter", "io_uring_register", "ioperm", "iopl", "modify_ldt"),
    # The machine.
    *("init_module", "finit_module", "delete_module", "kexec_load", "kexec_file_load", "reboot"),
    *("swapon", "swapoff", "clock_settime", "settimeofday"),
)

#: What the kernel calls the machines, `AUDIT_ARCH_…` of include/uapi/linux/audit.h.
_AUDIT_ARCHS: Final = MappingProxyType({"x86_64": 0xC000003E, "aarch64": 0xC00000B7})
#: The bit in the number of a call of x32, the 32-bit form of the 64-bit machine.
_X32: Final = 0x40000000

_SET_MODE_FILTER: Final = 1
# Since an escaped program has all of its own memory anyway, there is nothing that the defence
# against speculative reads of it defends; before Linux 5.16 it would slow down all computing.
_SPEC_ALLOW: Final = 4


#: Stands in the filter where each guest writes its own number.
_PID_TO_COME: Final = 0x7FFFFFFF


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_void_p))


class Filter:
    """The filter for guests on this machine, made once.

    Raises:
        ValueError: If there is no table of this machine's calls.
    """

    def __init__(self) -> None:
        known = numbers()
        if not known:
            raise ValueError(f"no filter is known for a {os.uname().machine} machine")
        self._seccomp = known["seccomp"]
        code = instructions(os.uname().machine, known)
        self._instructions = bytearray(b"".join(INSTRUCTION.pack(*one) for one in code))
        self._pid_at = self._instructions.index(_PID_TO_COME.to_bytes(4, "little"))
        # Held: while it is, the bytes cannot move.
        self._pinned = ctypes.c_char.from_buffer(self._instructions)
        self._program = _Program(len(code), ctypes.addressof(self._pinned))

    def install(self) -> None:
        """Put this process under the filter; nothing takes it off again.

        Raises:
            OSError: If the kernel refuses.
        """
        self._instructions[self._pid_at : self._pid_at + 4] = os.getpid().to_bytes(4, "little")
        program = ctypes.byref(self._program)
        try:
            system_call(self._seccomp, _SET_MODE_FILTER, _SPEC_ALLOW, program)
        except OSError as error:
            if error.errno != errno.EINVAL:
                raise
            # Before Linux 4.17 there was no such flag.
            system_call(self._seccomp, _SET_MODE_FILTER, 0, program)


def instructions(machine: str, known: Mapping[str, int]) -> list[bpf.Instruction]:
    """Return the filter for a machine.

    Args:
        machine: One of `call_numbers.MACHINES`.
        known: Its calls' numbers by name.
    """
    # A crash reports itself by a signal to the crashed process.
    allowed = {**ALLOWED, "tgkill": (Test(0, (_PID_TO_COME,)),)}
    calls = {
        name: bpf.call(known[name], bpf.ALLOW, allowed[name])
        for name in allowed.keys() & known.keys()
    }
    calls |= {name: bpf.call(known[name], bpf.KILL_PROCESS) for name in KILLED if name in known}
    # The C library starts a thread in the old way where the new one is unknown.
    calls["clone3"] = bpf.call(known["clone3"], bpf.UNKNOWN)
    code = bpf.only_on(_AUDIT_ARCHS[machine])
    if machine == "x86_64":
        code += bpf.from_number(_X32, bpf.KILL_PROCESS)
    code += bpf.from_number(NEWEST + 1, bpf.UNKNOWN)
    ordered = sorted((known[name], body) for name, body in calls.items())
    return code + bpf.choose(ordered, bpf.REFUSE)


def prove() -> None:
    """Try what the filter refuses.

    Raises:
        OSError: If that is not refused as the filter refuses it.
    """
    try:
        Path("/").stat()
    except PermissionError:
        return
    raise OSError(errno.EPROTO, "a call outside the list still succeeds")
