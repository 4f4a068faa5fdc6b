"""How much of a program's calls may be unanswered at once: kept by the guest, held to by the host.

What more there is waits in the guest, in order, so that neither side has to refuse a call.
"""

from __future__ import annotations

from typing import NamedTuple

from codemode_guest.frames import ENVELOPE_BYTES, ENVELOPE_PARTS
from codemode_guest.values import most_parts


class Weight(NamedTuple):
    """What one call takes of a window."""

    size_bytes: int
    parts: int

    @classmethod
    def of(cls, encoded: bytes) -> Weight:
        """Weigh arguments, or the frame around them, by their JSON."""
        return cls(len(encoded), most_parts(encoded))


class Window:
    """Counts what is unanswered.

    Args:
        max_calls: Calls at once.
        max_bytes: Bytes of arguments in them; one call alone may have more.
        max_parts: Values within values in those, likewise.
    """

    def __init__(self, *, max_calls: int, max_bytes: int, max_parts: int) -> None:
        self._max_calls = max_calls
        self._max_bytes = max_bytes
        self._max_parts = max_parts
        self._calls = 0
        self._bytes = 0
        self._parts = 0

    def has_room(self, weight: Weight, *, slack: int = 0) -> bool:
        """Whether one more call may be made.

        Args:
            weight: Its own.
            slack: Of how many calls whole frames were weighed instead of arguments.
        """
        return not self._calls or (
            self._calls < self._max_calls
            and self._bytes + weight.size_bytes <= self._max_bytes + slack * ENVELOPE_BYTES
            and self._parts + weight.parts <= self._max_parts + slack * ENVELOPE_PARTS
        )

    def let_in(self, weight: Weight) -> None:
        """Count a call that is made."""
        self._calls += 1
        self._bytes += weight.size_bytes
        self._parts += weight.parts

    def let_out(self, weight: Weight) -> None:
        """Count a call no longer."""
        self._calls -= 1
        self._bytes -= weight.size_bytes
        self._parts -= weight.parts
