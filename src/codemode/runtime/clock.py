"""The wall clock of a run, which stands still while a person is asked."""

from __future__ import annotations

import time
from contextlib import asynccontextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable


class RunClock:
    """Tells how long a run has run and how long it was parked. Seconds throughout.

    Args:
        now: A clock that only goes forward.
        on_change: Called when the run is parked or goes on, so that whoever waits for a
            deadline can work it out anew.
    """

    def __init__(
        self,
        now: Callable[[], float] = time.monotonic,
        on_change: Callable[[], object] = lambda: None,
    ) -> None:
        self._now = now
        self._on_change = on_change
        self._started = now()
        self._parked_s = 0.0
        self._parked_since = 0.0
        self._waits = 0

    @property
    def parked(self) -> bool:
        """Whether at least one binding waits for a person now."""
        return self._waits > 0

    def parked_s(self) -> float:
        """Seconds parked so far, an open wait included."""
        return self._parked_s + (self._now() - self._parked_since if self._waits else 0.0)

    def elapsed_s(self) -> float:
        """Seconds since the start, parked time included."""
        return self._now() - self._started

    def running_s(self) -> float:
        """Seconds since the start, less the parked ones."""
        return self.elapsed_s() - self.parked_s()

    def park(self) -> None:
        """Stop the clock; waits nest and overlap, and the last to end lets it go on."""
        if not self._waits:
            self._parked_since = self._now()
        self._waits += 1
        self._on_change()

    def go_on(self) -> None:
        """End one wait."""
        self._waits -= 1
        if not self._waits:
            self._parked_s += self._now() - self._parked_since
        self._on_change()


#: The clock of the run whose binding executes in this context; set by backends.
current_clock: ContextVar[RunClock | None] = ContextVar("codemode_run_clock", default=None)


@asynccontextmanager
async def waiting_for_person() -> AsyncIterator[None]:
    """Stop the run's wall clock while the block waits for somebody's decision.

    For use inside a binding. Compute goes on counting, so a hot loop beside the wait is still
    stopped, and all such waits of a run together last at most `max_parked_ms`. Outside a run
    there is no clock to stop and the block runs as it is.
    """
    clock = current_clock.get()
    if clock is None:
        yield
        return
    clock.park()
    try:
        yield
    finally:
        clock.go_on()
