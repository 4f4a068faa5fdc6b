"""The CPU time of another process, as cheaply as the system tells it."""

from __future__ import annotations

import sys
import time
from typing import Final

import psutil

# A process's CPU clock has an id made of its number. Source: the kernel's
# include/linux/posix-timers.h, MAKE_PROCESS_CPUCLOCK; glibc's clock_getcpuclockid(3) does this.
_CPUCLOCK_SCHED: Final = 2


def process_cpu_ns(pid: int) -> int | None:
    """Return the CPU time that a process has used, user plus system; None when it is gone.

    Under a microsecond on Linux; elsewhere psutil asks, in some 20 µs.
    """
    if sys.platform == "linux":
        try:
            return time.clock_gettime_ns((~pid << 3) | _CPUCLOCK_SCHED)
        except OSError:
            return None
    try:
        times = psutil.Process(pid).cpu_times()
    except psutil.Error:
        return None
    return int((times.user + times.system) * 1e9)


def pid_behind(pidfd: int) -> int | None:
    """Return the number that this process knows the process behind a pidfd by.

    None when it has been reaped, or is of another namespace.
    """
    try:
        with open(f"/proc/self/fdinfo/{pidfd}", encoding="ascii") as info:
            found = [line.split()[1] for line in info if line.startswith("Pid:")]
    except OSError:
        return None
    pid = int(found[0]) if found else -1
    return pid if pid > 0 else None
