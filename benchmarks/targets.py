"""What the project has set itself, each figure beside a reference of the same run."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from typing import Any, Final

from benchmarks.capacity import WAIT_S
from benchmarks.report import digits, duration, size

Values = Mapping[str, Sequence[float]]

#: What is measured, its reference, their names, and the most that one may be of the other.
_RATIOS: Final = (
    ("run with a spare guest waiting", "spare:cold", "machine:cold", "bare fork", 2.5),
    ("run forked on demand", "demand:cold", "machine:cold", "bare fork", 7.0),
    ("run forked on demand", "demand:cold", "python:cold", "`python -I -S -c pass`", 0.35),
    ("sequential call", "spare:call", "machine:call", "bare bridge of two loops", 0.5),
    ("gathered call", "spare:gathered", "machine:gathered", "bare bridge, gathered", 1.2),
    ("10,000 rows from a tool", "spare:rows", "machine:rows", "json dumps + loads", 3.0),
)


def _target(
    what: str, measured: str, reference: str, ratio: float, bound: float, *, floor: bool = False
) -> dict[str, Any]:
    return {
        "what": what,
        "measured": measured,
        "reference": reference,
        "ratio": ratio,
        "bound": bound,
        "floor": floor,
        "met": ratio >= bound if floor else ratio <= bound,
    }


def judged(values: Values) -> list[dict[str, Any]]:
    """Every target for which there are figures.

    Args:
        values: In seconds, by `peer:task`; those of `capacity` by their own names.
    """
    found = []
    for what, ours, theirs, name, bound in _RATIOS:
        if ours in values and theirs in values:
            mine, other = statistics.median(values[ours]), statistics.median(values[theirs])
            found.append(
                _target(what, duration(mine), f"{name}: {duration(other)}", mine / other, bound)
            )
    return [*found, *_compute(values), *_capacity(values)]


def _compute(values: Values) -> list[dict[str, Any]]:
    if not {"spare:compute", "python:compute"} <= set(values):
        return []
    # The least, and not the median: what a busy machine adds is no part of either.
    mine, plain = min(values["spare:compute"]), values["python:compute"]
    half = len(plain) // 2
    noise = min(plain[:half]) / min(plain[half:]) if half else 1.0
    beside = f"plain CPython: {duration(min(plain))} (to itself: {digits(noise)})"
    ratio = mine / min(plain)
    return [_target("compute, geometric mean of six", duration(mine), beside, ratio, 1.03)]


def _capacity(values: Values) -> list[dict[str, Any]]:
    if "crowd" not in values:
        return []
    crowd, guest, template, sustained = (
        statistics.median(values[name]) for name in ("crowd", "guest", "template", "sustained")
    )
    return [
        _target(
            "200 runs at once, each waiting 0.5 s",
            duration(crowd),
            f"the wait: {duration(WAIT_S)}",
            crowd / WAIT_S,
            2.0,
        ),
        _target("private memory of a waiting guest, MiB", size(guest), "–", guest / 2**20, 4.0),
        _target("memory of the template, MiB", size(template), "–", template / 2**20, 40.0),
        _target(
            "sustained runs a second, 4 abreast",
            f"{digits(sustained)} a second",
            "–",
            sustained,
            400.0,
            floor=True,
        ),
    ]
