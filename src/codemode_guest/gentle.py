"""Reading JSON without recursion and without holding up other threads, and weighing it first.

The decoder of `json` is C code: fast, and one long call, during which no other thread of the
process gets a turn, however large the document; and it recurses.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from itertools import islice
from typing import Any, Final

#: CPython's own default for converting between int and str. Source: sys.int_info.
MAX_INT_DIGITS: Final = 4300
#: Deeper values are refused: what handles them on either side, a repr or a comparison, recurses.
MAX_DEPTH: Final = 20_000
#: How much deeper a frame may nest than the value in it.
FRAME_LEVELS: Final = 2


class MalformedJsonError(ValueError):
    """Bytes that are not the JSON of a lossless value."""


def has_more_parts(data: bytes, limit: int) -> bool:
    """Whether JSON holds more than `limit` values within values, told without reading it.

    At the speed of a search in bytes where the answer is obvious; else, as when a text is full
    of commas, at that of a regular expression, which never looks further than it must.
    """
    if most_parts(data) <= limit:
        return False
    marks = (mark for mark in _MARK.finditer(data) if data[mark.start()] != _QUOTE)
    return next(islice(marks, limit, None), None) is not None


def most_parts(data: bytes) -> int:
    """Return a number of values within values that JSON of these bytes cannot exceed."""
    # Each stands behind one of these, which may stand in texts too.
    return data.count(b",") + data.count(b"[") + data.count(b"{")


# A text, or what a part stands behind. Possessive, since a text may be of many megabytes.
_MARK: Final = re.compile(rb'"(?:[^"\\]++|\\.)*+"|,|[\[{](?![ \t\n\r]*+[\]}])', re.DOTALL)
_QUOTE: Final = ord('"')

_TOKEN: Final = re.compile(
    r"[ \t\n\r]*(?:"
    r'([{}\[\]:,"])'
    r"|(-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?)"
    r"|(true|false|null))"
)
_SPACE: Final = re.compile(r"[ \t\n\r]*")


def _refused_constant(name: str) -> object:
    """Refuse what `json` reads and JSON does not have: NaN and the infinities."""
    raise MalformedJsonError(f"{name} is not JSON")


def scanner(parse_int: Callable[[str], int] | None = None) -> Callable[[str, int], Any]:
    """Return the scanner of `json`, made once: its classes do more around it for each document.

    A program may also change those classes.
    """
    decoder = json.JSONDecoder(parse_constant=_refused_constant, parse_int=parse_int)
    scan: Callable[[str, int], Any] = decoder.scan_once  # type: ignore[attr-defined]  # not in its type stubs
    return scan


#: For what has no room for an integer that is too long.
scan_short: Final = scanner()
#: So many characters have none, and are read in no time.
_RUN: Final = MAX_INT_DIGITS


def _flat_run() -> re.Pattern[str]:
    """Match parts of a container, each with its comma, that nest three levels at most.

    Whether they are JSON, the scanner will tell. Possessive, so that what a stranger has sent is
    looked at once for each level.
    """
    text = r'"(?:[^"\\]++|\\.)*+"'
    within = rf'(?:[^\[\]{{}}"]++|{text})*+'
    for _ in range(2):
        within = rf'(?:[^\[\]{{}}"]++|{text}|[\[{{]{within}[\]}}])*+'
    return re.compile(rf'(?:(?:[^\[\]{{}}",]++|{text}|[\[{{]{within}[\]}}])++,)++', re.DOTALL)


_FLAT: Final = _flat_run()
_WORDS: Final = {"true": True, "false": False, "null": None}


class GentleReader:
    """Reads a document without recursion, the open containers on a list instead of the stack.

    For documents that nest deeper than `json` dares, and for those of so many parts that its
    decoder, which is one long call, would hold up every other thread.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.position = 0
        self._refused_until = 0

    def stop(self) -> None:
        """Have `document`, in another thread, end soon; what it raises then is of no interest."""
        self.text = ""

    def document(self) -> object:
        """Return the value that the whole text is.

        Raises:
            ValueError: If it is none; `MalformedJsonError` where that is told here.
        """
        root = self.read()
        if _SPACE.match(self.text, self.position).end() != len(self.text):  # type: ignore[union-attr]
            raise MalformedJsonError(f"extra data at character {self.position}")
        return root

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
                    if len(open_containers) > MAX_DEPTH + FRAME_LEVELS:
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
                    self._read_run(parent)
                    token = self._token()
                    if type(parent) is dict:
                        keys.append(self._key(token))
                        token = self._token()
                    break
                if token != ("]" if type(parent) is list else "}"):
                    raise self._unexpected(token)
                value = open_containers.pop()

    def _read_run(self, parent: list[object] | dict[str, object]) -> None:
        """Add the next parts of a container, as many as the scanner of `json` reads in no time.

        What it refuses is left to be read piece by piece, which tells what is wrong.
        """
        start = self.position
        if start < self._refused_until:
            return
        run = _FLAT.match(self.text, start, start + _RUN)
        if run is None:
            return
        parts = self.text[start : run.end() - 1]
        try:
            if type(parent) is list:
                read, _ = scan_short(f"[{parts}]", 0)
                parent += read
            else:
                read, _ = scan_short(f"{{{parts}}}", 0)
                parent.update(read)  # type: ignore[union-attr]  # a dict
        except (ValueError, StopIteration):
            read = ()
        # Nothing at all between two commas is read as an empty container.
        if read:
            self.position = run.end()
        else:
            self._refused_until = run.end()

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
        return float(token) if any(mark in token for mark in ".eE") else bounded_int(token)

    def _unexpected(self, token: str) -> MalformedJsonError:
        return MalformedJsonError(f"unexpected {token[:20]!r} before character {self.position}")


def bounded_int(digits: str) -> int:
    """Read an integer that both sides can convert.

    Raises:
        MalformedJsonError: If it has more than 4,300 digits.
    """
    if len(digits) - digits.startswith("-") > MAX_INT_DIGITS:
        raise MalformedJsonError(f"an integer has more than {MAX_INT_DIGITS} digits")
    return int(digits)
