"""Clocks of the system's are read, those of processes are not."""

from __future__ import annotations

import os
import time

import pytest

from codemode_guest.world.stand_ins import clocks


def test_the_clock_of_a_process_is_refused() -> None:
    """A negative number is the clock of any process that there is."""
    for read in (clocks.clock_gettime, clocks.clock_gettime_ns):
        with pytest.raises(OSError, match="process_time"):
            read((~os.getpid() << 3) | 2)


def test_clocks_of_the_system_are_read() -> None:
    """They only go forward."""
    before = time.monotonic_ns()

    assert before <= clocks.clock_gettime_ns(time.CLOCK_MONOTONIC) <= time.monotonic_ns()
    assert clocks.clock_gettime(time.CLOCK_MONOTONIC) > 0


def test_process_time_is_the_time_of_the_one_thread() -> None:
    """It is in nanoseconds and seconds of the same clock."""
    before = clocks.process_time_ns()

    assert before <= clocks.process_time() * 1e9 <= clocks.process_time_ns()
