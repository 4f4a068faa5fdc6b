"""Lossless JSON, the only thing that crosses between host and guest.

A value is lossless when reading back what was written gives an equal value of the same types:
null, bool, finite numbers, text, lists, dicts with text keys. Both sides write and read with
this module, so that the rule is one.
"""

from __future__ import annotations

import codecs
import json.encoder
import re
from math import isfinite
from typing import TYPE_CHECKING, Final, Literal

from codemode_guest.gentle import (
    FRAME_LEVELS,
    MAX_DEPTH,
    MAX_INT_DIGITS,
    GentleReader,
    MalformedJsonError,
    bounded_int,
    has_more_parts,
    most_parts,
    scan_short,
    scanner,
)
from codemode_guest.lossy import LossyValueError, count_parts, explain, too_deep

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_INT_BOUND: Final = 10**MAX_INT_DIGITS

# The C encoder and decoder of `json` recurse. A program may have used up most of the stack
# when it calls, so they are trusted with shallow values only.
_SHALLOW: Final = 100
# So many parts may be few that are shared; to find out costs, so only such values are suspected.
_SUSPICIOUS: Final = 2**20

_SURROGATE_PAIR: Final = re.compile("[\ud800-\udbff][\udc00-\udfff]")
_ESCAPE: Final = "codemode.escape-surrogates"


class ValueTooLargeError(ValueError):
    """A value whose JSON is longer than the limit, or would be when written out."""

    def __init__(self, limit: int, unit: Literal["bytes", "parts"] = "bytes") -> None:
        size = f"larger than {limit} bytes as JSON" if unit == "bytes" else f"of over {limit} parts"
        super().__init__(f"the value is {size}; send less at a time")
        self.limit = limit
        self.unit = unit


def _escape(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    bad = error.object[error.start : error.end]
    return "".join(f"\\u{ord(char):04x}" for char in bad), error.end


codecs.register_error(_ESCAPE, _escape)


_written_text: Final = json.encoder.encode_basestring

# The encoder of `json` itself, made once: what its class does around it for each document takes as
# long as a small one, and a program may change that class.
_ENCODER: Final[Callable[[object, int], tuple[str, ...]]] = json.encoder.c_make_encoder(  # type: ignore[attr-defined]  # not in its type stubs
    None,  # no look for circles: `_depth` finds them
    None,  # nor at types that JSON does not have
    _written_text,
    None,
    ":",
    ",",
    False,  # keys as they come,
    False,  # none skipped,
    False,  # and no infinities
)


def _json(value: object) -> str:
    """Write a value that is known to be shallow and lossless."""
    return "".join(_ENCODER(value, 0))


def encode(value: object, *, max_bytes: int | None = None, max_parts: int | None = None) -> bytes:
    """Write a value as compact UTF-8 JSON; a lone surrogate becomes an escape.

    Exact tuples are written as lists. Neither deep nor shared values recurse.

    Raises:
        LossyValueError: If any part is not lossless JSON, with the path of the first such part.
        ValueTooLargeError: If the JSON would be longer than `max_bytes`, or hold more than
            `max_parts` values within values.
    """
    if type(value) is str or _depth(value, max_bytes, max_parts) <= _SHALLOW:
        text = _json(value)
    else:
        text = "".join(_written(value))
    try:
        encoded = text.encode()
    except UnicodeEncodeError:
        # Two surrogates in a row would be read back as the one character that they spell.
        if _SURROGATE_PAIR.search(text):
            raise explain(value) from None
        encoded = text.encode("utf-8", _ESCAPE)
    if max_bytes is not None and len(encoded) > max_bytes:
        raise ValueTooLargeError(max_bytes)
    return encoded


def encoded_text(text: str) -> bytes:
    """Write text as a JSON string, whatever is in it: for what is shown, not for values."""
    return _written_text(text).encode("utf-8", _ESCAPE)


def refuse_lossy(value: object, *, max_depth: int = MAX_DEPTH) -> None:
    """Check a value that was read, without writing it; surrogate pairs are not looked for.

    Raises:
        LossyValueError: As `encode` does.
    """
    # What was read holds neither itself nor another value twice.
    _depth(value, None, None, suspected=True, max_depth=max_depth)


def _depth(  # noqa: C901, PLR0912 - see below
    root: object,
    max_bytes: int | None,
    max_parts: int | None,
    *,
    suspected: bool = False,
    max_depth: int = MAX_DEPTH,
) -> int:
    """Return how deeply `root` nests, having looked at every part of it.

    The hot path of every call: one flat loop, since a call for each part would cost more than
    the look at it, and no path is kept. `explain` finds it when there is something to tell.
    """
    parts: Iterator[object] = iter((root,))
    above: list[Iterator[object]] = []
    deepest, count = 0, 0
    suspicious = _SUSPICIOUS if max_parts is None else min(_SUSPICIOUS, max_parts)
    while True:
        for part in parts:
            kind = type(part)
            if kind is str or part is None or kind is bool:
                continue
            if kind is int:
                if -_INT_BOUND < part < _INT_BOUND:
                    continue
                raise explain(root)
            if kind is float:
                if isfinite(part):  # type: ignore[arg-type]  # an exact float
                    continue
                raise explain(root)
            if kind is dict:
                for key in part:  # type: ignore[attr-defined]  # an exact dict
                    if type(key) is not str:
                        raise explain(root)
                inner = part.values()  # type: ignore[attr-defined]
            elif kind is list or kind is tuple:
                inner = part
            else:
                raise explain(root)
            count += len(inner)
            above.append(parts)
            parts = iter(inner)
            break
        else:
            if not above:
                return deepest
            parts = above.pop()
            continue
        if count > suspicious and not suspected:
            # Without this a value that holds itself, or holds another twice, forty times over, is
            # looked at for ever. A part takes two bytes at least, its comma included.
            suspected = True
            parts_in_all = len(inner)
            if max_bytes is None or 2 * parts_in_all <= max_bytes:
                parts_in_all = count_parts(root, max_depth=MAX_DEPTH)
            if max_bytes is not None and 2 * parts_in_all > max_bytes:
                raise ValueTooLargeError(max_bytes)
            if max_parts is not None and parts_in_all > max_parts:
                raise ValueTooLargeError(max_parts, "parts")
        if len(above) > deepest:
            deepest = len(above)
            if deepest > max_depth:
                count_parts(root, max_depth=max_depth)
                raise too_deep(max_depth)


def _written(root: object) -> Iterator[str]:
    """Write a deep value piece by piece."""
    closing: list[str] = []
    above: list[Iterator[tuple[str, object]]] = []
    parts: Iterator[tuple[str, object]] = iter((("", root),))
    while True:
        for lead, part in parts:
            yield lead
            kind = type(part)
            if kind is dict:
                yield "{"
                closing.append("}")
                inner = _members(part)  # type: ignore[arg-type]  # an exact dict
            elif kind is list or kind is tuple:
                yield "["
                closing.append("]")
                inner = _items(part)  # type: ignore[arg-type]  # an exact list or tuple
            else:
                yield _json(part)
                continue
            above.append(parts)
            parts = inner
            break
        else:
            if not above:
                return
            parts = above.pop()
            yield closing.pop()


def _members(part: dict[str, object]) -> Iterator[tuple[str, object]]:
    comma = ""
    for key, value in part.items():
        yield f"{comma}{_written_text(key)}:", value
        comma = ","


def _items(part: list[object] | tuple[object, ...]) -> Iterator[tuple[str, object]]:
    comma = ""
    for value in part:
        yield comma, value
        comma = ","


_SCAN_LONG: Final = scanner(bounded_int)
_SPACE: Final = " \t\n\r"


def decode(data: bytes) -> object:
    """Read one JSON document, however deep.

    Raises:
        MalformedJsonError: If the bytes are not UTF-8, not JSON, or hold an integer of more than
            4,300 digits. An overflowing float may read as infinity: `refuse_lossy` finds it.
    """
    try:
        text = data.decode().strip(_SPACE)
        # A short document has no room for a long integer, and the hook costs a call for each.
        scan = scan_short if len(text) <= MAX_INT_DIGITS else _SCAN_LONG
        try:
            value, end = scan(text, 0)
        except RecursionError:
            return GentleReader(text).document()
    except MalformedJsonError:
        raise
    except StopIteration as stop:
        raise MalformedJsonError(f"no value at character {stop.value}") from None
    except ValueError as error:
        raise MalformedJsonError(str(error)) from None
    if end < len(text):
        raise MalformedJsonError(f"more than one document, from character {end} on")
    return value


__all__ = [
    "FRAME_LEVELS",
    "MAX_DEPTH",
    "MAX_INT_DIGITS",
    "GentleReader",
    "LossyValueError",
    "MalformedJsonError",
    "ValueTooLargeError",
    "decode",
    "encode",
    "encoded_text",
    "has_more_parts",
    "most_parts",
    "refuse_lossy",
]
