"""The words of this room: forms, levels, budgets, and what a generator is."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, Protocol

from codemode.errors import UsageError
from codemode.sdk.entries import Tool

Form = Literal["prompt", "stub"]
#: How much of the tools a text shows, the most first.
Level = Literal["full", "signatures", "index", "namespaces"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SdkBudget:
    """The most that a text may be: so many tokens, or so many characters.

    Raises:
        UsageError: Unless exactly one of the two is given, and positive.
    """

    tokens: int | None = None
    characters: int | None = None

    def __post_init__(self) -> None:
        given = [size for size in (self.tokens, self.characters) if size is not None]
        if len(given) != 1 or given[0] <= 0:
            raise UsageError(
                f"a budget of tokens={self.tokens!r}, characters={self.characters!r}; "
                "give exactly one of them, greater than 0"
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class SdkText:
    """A text, and what it is of.

    Attributes:
        level: How much of the tools it shows.
        size: In `unit`.
        counted_by: How tokens were counted; `characters` for characters.
    """

    text: str
    level: Level
    size: int
    unit: Literal["tokens", "characters"]
    counted_by: str


class SdkGenerator(Protocol):
    """Writes the SDK text of one language."""

    @property
    def language(self) -> str:
        """As `CodeRuntime.language` has it."""
        ...

    def generate(
        self, tools: Iterable[Tool], *, form: Form = "prompt", budget: SdkBudget | None = None
    ) -> SdkText:
        """Return the text of a set of tools, shortened to fit the budget."""
        ...
