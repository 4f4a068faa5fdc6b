"""What is told of a program in which every task waits for another, or for nothing at all."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from types import FrameType, TracebackType
from typing import Any, Final

from codemode_guest.frames import FILENAME

_MAX_LINES: Final = 10


class DeadlockError(RuntimeError):
    """The program waits for what nothing can bring."""


def deadlock(main: asyncio.Future[Any] | None, tasks: set[asyncio.Task[Any]]) -> DeadlockError:
    """Return the error for a program that waits for ever, with the traceback of where it does.

    Args:
        main: What the loop was to run.
        tasks: All that have not ended.
    """
    lines = sorted({line for task in tasks - {main} if (line := _line(task)) is not None})
    others = ", ".join(f"line {line}" for line in lines[:_MAX_LINES])
    error = DeadlockError(
        "this waits for ever: no call is unanswered, no timer runs and no other task can go on"
        + (f" (other tasks wait at {others})" if others else "")
    )
    frames = list(_frames(main)) if isinstance(main, asyncio.Task) else []
    traceback: TracebackType | None = None
    for frame in reversed(frames):
        traceback = TracebackType(traceback, frame, frame.f_lasti, frame.f_lineno or 0)
    return error.with_traceback(traceback)


def _line(task: asyncio.Task[Any]) -> int | None:
    """The innermost line of the program at which a task waits."""
    found = [frame.f_lineno for frame in _frames(task) if frame.f_code.co_filename == FILENAME]
    return found[-1] if found else None


def _frames(task: asyncio.Task[Any]) -> Iterator[FrameType]:
    """Yield the frames of what a task awaits, outermost first."""
    awaited: Any = task.get_coro()
    # What a task drives may stand for the program's own coroutine.
    awaited = getattr(awaited, "_coroutine", awaited)
    while awaited is not None:
        frame, inner = None, None
        for kind, onward in (("cr", "await"), ("gi", "yieldfrom"), ("ag", "await")):
            frame = getattr(awaited, f"{kind}_frame", None)
            if frame is not None:
                inner = getattr(awaited, f"{kind}_{onward}", None)
                yield frame
                break
        awaited = inner
