"""How the policy walks a tree: RestrictedPython's transformer, with a lean visitor.

Every kind of node must have a visitor of the policy's own. What has none is refused, such as
syntax that a later Python brings.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Final, Literal, TypeAlias, TypeVar, cast

from RestrictedPython.transformer import RestrictingNodeTransformer

from codemode_guest.policy.findings import Finding
from codemode_guest.policy.scopes import Scope, Scopes

if TYPE_CHECKING:
    from codemode_guest.policy.advice import Rejection

#: What a visitor answers: the node in its place, several statements, or nothing.
Visited: TypeAlias = ast.AST | list[Any] | None
_Node = TypeVar("_Node", bound=ast.AST)
_Visitor: TypeAlias = Callable[[Any, Any], Visited]

#: A program with more faults than this is no program; the count goes on meaning "many".
_MAX_FINDINGS: Final = 1_000

#: The compiler keeps the handlers around a place in an array of some 20 (`CO_MAXBLOCKS`). It counts
#: most of them, but neither comprehensions (from 3.12 on, part of the function around) nor what
#: coroutines and `finally` add, and writes past the end: 3.12.1 does from 19 on.
_MAX_BLOCKS: Final = 17


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What is known while a program is read.

    Attributes:
        source_lines: The program.
        explain_import: Says of a module what to write instead; None when it can be imported.
        explain_name: Says of a module's name what to write instead; None when it is offered.
        public_names: The names that a star import of a module binds.
        always_there: Modules that need no import.
        provided: Names that the program finds beside Python's own.
    """

    source_lines: tuple[str, ...]
    explain_import: Callable[[str], str | None] | None = None
    explain_name: Callable[[str, str], str | None] | None = None
    public_names: Callable[[str], Iterable[str]] | None = None
    always_there: Collection[str] = ()
    provided: Collection[str] = ()


class Walk(RestrictingNodeTransformer):
    """Visit each node once, in the order of evaluation or close to it, and gather findings."""

    #: By node type: a visitor, or None where there is nothing to look into.
    _visitors: ClassVar[dict[type, _Visitor | None]] = {}

    def __init__(self, reading: Reading) -> None:
        super().__init__()
        self.reading = reading
        self.findings: list[Finding] = []
        self.scopes = Scopes()

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        cls._visitors = {
            kind: _without_detour(getattr(cls, f"visit_{kind.__name__}", cls.generic_visit))
            for kind in vars(ast).values()
            if isinstance(kind, type) and issubclass(kind, ast.AST)
        }
        # The values of fields that hold no nodes.
        cls._visitors.update(dict.fromkeys((str, int, bool, type(None)), None))

    # --- visiting ---------------------------------------------------------------------

    def visit(self, node: ast.AST) -> Visited:
        """Visit a node; answer what stands in its place."""
        visitor = self._visitors.get(node.__class__, Walk.generic_visit)
        return node if visitor is None else visitor(self, node)

    def node_contents_visit(self, node: _Node) -> _Node:
        """Visit the parts of a node, in the order of its fields."""
        visitors = self._visitors
        for name in node._fields:
            value = getattr(node, name, None)
            if value.__class__ is list:
                if value:
                    self.visit_list(value)
                continue
            visitor = visitors.get(value.__class__, Walk.generic_visit)
            if visitor is not None:
                visited = visitor(self, value)
                if visited is not value:
                    setattr(node, name, visited)
        return node

    def visit_list(self, nodes: list[Any]) -> None:
        """Visit the nodes of a list and replace each by what its visitor answers."""
        visitors = self._visitors
        changed: dict[int, Visited] = {}
        for index, node in enumerate(nodes):
            visitor = visitors.get(node.__class__, Walk.generic_visit)
            if visitor is not None:
                visited = visitor(self, node)
                if visited is not node:
                    changed[index] = visited
        if changed:
            for index, visited in reversed(changed.items()):
                nodes[index : index + 1] = visited if isinstance(visited, list) else [visited]

    def visit_expression(self, node: ast.expr) -> ast.expr:
        """Visit an expression; its visitor answers another expression."""
        return cast("ast.expr", self.visit(node))

    def visit_fields(self, node: ast.AST, *names: str) -> None:
        """Visit some fields of a node, in this order."""
        for name in names:
            value = getattr(node, name, None)
            if value.__class__ is list:
                if value:
                    self.visit_list(value)
            elif value is not None:
                visited = self.visit(value)
                if visited is not value:
                    setattr(node, name, visited)

    @contextmanager
    def inside(self, scope: Scope) -> Iterator[None]:
        """Read a part of the program as a scope of its own."""
        self.scopes.stack.append(scope)
        yield
        self.scopes.stack.pop()

    @contextmanager
    def in_block(self, node: ast.AST, weight: int) -> Iterator[None]:
        """Read what a block holds that catches exceptions, as `with` and `try` do.

        Args:
            node: The statement or comprehension.
            weight: How many handlers the compiler may keep for it.
        """
        scope = self.scopes.innermost
        scope.blocks += weight
        if scope.blocks - weight <= _MAX_BLOCKS < scope.blocks:
            self.refuse_syntax(node, "too many statically nested blocks")
        yield
        scope.blocks -= weight

    def is_builtin(self, name: str) -> bool:
        """Whether a name means what Python means by it; ask when all names are known."""
        return name not in self.scopes.variables and name not in self.reading.provided

    # --- findings ---------------------------------------------------------------------

    def refuse(self, node: ast.AST, rejection: Rejection | None) -> None:
        """Note a finding at a node, unless there is nothing to reject."""
        if rejection is not None:
            self._note(node, "policy", "PolicyError", rejection.reason, rejection.substitute)

    def refuse_syntax(self, node: ast.AST, words: str) -> None:
        """Note what CPython refuses in the same words in a module of its own."""
        self._note(node, "syntax", "SyntaxError", words, None)

    def _note(
        self,
        node: ast.AST,
        kind: Literal["syntax", "policy"],
        type_name: str,
        reason: str,
        substitute: str | None,
    ) -> None:
        if len(self.findings) >= _MAX_FINDINGS:
            return
        line, column = getattr(node, "lineno", None), getattr(node, "col_offset", None)
        source_line = None if line is None else self.reading.source_lines[line - 1]
        self.findings.append(
            Finding(
                line=line,
                column=None if source_line is None else character_column(source_line, column),
                source_line=source_line,
                kind=kind,
                type_name=type_name,
                reason=reason,
                substitute=substitute,
            )
        )

    def generic_visit(self, node: ast.AST) -> Visited:
        """Refused: syntax that this policy has no visitor for."""
        reason = f"{type(node).__name__} is not in this language"
        self._note(node, "policy", "PolicyError", reason, "write it as Python 3.11 has it")
        return node


def allow(docstring: str) -> _Visitor:
    """Make a visitor for a kind of node that is allowed, as are its parts if they are."""

    def visit(self: Walk, node: ast.AST) -> Visited:
        return self.node_contents_visit(node)

    visit.__doc__ = docstring
    visit.detour_to = Walk.node_contents_visit  # type: ignore[attr-defined]
    return visit


def allow_bare(docstring: str) -> _Visitor:
    """Make a visitor for a kind of node that is allowed and has no parts."""

    def visit(_: Walk, node: ast.AST) -> Visited:
        return node

    visit.__doc__ = docstring
    visit.detour_to = None  # type: ignore[attr-defined]
    return visit


def _without_detour(visitor: _Visitor) -> _Visitor | None:
    """What a visitor made by `allow` leads to: a third of the walk's time is calls."""
    target: _Visitor | None = getattr(visitor, "detour_to", visitor)
    return target


def character_column(source_line: str, byte_offset: int | None) -> int | None:
    """Turn an offset as the parser counts, in bytes of UTF-8, into a column counted from 1."""
    if byte_offset is None:
        return None
    return len(source_line.encode(errors="replace")[:byte_offset].decode(errors="replace")) + 1
