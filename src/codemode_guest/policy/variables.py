"""The policy for variables: every place that binds or reads a name."""

from __future__ import annotations

import ast

from codemode_guest.policy import names
from codemode_guest.policy.advice import ABSENT_BUILTINS, Rejection
from codemode_guest.policy.scopes import Scope
from codemode_guest.policy.walk import Reading, Visited, Walk


class VariablePolicy(Walk):
    """Names as they are read and bound; the other rooms bind theirs through `bind`."""

    def __init__(self, reading: Reading) -> None:
        super().__init__(reading)
        self._absent: list[tuple[ast.Name, Scope]] = []

    def visit_Name(self, node: ast.Name) -> Visited:
        """Allowed: every name but special ones (`__x__`) and the reserved form `_x_`.

        Of the special names `__name__`, `__doc__` and `__debug__` can be read, the top level can
        bind `__all__`, `__version__`, `__author__` and `__doc__`, and a class body can read and
        bind the special methods. A built-in function that is not there is refused unless the
        program binds its name.
        """
        name = node.id
        if node.ctx.__class__ is not ast.Load:
            self.bind(node, name)
        elif name[0] == "_":
            self.refuse(node, self._refuse_reading(name))
        elif name in ABSENT_BUILTINS:
            self._absent.append((node, self.scopes.innermost))
        return node

    def _refuse_reading(self, name: str) -> Rejection | None:
        if name in names.READABLE_NAMES:
            return None
        if self.scopes.innermost.kind == "class" and (
            name in names.DEFINABLE or name in names.CLASS_LABELS
        ):
            return None
        if name == "__class__" and self.scopes.class_name() and self.scopes.in_function():
            return None  # of a method: the class that it is written in
        return names.refuse_variable(name)

    def bind(self, node: ast.AST, name: str, *, module: str | None = None) -> None:
        """Check a name that a target binds, and note that this scope binds it.

        Args:
            node: Where.
            name: It may be the name of a variable, a parameter, a function or a class.
            module: The module that it stands for from here on, if it is one.
        """
        kind = self.scopes.innermost.kind
        if name[0] == "_" and not (kind == "module" and name in names.MODULE_LABELS):
            rule = names.refuse_class_name if kind == "class" else names.refuse_variable
            self.refuse(node, rule(name))
        self.scopes.bind(name, module)

    def refuse_absent_builtins(self) -> None:
        """Refuse the built-in functions that are not there; call when all names are known."""
        for node, scope in self._absent:
            if self.is_builtin(node.id) and node.id not in scope.bound:
                self.refuse(node, ABSENT_BUILTINS[node.id])

    def visit_NamedExpr(self, node: ast.NamedExpr) -> Visited:
        """Allowed: `name := value`, under the rule for names."""
        node.value = self.visit_expression(node.value)
        name = node.target.id
        self.refuse(node.target, names.refuse_variable(name))
        self.scopes.bind_outside_comprehension(name)
        return node
