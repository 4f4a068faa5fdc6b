"""The tools of one scope at one moment: which there are, and who may see them where."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Protocol

from codemode.tools.definition import Presentation, ToolDefinition
from codemode.tools.hooks import Hooks

#: The transport of programs: a tool like any other to policies, but none that can be registered.
RUN_CODE = "run_code"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class View:
    """What is visible to one scope. Nothing in it changes; the scope makes a new one.

    Attributes:
        mode: Of the scope.
        tools: Every visible tool, in the order of registration.
        native: Those that a model is shown directly, by name.
        code: Those that a program reaches, by name.
    """

    mode: Presentation
    tools: tuple[ToolDefinition, ...]
    native: tuple[ToolDefinition, ...] = field(init=False)
    code: tuple[ToolDefinition, ...] = field(init=False)
    _named: dict[str, ToolDefinition] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Sort the tools out."""
        by_name = sorted(self.tools, key=lambda tool: tool.name)
        native = tuple(t for t in by_name if (t.present_as or self.mode) != "code")
        code = tuple(t for t in by_name if (t.present_as or self.mode) != "native")
        named = {tool.wire_name: tool for tool in self.tools}
        named.update((tool.name, tool) for tool in self.tools)
        for attribute, value in (("native", native), ("code", code), ("_named", named)):
            object.__setattr__(self, attribute, value)

    def find(self, name: str) -> ToolDefinition | None:
        """Return the tool of that name, or of that name on the wire."""
        return self._named.get(name)

    def names(self) -> Iterable[str]:
        """Return the names of all tools."""
        return (tool.name for tool in self.tools)


class ToolSource(Protocol):
    """What a call needs of the scope that it is made for."""

    name: str

    @property
    def is_open(self) -> bool:
        """Whether it was not closed."""

    def closed_words(self) -> str:
        """Say that it is closed."""

    def view(self) -> View:
        """Return what is visible now."""

    def hooks(self) -> Hooks:
        """Return what calls meet now."""
