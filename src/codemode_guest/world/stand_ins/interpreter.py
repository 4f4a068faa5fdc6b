"""For `sys` and `inspect`: what a program may know of itself."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, Final

from codemode_guest.world.guards import read
from codemode_guest.world.names import kind_of

#: What recurses in C, such as a `repr` or a comparison, must end before the stack does.
_MOST_FRAMES: Final = 3_000


def exc_info() -> tuple[type[BaseException] | None, BaseException | None, None]:
    """Return the kind of exception that is being handled, and the exception."""
    error = sys.exception()
    return (None if error is None else type(error)), error, None


def setrecursionlimit(limit: int, /) -> None:
    """Let functions call each other as deep as this, or as is safe."""
    sys.setrecursionlimit(min(limit, _MOST_FRAMES))


def getmembers(
    obj: object, predicate: Callable[[Any], object] | None = None
) -> list[tuple[str, Any]]:
    """Return the attributes that a program may read by name, sorted."""
    found = []
    for name in sorted(name for name in dir(obj) if type(name) is str):
        try:
            kind_of(name)
            value = read(obj, name)
        except AttributeError:
            continue
        if predicate is None or predicate(value):
            found.append((name, value))
    return found
