"""What the check has found so far: each fault once, and whether it is sure."""

from __future__ import annotations

import ast
from typing import Final

from codemode_guest.policy.findings import Finding
from codemode_guest.policy.walk import character_column

#: Who would read more has a program that was not meant to run.
_MAX_NOTES: Final = 200


class Notes:
    """Gathers faults.

    Args:
        source_lines: The program.
    """

    def __init__(self, source_lines: tuple[str, ...]) -> None:
        self._source_lines = source_lines
        self._notes: dict[tuple[ast.AST, str], tuple[str | None, bool]] = {}

    def add(self, node: ast.AST, reason: str, advice: str | None, *, sure: bool) -> None:
        """Note a fault; what is once sure stays so."""
        key = node, reason
        if key in self._notes:
            sure = sure or self._notes[key][1]
        elif len(self._notes) >= _MAX_NOTES:
            return
        self._notes[key] = advice, sure

    def findings(self, *, sure: bool) -> tuple[Finding, ...]:
        """Return those that are sure, or those that are not, in the order of the text."""
        found = [
            self._finding(node, reason, advice)
            for (node, reason), (advice, certain) in self._notes.items()
            if certain is sure
        ]
        return tuple(sorted(found, key=lambda one: (one.line or 0, one.column or 0)))

    def _finding(self, node: ast.AST, reason: str, advice: str | None) -> Finding:
        line: int = node.lineno  # type: ignore[attr-defined]  # every expression and keyword has one
        source_line = self._source_lines[line - 1]
        return Finding(
            line=line,
            column=character_column(source_line, node.col_offset),  # type: ignore[attr-defined]
            source_line=source_line,
            kind="check",
            type_name="CheckError",
            reason=reason,
            substitute=advice,
        )
