"""The event loop of a guest, which waits on the bridge and on nothing else.

asyncio's own loops open a selector and a pair of sockets, which a guest may not, and cost two
system calls for each wait. This one blocks in the `recv` of the bridge itself.
"""

from __future__ import annotations

import asyncio
import heapq
from collections import deque
from collections.abc import Callable, Coroutine
from typing import Any, Final, Protocol

from codemode_guest.deadlock import deadlock
from codemode_guest.world.awaiting import HidesFutures

# A wait beyond this is not representable in select(2) on every platform; the loop just wakes.
_LONGEST_WAIT_S: Final = 86_400.0
#: So many cancelled timers are not worth the sweep.
_FEW_TIMERS: Final = 100


class FrameSource(Protocol):
    """What the loop waits on: a `Bridge`, or what stands in for one."""

    def receive(self, timeout_s: float | None) -> list[object]:
        """Return the frames that have come; see `Bridge.receive`."""


class GuestLoop(HidesFutures):
    """Runs the program's tasks and hands each frame from the host to one receiver.

    Args:
        source: Where frames come from.
        receiver: Called with each frame, within the loop.
        can_hear: Whether a frame could still come. If none can, and there is nothing else to
            wait for, the loop ends with a `DeadlockError` instead of waiting for ever.
    """

    # What asyncio's base class keeps, and its type stubs do not tell.
    _ready: deque[asyncio.Handle]
    _scheduled: list[asyncio.TimerHandle]
    _stopping: bool
    _timer_cancelled_count: int

    def __init__(
        self,
        source: FrameSource,
        receiver: Callable[[object], None],
        can_hear: Callable[[], bool] = lambda: True,
    ) -> None:
        super().__init__()
        self._source_ = source
        self._receiver_ = receiver
        self._can_hear_ = can_hear
        self._main_: asyncio.Future[Any] | None = None
        # What asyncio would log of a lost task names our internals, and nobody reads it.
        self.set_exception_handler(lambda _loop, _context: None)

    def run_nested(self, coroutine: Coroutine[Any, Any, object]) -> object:
        """Run a coroutine to its end from within a callback of this very loop.

        `asyncio.run(main())` at the top of a program is this. Other tasks go on meanwhile; the
        calling one stands still.
        """
        task = self.create_task(coroutine)
        outer_main, self._main_ = self._main_, task
        outer = asyncio.current_task(self)
        if outer is not None:
            asyncio.tasks._leave_task(self, outer)
        try:
            while not task.done():
                self._run_once()
        finally:
            self._main_ = outer_main
            if outer is not None:
                asyncio.tasks._enter_task(self, outer)
        return task.result()

    def run_until_complete(self, future: Any) -> Any:  # noqa: ANN401 - as asyncio has it
        """Run a coroutine or a future to its end; see asyncio."""
        self._main_ = asyncio.ensure_future(future, loop=self)
        return super().run_until_complete(self._main_)

    def _run_once(self) -> None:
        """Wait for what is due next, then run what is ready.

        Overrides the private method that `run_forever` repeats. Unlike asyncio's, it bears
        being entered again from a callback: a nested turn may have emptied the queue.
        """
        wait_s = self._wait_s()
        if wait_s is None and not self._can_hear_():
            raise deadlock(self._main_, asyncio.all_tasks(self))
        for frame in self._source_.receive(wait_s):
            self._receiver_(frame)
        scheduled, ready = self._scheduled, self._ready
        now = self.time()
        while scheduled and scheduled[0].when() <= now:
            timer = heapq.heappop(scheduled)
            timer._scheduled = False  # type: ignore[attr-defined]  # asyncio's mark
            ready.append(timer)
        for _ in range(len(ready)):
            if not ready:
                break
            handle = ready.popleft()
            if not handle._cancelled:
                handle._run()

    def _wait_s(self) -> float | None:
        """How long there is nothing to do; None when only a frame can change that."""
        scheduled = self._scheduled
        if self._timer_cancelled_count > max(_FEW_TIMERS, len(scheduled) // 2):
            self._forget_cancelled_timers()
        while scheduled and scheduled[0]._cancelled:
            heapq.heappop(scheduled)._scheduled = False  # type: ignore[attr-defined]
            self._timer_cancelled_count -= 1
        if self._ready or self._stopping:
            return 0
        if scheduled:
            return min(max(0.0, scheduled[0].when() - self.time()), _LONGEST_WAIT_S)
        return None

    def _forget_cancelled_timers(self) -> None:
        """Drop them from the heap, where one behind a live timer would stay until that is due."""
        for timer in self._scheduled:
            timer._scheduled = not timer._cancelled  # type: ignore[attr-defined]
        self._scheduled[:] = [timer for timer in self._scheduled if not timer._cancelled]
        heapq.heapify(self._scheduled)
        self._timer_cancelled_count = 0

    # asyncio calls these two; there is no other thread to wake and no selector to ask.
    def _write_to_self(self) -> None:
        pass

    def _process_events(self, event_list: object) -> None:
        pass
