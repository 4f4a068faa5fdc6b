"""What a series of costs over sizes says: where it is steeper than in proportion."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, Final

from benchmarks import report

#: Twice the work for 2.3 times the cost is told.
STEEP: Final = 1.2
#: Below this the noise of a machine is as large as what is measured.
_NOISE_S: Final = 0.005

Pairs = Sequence[tuple[int, float]]


def steep(pairs: Pairs) -> list[str]:
    """Each step in which cost grew faster than size, in words."""
    found = []
    for (small, less), (large, more) in pairwise(pairs):
        if less < _NOISE_S:
            continue
        slope = math.log(more / less) / math.log(large / small)
        if slope > STEEP:
            found.append(
                f"{small:,} to {large:,}: {large / small:.3g} times the work, "
                f"{more / less:.3g} times the cost"
            )
    return found


def table(panel: Mapping[str, Any]) -> str:
    """The costs at each size, then the limits that were met and every step that was too steep."""
    series: Mapping[str, Pairs] = panel["series"]
    sizes = sorted({size for pairs in series.values() for size, _ in pairs})
    rows = [
        [f"{size:,}", *(_cell(dict(pairs).get(size), size) for pairs in series.values())]
        for size in sizes
    ]
    notes = [f"- limit: {cap}" for cap in panel["caps"]]
    notes += [f"- {name}, {step}" for name, pairs in series.items() for step in steep(pairs)]
    head = [panel["x"], *series]
    parts = [f"### {panel['title']}", report.table(head, rows)]
    parts.append("\n".join(notes) if notes else "No step is steeper than in proportion.")
    return "\n\n".join(parts)


def _cell(seconds: float | None, size: int) -> str:
    if seconds is None:
        return "–"
    return f"{report.duration(max(seconds, 1e-9))} ({report.duration(max(seconds, 1e-9) / size)})"
