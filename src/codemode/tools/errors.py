"""What can go wrong with tools: for the program that calls one, and for who registers one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

from codemode.errors import CodemodeError, UsageError
from codemode.tools.parts import Part

#: Every reason for which a call can fail; `ToolFailure` has one.
ErrorCode = Literal[
    "INVALID_ARGS",
    "UNKNOWN_TOOL",
    "DENIED",
    "BLOCKED",
    "TOOL_TIMEOUT",
    "INVALID_TOOL_OUTPUT",
    "ABORTED",
    "ABORTED_BEFORE_DISPATCH",
    "TOOL_FAILED",
    "HOOK_FAILED",
    "CODE_RUN_FAILED",
    "RUN_OVER",
]

#: What is known of what a failed call has done in the world.
Effect = Literal["not-started", "committed", "unknown"]


class ToolCallError(CodemodeError):
    """A call failed, and its message is meant for the program or the model that made it.

    A tool raises it to choose that message: `raise ToolCallError("no page 9; the last is 4")`.

    Args:
        message: What went wrong and what to do about it.
        code: Which kind of failure it is.
        retryable: Whether the same call may succeed later.
        effect: What the tool has done nevertheless.
        content: What a model is shown of it; "Error: " and the message if left out.
    """

    def __init__(
        self,
        message: str,
        *,
        code: ErrorCode = "TOOL_FAILED",
        retryable: bool = False,
        effect: Effect = "unknown",
        content: Sequence[Part] | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.code: ErrorCode = code
        self.retryable = retryable
        self.effect: Effect = effect
        self.content = None if content is None else tuple(content)

    def named(self, tool: str) -> ToolCallError:
        """Return the same error, its message beginning with the name of the tool."""
        return ToolCallError(
            f"{tool}: {self.message}",
            code=self.code,
            retryable=self.retryable,
            effect=self.effect,
            content=self.content,
        )


class DuplicateToolError(UsageError):
    """Two tools claim one name in the same layer, or one place in a program."""

    def __init__(self, name: str, place: str | None = None, other: str | None = None) -> None:
        """Say which name it is, or which place the two would share."""
        if place is None:
            words = (
                f"tool {name!r} is already registered; give one of the two another name "
                "with @registry.tool(name=...), or register it in a scope, where it shadows"
            )
        else:
            words = (
                f"tools {name!r} and {other!r} would both be {place}; "
                "give one of the two another name, namespace or member"
            )
        super().__init__(words)
        self.name = name


class ToolSignatureError(UsageError):
    """A function or a definition cannot be a tool."""

    def __init__(self, name: str, reason: str) -> None:
        super().__init__(f"{name!r} cannot be a tool: {reason}")
        self.name = name
        self.reason = reason


class ToolSchemaError(ToolSignatureError):
    """A schema of a tool is no JSON Schema, or none that a tool can have.

    Attributes:
        violations: Each as `$.properties.a.type: what is wrong`, all of them.
    """

    def __init__(self, name: str, which: str, violations: Iterable[str]) -> None:
        self.violations = tuple(violations)
        super().__init__(
            name,
            f"its {which} schema is not usable:" + "".join(f"\n  {v}" for v in self.violations),
        )


class ScopeError(UsageError):
    """A scope was asked for what it cannot do."""


class ReservedToolError(UsageError):
    """Somebody claims the name of the transport itself."""

    def __init__(self, name: str, what: str) -> None:
        super().__init__(
            f"{name!r} is the transport of programs and cannot be {what}; use another name"
        )
        self.name = name
