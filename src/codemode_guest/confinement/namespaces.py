"""Namespaces: a world of this process's own, with nothing in it.

Source: namespaces(7), user_namespaces(7), pid_namespaces(7), pivot_root(2).
"""

from __future__ import annotations

import os
import signal
from collections.abc import Mapping
from functools import partial
from types import MappingProxyType
from typing import Final

from codemode_guest.confinement import kernel
from codemode_guest.confinement.call_numbers import number
from codemode_guest.confinement.layers import Attempts, Layer
from codemode_guest.confinement.privileges import become_nobody, bound_capabilities

# Source: include/uapi/linux/sched.h.
_NEWNS: Final = 0x00020000
_NEWUTS: Final = 0x04000000
_NEWIPC: Final = 0x08000000
_NEWUSER: Final = 0x10000000
_NEWPID: Final = 0x20000000
_NEWNET: Final = 0x40000000
_CLONE_PARENT: Final = 0x00008000

#: What each takes, apart from the user namespace, which gives the right to the others.
_FLAGS: Final[Mapping[Layer, int]] = MappingProxyType(
    {"network_namespace": _NEWNET, "ipc_namespace": _NEWIPC | _NEWUTS, "pid_namespace": _NEWPID}
)

# Source: include/uapi/linux/mount.h.
_READ_ONLY_AND_VOID: Final = 1 | 2 | 4 | 8  # read-only, no setuid, no devices, no programs
_RECURSIVELY_A_SLAVE: Final = 0x4000 | 0x80000
_DETACH: Final = 2


def leave_the_host(attempts: Attempts) -> None:
    """Move this process, which must have one thread, out of the host's namespaces.

    Root leaves them first and then becomes nobody, since it needs no permission that a system
    may refuse to ordinary users. Everybody else needs a user namespace of their own for the rest,
    and so does root in a container that has left it no capability.

    Only children are in the new PID namespace: see `move_to_child`.
    """
    if 0 in os.getresuid():
        _unshare_all(attempts)
        # Before the one who may do so is gone.
        attempts.make("capabilities", bound_capabilities)
        attempts.made.discard("capabilities")
        attempts.make("unprivileged_user", become_nobody)
    else:
        attempts.make("unprivileged_user")
    attempts.make("user_namespace", partial(kernel.unshare, _NEWUSER))
    _unshare_all(attempts)


def move_to_child() -> int:
    """Continue in a child that takes this process's place as its parent's child.

    It is the first of a new PID namespace, whose end is the end of all in it. The parent, which
    is not in it, exits here.
    """
    flags = _CLONE_PARENT | signal.SIGCHLD
    # Not os.fork: that makes a child of our own, and whoever started us would have to wait for
    # two. There is one thread and nothing that a fork's handlers would have to mend.
    if kernel.system_call(number("clone"), flags, 0, 0, 0, 0) != 0:
        os._exit(0)
    os.setsid()
    return os.getpid()


def _unshare_all(attempts: Attempts) -> None:
    for layer, flags in _FLAGS.items():
        attempts.make(layer, partial(kernel.unshare, flags))
    attempts.make("mount_namespace", partial(kernel.unshare, _NEWNS), _empty_the_root)


def _empty_the_root() -> None:
    """Put an empty directory in the place of all that is mounted.

    It is read-only and has room for nothing: the first inode is the directory itself.
    """
    kernel.mount(None, b"/", None, _RECURSIVELY_A_SLAVE, b"")
    # Any directory will do that is there on every system.
    kernel.mount(b"empty", b"/proc", b"tmpfs", _READ_ONLY_AND_VOID, b"nr_inodes=1,mode=0555")
    os.chdir("/proc")
    # The old root then lies on top of the new one, where it can be taken off.
    kernel.system_call(number("pivot_root"), b".", b".")
    kernel.umount(b".", _DETACH)
    os.chdir("/")
