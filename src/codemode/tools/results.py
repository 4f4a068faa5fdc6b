"""What comes of a call: content for a model, a value for a program, or a failure for both."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Self

from codemode.runtime import ABSENT
from codemode.tools.errors import Effect, ErrorCode, ToolCallError
from codemode.tools.parts import Part, TextPart
from codemode_guest.values import decode


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolFailure:
    """Why a call has no value.

    Attributes:
        code: Which kind of failure.
        message: For a model: what is wrong and what to do.
        retryable: Whether the same call may succeed later.
        effect: What is known of what the tool has done nevertheless.
        exception: What the tool or a hook raised, with its traceback, for the host only.
    """

    code: ErrorCode
    message: str
    retryable: bool = False
    effect: Effect = "not-started"
    exception: BaseException | None = field(default=None, compare=False, repr=False)

    def error(self) -> ToolCallError:
        """Return it as the exception that a program meets."""
        return ToolCallError(
            self.message, code=self.code, retryable=self.retryable, effect=self.effect
        )

    def record(self) -> Mapping[str, object]:
        """Return what a log keeps, as JSON."""
        return MappingProxyType(
            {
                "code": self.code,
                "message": self.message,
                "retryable": self.retryable,
                "effect": self.effect,
            }
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolOutput:
    """What a body returns when a value alone does not say it.

    Attributes:
        value: For programs, checked like any value.
        content: For the model; rendered from the value where nothing is said.
    """

    value: object
    content: Sequence[Part] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolResult:
    """What came of a call; nothing in it can be changed.

    Attributes:
        content: What a model is shown, in order.
        value_json: The value as JSON; `None` for a failure.
        failure: Why there is no value.
        deferred: What the model is to be shown after this result.
        concludes_turn: Whether the tool wants the model's turn to end here.
    """

    content: tuple[Part, ...]
    value_json: bytes | None = None
    failure: ToolFailure | None = None
    deferred: tuple[Part, ...] = ()
    concludes_turn: bool = False

    @classmethod
    def failed(cls, error: ToolCallError) -> Self:
        """Return the result of a call that failed so."""
        failure = ToolFailure(
            code=error.code,
            message=str(error),
            retryable=error.retryable,
            effect=error.effect,
            exception=error.__cause__ or error,
        )
        shown = (TextPart(f"Error: {failure.message}"),)
        return cls(content=shown if error.content is None else error.content, failure=failure)

    @property
    def value(self) -> object:
        """The value, a copy for each reader; `ABSENT` for a failure."""
        return ABSENT if self.value_json is None else decode(self.value_json)

    @property
    def is_error(self) -> bool:
        """Whether it failed."""
        return self.failure is not None
