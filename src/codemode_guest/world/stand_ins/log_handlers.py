"""For `logging`: handlers, which write to the run's log or to a file of the program's own."""

from __future__ import annotations

import logging as original
from typing import Any

from codemode_guest.world.console import CONSOLE
from codemode_guest.world.stand_ins.log_lines import Shape, level_number


class Formatter:
    """How a message is shown."""

    __slots__ = ("datefmt", "format")

    def __init__(
        self, fmt: str | None = None, datefmt: str | None = None, style: str = "%"
    ) -> None:
        if style != "%":
            raise ValueError("the style of a Formatter is '%', as in '%(levelname)s %(message)s'")
        self.format = "%(message)s" if fmt is None else fmt
        self.datefmt = datefmt


class Handler:
    """What writes messages; `StreamHandler` is the one that there is."""

    __slots__ = ("formatter", "level", "shape")

    def __init__(self, stream: Any = None) -> None:  # noqa: ANN401 - whatever has a `write`
        self.level = original.NOTSET
        self.formatter: Formatter | None = None
        self.shape = Shape()
        self.shape.file = CONSOLE if stream is None else stream

    def setFormatter(self, fmt: Formatter | None) -> None:  # noqa: N802
        """Show messages in this way from now on."""
        self.formatter = fmt
        formatter = Formatter() if fmt is None else fmt
        self.shape.format, self.shape.date_format = formatter.format, formatter.datefmt

    def setLevel(self, level: int | str) -> None:  # noqa: N802
        """Write what is at least this important."""
        self.level = level_number(level)

    def take_format(self, shape: Shape) -> None:
        """Show messages as others are, unless a formatter was set."""
        if self.formatter is None:
            self.shape.format, self.shape.date_format = shape.format, shape.date_format

    def flush(self) -> None:
        """Do nothing: what is written is on its way."""

    def close(self) -> None:
        """Do nothing: there is nothing to close."""


class StreamHandler(Handler):
    """Writes messages to the run's log, or to what it is given."""

    __slots__ = ()


class NullHandler(Handler):
    """Writes nothing."""

    __slots__ = ()

    def __init__(self) -> None:
        super().__init__()
        self.level = _NEVER


#: Above every level that a message may have.
_NEVER = 2**31
