"""Where a logarithmic axis is labelled, and with what. Draws nothing."""

from __future__ import annotations

import math
import re
from typing import Final

from benchmarks.report import duration

_UNITS: Final = ((10**6, "M"), (10**3, "k"))


def ticks(low: float, high: float, most: int) -> list[float]:
    """Round numbers from low to high, evenly apart.

    Args:
        low: Above zero.
        high: Above `low`. Where no round number is between them, what is in the middle is given.
        most: How many at most; three or more.
    """
    first, last = math.ceil(math.log10(low)), math.floor(math.log10(high))
    if last > first:
        stride = -(-(last - first + 1) // most)
        # Multiples of the stride, whatever the first: neighbouring axes have the same ones then.
        return [10.0**power for power in range(first, last + 1) if power % stride == 0]
    near = (digit * 10.0**power for power in range(first - 1, last + 1) for digit in (1, 3))
    return [number for number in near if low <= number <= high] or [math.sqrt(low * high)]


def time_label(seconds: float) -> str:
    """The time, without zeros that say nothing."""
    return re.sub(r"\.0+(?= )", "", duration(seconds))


def count_label(count: float) -> str:
    """The number in thousands or millions, where it has them."""
    size, unit = next((pair for pair in _UNITS if count >= pair[0]), (1, ""))
    return f"{count / size:g}{unit}"
