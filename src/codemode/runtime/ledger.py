"""What a run may put out, counted in bytes and kept line by line."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from codemode_guest.values import encoded_text

if TYPE_CHECKING:
    from collections.abc import Callable

_QUOTES = 2

_log = logging.getLogger("codemode.runtime")


class OutputLedger:
    """Keeps printed text and counts everything that leaves a run against one cap.

    The measure is compact JSON in UTF-8: each line as a string with its quotes, the value and
    the message of a failure as they are. A newline costs what the quotes of the next line do.

    Args:
        max_bytes: The cap; what is exactly as long still fits.
        on_print: Told what is kept, as it comes.
    """

    def __init__(self, max_bytes: int, on_print: Callable[[str], object] | None = None) -> None:
        self._max_bytes = max_bytes
        self._on_print = on_print
        self._text: list[str] = []
        self._used = 0
        self._open_line = False

    def write(self, text: str) -> bool:
        """Keep printed text, or as much of its beginning as fits.

        Returns:
            Whether all of it did.
        """
        if not text:
            return True
        cost = _inner_bytes(text)
        if self._used + cost + _tail(text) > self._max_bytes:
            self._keep(text[: self._fitting(text)])
            return False
        self._keep(text, cost)
        return True

    def fits(self, encoded_bytes: int) -> bool:
        """Whether a value or message of that many bytes of JSON still has room."""
        return self.used_bytes + encoded_bytes <= self._max_bytes

    @property
    def used_bytes(self) -> int:
        """What the lines so far cost."""
        return self._used + _QUOTES * self._open_line

    def lines(self) -> tuple[str, ...]:
        """Return the lines so far, without their newlines; an unfinished one counts."""
        lines = "".join(self._text).split("\n")
        return tuple(lines if lines[-1] else lines[:-1])

    def _keep(self, text: str, cost: int | None = None) -> None:
        if text:
            self._text.append(text)
            self._used += _inner_bytes(text) if cost is None else cost
            self._open_line = not text.endswith("\n")
            if self._on_print is not None:
                try:
                    self._on_print(text)
                except Exception:  # who looks on must not change what happens
                    _log.exception("on_print of a run failed")

    def _fitting(self, text: str) -> int:
        """How many characters of `text` fit."""
        low, high = 0, len(text)
        while low < high:
            middle = (low + high + 1) // 2
            start = text[:middle]
            if self._used + _inner_bytes(start) + _tail(start) <= self._max_bytes:
                low = middle
            else:
                high = middle - 1
        return low


def _inner_bytes(text: str) -> int:
    return len(encoded_text(text)) - _QUOTES


def _tail(text: str) -> int:
    return 0 if text.endswith("\n") else _QUOTES
