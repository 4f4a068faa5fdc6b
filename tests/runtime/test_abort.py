"""A signal fires once, for all who listen, from any thread."""

from __future__ import annotations

import threading

import pytest

from codemode import AbortSignal

WAIT_S = 5


def test_a_new_signal_has_not_fired() -> None:
    """It has no reason either."""
    signal = AbortSignal()

    assert (False, None) == (signal.aborted, signal.reason)


def test_the_first_abort_decides_and_the_second_changes_nothing() -> None:
    """The reason stays, and nobody is told twice."""
    signal = AbortSignal()
    told: list[str] = []

    with signal.calling(lambda: told.append("told")):
        signal.abort("first")
        signal.abort("second")

    assert (True, "first", ["told"]) == (signal.aborted, signal.reason, told)


def test_an_abort_without_a_reason_is_final_too() -> None:
    """No reason is a reason that nobody gives afterwards."""
    signal = AbortSignal()

    signal.abort()
    signal.abort("too late")

    assert (True, None) == (signal.aborted, signal.reason)


def test_every_listener_is_told_and_finds_the_signal_fired() -> None:
    """One signal may be given to many runs."""
    signal = AbortSignal()
    seen: list[tuple[str, bool, str | None]] = []

    with (
        signal.calling(lambda: seen.append(("a", signal.aborted, signal.reason))),
        signal.calling(lambda: seen.append(("b", signal.aborted, signal.reason))),
    ):
        signal.abort("stop")

    assert [("a", True, "stop"), ("b", True, "stop")] == seen


def test_the_same_function_may_listen_twice() -> None:
    """Two runs may give an equal callback; leaving one block leaves the other's."""
    signal = AbortSignal()
    told: list[int] = []

    def listener() -> None:
        told.append(1)

    with signal.calling(listener):
        with signal.calling(listener):
            pass
        signal.abort()

    assert [1] == told


def test_a_signal_that_has_fired_tells_a_new_listener_at_once() -> None:
    """Checklist 76: there is no moment at which an abort is missed."""
    signal = AbortSignal()
    signal.abort()
    told: list[str] = []

    with signal.calling(lambda: told.append("at once")):
        assert ["at once"] == told


def test_no_listener_is_told_after_its_block() -> None:
    """What it would end is gone."""
    signal = AbortSignal()
    told: list[str] = []

    with signal.calling(lambda: told.append("late")):
        pass
    signal.abort()

    assert [] == told


def test_a_listener_leaves_with_an_exception_too() -> None:
    """The block's own error goes on, and the listener is gone."""
    signal = AbortSignal()
    told: list[str] = []

    with pytest.raises(LookupError), signal.calling(lambda: told.append("late")):
        raise LookupError
    signal.abort()

    assert [] == told


def test_an_abort_in_another_thread_tells_in_that_thread() -> None:
    """Checklist 76: the thread that listens may be stuck in a loop of its own."""
    signal = AbortSignal()
    told_in: list[int | None] = []
    aborting = threading.Thread(target=signal.abort, args=("from outside",))

    with signal.calling(lambda: told_in.append(threading.get_ident())):
        aborting.start()
        aborting.join(WAIT_S)

    assert [aborting.ident] == told_in
    assert "from outside" == signal.reason


def test_a_block_is_left_only_after_a_listener_that_is_being_told() -> None:
    """So a backend may free what its listener uses as soon as the block is left."""
    signal = AbortSignal()
    inside, listening, left = threading.Event(), threading.Event(), threading.Event()
    left_too_early: list[bool] = []

    def listener() -> None:
        listening.set()
        left_too_early.append(left.wait(0.05))

    def block() -> None:
        with signal.calling(listener):
            inside.set()
            assert listening.wait(WAIT_S)
        left.set()

    leaving = threading.Thread(target=block)
    leaving.start()
    assert inside.wait(WAIT_S)
    signal.abort()
    leaving.join(WAIT_S)

    assert left.is_set()
    assert [False] == left_too_early


def test_a_listener_may_look_at_the_signal_and_abort_again() -> None:
    """The lock is reentrant: what an abort sets off may do as it likes."""
    signal = AbortSignal()
    reasons: list[str | None] = []

    def listener() -> None:
        signal.abort("again")
        reasons.append(signal.reason)

    with signal.calling(listener):
        signal.abort("once")

    assert ["once"] == reasons


def test_of_many_threads_that_abort_one_wins_and_listeners_hear_once() -> None:
    """Reason and notice are of one and the same abort."""
    signal = AbortSignal()
    gate = threading.Barrier(8)
    told: list[str | None] = []

    def abort(number: int) -> None:
        gate.wait(WAIT_S)
        signal.abort(str(number))

    threads = [threading.Thread(target=abort, args=(number,)) for number in range(8)]
    with signal.calling(lambda: told.append(signal.reason)):
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(WAIT_S)

    assert [signal.reason] == told
    assert signal.reason in {str(number) for number in range(8)}
