"""Landlock: no right to any file, to any port, and to any process outside.

Source: the kernel's Documentation/userspace-api/landlock.rst and include/uapi/linux/landlock.h.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Mapping
from struct import Struct
from types import MappingProxyType
from typing import Final

from codemode_guest.confinement.call_numbers import number
from codemode_guest.confinement.kernel import system_call

_ASK_VERSION: Final = 1
#: What a ruleset takes charge of: files, ports, scopes.
_RULESET: Final = Struct("=QQQ")

#: How many rights to files each version knows, from bit 0; later ones know what the last does.
_FILE_RIGHTS: Final[Mapping[int, int]] = MappingProxyType({1: 13, 2: 14, 3: 15, 4: 15, 5: 16})
#: To bind and to connect TCP sockets.
_PORTS: Final = 0b11
_PORTS_SINCE: Final = 4
#: To reach abstract sockets of others, and to signal to them.
_SCOPES: Final = 0b11
_SCOPES_SINCE: Final = 6


def version() -> int:
    """Return the version of Landlock that this kernel has.

    Raises:
        OSError: If it has none, or it is not switched on.
    """
    return system_call(number("landlock_create_ruleset"), 0, 0, _ASK_VERSION)


def make_ruleset() -> int:
    """Return the descriptor of a ruleset that takes charge of everything and permits nothing.

    Raises:
        OSError: If this kernel has no Landlock.
    """
    known = version()
    files = (1 << _FILE_RIGHTS[min(known, max(_FILE_RIGHTS))]) - 1
    wanted = (
        files,
        _PORTS if known >= _PORTS_SINCE else 0,
        _SCOPES if known >= _SCOPES_SINCE else 0,
    )
    # An older kernel takes a longer record too, as long as what it doesn't know is zero.
    return system_call(number("landlock_create_ruleset"), _RULESET.pack(*wanted), _RULESET.size, 0)


def restrict_self(ruleset_fd: int) -> None:
    """Put this process under a ruleset; nothing takes it off again.

    Its siblings and its parent, under another or none, are then beyond its reach: it can trace
    none of them.

    Raises:
        OSError: If the kernel refuses.
    """
    system_call(number("landlock_restrict_self"), ruleset_fd, 0)


def prove() -> None:
    """Try what it forbids.

    Raises:
        OSError: If that is not refused as Landlock refuses it.
    """
    try:
        os.close(os.open("/", os.O_RDONLY | os.O_DIRECTORY))
    except PermissionError:
        return
    raise OSError(errno.EPROTO, "the root directory can still be read")
