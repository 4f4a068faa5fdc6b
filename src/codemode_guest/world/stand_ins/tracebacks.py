"""For `traceback`: an exception as text, with the program's own frames and no other."""

from __future__ import annotations

import sys
import traceback as original
from collections.abc import Iterator
from types import TracebackType
from typing import NamedTuple

from codemode_guest.frames import FILENAME
from codemode_guest.policy.body import MAIN
from codemode_guest.world.console import CONSOLE, Writable


def format_exception(
    exc: object,
    /,
    value: object = None,
    tb: object = None,  # noqa: ARG001 - an exception has its own
    limit: int | None = None,
    chain: bool = True,  # noqa: FBT001, FBT002
) -> list[str]:
    """Return the lines that the interpreter would print of an exception."""
    error = exc if isinstance(exc, BaseException) else value
    if not isinstance(error, BaseException):
        return ["NoneType: None\n"]
    found = original.TracebackException(
        type(error), error, error.__traceback__, limit=limit, lookup_lines=False, compact=True
    )
    for part in _parts(found, set()):
        part.stack = _own(part.stack)
    return list(found.format(chain=chain))


def _own(stack: original.StackSummary) -> original.StackSummary:
    """Keep the program's own frames."""
    own = [frame for frame in stack if frame.filename == FILENAME]
    for frame in own:
        # A program is a module to whoever writes it.
        frame.name = "<module>" if frame.name == MAIN else frame.name
    return original.StackSummary.from_list(own)


class Place(NamedTuple):
    """Where an exception passed; the library's class reads lines from files."""

    filename: str
    lineno: int
    name: str
    line: str | None


def extract_tb(tb: TracebackType | None, limit: int | None = None) -> list[Place]:
    """Return where an exception passed, as text.

    Raises:
        TypeError: If it is no traceback of the interpreter's.
    """
    if tb is not None and type(tb) is not TracebackType:
        raise TypeError(f"a traceback was expected, got {type(tb).__name__!r}")
    walked = original.walk_tb(tb)
    stack = original.StackSummary.extract(walked, limit=limit, lookup_lines=False)
    return [
        Place(frame.filename, frame.lineno or 0, frame.name, frame.line) for frame in _own(stack)
    ]


def format_tb(tb: TracebackType | None, limit: int | None = None) -> list[str]:
    """Return where an exception passed, as the interpreter would print it."""
    return original.format_list([(*place,) for place in extract_tb(tb, limit)])


def print_tb(
    tb: TracebackType | None, limit: int | None = None, file: Writable | None = None
) -> None:
    """Print where an exception passed, to the run's log when no file is given."""
    (CONSOLE if file is None else file).write("".join(format_tb(tb, limit)))


def _parts(
    found: original.TracebackException, seen: set[int]
) -> Iterator[original.TracebackException]:
    """Yield an exception with its causes, contexts and members."""
    if id(found) in seen:
        return
    seen.add(id(found))
    yield found
    for part in (found.__cause__, found.__context__, *(found.exceptions or ())):
        if part is not None:
            yield from _parts(part, seen)


def format_exception_only(exc: object, /, value: object = None) -> list[str]:
    """Return the lines that say what an exception is, without where it was raised."""
    error = exc if isinstance(exc, BaseException) else value
    if not isinstance(error, BaseException):
        return ["NoneType: None\n"]
    found = original.TracebackException(type(error), error, None, lookup_lines=False)
    return list(found.format_exception_only())


def format_exc(
    limit: int | None = None,
    chain: bool = True,  # noqa: FBT001, FBT002
) -> str:
    """Return the exception that is being handled, as the interpreter would print it."""
    return "".join(format_exception(sys.exception(), limit=limit, chain=chain))


def print_exception(  # noqa: PLR0913, PLR0917 - the library's own arguments
    exc: object,
    /,
    value: object = None,
    tb: object = None,
    limit: int | None = None,
    file: Writable | None = None,
    chain: bool = True,  # noqa: FBT001, FBT002
) -> None:
    """Print an exception, to the run's log when no file is given."""
    text = "".join(format_exception(exc, value, tb, limit, chain))
    (CONSOLE if file is None else file).write(text)


def print_exc(
    limit: int | None = None,
    file: Writable | None = None,
    chain: bool = True,  # noqa: FBT001, FBT002
) -> None:
    """Print the exception that is being handled, to the run's log when no file is given."""
    print_exception(sys.exception(), limit=limit, file=file, chain=chain)
