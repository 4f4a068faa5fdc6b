"""What a host can hang into the pipeline, and the answers that such hooks give."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, fields
from typing import Protocol

from codemode.runtime import ABSENT
from codemode.runtime.vocabulary import Absent
from codemode.tools.definition import ToolCall
from codemode.tools.parts import Part
from codemode.tools.results import ToolResult


@dataclass(frozen=True, slots=True)
class Allow:
    """Nothing against the call; the same as no answer."""


@dataclass(frozen=True, slots=True)
class Deny:
    """The call is not to be made.

    Attributes:
        reason: For the model.
    """

    reason: str


@dataclass(frozen=True, slots=True)
class Ask:
    """A person is to decide.

    Attributes:
        reason: Why, for that person.
    """

    reason: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Replace:
    """Another value, which is checked and rendered anew, or other content; not both.

    Attributes:
        value: For programs and, rendered, for the model.
        content: For the model only.
    """

    value: object | Absent = ABSENT
    content: Sequence[Part] | None = None


@dataclass(frozen=True, slots=True)
class Block:
    """The result is not to be seen; the call fails, though its effect stays.

    Attributes:
        feedback: For the model.
    """

    feedback: str


Decision = Allow | Deny | Ask
Verdict = Replace | Block
Proceed = Callable[[], Awaitable[object]]


class PreExecute(Protocol):
    """Decides whether a call may be made; the strictest answer of all counts."""

    def __call__(self, call: ToolCall, /) -> Awaitable[Decision | None] | Decision | None:
        """Return a decision, or nothing."""


class Guard(Protocol):
    """Has the last word before a call, and can only say no."""

    def __call__(self, call: ToolCall, /) -> Awaitable[str | None] | str | None:
        """Return why the call is denied, or nothing."""


class Execute(Protocol):
    """Stands around the body: retries, deadlines, caches, measures. Cannot change arguments."""

    async def __call__(self, call: ToolCall, proceed: Proceed, /) -> object:
        """Return the value of the call, mostly that of `await proceed()`.

        Another value is checked as the body's would be.
        """


class PostExecute(Protocol):
    """Looks at what came of a call, and may replace or block it."""

    def __call__(
        self, call: ToolCall, result: ToolResult, /
    ) -> Awaitable[Verdict | None] | Verdict | None:
        """Return what to do with the result, or nothing."""


class Finalize(Protocol):
    """Has the last word on what the model sees, exactly once for each call."""

    def __call__(self, call: ToolCall, content: tuple[Part, ...], /) -> Sequence[Part]:
        """Return the content."""


class ObserveResult(Protocol):
    """Is told what came of a call; whatever it does changes nothing."""

    def __call__(self, call: ToolCall, result: ToolResult, /) -> object:
        """Take note."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hooks:
    """The hooks of one extension, of one scope or of a whole chain, in order."""

    pre_execute: tuple[PreExecute, ...] = ()
    guard: tuple[Guard, ...] = ()
    execute: tuple[Execute, ...] = ()
    post_execute: tuple[PostExecute, ...] = ()
    finalize: tuple[Finalize, ...] = ()
    result: tuple[ObserveResult, ...] = ()

    def __add__(self, other: Hooks) -> Hooks:
        """Return these, then those."""
        names = [field.name for field in fields(self)]
        return Hooks(**{name: getattr(self, name) + getattr(other, name) for name in names})
