"""What executing a statement does, and whether the next one is sure to be reached."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from codemode_guest.check.conditions import Conditions
from codemode_guest.check.expressions import Expressions
from codemode_guest.check.known import Context, Defined, Function, Library, Several, Value
from codemode_guest.check.leaving import Leaving

if TYPE_CHECKING:
    from codemode_guest.check.notes import Notes
    from codemode_guest.check.surroundings import World
    from codemode_guest.check.variables import Variables


class Statements(Expressions, Conditions):
    """Follows statements, one method for each kind of node."""

    def __init__(self, world: World, variables: Variables, notes: Notes) -> None:
        super().__init__(world, variables, notes)
        self._leaving = Leaving()
        self._in_loop = False
        self._functions: list[Function] = []
        #: The bodies that were followed, with whether that was sure.
        self._followed: dict[Function, bool] = {}

    def follow_program(self, tree: ast.Module) -> None:
        """Follow the top level, then the functions that nothing was seen to call."""
        self._follow(tree.body)
        for function in self._functions:  # it grows: there are functions in functions
            if function not in self._followed:
                with self.perhaps():
                    self.follow_function(function)
        self.report_never_awaited()

    def follow_function(self, function: Function) -> None:
        """Follow the body of a function, unless it was followed in the same certainty."""
        if self._followed.get(function, False) or self._followed.get(function) is self.sure:
            return
        self._followed[function] = self.sure
        before = self.scope, self.sure, self._in_loop
        self.scope, self._in_loop = self.variables.scopes[function], False
        self._follow(function.body)
        self.scope, self.sure, self._in_loop = before

    def _follow(self, statements: Sequence[ast.stmt]) -> None:
        """Follow statements in their order; what comes after a way out is not sure."""
        before = self.sure
        for statement in statements:
            self.visitors[statement.__class__](self, statement)
            if self.sure and self._leaving.may_leave(statement, in_loop=self._in_loop):
                self.sure = False
        self.sure = before

    def _branch(self, statements: Sequence[ast.stmt]) -> None:
        """Follow what a run may skip."""
        if statements:
            with self.perhaps():
                self._round(statements)

    def _round(self, statements: Sequence[ast.stmt]) -> None:
        """Follow what is not on one straight line with what is around it."""
        self.forget_brief()
        self._follow(statements)
        self.forget_brief()

    # --- simple statements ------------------------------------------------------------

    def on_expr(self, node: ast.Expr) -> None:
        """Evaluate; nobody takes the value."""
        self.value(node.value)

    def on_assign(self, node: ast.Assign) -> None:
        """Bind each target."""
        value = self.value(node.value)
        for target in node.targets:
            self._assign(target, value)

    def on_annassign(self, node: ast.AnnAssign) -> None:
        """Bind the target; the annotation is not evaluated."""
        if node.value is not None:
            self._assign(node.target, self.value(node.value))

    def _assign(self, target: ast.expr, value: Value) -> None:
        if isinstance(target, ast.Name):
            self.bind(target.id, value)
        elif (
            isinstance(target, (ast.Tuple, ast.List))
            and isinstance(value, Several)
            and len(target.elts) == len(value.items)
        ):
            for element, (item, _) in zip(target.elts, value.items, strict=True):
                self._assign(element, item)
        else:
            self.let_go(value)
            self.take(target)

    def on_augassign(self, node: ast.AugAssign) -> None:
        """Read, change and bind the target."""
        self.spend(node.value)
        if isinstance(node.target, ast.Name):
            self.let_go(self.read(self.variable(node.target.id)))
        self.take(node.target)

    def on_return(self, node: ast.Return) -> None:
        """A function gives its value to its caller, the top level to the host."""
        if node.value is not None:
            value = self.value(node.value)
            if self.scope is not self.variables.top:
                self.let_go(value)

    def on_import(self, node: ast.Import) -> None:
        """Bind the names; which of them are modules is known from the start."""
        for alias in node.names:
            self.bind(alias.asname or alias.name.partition(".")[0], None)

    def on_importfrom(self, node: ast.ImportFrom) -> None:
        """Bind what comes from a module."""
        for alias in node.names:
            if alias.name == "*":
                self.forget_all()
            else:
                self.bind(alias.asname or alias.name, Library(f"{node.module}.{alias.name}"))

    def on_typealias(self, node: Any) -> None:  # noqa: ANN401 - not there before 3.12
        """Bind the name; the value is evaluated by who asks for it."""
        self.take(node.name)

    def on_assert(self, node: ast.Assert) -> None:
        """The message is evaluated when it fails."""
        self.value(node.test)
        with self.perhaps():
            self.spend(node.msg)

    def on_delete(self, node: ast.Delete) -> None:
        """Unbind the targets."""
        for target in node.targets:
            self.take(target)

    # --- blocks -----------------------------------------------------------------------

    def on_if(self, node: ast.If) -> None:
        """One branch or the other, unless the condition always holds."""
        self.value(node.test)
        if self.holds(node.test):
            self._follow(node.body)
        else:
            self._branch(node.body)
        self._branch(node.orelse)

    def on_for(self, node: ast.For | ast.AsyncFor) -> None:
        """The first round is sure if there is something to go through."""
        filled = isinstance(node, ast.For) and self.is_filled(node.iter)
        self.go_through(node.iter, node.target)
        self._loop(node, sure=filled)

    on_asyncfor = on_for

    def on_while(self, node: ast.While) -> None:
        """The first round is sure if the condition always holds."""
        self.value(node.test)
        self._loop(node, sure=self.holds(node.test))

    def _loop(self, node: ast.For | ast.AsyncFor | ast.While, *, sure: bool) -> None:
        before = self._in_loop, self.sure
        self._in_loop, self.sure = True, self.sure and sure
        self._round(node.body)
        self._in_loop, self.sure = before
        self._branch(node.orelse)

    def on_with(self, node: ast.With | ast.AsyncWith) -> None:
        """The body is sure where what is entered lets exceptions through."""
        transparent = True
        for item in node.items:
            entered = self.value(item.context_expr)
            transparent = transparent and isinstance(entered, Context)
            if not isinstance(entered, Context):
                self.let_go(entered)
            if item.optional_vars is not None:
                self._assign(item.optional_vars, entered if transparent else None)
        if transparent:
            self._follow(node.body)
        else:
            self._branch(node.body)

    on_asyncwith = on_with

    def on_try(self, node: Any) -> None:  # noqa: ANN401 - `try`, or `try` with `except*`
        """Without handlers the body is as sure as the statement; `finally` is in any case."""
        leaves = self._leaving.any_leaves(node.finalbody, in_loop=self._in_loop)
        if node.handlers or leaves:
            self._branch(node.body)
        else:
            self._follow(node.body)
        for handler in node.handlers:
            with self.perhaps():
                self.spend(handler.type)
            self._branch(handler.body)
        self._branch(node.orelse)
        self._round(node.finalbody)

    on_trystar = on_try

    def on_match(self, node: ast.Match) -> None:
        """Any of the cases, or none."""
        self.value(node.subject)
        for case in node.cases:
            with self.perhaps():
                self.spend(case.guard)
            self._branch(case.body)

    # --- definitions ------------------------------------------------------------------

    def on_functiondef(self, node: Function) -> None:
        """Evaluate decorators and defaults; the body is for whoever calls it."""
        self._functions.append(node)
        for part in (*node.decorator_list, *node.args.defaults, *node.args.kw_defaults):
            self.spend(part)
        plain = not node.decorator_list and not self.variables.scopes[node].yields
        self.bind(node.name, Defined(node) if plain else None)

    on_asyncfunctiondef = on_functiondef

    def on_classdef(self, node: ast.ClassDef) -> None:
        """Evaluate what stands around the class, and read its body."""
        for part in (*node.decorator_list, *node.bases, *(word.value for word in node.keywords)):
            self.spend(part)
        before, self.scope = self.scope, self.variables.scopes[node]
        self._branch(node.body)
        self.scope = before
        self.bind(node.name, None)
