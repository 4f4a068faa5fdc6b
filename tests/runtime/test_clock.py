"""The wall clock of a run stands still while a person is asked."""

from __future__ import annotations

from typing import Self

import pytest

from codemode.runtime import RunClock, current_clock, waiting_for_person


class FakeTime:
    """A clock that goes where it is put."""

    def __init__(self) -> None:
        self.now = 1_000.0

    def __call__(self) -> float:
        return self.now

    def __iadd__(self, seconds: float) -> Self:
        self.now += seconds
        return self


@pytest.fixture
def time() -> FakeTime:
    """Where the tests' time stands."""
    return FakeTime()


def readings(clock: RunClock) -> list[float]:
    """Elapsed, running and parked seconds."""
    return [clock.elapsed_s(), clock.running_s(), clock.parked_s()]


def test_a_clock_that_is_never_parked_runs_all_the_time(time: FakeTime) -> None:
    """It starts at zero, whatever the clock below says."""
    clock = RunClock(time)
    at_start = readings(clock)
    time += 3

    assert [0, 0, 0] == at_start
    assert [3, 3, 0] == readings(clock)
    assert not clock.parked


def test_parked_time_is_elapsed_but_not_run(time: FakeTime) -> None:
    """After the wait the clock goes on from where it stood."""
    clock = RunClock(time)
    time += 1
    clock.park()
    time += 10
    clock.go_on()
    time += 2

    assert [13, 3, 10] == readings(clock)
    assert not clock.parked


def test_an_open_wait_counts_while_it_lasts(time: FakeTime) -> None:
    """The cap on parked time must expire during a wait, not after it."""
    clock = RunClock(time)
    clock.park()
    time += 4

    assert clock.parked
    assert [4, 0, 4] == readings(clock)


def test_waits_that_overlap_count_once(time: FakeTime) -> None:
    """Two people who are asked at the same time take the time of one."""
    clock = RunClock(time)
    clock.park()
    time += 2
    clock.park()
    time += 3
    clock.go_on()
    still_parked = clock.parked
    time += 5
    clock.go_on()
    time += 1

    assert still_parked
    assert [11, 1, 10] == readings(clock)


def test_waits_one_after_another_add_up(time: FakeTime) -> None:
    """`max_parked_ms` is for all waits of a run together."""
    clock = RunClock(time)
    for _ in range(3):
        clock.park()
        time += 2
        clock.go_on()
        time += 1

    assert [9, 3, 6] == readings(clock)


def test_every_change_is_told_after_it_has_been_made(time: FakeTime) -> None:
    """Whoever works out a deadline anew sees the new state."""
    seen: list[bool] = []
    clock = RunClock(time, lambda: seen.append(clock.parked))

    clock.park()
    clock.park()
    clock.go_on()
    clock.go_on()

    assert [True, True, True, False] == seen


async def test_waiting_for_person_parks_the_clock_of_its_context(time: FakeTime) -> None:
    """The block's time is parked time, and the clock goes on after it."""
    clock = RunClock(time)
    token = current_clock.set(clock)
    try:
        async with waiting_for_person():
            inside = clock.parked
            time += 7
    finally:
        current_clock.reset(token)

    assert (inside, clock.parked) == (True, False)
    assert [7, 0, 7] == readings(clock)


async def test_waiting_for_person_ends_with_an_exception_too(time: FakeTime) -> None:
    """A person who refuses leaves no clock standing."""
    clock = RunClock(time)
    token = current_clock.set(clock)
    try:
        with pytest.raises(PermissionError):
            async with waiting_for_person():
                raise PermissionError
    finally:
        current_clock.reset(token)

    assert not clock.parked


async def test_waits_nest_in_one_binding(time: FakeTime) -> None:
    """An approval within an approval is one wait."""
    clock = RunClock(time)
    token = current_clock.set(clock)
    try:
        async with waiting_for_person():
            async with waiting_for_person():
                time += 1
            time += 1
    finally:
        current_clock.reset(token)

    assert [2, 0, 2] == readings(clock)


async def test_outside_a_run_there_is_no_clock_to_stop() -> None:
    """A tool that asks a person can be called directly, as in its own tests."""
    assert current_clock.get() is None
    reached = False

    async with waiting_for_person():
        reached = True

    assert reached
