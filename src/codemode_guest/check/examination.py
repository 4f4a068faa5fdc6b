"""Read a program as it would run, and find what is certain to fail."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING

from codemode_guest.check.notes import Notes
from codemode_guest.check.statements import Statements
from codemode_guest.check.surroundings import World
from codemode_guest.check.variables import Variables

if TYPE_CHECKING:
    from codemode_guest.policy import Finding


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What was found, each in the order of the text.

    Attributes:
        certain: Keeps the program from doing what it says in every run that has not failed before.
        possible: Is wrong where it stands, but a run may not get there, or may catch it.
    """

    certain: tuple[Finding, ...] = ()
    possible: tuple[Finding, ...] = ()


def examine(tree: ast.Module, source_lines: tuple[str, ...], world: World) -> Report:
    """Read a program's tree, which is not changed.

    The statements of the top level are followed in their order, and with them the functions that
    they call; the rest is looked at as what may or may not be run.
    """
    notes = Notes(source_lines)
    try:
        Statements(world, Variables(tree), notes).follow_program(tree)
    except RecursionError:
        # The policy and the compiler judge how deep a program may be.
        return Report()
    return Report(certain=notes.findings(sure=True), possible=notes.findings(sure=False))
