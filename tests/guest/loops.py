"""A loop like the guest's whose time goes only when somebody waits, and what it waits on."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from types import TracebackType
from typing import Self

from codemode_guest.loop import GuestLoop


class Script:
    """Gives out frames in turns: one turn for each wait that only a frame can end.

    Attributes:
        now: The time; a wait of some seconds moves it on.
        waits: What each wait was given, those of 0 left out.
    """

    def __init__(self, *turns: Iterable[object]) -> None:
        self.now = 1_000.0
        self.waits: list[float | None] = []
        self._turns = [list(turn) for turn in turns]

    def receive(self, timeout_s: float | None) -> list[object]:
        """Do as a bridge does; see `FrameSource`."""
        if timeout_s == 0:
            return []
        self.waits.append(timeout_s)
        if timeout_s is not None:
            self.now += timeout_s
            return []
        assert self._turns, "the loop would wait for ever"
        return self._turns.pop(0)


class ScriptedLoop(GuestLoop):
    """A guest's loop on a script. Leaving its block closes it."""

    def __init__(
        self,
        script: Script,
        receiver: Callable[[object], None] = print,
        can_hear: Callable[[], bool] = lambda: True,
    ) -> None:
        super().__init__(script, receiver, can_hear)
        self._script = script

    def time(self) -> float:
        return self._script.now

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()
