"""What is wrong with a program, for the model that wrote it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

#: A model mends some twenty faults per turn; the next attempt shows the others.
_MAX_SHOWN: Final = 20

#: A source line longer than this is generated, and its text explains nothing.
_MAX_LINE_CHARS: Final = 160

#: Names in a program may be as long as the program itself.
_MAX_TEXT_CHARS: Final = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing that is wrong with a program.

    Attributes:
        line: Counted from 1, in the program's own numbering.
        column: Counted from 1, in characters.
        source_line: The whole line, without its end.
        kind: Whether it is no Python, Python that the policy refuses, or a mistake that reading
            shows (`check`).
        type_name: What Python would call the exception; `PolicyError` for a refusal, `CheckError`
            for such a mistake.
        reason: Why, in one sentence without a full stop.
        substitute: What to write instead.
    """

    line: int | None
    column: int | None
    source_line: str | None
    kind: Literal["syntax", "policy", "check"]
    type_name: str
    reason: str
    substitute: str | None

    def __str__(self) -> str:
        where = "" if self.line is None else f"line {self.line}: "
        if self.kind == "check":
            where = f"line {self.line}, column {self.column}: "
        what = where + _cut(self.reason)
        if self.substitute is not None:
            what += f"; {_cut(self.substitute)}"
        return what + self._excerpt() if self.kind == "syntax" else what

    def record(self) -> dict[str, object]:
        """Return this as JSON of a bounded size, without the source line."""
        return {
            "line": self.line,
            "column": self.column,
            "kind": self.kind,
            "type_name": self.type_name,
            "reason": _cut(self.reason),
            "substitute": None if self.substitute is None else _cut(self.substitute),
        }

    def _excerpt(self) -> str:
        """The source line with a caret under the fault, on lines of their own."""
        if not self.source_line or not self.source_line.strip():
            return ""
        # A tab before the fault stays a tab, so that the caret stands under it anyhow.
        column = min(self.column or 1, len(self.source_line) + 1)
        start = max(0, column - _MAX_LINE_CHARS)
        shown = self.source_line[start : start + _MAX_LINE_CHARS]
        before = self.source_line[start : column - 1]
        caret = "".join("\t" if character == "\t" else " " for character in before) + "^"
        return f"\n    {shown}" + ("" if self.column is None else f"\n    {caret}")


class Refusal(Exception):
    """A program that does not run: it does not parse, or the policy refuses parts of it.

    Attributes:
        findings: Why, in the order of the text; never empty.
        possible: What may be wrong as well, and would not have kept it from running.
    """

    def __init__(self, findings: tuple[Finding, ...], possible: tuple[Finding, ...] = ()) -> None:
        told = (*findings, *possible)
        shown = [str(finding) for finding in told[:_MAX_SHOWN]]
        more = len(told) - len(shown)
        if more > 0:
            shown.append(f"and {more} more")
        if all(finding.kind == "policy" for finding in told):
            shown.insert(0, "not allowed, so nothing was run")
        elif len(told) > 1 or findings[0].kind == "check":
            shown.insert(0, "nothing was run")
        super().__init__(f"{findings[0].type_name}: " + "\n".join(shown))
        self.findings = findings
        self.possible = possible


def _cut(text: str) -> str:
    return text if len(text) <= _MAX_TEXT_CHARS else text[:_MAX_TEXT_CHARS] + "…"
