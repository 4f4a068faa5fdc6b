"""What can go wrong with tools: for the program that calls one, and for who registers one."""

from codemode.errors import CodemodeError, UsageError


class ToolCallError(CodemodeError):
    """A call failed, and its message is meant for the program that made it.

    A tool raises it to choose that message: `raise ToolCallError("no page 9; the last is 4")`.
    """


class DuplicateToolError(UsageError):
    """Two tools claim one name in the same registry."""

    def __init__(self, name: str) -> None:
        super().__init__(
            f"tool {name!r} is already registered; give one of the two another name "
            "with @registry.tool(name=...)"
        )
        self.name = name


class ToolSignatureError(UsageError):
    """A function cannot be a tool, for its name or its signature."""

    def __init__(self, name: str, reason: str) -> None:
        super().__init__(f"{name!r} cannot be a tool: {reason}")
        self.name = name
        self.reason = reason
