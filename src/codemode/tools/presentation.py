"""Cards: how a host may show a call and its result to a person. Plain records, nothing drawn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

CardKind = Literal["read", "edit", "delete", "move", "search", "execute", "fetch", "other"]


@dataclass(frozen=True, slots=True, kw_only=True)
class GenericCard:
    """A title, and what else there is to tell.

    Attributes:
        title: One line.
        kind: What sort of action it is, for an icon.
        raw_input: What the call was given, for who wants to see it.
        content: Text to show below the title.
        locations: Paths that it touches.
    """

    title: str
    kind: CardKind = "other"
    raw_input: object = None
    content: str = ""
    locations: Sequence[str] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TerminalCard:
    """A command and what it wrote.

    Attributes:
        command: As typed.
        output: `None` before it has ended.
        exit_code: `None` before it has ended, or where there is none.
    """

    command: str
    output: str | None = None
    exit_code: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DiffCard:
    """A file before and after.

    Attributes:
        path: Of the file.
        old: `None` for a file that is made.
        new: `None` for a file that is removed.
    """

    path: str
    old: str | None
    new: str | None


Card = GenericCard | TerminalCard | DiffCard
PresentCall = Callable[[dict[str, object]], Card]
PresentResult = Callable[[dict[str, object], object], Card]
