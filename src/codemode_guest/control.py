"""What the host and a template tell each other, and what is the same for all guests of one.

Records on the control socket have one fixed layout, so that no reader has to know where one
ends.

    host to template                     template to host
    FORK number spare + (bridge, stderr) HELLO moved + (pidfd of the template)
    KILL number                          READY length - size of the template in bytes, and a
                                           JSON text of that length: which layers of confinement
                                           are missing, and why
                                         FORKED number - - + (pidfd)
                                         REFUSED number errno
                                         EXITED number status CPU nanoseconds
"""

from __future__ import annotations

import errno
from dataclasses import dataclass
from struct import Struct
from typing import Final, NamedTuple

from codemode_guest.confinement.layers import Layer

#: What a send on the control socket says when the other side is no more.
GONE: Final = frozenset({errno.EPIPE, errno.ECONNRESET, errno.ENOTCONN, errno.EBADF})

RECORD: Final = Struct(">BIiQ")
FORK, KILL, HELLO, READY, FORKED, REFUSED, EXITED = range(1, 8)


class Record(NamedTuple):
    """One message on the control socket, without its descriptors."""

    kind: int
    number: int = 0
    status: int = 0
    amount: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What is the same for every guest of a template.

    Attributes:
        memory_bytes: Address space, interpreter included.
        cpu_seconds: The kernel's own limit, behind the host's watch.
        max_pending_calls: Unanswered calls that the host bears.
        max_frame_bytes: The longest frame that the host accepts, and the most bytes of
            arguments in unanswered calls that it bears.
        max_frame_parts: Likewise the most values within values.
        max_output_bytes: The longest completion value.
        layers: The layers of confinement that are wanted.
    """

    memory_bytes: int
    cpu_seconds: int
    max_pending_calls: int
    max_frame_bytes: int
    max_frame_parts: int
    max_output_bytes: int
    layers: tuple[Layer, ...]
