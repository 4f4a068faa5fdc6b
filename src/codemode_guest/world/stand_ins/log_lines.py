"""What is written of one log message, and the settings that decide it."""

from __future__ import annotations

import logging as original
import sys
import time
from collections.abc import Mapping
from types import CodeType, FrameType
from typing import Any, Final

from codemode_guest.frames import FILENAME
from codemode_guest.policy.body import MAIN
from codemode_guest.world.console import CONSOLE
from codemode_guest.world.stand_ins.tracebacks import format_exception

_DATE_FORMAT: Final = "%Y-%m-%d %H:%M:%S"


class Shape:
    """How and where messages are written: what a handler is to the library."""

    __slots__ = ("date_format", "file", "format")

    def __init__(self) -> None:
        # Until it is configured, the library prints the bare message.
        self.format = "%(message)s"
        self.date_format: str | None = None
        self.file: Any = CONSOLE


class Settings(Shape):
    """What `basicConfig` and `disable` set for all loggers."""

    __slots__ = ("configured", "disabled", "used")

    def __init__(self) -> None:
        super().__init__()
        self.configured = False
        self.disabled = 0
        # Not when the root has handlers of the program's own instead.
        self.used = True


SETTINGS: Final = Settings()


def write(
    shape: Shape, fields: Mapping[str, object], *, exc_info: object, extra: Mapping[str, object]
) -> None:
    """Write one message, with the exception that belongs to it.

    Args:
        shape: How, and where to.
        fields: What `fields_of` says of the message.
        exc_info: The exception, or what stands for the one that is being handled.
        extra: What the program adds.
    """
    error = _error(exc_info)
    after = "" if error is None else "".join(format_exception(error))
    created = time.localtime(float(str(fields["created"])))
    date = time.strftime(shape.date_format or _DATE_FORMAT, created)
    asctime = date if shape.date_format else f"{date},{fields['msecs']:03d}"
    shape.file.write(f"{shape.format % {**extra, **fields, 'asctime': asctime}}\n{after}")


def merged(msg: object, args: tuple[object, ...]) -> str:
    """Put the arguments of a message into its `%` places."""
    # A mapping as the only argument feeds `%(name)s`.
    values: Any = args[0] if len(args) == 1 and isinstance(args[0], dict) and args[0] else args
    return str(msg) % values if args else str(msg)


def level_number(level: int | str) -> int:
    """Return the number of a level.

    Raises:
        ValueError: If no level has that name.
    """
    number = original.getLevelName(level) if isinstance(level, str) else level
    if not isinstance(number, int):
        raise ValueError(f"Unknown level: {level!r}")  # noqa: TRY004 - as `logging` does
    return number


def fields_of(name: str, level: int, message: str) -> dict[str, object]:
    """Say what there is to say of a message, by the names that formats use."""
    now = time.time()
    milliseconds = int(now % 1 * 1000)
    code, line = _place()
    return {
        "message": message,
        "name": name,
        "levelno": level,
        "levelname": original.getLevelName(level),
        "created": now,
        "msecs": milliseconds,
        "relativeCreated": time.process_time() * 1000,
        "module": "program",
        "filename": FILENAME,
        "pathname": FILENAME,
        "funcName": "<module>" if code is None or code.co_name == MAIN else code.co_name,
        "lineno": line,
        "process": 1,
        "processName": "MainProcess",
        "thread": 1,
        "threadName": "MainThread",
        "taskName": None,
    }


def _place() -> tuple[CodeType | None, int]:
    """Return where in the program the call of the logger stands."""
    frame: FrameType | None = sys._getframe()  # noqa: SLF001 - public, by its documentation
    while frame is not None and frame.f_code.co_filename != FILENAME:
        frame = frame.f_back
    return (frame.f_code, frame.f_lineno) if frame else (None, 0)


def _error(exc_info: object) -> object:
    """Return the exception that `exc_info` stands for."""
    if isinstance(exc_info, tuple):
        return exc_info[1]
    if isinstance(exc_info, BaseException) or not exc_info:
        return exc_info or None
    return sys.exception()
