"""What code does that has escaped the policy: system calls of its own, in a confined guest.

Loaded by `door.py` into a template, standard library only. An attack returns what it has gained,
or raises what the system answered.
"""

from __future__ import annotations

import ctypes
import errno
import mmap
import os
import resource
import signal
import socket
import struct
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from typing import Any, Final

_LIBC: Final = ctypes.CDLL(None, use_errno=True)
_LIBC.syscall.restype = ctypes.c_long
_BRIDGE_FD: Final = 3

#: On x86-64 and on aarch64; an attack of its own need not trust the filter's table.
NUMBERS: Final = {
    "fork": (57, None),
    "vfork": (58, None),
    "clone": (56, 220),
    "clone3": (435, 435),
    "execve": (59, 221),
    "execveat": (322, 281),
    "tgkill": (234, 131),
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "mount": (165, 40),
    "bpf": (321, 280),
    "io_uring_setup": (425, 425),
    "userfaultfd": (323, 282),
    "keyctl": (250, 219),
    "add_key": (248, 217),
    "memfd_create": (319, 279),
    "shmget": (29, 194),
    "msgget": (68, 186),
    "pidfd_open": (434, 434),
    "pidfd_getfd": (438, 438),
    "unshare": (272, 97),
    "setns": (308, 268),
    "personality": (135, 92),
    "perf_event_open": (298, 241),
    "inotify_init1": (294, 26),
    "epoll_create1": (291, 20),
    "ioctl": (16, 29),
    "fcntl": (72, 25),
    "kcmp": (312, 272),
    "seccomp": (317, 277),
    "prctl": (157, 167),
    "capset": (126, 91),
    "init_module": (175, 105),
    "open_by_handle_at": (304, 265),
    "pkey_mprotect": (329, 288),
    "mprotect": (10, 226),
    "mmap": (9, 222),
    "landlock_restrict_self": (446, 446),
    "timer_create": (222, 107),
    "futex": (202, 98),
    "open_tree": (428, 428),
    "fsopen": (430, 430),
    "sched_setscheduler": (144, 119),
    "futex_waitv": (449, 449),
    "madvise": (28, 233),
    "clock_gettime": (228, 113),
}
_COLUMN: Final = 0 if os.uname().machine == "x86_64" else 1
_PAGE: Final = mmap.PAGESIZE
_RW: Final = mmap.PROT_READ | mmap.PROT_WRITE
_RWX: Final = _RW | mmap.PROT_EXEC
_WHERE_I_SAY: Final = 0x100000
_ANONYMOUS: Final = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS


def raw(name: str, *arguments: Any) -> int:
    """Make a system call past every library."""
    number = NUMBERS[name][_COLUMN]
    if number is None:
        raise OSError(errno.ENOSYS, name)
    passed = [ctypes.c_long(a) if isinstance(a, int) else a for a in arguments]
    result: int = _LIBC.syscall(ctypes.c_long(number), *passed)
    if result < 0:
        raise OSError(ctypes.get_errno(), name)
    return result


def _a_child(name: str, *arguments: Any) -> int:
    pid = raw(name, *arguments)
    if pid == 0:
        os._exit(0)
    return pid


def _a_page() -> int:
    return raw("mmap", 0, _PAGE, _RW, _ANONYMOUS, -1, 0)


def open_descriptors() -> list[int]:
    """Asks of each number whether it is open."""
    found = []
    for fd in range(4096):
        try:
            raw("fcntl", fd, 1)
        except OSError:
            continue
        found.append(fd)
    return found


def send_a_descriptor_over_the_bridge() -> int:
    rights = (socket.SOL_SOCKET, socket.SCM_RIGHTS, struct.pack("i", 1))
    return socket.socket(fileno=_BRIDGE_FD).sendmsg([b"x"], [rights])


def run_the_setuid_program(path: str) -> str:
    return subprocess.run([path, "-u"], capture_output=True, text=True, check=True).stdout.strip()


def execute_from_memory() -> int:
    fd = raw("memfd_create", b"x", 0)
    return raw("execveat", fd, b"", 0, 0, 0x1000)


def take_much_memory(size_bytes: int) -> int:
    return raw("mmap", 0, size_bytes, _RW, _ANONYMOUS, -1, 0)


def raise_own_limits() -> None:
    for kind in (resource.RLIMIT_AS, resource.RLIMIT_CPU, resource.RLIMIT_NOFILE):
        resource.setrlimit(kind, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))


def become_root_again() -> None:
    os.setresuid(0, 0, 0)


def take_all_capabilities() -> int:
    return raw("capset", struct.pack("=Ii", 0x20080522, 0), b"\xff" * 24)


def share_anonymous_memory() -> int:
    return raw("mmap", 0, _PAGE, _RW, mmap.MAP_SHARED | mmap.MAP_ANONYMOUS, -1, 0)


def map_a_descriptor() -> int:
    return raw("mmap", 0, _PAGE, mmap.PROT_READ, mmap.MAP_PRIVATE, _BRIDGE_FD, 0)


def make_a_page_executable() -> int:
    return raw("mprotect", _a_page(), _PAGE, mmap.PROT_READ | mmap.PROT_EXEC)


def make_a_page_executable_with_a_key() -> int:
    return raw("pkey_mprotect", _a_page(), _PAGE, mmap.PROT_READ | mmap.PROT_EXEC, -1)


def connect(port: int) -> str:
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as sock:
        sock.connect(("127.0.0.1", port))
        return "connected"


def read(path: str) -> str:
    fd = os.open(path, os.O_RDONLY)
    return os.read(fd, 4096).decode(errors="replace")


def write(path: str) -> int:
    return os.open(path, os.O_WRONLY | os.O_CREAT)


def send_out_of_band() -> int:
    if _LIBC.send(_BRIDGE_FD, b"x", 1, 1) < 0:
        raise OSError(ctypes.get_errno(), "send")
    return 1


def have_signals_wait() -> int:
    """Let signals queue up that this process never takes, and that its user has a number of."""
    signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
    return raw("tgkill", os.getpid(), os.getpid(), signal.SIGRTMIN)


def strew_memory() -> int:
    return raw("mmap", 1 << 44, _PAGE, _RW, _ANONYMOUS | _WHERE_I_SAY, -1, 0)


def write_own_memory_past_its_protection() -> int:
    return os.open("/proc/self/mem", os.O_RDWR)


def x32() -> int:
    """Make the 32-bit form of a call, whose number the kernel knows by a bit."""
    result: int = _LIBC.syscall(ctypes.c_long(0x40000000 | NUMBERS["fcntl"][0]), 1, 1)
    if result < 0:
        raise OSError(ctypes.get_errno(), "x32")
    return result


def spin_deaf_to_signals() -> None:
    for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}:
        signal.signal(number, signal.SIG_IGN)
    while True:
        pass


def replace_the_filter() -> int:
    allow = struct.pack("=HBBI", 0x06, 0, 0, 0x7FFF0000)
    buffer = ctypes.create_string_buffer(allow)
    program = struct.pack("@HxxxxxxP", 1, ctypes.addressof(buffer))
    return raw("seccomp", 1, 0, program)


#: Each by its name, with what it needs to know of the host: its number, a port that it listens
#: on, files, a key of shared memory.
ATTACKS: Final[dict[str, Callable[..., object]]] = {
    # Files
    "open a file": lambda: read("/etc/passwd"),
    "read a file": read,
    "list a directory": lambda: os.listdir("/"),  # noqa: PTH208 - the plain call
    "list /etc": lambda: os.listdir("/etc"),  # noqa: PTH208
    "look at a file": lambda: os.stat("/etc/passwd").st_size,  # noqa: PTH116
    "write a file": write,
    "make a directory": lambda: os.mkdir("/tmp/codemode-attack"),  # noqa: PTH102, S108
    "delete a file": os.unlink,
    "/proc/self/mem": write_own_memory_past_its_protection,
    "the host's environment": lambda pid: read(f"/proc/{pid}/environ"),
    "the host's memory": lambda pid: os.open(f"/proc/{pid}/mem", os.O_RDWR),
    "open by handle": lambda: raw("open_by_handle_at", -100, bytes(64), 0),
    "watch files": lambda: raw("inotify_init1", 0),
    # Network
    "a network socket": lambda: socket.socket(socket.AF_INET, socket.SOCK_STREAM).fileno(),
    "a local socket": lambda: socket.socket(socket.AF_UNIX, socket.SOCK_STREAM).fileno(),
    "a kernel socket": lambda: socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0).fileno(),
    "a pair of sockets": lambda: [sock.fileno() for sock in socket.socketpair()],
    "connect": connect,
    # Processes
    "fork": lambda: _a_child("clone", signal.SIGCHLD, 0, 0, 0, 0),
    "the old fork": partial(_a_child, "fork"),
    "vfork": partial(_a_child, "vfork"),
    "a thread": lambda: _a_child("clone", 0x00010900, _a_page() + _PAGE, 0, 0, 0),
    "clone3": lambda: _a_child("clone3", struct.pack("=8Q", 0, 0, 0, 0, 17, 0, 0, 0), 64),
    "exec": lambda: os.execv(sys.executable, [sys.executable, "-c", "0"]),  # noqa: S606
    "exec from memory": execute_from_memory,
    "exec of nothing": lambda: raw("execveat", -1, b"", 0, 0, 0x1000),
    "spawn": lambda: os.posix_spawn("/bin/true", ["true"], {}),
    "a setuid program": run_the_setuid_program,
    "kill the host": lambda pid: os.kill(pid, signal.SIGKILL),
    "ask for the host": lambda pid: os.kill(pid, 0),
    "kill everybody": lambda: os.kill(-1, signal.SIGKILL),
    "tgkill the template": lambda: raw("tgkill", os.getppid(), os.getppid(), 9),
    "ptrace": lambda: raw("ptrace", 16, os.getppid(), 0, 0),
    "process_vm_readv": lambda: raw("process_vm_readv", os.getppid(), 0, 0, 0, 0, 0),
    "process_vm_writev": lambda: raw("process_vm_writev", os.getppid(), 0, 0, 0, 0, 0),
    "kcmp": lambda: raw("kcmp", os.getppid(), os.getpid(), 0, 0, 0),
    "pidfd_open": lambda: raw("pidfd_open", os.getppid(), 0),
    "pidfd_getfd": lambda: raw("pidfd_getfd", 3, 0, 0),
    "setsid": os.setsid,
    "setpgid": lambda: os.setpgid(0, 0),
    "priority": lambda: os.setpriority(os.PRIO_PROCESS, 0, -20),
    "the scheduler": lambda: raw("sched_setscheduler", 0, 1, struct.pack("i", 1)),
    "the host's CPU clock": lambda pid: raw("clock_gettime", (~pid << 3) | 2, bytes(16)),
    # Doors into the kernel
    "mount": lambda: raw("mount", b"x", b"/", b"tmpfs", 0, 0),
    "a tree of mounts": lambda: raw("open_tree", -100, b"/", 1),
    "a file system": lambda: raw("fsopen", b"tmpfs", 0),
    "chroot": lambda: os.chroot("/"),
    "unshare": lambda: raw("unshare", 0x10000000),
    "setns": lambda: raw("setns", 3, 0),
    "bpf": lambda: raw("bpf", 0, bytes(128), 128),
    "io_uring": lambda: raw("io_uring_setup", 1, bytes(256)),
    "userfaultfd": lambda: raw("userfaultfd", 1),
    "keyctl": lambda: raw("keyctl", 0, -3, 1),
    "add_key": lambda: raw("add_key", b"user", b"x", b"x", 1, -3),
    "perf_event_open": lambda: raw("perf_event_open", bytes(128), 0, -1, -1, 0),
    "a kernel module": lambda: raw("init_module", b"", 0, b""),
    "a call of x32": x32,
    "a terminal's input": lambda: raw("ioctl", 1, 0x5412, b"x"),
    "personality": lambda: raw("personality", 0x0400000),
    "a futex with priorities": lambda: raw("futex", bytes(4), 6 | 128, 0, 0, 0, 0),
    "a newer call": lambda: raw("futex_waitv", 0, 0, 0, 0, 0),
    "merge pages": lambda: raw("madvise", _a_page(), _PAGE, 12),
    # Itself
    "take much memory": take_much_memory,
    "raise own limits": raise_own_limits,
    "become root": become_root_again,
    "take capabilities": take_all_capabilities,
    "be dumped": lambda: raw("prctl", 4, 1, 0, 0, 0),
    "outlive the template": lambda: raw("prctl", 1, 0, 0, 0, 0),
    "replace the filter": replace_the_filter,
    "lift Landlock": lambda: raw("landlock_restrict_self", -1, 0),
    "memory to write and execute": lambda: raw("mmap", 0, _PAGE, _RWX, _ANONYMOUS, -1, 0),
    "make memory executable": make_a_page_executable,
    "make memory executable with a key": make_a_page_executable_with_a_key,
    "shared memory": share_anonymous_memory,
    "shared memory by key": lambda key: raw("shmget", key, 0, 0),
    "new shared memory": lambda: raw("shmget", 0, _PAGE, 0o600),
    "a message queue": lambda: raw("msgget", 0, 0o600),
    "memory with a descriptor": lambda: raw("memfd_create", b"x", 0),
    "map a descriptor": map_a_descriptor,
    "send a descriptor over the bridge": send_a_descriptor_over_the_bridge,
    "bytes out of band": send_out_of_band,
    "signals that wait": have_signals_wait,
    "strewn memory": strew_memory,
    "locked memory": lambda: raw("mmap", 0, _PAGE, _RW, _ANONYMOUS | 0x2000, -1, 0),
    "huge pages": lambda: raw("mmap", 0, 2**21, _RW, _ANONYMOUS | 0x40000, -1, 0),
    "another descriptor": lambda: os.dup(_BRIDGE_FD),
    "a pipe": os.pipe,
    "epoll": lambda: raw("epoll_create1", 0),
    "signals for a descriptor": lambda: raw("fcntl", _BRIDGE_FD, 8, os.getpid()),
    "a timer": lambda: raw("timer_create", 0, 0, bytes(8)),
    "spin, deaf to signals": spin_deaf_to_signals,
    # Facts
    "open descriptors": open_descriptors,
    "environment": lambda: dict(os.environ),
    "own number": os.getpid,
}


def carry_out(name: str, arguments: list[Any]) -> dict[str, object]:
    """Return `gained` or `refused`, as far as this process lives to tell."""
    try:
        gained = ATTACKS[name](*arguments)
    except OSError as error:
        return {"refused": errno.errorcode[error.errno or 0]}
    except (MemoryError, ValueError) as error:
        return {"refused": type(error).__name__}
    return {"gained": gained}
