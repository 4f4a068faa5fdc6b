"""What each name of a program means, wherever it stands."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from codemode_guest.check.scopes import READING, Scope, Scopes


@dataclass(slots=True, eq=False)
class Variable:
    """One variable, in whichever scopes it is used.

    Attributes:
        bindings: How many places bind it; an `import json` that binds `json` is none.
        module: What such an import binds it to.
        loads: How many places read it.
        reads: How many of them leave a list under this name as long as it was.
        shared: Whether it is used outside the scope that it belongs to.
    """

    bindings: int = 0
    module: str | None = None
    loads: int = 0
    reads: int = 0
    shared: bool = False

    @property
    def is_free(self) -> bool:
        """Whether the program binds it nowhere."""
        return not self.bindings and self.module is None

    @property
    def is_single(self) -> bool:
        """Whether one place in the whole program binds it."""
        return self.bindings == 1 and self.module is None

    @property
    def is_steady(self) -> bool:
        """Whether a list under this name is bound once and never loses an item."""
        return self.is_single and self.loads == self.reads


class Variables:
    """The variables of a program.

    Attributes:
        top: The scope of the top level.
        scopes: The others, by function, lambda or class.
        names: All that are bound, in whatever scope.
        has_star_import: Whether others are bound, too.
    """

    def __init__(self, tree: ast.Module) -> None:
        found = Scopes(tree)
        self.top, self.scopes = found.top, found.inner
        self.has_star_import = found.has_star_import
        scopes = (self.top, *self.scopes.values())
        self.names: set[str] = set().union(*(scope.stores for scope in scopes))
        self._known: dict[tuple[str, Scope], Variable] = {}
        # A program may have a function `print` that empties lists.
        trusted = READING.isdisjoint(self.names)
        for scope in scopes:
            for name in {*scope.stores, *scope.loads}:
                self._count(name, scope, trusted=trusted)

    def find(self, name: str, scope: Scope) -> Variable:
        """Return what a name means in a scope."""
        variable = self._known.get((name, scope))
        if variable is None:
            home = self._home(name, scope)
            variable = self._known.setdefault((name, home), Variable())
            self._known[name, scope] = variable
        return variable

    def _home(self, name: str, scope: Scope) -> Scope:
        """The scope whose variable it is."""
        if scope.declared.get(name):
            return self.top
        around: Scope | None = scope
        while around is not None:
            is_seen = around is scope or not around.is_class
            if is_seen and name in around.stores and name not in around.declared:
                return around
            around = around.parent
        return self.top

    def _count(self, name: str, scope: Scope, *, trusted: bool) -> None:
        variable = self.find(name, scope)
        imported = name in scope.modules
        variable.bindings += scope.stores[name] - imported
        variable.loads += scope.loads[name]
        variable.reads += scope.reads[name] if trusted else 0
        variable.shared = variable.shared or self._home(name, scope) is not scope
        if imported:
            variable.module = name
