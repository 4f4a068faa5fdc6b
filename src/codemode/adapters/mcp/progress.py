"""How a run goes on, told to a client as it does."""

from __future__ import annotations

from contextlib import suppress
from typing import Final

import anyio
from anyio.abc import TaskGroup
from anyio.streams.memory import MemoryObjectReceiveStream
from mcp.server import ServerRequestContext

from codemode.session import Entry, RunPrinted, SubCallSettled, SubCallStarted, ToolProgressed

# What a slow client has not been told by then it is not told: a run waits for nobody.
_MAX_UNTOLD: Final = 100
_MAX_PROGRESS_CHARS: Final = 200

Context = ServerRequestContext[object]


class RunProgress:
    """Tells a client how a run goes on, as MCP has it: a number that grows, and a line."""

    def __init__(self, call_id: str, tasks: TaskGroup, context: Context) -> None:
        self._call_id = call_id
        self._sent, received = anyio.create_memory_object_stream[str](_MAX_UNTOLD)
        tasks.start_soon(self._tell, received, context)

    def see(self, entry: Entry) -> None:
        """Take an event of the session; of other runs, none."""
        match entry.event:
            case RunPrinted(call_id=self._call_id, text=text):
                words = text
            case SubCallStarted(root_id=self._call_id, tool=tool):
                words = f"{tool} …"
            case ToolProgressed(call_id=call_id) as told if self._is_of_run(call_id):
                words = told.message or f"{told.progress:g} of {told.total or '?'}"
            case SubCallSettled(tool=tool, is_error=is_error) as settled if (
                settled.parent_id == self._call_id
            ):
                words = f"{tool} {'failed' if is_error else 'done'}"
            case _:
                return
        # Nobody listens any more to a call that was cancelled.
        with suppress(anyio.WouldBlock, anyio.BrokenResourceError):
            self._sent.send_nowait(words[:_MAX_PROGRESS_CHARS])

    def _is_of_run(self, call_id: str) -> bool:
        return call_id == self._call_id or call_id.startswith(f"{self._call_id}:code:")

    def close(self) -> None:
        """Say no more; what was said already is still told."""
        self._sent.close()

    @staticmethod
    async def _tell(received: MemoryObjectReceiveStream[str], context: Context) -> None:
        async with received:
            number = 0
            async for words in received:
                number += 1
                await context.session.report_progress(number, message=words)
