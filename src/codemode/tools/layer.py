"""The tools of one scope, and which of them has which place."""

from __future__ import annotations

from codemode.tools.definition import ToolDefinition


class Layer:
    """The tools of one scope.

    Attributes:
        tools: By name, in the order of registration; to be changed by the methods only.
    """

    def __init__(self) -> None:
        self.tools: dict[str, ToolDefinition] = {}
        self._holders: dict[str, str] = {}

    def add(self, definition: ToolDefinition) -> None:
        """Take in a tool whose name and places nobody here has."""
        self.tools[definition.name] = definition
        for place in places(definition):
            self._holders[place] = definition.name

    def remove(self, definition: ToolDefinition) -> bool:
        """Give up a tool; whether it was here."""
        if self.tools.get(definition.name) is not definition:
            return False
        del self.tools[definition.name]
        for place in places(definition):
            del self._holders[place]
        return True

    def clear(self) -> None:
        """Give up all of them."""
        self.tools.clear()
        self._holders.clear()

    def holder(self, place: str) -> str | None:
        """Return the name of the tool that has a place."""
        return self._holders.get(place)


def places(definition: ToolDefinition) -> tuple[str, ...]:
    """Return, in words, what no tool of another name may have where both are visible.

    Two places are the same when their words are.
    """
    on_wire = f"{definition.wire_name!r} in the API of a model"
    if definition.namespace is None:
        return (on_wire,)
    return on_wire, f"{definition.namespace}.{definition.member} in programs"
