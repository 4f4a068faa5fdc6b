"""Whatever comes in whatever order, a lane keeps its promises."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from codemode.tools.lane import Lane, Place

CALLS = st.lists(st.tuples(st.booleans(), st.sampled_from([None, "a", "b"])), max_size=12)
CHOICES = st.lists(st.integers(0, 1_000), max_size=60)


def conflict(one: Place, other: Place) -> bool:
    """Whether the two may not be on at once."""
    shared = one.key is None or other.key is None or one.key == other.key
    return shared and not (one.safe and other.safe)


class Lines:
    """A lane, and every call that has come to it, in order of submission."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.lane = Lane(limit)
        self.places: list[Place] = []
        self.begun: set[int] = set()
        self.parked: set[int] = set()
        self.gone: set[int] = set()

    def join(self, *, safe: bool, key: str | None) -> None:
        self.places.append(Place(lane=self.lane, key=key, safe=safe))
        self.lane.join(self.places[-1])
        self.look()

    def leave_or_park(self, choice: int) -> None:
        here = [number for number in range(len(self.places)) if number not in self.gone]
        if not here:
            return
        number = here[choice % len(here)]
        place = self.places[number]
        if choice % 3 == 0 and place.holds_slot:
            self.parked.add(number)
            place.park()
        else:
            self.gone.add(number)
            self.lane.leave(place)
        self.look()

    def look(self) -> None:
        """Check what is on, and that whoever has begun since has overtaken nobody."""
        assert sum(place.holds_slot for place in self.places) <= self.limit
        for number, place in enumerate(self.places):
            if place.holds_slot and number not in self.begun:
                self.begun.add(number)
                before = set(range(number)) - self.gone
                assert not any(conflict(self.places[earlier], place) for earlier in before)


@given(calls=CALLS, limit=st.integers(1, 4), choices=CHOICES)
def test_conflicting_calls_take_turns_in_order_and_everybody_gets_one(
    calls: list[tuple[bool, str | None]], limit: int, choices: list[int]
) -> None:
    """Checklist 66, 67: calls come, wait for a person, end or give up, in any order."""
    lines, coming = Lines(limit), list(calls)

    for choice in choices:
        if coming and choice % 2:
            safe, key = coming.pop(0)
            lines.join(safe=safe, key=key)
        else:
            lines.leave_or_park(choice)
    # Nobody gives up any more, and somebody is always on, or waits for a person.
    while left := [number for number in range(len(lines.places)) if number not in lines.gone]:
        ends = next(number for number in left if number in lines.begun)
        lines.gone.add(ends)
        lines.lane.leave(lines.places[ends])
        lines.look()

    for _ in range(limit):
        lines.join(safe=True, key=None)
    assert limit == sum(place.holds_slot for place in lines.places)
