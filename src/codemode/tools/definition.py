"""What a tool is to everyone who did not write it."""

from __future__ import annotations

from dataclasses import dataclass

from codemode.runtime import Binding


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolDefinition:
    """One tool: its name, what it is for, and how to invoke it.

    Attributes:
        name: Any text but the empty one; a program reaches odd names by subscript.
        description: The docstring of the function, or empty.
        invoke: Takes the arguments as a program sent them and returns a JSON value. Raises
            `ToolCallError` if either does not fit the function's types; what the function
            itself raises passes through.
    """

    name: str
    description: str
    invoke: Binding
