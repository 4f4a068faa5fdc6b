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


class Settings:
    """What `basicConfig` and `disable` set for all loggers."""

    __slots__ = ("configured", "date_format", "disabled", "file", "format")

    def __init__(self) -> None:
        self.configured = False
        # Until it is configured, the library prints the bare message.
        self.format = "%(message)s"
        self.date_format: str | None = None
        self.disabled = 0
        self.file: Any = CONSOLE


SETTINGS: Final = Settings()


def write(
    name: str, level: int, message: str, *, exc_info: object, extra: Mapping[str, object]
) -> None:
    """Write one message, with the exception that belongs to it."""
    fields = {**extra, **_fields(name, level), "message": message}
    error = _error(exc_info)
    after = "" if error is None else "".join(format_exception(error))
    SETTINGS.file.write(f"{SETTINGS.format % fields}\n{after}")


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


def _fields(name: str, level: int) -> dict[str, object]:
    now = time.time()
    milliseconds = int(now % 1 * 1000)
    date = time.strftime(SETTINGS.date_format or _DATE_FORMAT, time.localtime(now))
    code, line = _place()
    return {
        "name": name,
        "levelno": level,
        "levelname": original.getLevelName(level),
        "asctime": date if SETTINGS.date_format else f"{date},{milliseconds:03d}",
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
