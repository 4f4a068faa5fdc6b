"""The tools of one host, gathered under their names."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar, overload

from codemode.runtime import CodeBindingErrorClass, CodeBindingNamespace
from codemode.tools.definition import ToolDefinition
from codemode.tools.errors import DuplicateToolError
from codemode.tools.typed import define

F = TypeVar("F", bound=Callable[..., object])


class ToolRegistry:
    """Tools by name, in the order of their registration."""

    def __init__(self) -> None:
        self._tools: dict[str, ToolDefinition] = {}

    @property
    def tools(self) -> tuple[ToolDefinition, ...]:
        """What is registered now."""
        return tuple(self._tools.values())

    def register(self, definition: ToolDefinition) -> None:
        """Add one tool.

        Raises:
            DuplicateToolError: If there is one of that name already, which then stays.
        """
        if definition.name in self._tools:
            raise DuplicateToolError(definition.name)
        self._tools[definition.name] = definition

    @overload
    def tool(self, function: F, /) -> F: ...
    @overload
    def tool(self, /, *, name: str | None = None) -> Callable[[F], F]: ...
    def tool(
        self, function: F | None = None, /, *, name: str | None = None
    ) -> F | Callable[[F], F]:
        """Register a typed function, which stays what it was: `@registry.tool`.

        Raises:
            ToolSignatureError: If the function cannot be a tool.
            DuplicateToolError: As `register`.
        """

        def decorate(function: F) -> F:
            self.register(define(function, name=name))
            return function

        return decorate if function is None else decorate(function)

    def binding_namespace(self) -> CodeBindingNamespace:
        """Return what is registered now as the global `tools` of a program."""
        return CodeBindingNamespace(
            global_name="tools",
            functions={name: tool.invoke for name, tool in self._tools.items()},
            error_class=CodeBindingErrorClass(
                name="ToolCallError", member_name_property="tool_name"
            ),
        )
