"""For `logging`: loggers whose one handler is the run's log."""

from __future__ import annotations

import logging as original
from collections.abc import Iterable, Mapping
from functools import cache
from types import MappingProxyType
from typing import Any, Final

from codemode_guest.world.console import CONSOLE
from codemode_guest.world.stand_ins.log_handlers import Handler
from codemode_guest.world.stand_ins.log_lines import (
    SETTINGS,
    Shape,
    fields_of,
    level_number,
    merged,
    write,
)


class Logger:
    """A named logger; a name's logger inherits the level of the name before its last dot."""

    __slots__ = ("disabled", "handlers", "level", "name", "parent", "propagate")

    def __init__(self, name: str, level: int | str = original.NOTSET) -> None:
        self.name = name
        self.level = level_number(level)
        self.parent: Logger | None = None
        self.disabled = False
        self.handlers: list[Handler] = []
        self.propagate = True

    def __repr__(self) -> str:
        return f"<Logger {self.name} ({getLevelName(self.getEffectiveLevel())})>"

    def setLevel(self, level: int | str) -> None:  # noqa: N802
        """Let through what is at least this important."""
        self.level = level_number(level)

    def getEffectiveLevel(self) -> int:  # noqa: N802
        """Return the level of this logger, or of the nearest above that has one."""
        logger: Logger | None = self
        while logger is not None:
            if logger.level:
                return logger.level
            logger = logger.parent
        return original.NOTSET

    def isEnabledFor(self, level: int) -> bool:  # noqa: N802
        """Whether a message of this level would be written."""
        return not self.disabled and SETTINGS.disabled < level >= self.getEffectiveLevel()

    def getChild(self, suffix: str) -> Logger:  # noqa: N802
        """Return the logger of a name below this one's."""
        return getLogger(suffix if self is root else f"{self.name}.{suffix}")

    def hasHandlers(self) -> bool:  # noqa: N802
        """Whether messages go anywhere: always, to the run's log."""
        return True

    def addHandler(self, hdlr: Handler) -> None:  # noqa: N802
        """Write messages by a handler, too."""
        if not isinstance(hdlr, Handler):
            raise TypeError(f"a handler was expected, such as StreamHandler(), got {hdlr!r}")
        if hdlr not in self.handlers:
            self.handlers.append(hdlr)

    def removeHandler(self, hdlr: Handler) -> None:  # noqa: N802
        """Write messages by a handler no more."""
        if hdlr in self.handlers:
            self.handlers.remove(hdlr)

    def _shapes(self, level: int) -> list[Shape]:
        """Return how a message is written: by each handler of this logger and of those above."""
        logger: Logger | None = self
        handlers: list[Handler] = []
        while logger is not None:
            handlers += logger.handlers
            logger = logger.parent if logger.propagate else None
        shapes: list[Shape] = [handler.shape for handler in handlers if level >= handler.level]
        # The library's own handler: of the root when it is configured, else the last resort.
        used = SETTINGS.used and (SETTINGS.configured or not handlers)
        return [*shapes, SETTINGS] if used else shapes

    def debug(self, msg: object, *args: object, **options: Any) -> None:  # noqa: ANN401
        """Log for whoever looks for a fault."""
        self.log(original.DEBUG, msg, *args, **options)

    def info(self, msg: object, *args: object, **options: Any) -> None:  # noqa: ANN401
        """Log what happens as expected."""
        self.log(original.INFO, msg, *args, **options)

    def warning(self, msg: object, *args: object, **options: Any) -> None:  # noqa: ANN401
        """Log what was not expected, and is borne."""
        self.log(original.WARNING, msg, *args, **options)

    warn = warning

    def error(self, msg: object, *args: object, **options: Any) -> None:  # noqa: ANN401
        """Log what went wrong."""
        self.log(original.ERROR, msg, *args, **options)

    def exception(
        self,
        msg: object,
        *args: object,
        exc_info: object = True,
        **options: Any,  # noqa: ANN401
    ) -> None:
        """Log what went wrong, with the exception that is being handled."""
        self.log(original.ERROR, msg, *args, exc_info=exc_info, **options)

    def critical(self, msg: object, *args: object, **options: Any) -> None:  # noqa: ANN401
        """Log what ends the program."""
        self.log(original.CRITICAL, msg, *args, **options)

    fatal = critical

    def log(
        self,
        level: int,
        msg: object,
        *args: object,
        exc_info: object = None,
        extra: Mapping[str, object] | None = None,
        **_options: object,
    ) -> None:
        """Log at any level; `stack_info` and `stacklevel` make no difference."""
        if type(level) is not int:
            raise TypeError("level must be an integer")
        if self.isEnabledFor(level):
            fields = fields_of(self.name, level, merged(msg, args))
            for shape in self._shapes(level):
                write(shape, fields, exc_info=exc_info, extra=extra or {})


root: Final = Logger("root", original.WARNING)


def getLogger(name: str | None = None) -> Logger:  # noqa: N802
    """Return the logger of a name, always the same; without a name the one above all."""
    if not name or name == root.name:
        return root
    if type(name) is not str:
        raise TypeError("A logger name must be a string")
    return _logger(name)


@cache
def _logger(name: str) -> Logger:
    above, dot, _ = name.rpartition(".")
    logger = Logger(name)
    logger.parent = getLogger(above) if dot else root
    return logger


def basicConfig(  # noqa: N802, PLR0913 - the library's name and options
    *,
    format: str | None = None,  # noqa: A002
    datefmt: str | None = None,
    style: str = "%",
    level: int | str | None = None,
    stream: Any = None,  # noqa: ANN401 - whatever has a `write`
    force: bool = False,
    handlers: Iterable[Handler] | None = None,
    **options: object,
) -> None:
    """Set the level and the shape of what is logged; the second time only with `force`."""
    if options.get("filename") is not None:
        raise ValueError("there are no log files; leave out filename")
    if style != "%":
        raise ValueError("the style of format is '%', as in '%(levelname)s %(message)s'")
    if (SETTINGS.configured or root.handlers) and not force:
        return
    root.handlers.clear()
    SETTINGS.configured = True
    SETTINGS.format = original.BASIC_FORMAT if format is None else format
    SETTINGS.date_format = datefmt
    SETTINGS.file = CONSOLE if stream is None else stream
    SETTINGS.used = handlers is None
    for handler in handlers or ():
        root.addHandler(handler)
        handler.take_format(SETTINGS)
    if level is not None:
        root.setLevel(level)


def disable(level: int = original.CRITICAL) -> None:
    """Write nothing of this level or below."""
    SETTINGS.disabled = level


def getLevelName(level: int | str) -> int | str:  # noqa: N802
    """Return the name of a level, or the level of a name."""
    return original.getLevelName(level)


def _root_method(name: str) -> Any:  # noqa: ANN401 - a function of the same arguments
    method = getattr(Logger, name)

    def log(*args: object, **options: object) -> None:
        if not SETTINGS.configured and not root.handlers:
            basicConfig()
        method(root, *args, **options)

    log.__name__ = name
    return log


#: The functions of the module, which configure it at their first use.
ROOT_FUNCTIONS: Final = MappingProxyType(
    {
        name: _root_method(name)
        for name in (
            "critical",
            "debug",
            "error",
            "exception",
            "fatal",
            "info",
            "log",
            "warn",
            "warning",
        )
    }
)
