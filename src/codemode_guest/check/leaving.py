"""Whether a statement may end what it stands in before its end: by `return`, or out of a loop.

Raising does not count, nor does never ending: such a run has failed, too.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import Final

_DEFINITIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
_LOOPS: Final = (ast.For, ast.AsyncFor, ast.While)


class Leaving:
    """Answers for the statements of one program, each looked at once."""

    def __init__(self) -> None:
        self._known: dict[tuple[ast.stmt, bool], bool] = {}

    def may_leave(self, statement: ast.stmt, *, in_loop: bool) -> bool:
        """Whether what follows a statement may be skipped though nothing was raised.

        Args:
            statement: Of a program that parses.
            in_loop: Whether `break` and `continue` lead out of it.
        """
        key = statement, in_loop
        if key not in self._known:
            self._known[key] = self._looks_like_leaving(statement, in_loop=in_loop)
        return self._known[key]

    def any_leaves(self, statements: Iterable[ast.stmt], *, in_loop: bool) -> bool:
        """Whether one of several statements may leave."""
        # A loop of our own: `any` would take room on the C stack, and branches nest deeply.
        for statement in statements:  # noqa: SIM110 - see above
            if self.may_leave(statement, in_loop=in_loop):
                return True
        return False

    def _looks_like_leaving(self, statement: ast.stmt, *, in_loop: bool) -> bool:
        if isinstance(statement, ast.Return):
            return True
        if isinstance(statement, (ast.Break, ast.Continue)):
            return in_loop
        if isinstance(statement, _DEFINITIONS):
            return False
        if isinstance(statement, _LOOPS):
            return self.any_leaves(statement.body, in_loop=False) or self.any_leaves(
                statement.orelse, in_loop=in_loop
            )
        return self.any_leaves(_parts(statement), in_loop=in_loop)


def _parts(statement: ast.stmt) -> Iterator[ast.stmt]:
    """Yield the statements directly inside one, of whatever branch."""
    for name in ("body", "orelse", "finalbody"):
        yield from getattr(statement, name, ())
    for branch in (*getattr(statement, "handlers", ()), *getattr(statement, "cases", ())):
        yield from branch.body
