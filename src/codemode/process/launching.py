"""Starting the process that becomes a template: its interpreter, environment and descriptors."""

from __future__ import annotations

import contextlib
import os
import socket
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from types import MappingProxyType
from typing import Final

# The seed makes the order of sets the same in every run of a program; isolated mode (-I) would
# ignore it, so what else that mode does is asked for by name.
_ENVIRONMENT: Final = MappingProxyType({"PYTHONHASHSEED": "0", "TZ": "UTC0"})
_FLAGS: Final = ("-s", "-S", "-P", "-B")


def launch(boot: str, settings: str) -> tuple[subprocess.Popen[bytes], socket.socket]:
    """Start a fresh interpreter with nothing of this process but one socket.

    Args:
        boot: What it executes. Its arguments are the number of its end of the socket, that of a
            pidfd of this process, the settings, and the directories to import from.
        settings: `codemode_guest.control.Settings` as JSON.

    Returns:
        The process, whose standard error is a pipe, and this end of the socket, non-blocking.

    Raises:
        OSError: If the system does not let it start.
    """
    with contextlib.ExitStack() as ours, contextlib.ExitStack() as theirs:
        control, their_control = socket.socketpair()
        ours.callback(control.close)
        theirs.callback(their_control.close)
        control.setblocking(False)
        host_fd = os.pidfd_open(os.getpid())
        theirs.callback(os.close, host_fd)
        arguments = (str(their_control.fileno()), str(host_fd), settings, *_homes())
        process = subprocess.Popen(  # noqa: S603 - the interpreter, our words
            [sys.executable, *_FLAGS, "-c", boot, *arguments],
            env=dict(_ENVIRONMENT),
            cwd="/",
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            pass_fds=(their_control.fileno(), host_fd),
            start_new_session=True,
        )
        ours.pop_all()
    return process, control


def _homes() -> list[str]:
    """Where what a guest imports is installed.

    They come last on its path: a package of the name of a module of the standard library, a
    backport, must not take its place.
    """
    specs = [find_spec(name) for name in ("codemode_guest", "RestrictedPython", "tzdata")]
    found = (str(Path(spec.origin).parent.parent) for spec in specs if spec and spec.origin)
    return list(dict.fromkeys(found))
