"""Reading the frames of a guest: small ones at once, large ones without holding up other runs.

A frame of many tiny containers takes a hundred times its bytes in memory and, read by `json`, a
second of the event loop for each few MiB. So its parts are counted first, which is cheap, and what
is large is read in a thread, by a reader that lets other threads have their turn.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final

import anyio
import anyio.to_thread

from codemode.process.conversation import ProtocolViolationError
from codemode_guest import values
from codemode_guest.frames import ENVELOPE_PARTS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from codemode.process.event_loop import Tasks

_SMALL_BYTES: Final = 2**16
#: Parts that `json` reads within a few milliseconds; it holds up other threads meanwhile.
_FEW_PARTS: Final = 2**16
_MAX_DEPTH: Final = values.MAX_DEPTH + values.FRAME_LEVELS


def is_small(body: bytes) -> bool:
    """Whether a frame is read within a few milliseconds, whatever it holds."""
    return len(body) <= _SMALL_BYTES


class FrameReader:
    """Reads the bodies of one run's frames, one at a time.

    Args:
        max_parts: The most values within values of one frame.
        tasks: Where the thread is waited for.
        threads: Of all runs together. One is enough: more would share the interpreter lock with
            each other, and leave less of it to the event loop.

    Attributes:
        cpu_ns: What reading in threads has taken so far.
    """

    def __init__(self, max_parts: int, tasks: Tasks, threads: anyio.CapacityLimiter) -> None:
        self.cpu_ns = 0
        self._max_parts = max_parts
        self._tasks = tasks
        self._threads = threads
        self._large: _LargeFrame | None = None

    def read(self, body: bytes) -> Sequence[object]:
        """Return the items of a small frame, all of it lossless.

        Raises:
            ProtocolViolationError: If it is not JSON, not a list, lossy, or of too many parts.
        """
        # No part is shorter than a byte.
        if len(body) > self._max_parts:
            _refuse_many(body, self._max_parts)
        return items_of(body)

    async def read_large(self, body: bytes) -> Sequence[object]:
        """Return the items of any frame, as `read` does.

        A wait that was cancelled goes on when the same body is given again.
        """
        if self._large is None:
            self._large = _LargeFrame(body, self._max_parts)
            self._tasks.start(self._large.read(self._threads))
        await self._large.ended.wait()
        large, self._large = self._large, None
        self.cpu_ns += large.cpu_ns
        if large.violation is not None:
            raise large.violation
        return large.items

    def stop(self) -> None:
        """Have a reading that nobody waits for any longer end soon."""
        if self._large is not None:
            self._large.stop()


class _LargeFrame:
    """One frame that is read in a thread."""

    def __init__(self, body: bytes, max_parts: int) -> None:
        self.ended = anyio.Event()
        self.cpu_ns = 0
        self.items: Sequence[object] = ()
        self.violation: ProtocolViolationError | None = None
        self._body = body
        self._max_parts = max_parts
        self._reader: values.GentleReader | None = None
        self._stopped = False
        self._waiting = anyio.CancelScope()

    async def read(self, threads: anyio.CapacityLimiter) -> None:
        """Read it, then say so, unless it is stopped."""
        with self._waiting:
            try:
                await anyio.to_thread.run_sync(self._read, abandon_on_cancel=True, limiter=threads)
            except (MemoryError, RuntimeError):
                self.violation = ProtocolViolationError(
                    "a frame that the host has no thread to read"
                )
            self.ended.set()

    def stop(self) -> None:
        self._stopped = True
        self._waiting.cancel()
        if self._reader is not None:
            self._reader.stop()

    def _read(self) -> None:
        started_ns = time.thread_time_ns()
        try:
            self.items = self._read_bounded()
        except ProtocolViolationError as error:
            self.violation = error
        self.cpu_ns = time.thread_time_ns() - started_ns

    def _read_bounded(self) -> Sequence[object]:
        _refuse_many(self._body, self._max_parts)
        few = values.most_parts(self._body) <= _FEW_PARTS
        return items_of(self._body, values.decode if few else self._decode_gently)

    def _decode_gently(self, body: bytes) -> object:
        self._reader = values.GentleReader(body.decode())
        # Whoever stops this has set the flag before looking for the reader.
        if self._stopped:
            self._reader.stop()
        return self._reader.document()


def _refuse_many(body: bytes, max_parts: int) -> None:
    if values.has_more_parts(body, max_parts + ENVELOPE_PARTS):
        raise ProtocolViolationError(f"a frame of over {max_parts} parts (max_frame_parts)")


def items_of(body: bytes, decode: Callable[[bytes], object] = values.decode) -> Sequence[object]:
    """Return the items of a frame, all of it lossless.

    Raises:
        ProtocolViolationError: If it is not JSON, not a list, or lossy.
    """
    try:
        frame = decode(body)
        values.refuse_lossy(frame, max_depth=_MAX_DEPTH)
    except values.LossyValueError as error:
        raise ProtocolViolationError(f"a value that is not lossless: {error}") from None
    except ValueError as error:
        raise ProtocolViolationError(f"a frame that is not JSON: {error}") from None
    except MemoryError:
        raise ProtocolViolationError("a frame that the host has no memory to read") from None
    if type(frame) is not list or not frame:
        raise ProtocolViolationError("a frame that is not a list")
    return frame
