"""A sink that keeps what it is told."""

from __future__ import annotations

from codemode.session import Event


class Events:
    """Keeps events in order."""

    def __init__(self) -> None:
        self.all: list[Event] = []

    def emit(self, event: Event) -> None:
        self.all.append(event)

    def kinds(self) -> list[str]:
        """Their kinds, in order."""
        return [event.kind for event in self.all]
