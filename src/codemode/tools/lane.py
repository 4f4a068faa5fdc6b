"""Who may start: calls in order of submission, safe ones side by side, the others alone."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

import anyio


@dataclass(slots=True, kw_only=True, eq=False)
class Place:
    """A call's place in the queue of its lane.

    Attributes:
        lane: The lane.
        key: What the call works on; `None` is everything.
        safe: Whether it may overlap other safe calls on the same.
        read_safe: Says so anew, when it starts after a wait; `None` where that cannot change.
        is_on: Whether its turn has come, and it has not left.
        holds_slot: Whether the call counts against the limit now.
        turn: Set when the call may go on; made when it has to wait.
    """

    lane: Lane
    key: str | None
    safe: bool
    read_safe: Callable[[], bool] | None = None
    is_on: bool = False
    holds_slot: bool = False
    turn: anyio.Event | None = None

    def turn_has_come(self) -> None:
        """Take note: called in the order of turns, and must not raise."""

    def park(self) -> None:
        """Free the slot while a person is asked; the place in the order is kept."""
        self.lane.park(self)

    async def go_on(self) -> None:
        """Wait for a slot again."""
        await self.lane.go_on(self)


class Lane:
    """The queue of one run.

    An unsafe call waits for every call before it that shares its key, and those after it wait
    for it. A call that waits for a person stays where it is in this order, but frees its slot.

    Args:
        limit: How many calls may be on at once.
    """

    def __init__(self, limit: int) -> None:
        self._free = limit
        self._going = _Going()
        self._queue: deque[Place] = deque()
        self._returning: deque[Place] = deque()

    def join(self, place: Place) -> None:
        """Start a call at once if nothing is in its way; otherwise queue it, with a `turn`."""
        if self._free and not self._queue and not self._going.blocks(place):
            self._start(place)
        else:
            place.turn = anyio.Event()
            self._queue.append(place)
            self._start_others()

    def leave(self, place: Place) -> None:
        """Forget a call, wherever it is, and start whom that lets go."""
        if place.is_on:
            place.is_on = False
            self._going.remove(place)
        elif place in self._queue:
            self._queue.remove(place)
        if place in self._returning:
            self._returning.remove(place)
        self._free += place.holds_slot
        place.holds_slot = False
        if self._queue or self._returning:
            self._start_others()

    def drop_queued(self) -> None:
        """Empty the queue; whoever waits in it learns that it will not start."""
        while self._queue:
            turn = self._queue.popleft().turn
            if turn is not None:
                turn.set()

    def park(self, place: Place) -> None:
        """Free the slot of a call; see `Place.park`."""
        place.holds_slot = False
        self._free += 1
        self._start_others()

    async def go_on(self, place: Place) -> None:
        """Wait for a slot; the calls that come back go before those that are new."""
        if not self._free:
            place.turn = anyio.Event()
            self._returning.append(place)
            await place.turn.wait()
            return
        self._take_slot(place)

    def _start_others(self) -> None:
        while self._free and self._returning:
            self._take_slot(self._returning.popleft())
        ahead = _Going()
        for place in list(self._queue):
            if not self._free or ahead.blocks_all:
                return
            if not (self._going.blocks(place) or ahead.blocks(place)):
                if place.read_safe is not None:
                    place.safe = place.read_safe()
                if place.safe or not (self._going.blocks(place) or ahead.blocks(place)):
                    self._queue.remove(place)
                    self._start(place)
                    continue
            ahead.add(place)

    def _start(self, place: Place) -> None:
        self._going.add(place)
        place.is_on = True
        place.turn_has_come()
        self._take_slot(place)

    def _take_slot(self, place: Place) -> None:
        self._free -= 1
        place.holds_slot = True
        if place.turn is not None:
            place.turn.set()


class _Going:
    """Calls that are on, or ahead in the queue, counted by what they work on."""

    def __init__(self) -> None:
        # Only keys that are in use, so that an empty one means that nothing is.
        self._calls: dict[str | None, int] = {}
        self._unsafe: dict[str | None, int] = {}

    @property
    def blocks_all(self) -> bool:
        """Whether an unsafe call on everything is among them."""
        return None in self._unsafe

    def add(self, place: Place) -> None:
        """Count a call."""
        _count(self._calls, place.key, 1)
        if not place.safe:
            _count(self._unsafe, place.key, 1)

    def remove(self, place: Place) -> None:
        """Count it no longer."""
        _count(self._calls, place.key, -1)
        if not place.safe:
            _count(self._unsafe, place.key, -1)

    def blocks(self, place: Place) -> bool:
        """Whether one of them shares what the call works on, and one of the two is unsafe."""
        others = self._unsafe if place.safe else self._calls
        if place.key is None:
            return bool(others)
        return place.key in others or None in others


def _count(counts: dict[str | None, int], key: str | None, change: int) -> None:
    count = counts.get(key, 0) + change
    if count:
        counts[key] = count
    else:
        del counts[key]
