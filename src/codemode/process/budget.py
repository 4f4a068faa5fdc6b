"""The clocks of one run, and when each of its budgets is used up."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import anyio

from codemode.runtime import RunClock

if TYPE_CHECKING:
    from collections.abc import Callable

    from codemode.process.config import ProcessRuntimeConfig
    from codemode.process.guest import Guest

#: How soon to look again at a CPU clock that could not be read yet.
_CLOCK_RETRY_S: Final = 0.05
_SHORTEST_WAIT_S: Final = 0.001


class BudgetWatch:
    """Tells when to look at the clocks of a run, and which of its budgets has run out.

    Args:
        config: The budgets.
        guest: Whose CPU clock counts.
        reading_ns: What the host has spent on reading what the program said, which counts too.
        on_change: Called when `due` has changed.

    Attributes:
        clock: The wall clock.
    """

    def __init__(
        self,
        config: ProcessRuntimeConfig,
        guest: Guest,
        reading_ns: Callable[[], int],
        on_change: Callable[[], object],
    ) -> None:
        self.clock = RunClock(anyio.current_time, on_change)
        self._config = config
        self._guest = guest
        self._reading_ns = reading_ns
        self._cpu_at_start_ns: int | None = None
        self._looked_at = anyio.current_time()
        self._compute_left_s = config.compute_ms / 1000

    @property
    def begun(self) -> bool:
        """Whether the guest has lived to tell that it is ready."""
        return self._cpu_at_start_ns is not None

    def begin(self, cpu_ns: int) -> None:
        """Take the CPU time that was used before the program came."""
        self._cpu_at_start_ns = cpu_ns

    def due(self) -> float:
        """When the next budget could be used up, on the clock of the event loop."""
        config, clock, now = self._config, self.clock, anyio.current_time()
        if clock.parked:
            due = now + config.max_parked_ms / 1000 - clock.parked_s()
        else:
            due = now + config.max_wall_ms / 1000 - clock.running_s()
        # A single thread cannot use CPU time faster than time passes, so until the rest of its
        # budget has passed there is nothing to see.
        return min(due, self._looked_at + self._compute_left_s)

    def expired(self) -> str | None:
        """Look at the clocks and name the budget that has run out, if one has."""
        config, clock = self._config, self.clock
        if clock.parked_s() >= config.max_parked_ms / 1000:
            return "max_parked_ms"
        if clock.running_s() >= config.max_wall_ms / 1000:
            return "max_wall_ms"
        used_ns = self._used_ns(self._guest.cpu_now_ns())
        self._looked_at = anyio.current_time()
        if used_ns is None:
            self._compute_left_s = _CLOCK_RETRY_S
            return None
        left_ns = config.compute_ms * 1_000_000 - used_ns
        self._compute_left_s = max(left_ns / 1e9, _SHORTEST_WAIT_S)
        return "compute_ms" if left_ns <= 0 else None

    def compute_ms(self) -> float | None:
        """What the program has used, now that it has ended; None if that is not known."""
        used_ns = self._used_ns(self._guest.cpu_ns)
        return None if used_ns is None else max(0, used_ns) / 1e6

    def _used_ns(self, cpu_ns: int | None) -> int | None:
        if cpu_ns is None or self._cpu_at_start_ns is None:
            return None
        return cpu_ns - self._cpu_at_start_ns + self._reading_ns()
