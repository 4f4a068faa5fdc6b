"""The queue of one run: who may start beside whom, and in what order."""

from __future__ import annotations

import anyio
import pytest

from codemode.tools.lane import Lane, Place


class Line:
    """A lane, and the names of the calls that have started, in order."""

    def __init__(self, limit: int = 10) -> None:
        self.lane = Lane(limit)
        self.places: dict[str, Place] = {}
        self.started: list[str] = []

    def join(self, name: str, *, safe: bool = False, key: str | None = None) -> None:
        place = Place(lane=self.lane, key=key, safe=safe)
        self.places[name] = place
        self.lane.join(place)
        self.look()

    def leave(self, name: str) -> None:
        self.lane.leave(self.places[name])
        self.look()

    def look(self) -> None:
        self.started += [
            name
            for name, place in self.places.items()
            if place.holds_slot and name not in self.started
        ]


def test_safe_calls_overlap_up_to_the_limit_and_the_next_starts_when_one_has_ended() -> None:
    """Checklist 66: three at once, in order."""
    line = Line(limit=3)
    for name in "abcde":
        line.join(name, safe=True)

    before = list(line.started)
    line.leave("b")
    line.leave("a")

    assert ["a", "b", "c"] == before
    assert ["a", "b", "c", "d", "e"] == line.started


def test_a_limit_of_one_is_a_plain_queue() -> None:
    """Checklist 66: one after the other, in order of submission."""
    line = Line(limit=1)
    for name in "abc":
        line.join(name, safe=True)
    for name in "abc":
        assert name == line.started[-1]
        line.leave(name)

    assert ["a", "b", "c"] == line.started


def test_an_unsafe_call_runs_alone_and_nothing_overtakes_it() -> None:
    """Checklist 67: it waits for those before it, and those after it wait for it."""
    line = Line()
    line.join("read 1", safe=True)
    line.join("read 2", safe=True)
    line.join("write")
    line.join("read 3", safe=True)

    line.leave("read 2")
    assert ["read 1", "read 2"] == line.started
    line.leave("read 1")
    assert "write" == line.started[-1]
    line.leave("write")
    assert ["read 1", "read 2", "write", "read 3"] == line.started


def test_an_unsafe_call_bars_only_those_that_share_its_key() -> None:
    """Checklist 67: what works on something else goes past, in order all the same."""
    line = Line()
    line.join("git write", key="git")
    line.join("git read", key="git", safe=True)
    line.join("mail write", key="mail")
    line.join("git write 2", key="git")
    line.join("mail read", key="mail", safe=True)

    assert ["git write", "mail write"] == line.started
    line.leave("git write")
    assert ["git write", "mail write", "git read"] == line.started
    line.leave("mail write")
    line.leave("git read")
    assert ["mail read", "git write 2"] == line.started[-2:]


def test_a_call_without_a_key_shares_every_key() -> None:
    """Checklist 67: what works on who knows what waits for everybody."""
    line = Line()
    line.join("git read", key="git", safe=True)
    line.join("anything")
    line.join("mail read", key="mail", safe=True)
    line.join("unkeyed read", safe=True)

    assert ["git read"] == line.started
    line.leave("git read")
    assert ["git read", "anything"] == line.started
    line.leave("anything")
    assert ["mail read", "unkeyed read"] == line.started[-2:]


def test_a_safe_call_without_a_key_waits_for_an_unsafe_one_with_one() -> None:
    """Checklist 67: it may read what is being written."""
    line = Line()
    line.join("git write", key="git")
    line.join("read", safe=True)

    assert ["git write"] == line.started


@pytest.mark.parametrize("now_safe", [True, False])
def test_whether_a_call_is_safe_is_read_again_at_its_start(*, now_safe: bool) -> None:
    """Checklist 68: what has changed while it waited counts."""
    line = Line()
    line.join("write")
    line.join("read", safe=True)
    line.places["later"] = later = Place(
        lane=line.lane, key=None, safe=True, read_safe=lambda: now_safe
    )
    line.lane.join(later)

    line.leave("write")

    assert (["write", "read", "later"] if now_safe else ["write", "read"]) == line.started


def test_a_call_that_gives_up_in_the_queue_lets_those_behind_it_go() -> None:
    """Checklist 69: a place is free again, wherever it was."""
    line = Line()
    line.join("read", safe=True)
    line.join("write")
    line.join("read 2", safe=True)

    line.leave("write")

    assert ["read", "read 2"] == line.started


async def test_a_parked_call_frees_its_slot_and_comes_back_before_new_ones() -> None:
    """Checklist 66: who waits for a person holds up nobody, and is not overtaken for good."""
    line = Line(limit=1)
    line.join("asked", safe=True)
    line.places["asked"].park()
    line.join("b", safe=True)
    line.join("c", safe=True)
    assert ["asked", "b"] == line.started

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(line.places["asked"].go_on)
        await anyio.wait_all_tasks_blocked()
        line.leave("b")
        assert (True, False) == (line.places["asked"].holds_slot, line.places["c"].holds_slot)
    line.leave("asked")

    assert ["asked", "b", "c"] == line.started


async def test_a_parked_unsafe_call_still_bars_those_that_share_its_key() -> None:
    """Checklist 67: approval does not change the order of what belongs together."""
    line = Line()
    line.join("git write", key="git")
    line.places["git write"].park()
    line.join("git read", key="git", safe=True)
    line.join("mail write", key="mail")

    assert ["git write", "mail write"] == line.started
    await line.places["git write"].go_on()
    line.leave("git write")
    assert "git read" == line.started[-1]


async def test_whoever_gives_up_coming_back_leaves_no_gap() -> None:
    """Checklist 69: the slot that it waited for goes to the next."""
    line = Line(limit=1)
    line.join("asked", safe=True)
    line.places["asked"].park()
    line.join("b", safe=True)
    line.join("c", safe=True)

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(line.places["asked"].go_on)
        await anyio.wait_all_tasks_blocked()
        tasks.cancel_scope.cancel()
    line.leave("asked")
    line.leave("b")

    assert line.places["c"].holds_slot
