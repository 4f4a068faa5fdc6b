"""The last words of a server: its standard error, read to the end and mostly thrown away."""

from __future__ import annotations

import contextlib
import logging
import os
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final, TextIO

import anyio

_KEPT_LINES: Final = 20
_READ_BYTES: Final = 65_536
# A line without an end is cut there, so that a flood of it takes no memory.
_MAX_LINE_CHARS: Final = 2_000
# For what a server writes as it dies, after the pipe of its answers has closed already.
_LAST_WORDS_S: Final = 0.2


class StderrTail:
    """Keeps the last lines of what a server writes, and passes each to the log at DEBUG."""

    def __init__(self, logger: logging.Logger) -> None:
        self._logger = logger
        self._lines: deque[str] = deque(maxlen=_KEPT_LINES)
        self._rest = ""

    @property
    def text(self) -> str:
        """The last lines."""
        return "\n".join([*self._lines, self._rest] if self._rest else self._lines)

    def take(self, text: str) -> None:
        """Add what was read."""
        *lines, rest = (self._rest + text).split("\n")
        self._rest = rest[:_MAX_LINE_CHARS]
        for line in lines:
            self._lines.append(line[:_MAX_LINE_CHARS])
            self._logger.debug("%s", line[:_MAX_LINE_CHARS])


@asynccontextmanager
async def collected(tail: StderrTail) -> AsyncIterator[TextIO]:
    """Yield a file for a server's standard error, all of which goes to `tail`."""
    reading, writing = os.pipe()
    os.set_blocking(reading, False)
    with contextlib.ExitStack() as files:
        files.callback(os.close, reading)
        sink = files.enter_context(os.fdopen(writing, "w"))
        async with anyio.create_task_group() as tasks:
            ended = anyio.Event()
            tasks.start_soon(_collect, reading, tail, ended)
            try:
                yield sink
            finally:
                sink.close()
                with anyio.move_on_after(_LAST_WORDS_S, shield=True):
                    await ended.wait()
                tasks.cancel_scope.cancel()


async def _collect(reading: int, tail: StderrTail, ended: anyio.Event) -> None:
    try:
        while True:
            await anyio.wait_readable(reading)
            chunk = os.read(reading, _READ_BYTES)
            if not chunk:
                return
            tail.take(chunk.decode(errors="replace"))
    finally:
        ended.set()
