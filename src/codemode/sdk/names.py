"""Names: which of them Python can write, and unique ones for types."""

from __future__ import annotations

import keyword
import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

#: Longest name that a type is given, without the number that tells it from others.
_LONGEST = 60


def _is_written_alike(name: str) -> bool:
    """Say whether Python reads the name as itself: identifiers are normalised (PEP 3131)."""
    return name.isascii() or unicodedata.normalize("NFKC", name) == name


def is_plain_name(name: str) -> bool:
    """Say whether a program reaches a tool of this name as `tools.name`."""
    return is_keyword_name(name) and not name.startswith("_")


@lru_cache(maxsize=8192)
def is_keyword_name(name: str) -> bool:
    """Say whether an argument of this name can be given as `name=…`.

    Two leading underscores cannot: Python would mangle them in a class.
    """
    return (
        name.isidentifier()
        and not keyword.iskeyword(name)
        and not name.startswith("__")
        and _is_written_alike(name)
    )


def camel(text: str) -> str:
    """Return a class's name for any text; `Value` for one without letters."""
    words = re.findall(r"[^\W_]+", unicodedata.normalize("NFKC", text))
    name = "".join(word[:1].upper() + word[1:] for word in words)[:_LONGEST]
    if not name or not name.isidentifier() or keyword.iskeyword(name):
        name = f"Value{name}"
    return name if name.isidentifier() and not keyword.iskeyword(name) else "Value"


class Namer:
    """Gives out names, each once."""

    def __init__(self, reserved: Iterable[str]) -> None:
        self._taken = set(reserved)
        self._next: dict[str, int] = {}

    def unique(self, name: str) -> str:
        """Return the name, or the name with the first number that is free."""
        chosen, number = name, self._next.get(name, 2)
        while chosen in self._taken:
            chosen, number = f"{name}{number}", number + 1
        self._next[name] = number
        self._taken.add(chosen)
        return chosen
