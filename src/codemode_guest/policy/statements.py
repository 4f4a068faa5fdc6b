"""The policy for statements that define nothing."""

# ruff: noqa: N815 - a visitor is named after its kind of node

from __future__ import annotations

import ast
from typing import Final

from codemode_guest.policy import names
from codemode_guest.policy.advice import Rejection
from codemode_guest.policy.body import no_value
from codemode_guest.policy.groups import GroupPolicy
from codemode_guest.policy.imports import ImportPolicy
from codemode_guest.policy.modules import is_type_checking, suppressed
from codemode_guest.policy.walk import Visited, allow, allow_bare


class StatementPolicy(ImportPolicy, GroupPolicy):
    """Assignments, control flow, exceptions."""

    visit_Expr = allow("Allowed: an expression as a statement.")
    visit_Delete = allow("Allowed: `del` of names, attributes, items and slices.")
    visit_Raise = allow("Allowed: `raise`, with `from` too.")
    visit_Assert = allow("Allowed: `assert`.")
    visit_While = allow("Allowed: `while`, with `else` too.")
    visit_withitem = allow("Allowed: one context manager.")
    visit_Pass = allow_bare("Allowed.")
    visit_Break = allow_bare("Allowed.")
    visit_Continue = allow_bare("Allowed.")

    def visit_Return(self, node: ast.Return) -> Visited:
        """Allowed, at the top level too, where a bare one gives the program no value."""
        if node.value is not None:
            node.value = self.visit_expression(node.value)
        elif self.scopes.innermost.kind == "module":
            node.value = no_value(node)
        return node

    def visit_If(self, node: ast.If) -> Visited:
        """Allowed: `if`, `elif`, `else`; under `TYPE_CHECKING`, imports of any module too."""
        self.visit_fields(node, "test")
        never_runs = is_type_checking(node.test)
        with self.expecting_failure(of_imports=never_runs, of_reads=never_runs):
            self.visit_list(node.body)
        self.visit_list(node.orelse)
        return node

    def visit_With(self, node: ast.With) -> Visited:
        """Allowed: `with`, with targets of every form."""
        with self.in_block(node, len(node.items)):
            self.visit_list(node.items)
            with self.expecting([error for item in node.items for error in suppressed(item)]):
                self.visit_list(node.body)
        return node

    def visit_AsyncWith(self, node: ast.AsyncWith) -> Visited:
        """Allowed: `async with`."""
        with self.in_block(node, len(node.items)):
            return self.node_contents_visit(node)

    def visit_For(self, node: ast.For) -> Visited:
        """Allowed: `for`, with targets of every form and `else`."""
        return self._visit_loop(node)

    def visit_AsyncFor(self, node: ast.AsyncFor) -> Visited:
        """Allowed: `async for`."""
        with self.in_block(node, 1):
            return self._visit_loop(node)

    def _visit_loop(self, node: ast.For | ast.AsyncFor) -> Visited:
        self.visit_fields(node, "iter", "target", "body", "orelse")
        return node

    def visit_Assign(self, node: ast.Assign) -> Visited:
        """Allowed: targets of every form, left to Python, so evaluated once and in its order.

        `__slots__` and `__match_args__` take a literal, whose names are checked.
        """
        node.value = self.visit_expression(node.value)
        for index, target in enumerate(node.targets):
            if not self._is_checked_name_list(target, node.value):
                node.targets[index] = self.visit_expression(target)
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> Visited:
        """Allowed; at the top level the annotation of a variable is dropped, unevaluated.

        The names of the top level are global, and Python does not annotate those. Inside the
        body of an async function, which a program is, it would not evaluate them either.
        """
        self.visit_fields(node, "value")
        kind = self.scopes.innermost.kind
        self.visit_annotation(node, "annotation", evaluated=kind == "class")
        if kind == "module" and isinstance(node.target, ast.Name):
            if node.value is None:
                self.refuse(node.target, names.refuse_variable(node.target.id))
                return ast.copy_location(ast.Pass(), node)
            self.visit(node.target)
            return ast.copy_location(ast.Assign(targets=[node.target], value=node.value), node)
        if not self._is_checked_name_list(node.target, node.value):
            self.visit_fields(node, "target")
        return node

    def visit_AugAssign(self, node: ast.AugAssign) -> Visited:
        """Allowed: `+=` and its kin on names, attributes, items and slices.

        An attribute is read, too, and by Python itself, so it must be free to read: `format` and
        most special names are not.
        """
        target = node.target
        if isinstance(target, ast.Attribute):
            if target.attr in names.FORMATS:
                reason = f"the attribute {target.attr!r} cannot be changed in place"
                self.refuse(target, Rejection(reason=reason, substitute="assign it"))
            elif names.refuse_assignment(target.attr) is None:
                self.refuse(target, names.refuse_attribute(target.attr))
        self.visit_fields(node, "target", "op", "value")
        return node

    def _is_checked_name_list(self, target: ast.expr, value: ast.expr | None) -> bool:
        """Whether this assigns `__slots__` or `__match_args__` harmless names, literally."""
        if self.scopes.innermost.kind != "class" or not isinstance(target, ast.Name):
            return False
        if target.id not in names.NAME_LISTS or value is None:
            return False
        listed = _literal_names(value)
        if listed is None:
            return False
        harmless = _OWN_SLOTS if target.id == "__slots__" else frozenset()
        for name in listed:
            if name not in harmless:
                self.refuse(value, names.refuse_variable(name) or names.refuse_attribute(name))
        return True

    def visit_Try(self, node: ast.Try) -> Visited:
        """Allowed: `try`, `except`, `else`, `finally`."""
        return self._visit_try(node)

    def visit_TryStar(self, node: ast.TryStar) -> Visited:
        """Allowed: `except*`, of groups that Python takes apart itself.

        A class of the program must not define `split` beside it. Where the interpreter does not
        check what that returns, a guard looks at each group first.
        """
        self._visit_try(node)
        return self.guard_groups(node)

    def _visit_try(self, node: ast.Try | ast.TryStar) -> Visited:
        with self.in_block(node, 2):
            with self.expecting([handler.type for handler in node.handlers]):
                self.visit_fields(node, "body")
            self.visit_fields(node, "handlers", "orelse", "finalbody")
        return node

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> Visited:
        """Allowed: handlers, bare ones too; the name after `as` obeys the rule for names."""
        if node.name is not None:
            self.bind(node, node.name)
        self.visit_fields(node, "type", "body")
        return node


#: Slots that give an object what it has without `__slots__`.
_OWN_SLOTS: Final = frozenset(("__dict__", "__weakref__"))


def _literal_names(value: ast.expr) -> list[str] | None:
    """Return the strings of a literal string, tuple or list; None for anything else."""
    parts = value.elts if isinstance(value, ast.Tuple | ast.List) else [value]
    listed = [part.value for part in parts if isinstance(part, ast.Constant)]
    strings = [name for name in listed if isinstance(name, str)]
    return strings if len(strings) == len(parts) else None
