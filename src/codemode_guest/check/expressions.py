"""What evaluating an expression does: what it reads, makes and awaits."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any, ClassVar, Final

from codemode_guest.check import wording
from codemode_guest.check.calling import Calling
from codemode_guest.check.displays import Displays
from codemode_guest.check.known import (
    Defined,
    Known,
    Library,
    Member,
    Several,
    Started,
    Value,
    Whole,
)

#: Methods of a coroutine by which a program takes charge of it.
_IN_CHARGE: Final = frozenset(("__await__", "close", "send", "throw"))


class Expressions(Calling, Displays):
    """Evaluates expressions, one method for each kind of node."""

    #: By kind of expression or statement; for the whole class, statements included.
    visitors: ClassVar[dict[type, Callable[[Any, Any], Value]]] = {}

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        cls.visitors = {
            kind: getattr(cls, f"on_{kind.__name__.lower()}", cls.on_any)
            for kind in vars(ast).values()
            if isinstance(kind, type) and issubclass(kind, (ast.expr, ast.stmt))
        }

    def value(self, node: ast.expr) -> Value:
        """Evaluate an expression."""
        return self.visitors[node.__class__](self, node)

    def on_any(self, node: ast.AST) -> None:
        """Evaluate the expressions in what may give them to anybody."""
        for part in ast.iter_child_nodes(node):
            if isinstance(part, ast.expr):
                self.spend(part)

    def on_operands(self, node: ast.expr) -> None:
        """Evaluate the parts of an expression that awaits none of them."""
        for part in ast.iter_child_nodes(node):
            if isinstance(part, ast.expr):
                self.value(part)

    on_binop = on_unaryop = on_joinedstr = on_formattedvalue = on_operands

    def on_constant(self, node: ast.Constant) -> Known:
        """Give the constant."""
        return Known(node.value)

    # --- names and members ------------------------------------------------------------

    def on_name(self, node: ast.Name) -> Value:
        """Read a variable."""
        variable = self.variable(node.id)
        if variable.bindings:
            return self.read(variable)
        if variable.module is not None:
            return Library(variable.module)
        if spec := self.namespace(node):
            return Whole(spec)
        if node.id in self.world.names:
            return Library(node.id) if node.id in self.world.modules else None
        own, is_reserved = self.variables, node.id.startswith("_") and node.id.endswith("_")
        if node.id not in own.names and not own.has_star_import and not is_reserved:
            reason, advice = wording.unbound(node.id, self.world, own.names)
            self.notes.add(node, reason, advice, sure=self.sure)
        return None

    def on_attribute(self, node: ast.Attribute) -> Value:
        """Read an attribute."""
        spec = self.namespace(node.value)
        if spec is not None:
            return self.member(spec, node.attr, node)
        return self.attribute_of(self.value(node.value), node)

    def on_subscript(self, node: ast.Subscript) -> Value:
        """Read an item."""
        spec, key = self.namespace(node.value), node.slice
        if spec is None:
            holder = self.value(node.value)
            if isinstance(holder, Started):
                holder.asked = isinstance(node.value, ast.Call)
            else:
                self.let_go(holder)
        elif isinstance(key, ast.Constant) and type(key.value) is str:
            return self.member(spec, key.value, node)
        self.spend(key)
        return None

    def attribute_of(self, holder: Value, node: ast.Attribute) -> Value:
        """Read an attribute of a value."""
        if isinstance(holder, Library):
            return Library(f"{holder.name}.{node.attr}")
        if not isinstance(holder, Started):
            self.let_go(holder)
        else:
            holder.asked = isinstance(node.value, ast.Call)
            holder.used = holder.used or node.attr in _IN_CHARGE
        return None

    # --- other expressions ------------------------------------------------------------

    def on_await(self, node: ast.Await) -> None:
        """Wait for what is awaited."""
        value = self.value(node.value)
        if isinstance(value, Several):
            self.let_go(value)
            reason, advice = "a list cannot be awaited", "write await asyncio.gather(*…)"
            self.notes.add(node, reason, advice, sure=self.sure)
        elif isinstance(value, (Member, Defined)):
            shown = value.shown if isinstance(value, Member) else value.node.name
            reason, advice = f"{shown} is awaited, but not called", f"write await {shown}(…)"
            self.notes.add(node, reason, advice, sure=self.sure)
        else:
            self.wait_for(value, sure=self.sure)

    def on_boolop(self, node: ast.BoolOp) -> None:
        """The first operand is sure, the others depend on it."""
        self.spend(node.values[0])
        with self.perhaps():
            for value in node.values[1:]:
                self.spend(value)

    def on_ifexp(self, node: ast.IfExp) -> None:
        """One of the two values, whichever."""
        self.value(node.test)
        with self.perhaps():
            self.spend(node.body)
            self.spend(node.orelse)

    def on_compare(self, node: ast.Compare) -> None:
        """The first comparison is sure, the others depend on it."""
        self.value(node.left)
        self.value(node.comparators[0])
        with self.perhaps():
            for further in node.comparators[1:]:
                self.value(further)

    def on_lambda(self, node: ast.Lambda) -> None:
        """Nobody knows who calls it."""
        for default in (*node.args.defaults, *node.args.kw_defaults):
            self.spend(default)
        before, self.scope = self.scope, self.variables.scopes[node]
        with self.perhaps():
            self.spend(node.body)
        self.scope = before

    def on_namedexpr(self, node: ast.NamedExpr) -> Value:
        """Bind, and give the same value."""
        value = self.value(node.value)
        self.bind(node.target.id, value)
        return value
