"""What a value that is not lossless JSON is told: where it is, what it is, what to write."""

from __future__ import annotations

import dataclasses
import datetime
import decimal
import enum
import re
import types
from collections.abc import Iterable, Iterator
from math import isfinite
from typing import Final

_PLAIN_KEY: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")
_MAX_SHOWN: Final = 60
_MAX_PATH: Final = 300
_INT_BOUND: Final = 10**4300
_CYCLE: Final = "the value contains itself"
_CYCLE_HINT: Final = "build a tree without cycles"
_PAIR: Final = re.compile("[\ud800-\udbff][\udc00-\udfff]")

# A path as a chain towards the root: what is walked may be deeper than any tuple should be long.
_Path = tuple["_Path", str] | None


class LossyValueError(ValueError):
    """A part of a value that is not lossless JSON.

    Attributes:
        path: Where the part is, as in `$.items[3].price`.
        reason: What is wrong with it.
        hint: What to write instead, if there is an obvious way.
    """

    def __init__(self, path: str, reason: str, hint: str | None = None) -> None:
        super().__init__(f"{path}: {reason}" + (f"; {hint}" if hint else ""))
        self.path = path
        self.reason = reason
        self.hint = hint


def explain(root: object) -> LossyValueError:
    """Return the error for the first part of `root` that is not lossless.

    Looks at each container once, so that it ends for shared and for cyclic values too.
    """
    seen: set[int] = set()
    parts: Iterator[tuple[str, object]] = iter((("", root),))
    above: list[tuple[Iterator[tuple[str, object]], _Path]] = []
    base: _Path = None
    while True:
        for step, part in parts:
            path: _Path = (base, step)
            kind = type(part)
            if kind not in (dict, list, tuple):
                found = _scalar_fault(part)
                if found is not None:
                    return LossyValueError(_shown(path), *found)
                continue
            if id(part) in seen:
                continue
            seen.add(id(part))
            if kind is dict:
                for key in part:  # type: ignore[attr-defined]  # an exact dict
                    if type(key) is not str or _PAIR.search(key):
                        return LossyValueError(_shown(path), *_key_fault(key))
            above.append((parts, base))
            parts, base = _steps(part), path
            break
        else:
            if not above:
                # Every part alone is lossless, so what is wrong is how they hang together.
                return LossyValueError("$", _CYCLE, _CYCLE_HINT)
            parts, base = above.pop()


def too_deep(max_depth: int) -> LossyValueError:
    """Return the error for a value that nests too deeply."""
    return LossyValueError("$", f"the value nests more than {max_depth} levels deep", "flatten it")


def count_parts(root: object, *, max_depth: int) -> int:
    """Return how many parts a value has when written out, looking at each container once.

    Raises:
        LossyValueError: If a container contains itself, with the path at which it comes back, or
            nests more than `max_depth` levels deep.
    """
    counts: dict[int, int] = {}
    open_ids = {id(root)}
    above: list[tuple[Iterator[tuple[str, object]], int, int, _Path]] = []
    parts, current, count = _steps(root), id(root), 0
    base: _Path = (None, "")
    while True:
        for step, part in parts:
            count += 1
            if type(part) not in (dict, list, tuple):
                continue
            if id(part) in open_ids:
                raise LossyValueError(_shown((base, step)), _CYCLE, _CYCLE_HINT)
            if id(part) in counts:
                count += counts[id(part)]
                continue
            if len(above) > max_depth:
                raise too_deep(max_depth)
            above.append((parts, current, count, base))
            parts, current, count, base = _steps(part), id(part), 0, (base, step)
            open_ids.add(current)
            break
        else:
            open_ids.discard(current)
            counts[current] = count
            if not above:
                return count
            inner = count
            parts, current, count, base = above.pop()
            count += inner


def _steps(part: object) -> Iterator[tuple[str, object]]:
    if type(part) is dict:
        for key, value in part.items():
            plain = type(key) is str and _PLAIN_KEY.match(key)
            yield (f".{key}" if plain else f"[{_short(key)}]"), value
    elif isinstance(part, Iterable):
        for index, value in enumerate(part):
            yield f"[{index}]", value


def _shown(path: _Path) -> str:
    steps: list[str] = []
    while path is not None:
        path, step = path
        steps.append(step)
    text = "$" + "".join(reversed(steps))
    return text if len(text) <= _MAX_PATH else f"{text[: _MAX_PATH // 2]}…{text[-_MAX_PATH // 2 :]}"


def type_name(value: object) -> str:
    """Return the name of a value's class, which a metaclass has no say in."""
    name: str = type.__dict__["__name__"].__get__(type(value))
    return name if len(name) <= _MAX_SHOWN else name[: _MAX_SHOWN - 1] + "…"


def _short(value: object) -> str:
    """Show a key or number: only built-in types are asked for their own words."""
    if type(value) not in (str, int, float, bool, bytes, type(None)):
        return f"a {type_name(value)}"
    if type(value) is int and not -_INT_BOUND < value < _INT_BOUND:
        return "a very long integer"
    text = repr(value[:_MAX_SHOWN] if type(value) in (str, bytes) else value)  # type: ignore[index]
    return text if len(text) <= _MAX_SHOWN else text[: _MAX_SHOWN - 1] + "…"


def _key_fault(key: object) -> tuple[str, str]:
    if type(key) is str:
        return "a key holds a surrogate pair as two characters", _PAIR_HINT
    if isinstance(key, str):
        return (
            f"the key {_short(str.__str__(key))} is a {type_name(key)}, not a plain str",
            "use str(key)",
        )
    return (
        f"the key {_short(key)} is of type {type_name(key)}; JSON keys are text",
        "use {str(key): value for key, value in d.items()}",
    )


_PAIR_HINT: Final = "use s.encode('utf-16', 'surrogatepass').decode('utf-16')"


def _scalar_fault(part: object) -> tuple[str, str | None] | None:  # noqa: PLR0911 - a table
    """What is wrong with a part that is no exact dict, list or tuple; None when nothing is."""
    kind = type(part)
    if kind is str:
        found = _PAIR.search(part)  # type: ignore[call-overload]  # an exact str
        return ("the text holds a surrogate pair as two characters", _PAIR_HINT) if found else None
    if part is None or kind is bool:
        return None
    if kind is int:
        if -_INT_BOUND < part < _INT_BOUND:  # type: ignore[operator]  # an exact int
            return None
        return "an integer has more than 4300 digits", "send it in parts, or as a float"
    if kind is float:
        if isfinite(part):  # type: ignore[arg-type]  # an exact float
            return None
        return f"{part} is not a JSON number", "use None, or leave it out"
    return _near_miss(part)


def _near_miss(part: object) -> tuple[str, str | None]:
    """Name a value of another type and the expression that gives a JSON value for it."""
    name = type_name(part)
    reason = (
        f"a {name} is not JSON" if name[:1].lower() not in "aeiou" else f"an {name} is not JSON"
    )
    for kinds, hint in _HINTS:
        if isinstance(part, kinds):
            return reason, hint
    if dataclasses.is_dataclass(part) and not isinstance(part, type):
        return reason, "use dataclasses.asdict(x)"
    return reason, "use a dict, list, str, number, bool or None"


_HINTS: Final[tuple[tuple[type | tuple[type, ...], str], ...]] = (
    (types.CoroutineType, "write `await` before the call"),
    (enum.Enum, "use x.value"),
    (str, "use str(x)"),
    (int, "use int(x)"),
    (float, "use float(x)"),
    (dict, "use dict(x)"),
    (list, "use list(x)"),
    (tuple, "use list(x), or x._asdict() for a named tuple"),
    ((set, frozenset), "use sorted(x) or list(x)"),
    ((bytes, bytearray, memoryview), "use x.decode() or base64.b64encode(x).decode()"),
    ((datetime.date, datetime.time), "use x.isoformat()"),
    (datetime.timedelta, "use x.total_seconds()"),
    (decimal.Decimal, "use float(x) or str(x)"),
    (complex, "use [x.real, x.imag]"),
    (BaseException, "use str(x)"),
    (type, "use x.__name__"),
    (types.FunctionType, "call it and return its result"),
    (
        (range, types.GeneratorType, type({}.keys()), type({}.values()), type({}.items())),
        "use list(x)",
    ),
    (Iterator, "use list(x)"),
)

__all__ = ["LossyValueError", "count_parts", "explain", "too_deep"]
