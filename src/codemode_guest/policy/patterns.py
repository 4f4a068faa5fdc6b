"""The policy for `match`: patterns bind names and read attributes out of the visitors' sight."""

# ruff: noqa: N815 - a visitor is named after its kind of node

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import Final

from codemode_guest.policy import names
from codemode_guest.policy.advice import Rejection
from codemode_guest.policy.attributes import AttributePolicy
from codemode_guest.policy.variables import VariablePolicy
from codemode_guest.policy.walk import Reading, Visited, allow

#: A guard in a program's globals; `world` provides it.
CHECK_PATTERN: Final = "_pattern_"

#: Built-in classes that match one positional pattern against the object itself, reading nothing
#: (Language Reference, 8.6.4.10).
_MATCH_THEMSELVES: Final = frozenset(
    [
        "bool",
        "bytearray",
        "bytes",
        "dict",
        "float",
        "frozenset",
        "int",
        "list",
        "set",
        "str",
        "tuple",
    ]
)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Match:
    """A statement with the classes that each of its cases takes apart by position."""

    node: ast.Match
    taken_apart: tuple[tuple[ast.MatchClass, ...], ...]


class PatternPolicy(VariablePolicy, AttributePolicy):
    """`match`, its cases, and every kind of pattern."""

    visit_MatchSingleton = allow("Allowed: `None`, `True` and `False` as patterns.")
    visit_MatchSequence = allow("Allowed: sequence patterns.")
    visit_MatchOr = allow("Allowed: alternatives.")

    def __init__(self, reading: Reading) -> None:
        super().__init__(reading)
        self._matches: list[_Match] = []
        self._taken_apart: list[ast.MatchClass] = []

    def visit_Match(self, node: ast.Match) -> Visited:
        """Allowed; a class that is taken apart by position is checked at run time first.

        Python reads the attributes that its `__match_args__` names, whatever they are.
        """
        node.subject = self.visit_expression(node.subject)
        taken_apart = []
        for case in node.cases:
            outer, self._taken_apart = self._taken_apart, []
            self.visit_match_case(case)
            taken_apart.append(tuple(self._taken_apart))
            self._taken_apart = outer
        if any(taken_apart):
            self._matches.append(_Match(node=node, taken_apart=tuple(taken_apart)))
            if self.scopes.innermost.kind == "class":
                self.refuse(node, _BY_POSITION_IN_CLASS)
        return node

    def visit_match_case(self, node: ast.match_case) -> Visited:
        """Allowed: a case, with a guard too."""
        self.visit_fields(node, "pattern", "guard", "body")
        return node

    def visit_MatchValue(self, node: ast.MatchValue) -> Visited:
        """Allowed: literals and dotted names, whose attributes need no guard."""
        node.value = self._visit_in_pattern(node.value)
        return node

    def visit_MatchMapping(self, node: ast.MatchMapping) -> Visited:
        """Allowed: mapping patterns; the name after `**` obeys the rule for names."""
        node.keys = [self._visit_in_pattern(key) for key in node.keys]
        self.visit_fields(node, "patterns")
        if node.rest is not None:
            self.bind(node, node.rest)
        return node

    def visit_MatchStar(self, node: ast.MatchStar) -> Visited:
        """Allowed: `*rest`; its name obeys the rule for names."""
        if node.name is not None:
            self.bind(node, node.name)
        return node

    def visit_MatchAs(self, node: ast.MatchAs) -> Visited:
        """Allowed: captures, `as` and `_`; the name obeys the rule for names."""
        self.visit_fields(node, "pattern")
        if node.name is not None:
            self.bind(node, node.name)
        return node

    def visit_MatchClass(self, node: ast.MatchClass) -> Visited:
        """Allowed: class patterns; keywords are attribute reads that cannot be guarded.

        So they are ordinary names: no underscore first, and not `format`.
        """
        node.cls = self._visit_in_pattern(node.cls)
        for name in node.kwd_attrs:
            if name.startswith("_") or name in names.FORMATS:
                self.refuse(node, _not_by_pattern(name))
            else:
                self.refuse(node, names.refuse_attribute(name))
        if node.patterns:
            self._taken_apart.append(node)
        self.visit_fields(node, "patterns", "kwd_patterns")
        return node

    def _visit_in_pattern(self, node: ast.expr) -> ast.expr:
        self.in_pattern = True
        visited = self.visit_expression(node)
        self.in_pattern = False
        return visited

    def check_classes_taken_apart(self) -> None:
        """Put a check before each case that needs one; call when all names are known.

        The check is a case of its own, which never matches: it holds the class in a name of its
        own, so that what was checked is what the pattern uses.
        """
        count = 0
        for match in self._matches:
            cases: list[ast.match_case] = []
            for case, classes in zip(match.node.cases, match.taken_apart, strict=True):
                checks = []
                for pattern in classes:
                    if not self._matches_itself(pattern):
                        count += 1
                        checks.append(_check_of(pattern, f"_class_{count}_"))
                if checks:
                    cases.append(_case_of_checks(checks, case.pattern))
                cases.append(case)
            match.node.cases = cases

    def _matches_itself(self, pattern: ast.MatchClass) -> bool:
        cls = pattern.cls
        return isinstance(cls, ast.Name) and cls.id in _MATCH_THEMSELVES and self.is_builtin(cls.id)


# What the check holds would become an attribute; and a metaclass may give any name in the body of
# a class any meaning, each time it is read.
_BY_POSITION_IN_CLASS: Final = Rejection(
    reason="a class body cannot take objects apart by position in a match statement",
    substitute="do it in a method, or match by keyword",
)


def _not_by_pattern(name: str) -> Rejection:
    return Rejection(
        reason=f"the attribute {name!r} cannot be read by a pattern",
        substitute="match the class alone and read the attribute in the case",
    )


def _check_of(pattern: ast.MatchClass, held: str) -> ast.expr:
    """Turn a pattern to use the class held in a variable; return what checks and holds it."""
    cls = pattern.cls
    func = ast.copy_location(ast.Name(id=CHECK_PATTERN, ctx=ast.Load()), cls)
    count = ast.copy_location(ast.Constant(value=len(pattern.patterns)), cls)
    call = ast.copy_location(ast.Call(func=func, args=[cls, count], keywords=[]), cls)
    target = ast.copy_location(ast.Name(id=held, ctx=ast.Store()), cls)
    pattern.cls = ast.copy_location(ast.Name(id=held, ctx=ast.Load()), cls)
    return ast.copy_location(ast.NamedExpr(target=target, value=call), cls)


def _case_of_checks(checks: list[ast.expr], place: ast.AST) -> ast.match_case:
    """Build `case _ if not [check, …]: pass`, which never matches: the list is not empty."""
    listed = ast.copy_location(ast.List(elts=checks, ctx=ast.Load()), place)
    return ast.match_case(
        pattern=ast.copy_location(ast.MatchAs(pattern=None, name=None), place),
        guard=ast.copy_location(ast.UnaryOp(op=ast.Not(), operand=listed), place),
        body=[ast.copy_location(ast.Pass(), place)],
    )
