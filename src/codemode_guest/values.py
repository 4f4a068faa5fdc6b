"""Lossless JSON, the only thing that crosses between host and guest.

A value is lossless when reading back what was written gives an equal value of the same types:
null, bool, finite numbers, text, lists, dicts with text keys. Both sides write and read with
this module, so that the rule is one.
"""

from __future__ import annotations

import codecs
import json
import re
from math import isfinite
from typing import TYPE_CHECKING, Final

from codemode_guest.lossy import LossyValueError, count_parts, explain, too_deep

if TYPE_CHECKING:
    from collections.abc import Iterator

#: CPython's own default for converting between int and str. Source: sys.int_info.
MAX_INT_DIGITS: Final = 4300
_INT_BOUND: Final = 10**MAX_INT_DIGITS

# The C encoder and decoder of `json` recurse. A program may have used up most of the stack
# when it calls, so they are trusted with shallow values only.
_SHALLOW: Final = 100
#: Deeper values are refused: what handles them on either side, a repr or a comparison, recurses.
MAX_DEPTH: Final = 20_000
# So many parts may be few that are shared; to find out costs, so only such values are suspected.
_SUSPICIOUS: Final = 2**20

_SURROGATE_PAIR: Final = re.compile("[\ud800-\udbff][\udc00-\udfff]")
_ESCAPE: Final = "codemode.escape-surrogates"


class MalformedJsonError(ValueError):
    """Bytes that are not the JSON of a lossless value."""


class ValueTooLargeError(ValueError):
    """A value whose JSON is longer than the limit, or would be when written out."""

    def __init__(self, max_bytes: int) -> None:
        super().__init__(f"the value is larger than {max_bytes} bytes as JSON; send less at a time")
        self.max_bytes = max_bytes


def _escape(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    bad = error.object[error.start : error.end]
    return "".join(f"\\u{ord(char):04x}" for char in bad), error.end


codecs.register_error(_ESCAPE, _escape)


class _Encoder(json.JSONEncoder):
    """With methods of its own: a program may change those of the class that it shares."""

    encode = json.JSONEncoder.encode
    iterencode = json.JSONEncoder.iterencode
    default = json.JSONEncoder.default


_SHALLOW_ENCODER: Final = _Encoder(
    ensure_ascii=False, check_circular=False, allow_nan=False, separators=(",", ":")
)


def encode(value: object, *, max_bytes: int | None = None) -> bytes:
    """Write a value as compact UTF-8 JSON; a lone surrogate becomes an escape.

    Exact tuples are written as lists. Neither deep nor shared values recurse.

    Raises:
        LossyValueError: If any part is not lossless JSON, with the path of the first such part.
        ValueTooLargeError: If the JSON would be longer than `max_bytes`.
    """
    kind = type(value)
    if kind is str:
        text = _SHALLOW_ENCODER.encode(value)
    else:
        depth = _depth(value, max_bytes)
        text = _SHALLOW_ENCODER.encode(value) if depth <= _SHALLOW else "".join(_written(value))
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
    return _SHALLOW_ENCODER.encode(text).encode("utf-8", _ESCAPE)


def refuse_lossy(value: object) -> None:
    """Check a value that was read, without writing it; surrogate pairs are not looked for.

    Raises:
        LossyValueError: As `encode` does.
    """
    # What was read holds neither itself nor another value twice.
    _depth(value, None, suspected=True)


def _depth(  # noqa: C901, PLR0912 - see below
    root: object,
    max_bytes: int | None,
    *,
    suspected: bool = False,
) -> int:
    """Return how deeply `root` nests, having looked at every part of it.

    The hot path of every call: one flat loop, since a call for each part would cost more than
    the look at it, and no path is kept. `explain` finds it when there is something to tell.
    """
    parts: Iterator[object] = iter((root,))
    above: list[Iterator[object]] = []
    deepest, count = 0, 0
    while True:
        for part in parts:
            kind = type(part)
            if kind is str or part is None or kind is bool:
                continue
            if kind is int:
                if -_INT_BOUND < part < _INT_BOUND:  # type: ignore[operator]  # an exact int
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
        if count > _SUSPICIOUS and not suspected:
            # Without this a value that holds itself, or holds another twice, forty times over, is
            # looked at for ever. A part takes two bytes at least, its comma included.
            suspected = True
            parts_in_all = count_parts(root, max_depth=MAX_DEPTH)
            if max_bytes is not None and 2 * parts_in_all > max_bytes:
                raise ValueTooLargeError(max_bytes)
        if len(above) > deepest:
            deepest = len(above)
            if deepest > MAX_DEPTH:
                count_parts(root, max_depth=MAX_DEPTH)
                raise too_deep(MAX_DEPTH)


def _written(root: object) -> Iterator[str]:
    """Write a deep value piece by piece."""
    encoder = _SHALLOW_ENCODER.encode
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
                yield encoder(part)
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
        yield f"{comma}{_SHALLOW_ENCODER.encode(key)}:", value
        comma = ","


def _items(part: list[object] | tuple[object, ...]) -> Iterator[tuple[str, object]]:
    comma = ""
    for value in part:
        yield comma, value
        comma = ","


def _refused_constant(name: str) -> object:
    raise MalformedJsonError(f"{name} is not JSON")


def _bounded_int(digits: str) -> int:
    if len(digits) - digits.startswith("-") > MAX_INT_DIGITS:
        raise MalformedJsonError(f"an integer has more than {MAX_INT_DIGITS} digits")
    return int(digits)


class _Decoder(json.JSONDecoder):
    """As `_Encoder`."""

    decode = json.JSONDecoder.decode
    raw_decode = json.JSONDecoder.raw_decode


_DECODER: Final = _Decoder(parse_constant=_refused_constant)
_LONG_DECODER: Final = _Decoder(parse_constant=_refused_constant, parse_int=_bounded_int)


def decode(data: bytes) -> object:
    """Read one JSON document, however deep.

    Raises:
        MalformedJsonError: If the bytes are not UTF-8, not JSON, or hold an integer of more than
            4,300 digits. An overflowing float reads as infinity: `refuse_lossy` finds it.
    """
    try:
        text = data.decode()
        # A short document has no room for a long integer, and the hook costs a call for each.
        decoder = _DECODER if len(text) <= MAX_INT_DIGITS else _LONG_DECODER
        try:
            return decoder.decode(text)
        except RecursionError:
            return _read_deep(text)
    except MalformedJsonError:
        raise
    except ValueError as error:
        raise MalformedJsonError(str(error)) from None


_TOKEN: Final = re.compile(
    r"[ \t\n\r]*(?:"
    r'([{}\[\]:,"])'
    r"|(-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?)"
    r"|(true|false|null))"
)
_SPACE: Final = re.compile(r"[ \t\n\r]*")
_WORDS: Final = {"true": True, "false": False, "null": None}


def _read_deep(text: str) -> object:
    """Read a document that nests deeper than `json` dares, without recursion."""
    reader = _DeepReader(text)
    root = reader.read()
    if _SPACE.match(text, reader.position).end() != len(text):  # type: ignore[union-attr]
        raise MalformedJsonError(f"extra data at character {reader.position}")
    return root


class _DeepReader:
    """One pass over a document, the open containers on a list instead of the stack."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.position = 0

    def read(self) -> object:  # noqa: C901, PLR0912 - the grammar, in one place
        """Return the value that starts here and leave `position` after it."""
        open_containers: list[list[object] | dict[str, object]] = []
        keys: list[str] = []
        token = self._token()
        while True:
            value: object
            if token in ("[", "{"):
                container: list[object] | dict[str, object] = [] if token == "[" else {}
                token = self._token()
                if token != ("]" if type(container) is list else "}"):
                    open_containers.append(container)
                    if len(open_containers) > MAX_DEPTH + 1:
                        raise MalformedJsonError(f"nested more than {MAX_DEPTH} levels deep")
                    if type(container) is dict:
                        keys.append(self._key(token))
                        token = self._token()
                    continue
                value = container
            else:
                value = self._scalar(token)
            while True:
                if not open_containers:
                    return value
                parent = open_containers[-1]
                if type(parent) is list:
                    parent.append(value)
                else:
                    parent[keys.pop()] = value  # type: ignore[call-overload]  # a dict
                token = self._token()
                if token == ",":
                    token = self._token()
                    if type(parent) is dict:
                        keys.append(self._key(token))
                        token = self._token()
                    break
                if token != ("]" if type(parent) is list else "}"):
                    raise self._unexpected(token)
                value = open_containers.pop()

    def _token(self) -> str:
        match = _TOKEN.match(self.text, self.position)
        if match is None:
            raise MalformedJsonError(f"expecting a value at character {self.position}")
        self.position = match.end()
        return match.group(match.lastindex or 0)

    def _key(self, token: str) -> str:
        if token != '"':
            raise self._unexpected(token)
        key = self._string()
        if self._token() != ":":
            raise self._unexpected(key)
        return key

    def _string(self) -> str:
        text, self.position = json.decoder.scanstring(self.text, self.position)  # type: ignore[attr-defined]
        return str(text)

    def _scalar(self, token: str) -> object:
        if token == '"':
            return self._string()
        if token in _WORDS:
            return _WORDS[token]
        if token in "]}:,":
            raise self._unexpected(token)
        return float(token) if any(mark in token for mark in ".eE") else _bounded_int(token)

    def _unexpected(self, token: str) -> MalformedJsonError:
        return MalformedJsonError(f"unexpected {token[:20]!r} before character {self.position}")


__all__ = [
    "MAX_DEPTH",
    "MAX_INT_DIGITS",
    "LossyValueError",
    "MalformedJsonError",
    "ValueTooLargeError",
    "decode",
    "encode",
    "encoded_text",
    "refuse_lossy",
]
