"""Where printed text goes: to the run's log, or for a while to a file of the program's own."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Final, Protocol, TypeVar

from codemode_guest.world.sealed import Sealed


class Writable(Protocol):
    """What `print(file=...)` needs of a file."""

    def write(self, text: str, /) -> object:
        """Take some text."""


_File = TypeVar("_File", bound=Writable)


class _Stream(threading.local):
    """Where text goes, in each thread for itself: a process has one program, a test many."""

    def __init__(self) -> None:
        self.output: Callable[[str], None] | None = None
        self.files: list[Writable] = []


_STREAM: Final = _Stream()


def write(text: str) -> None:
    """Write to the innermost redirection, else to the log.

    Raises:
        TypeError: If it is no text.
    """
    if not issubclass(type(text), str):
        raise TypeError(f"write() argument must be str, not {type(text).__name__}")
    # A subclass could say of itself how long it is, and be asked for its parts.
    text = str.__str__(text)
    if _STREAM.files:
        _STREAM.files[-1].write(text)
    elif _STREAM.output is not None:
        _STREAM.output(text)


class Console(Sealed):
    """The standard output of a program. It has no attribute that leads to the host's side."""

    __slots__ = ()

    def write(self, text: str) -> int:
        """Write some text; how much that was."""
        write(text)
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        """Write several texts."""
        for line in lines:
            self.write(line)

    def flush(self) -> None:
        """Do nothing: what is written is on its way."""

    def isatty(self) -> bool:
        """Whether somebody reads along: nobody does."""
        return False


CONSOLE: Final = Console()


def connect(output: Callable[[str], None]) -> None:
    """Send what this thread writes from now on to `output`."""
    _STREAM.output = output
    _STREAM.files = []


@contextmanager
def redirected(file: _File) -> Iterator[_File]:
    """Send what is written meanwhile to a file of the program's own."""
    _STREAM.files.append(file)
    try:
        yield file
    finally:
        _STREAM.files.pop()
