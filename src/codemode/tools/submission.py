"""One call of a program, from the moment when it was submitted."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Final, cast

from codemode.runtime import ABSENT
from codemode.tools.definition import ToolCall, ToolDefinition
from codemode.tools.lane import Lane, Place
from codemode_guest.values import decode

_log: Final = logging.getLogger("codemode.tools")


@dataclass(slots=True, kw_only=True, eq=False)
class Submission(Place):
    """A call of a program, and its place in the queue.

    Attributes:
        number: Its own, from 1, by the order of submission.
        tool: The tool, as it was when the program was told of it.
        sent: The arguments as they came.
        snapshot: The same, taken down.
        admitted: Where those are whose turn has come and whose task has not begun, in order.
        call: The call, once it is on record.
        fault: Why it could not be put on record.
        began_s: When it was, by `time.perf_counter`.
        value: What the program gets, once there is a result.
    """

    number: int
    tool: ToolDefinition
    sent: object
    snapshot: bytes
    admitted: dict[Submission, None]
    call: ToolCall | None = None
    fault: Exception | None = None
    began_s: float = 0.0
    value: object = ABSENT

    def turn_has_come(self) -> None:
        """See `Place`."""
        self.admitted[self] = None


def submitted(  # noqa: PLR0913, PLR0917 - what a call is submitted with
    lane: Lane,
    number: int,
    tool: ToolDefinition,
    sent: object,
    snapshot: bytes,
    admitted: dict[Submission, None],
) -> Submission:
    """Put a call into the queue of its program."""
    safe, key = tool.concurrency_safe, tool.resource_key
    read_safe = partial(_is_safe, safe, snapshot) if callable(safe) else None
    submission = Submission(
        lane=lane,
        key=_key_of(key, snapshot) if callable(key) else key,
        safe=safe is True if read_safe is None else read_safe(),
        read_safe=read_safe,
        number=number,
        tool=tool,
        sent=sent,
        snapshot=snapshot,
        admitted=admitted,
    )
    lane.join(submission)
    return submission


def _is_safe(safe: Callable[[dict[str, object]], object], snapshot: bytes) -> bool:
    """Whatever is not exactly `True`, and whatever cannot be told, is not safe."""
    try:
        return safe(cast("dict[str, object]", decode(snapshot))) is True
    except Exception:
        _log.debug("it could not be told whether a call is safe", exc_info=True)
        return False


def _key_of(key: Callable[[dict[str, object]], str], snapshot: bytes) -> str | None:
    """A key that cannot be told is that of everything."""
    try:
        return key(cast("dict[str, object]", decode(snapshot)))
    except Exception:
        _log.debug("it could not be told what a call works on", exc_info=True)
        return None
