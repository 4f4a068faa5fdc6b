"""One thing that is wrong with a program, as the host tells it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

FindingKind = Literal["syntax", "policy", "check", "type"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgramFinding:
    """One thing that is wrong with a program.

    Attributes:
        line: From 1; None when it is about the whole program.
        column: From 1, in characters.
        kind: It is no Python (`syntax`), may not be written (`policy`), fails (`check`), or does
            not fit the types of the SDK (`type`).
        code: What Python, the policy, the check or mypy calls it.
        reason: Why, in one sentence without a full stop.
        substitute: What to write instead.
        certain: Whether a run is refused because of it.
    """

    line: int | None
    column: int | None
    kind: FindingKind
    code: str
    reason: str
    substitute: str | None = None
    certain: bool

    def __str__(self) -> str:
        where = "" if self.line is None else f"line {self.line}, column {self.column or 1}: "
        advice = "" if self.substitute is None else f"; {self.substitute}"
        return f"{where}{self.reason}{advice}"
