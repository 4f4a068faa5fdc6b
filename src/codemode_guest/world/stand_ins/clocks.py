"""Stand-ins for what `time` says of CPU time and of the system's clocks."""

from __future__ import annotations

import time

# A process has one thread, so its time is the thread's. Under a limit of CPU time the kernel
# keeps the clock of a process only as fine as its ticks.
process_time = time.thread_time
process_time_ns = time.thread_time_ns


def clock_gettime(clock: int) -> float:
    """Return the time of a clock of the system's.

    Raises:
        OSError: If it is the clock of a process, which negative numbers are.
    """
    return time.clock_gettime(_checked(clock))


def clock_gettime_ns(clock: int) -> int:
    """Return the time of a clock of the system's, in nanoseconds.

    Raises:
        OSError: As `clock_gettime` does.
    """
    return time.clock_gettime_ns(_checked(clock))


def _checked(clock: int) -> int:
    number = int(clock)
    if number < 0:
        raise OSError("the clocks of processes are not available; write time.process_time()")
    return number
