"""Which names the parts of a program bind, as far as the policy needs to know."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal


@dataclass(slots=True, kw_only=True)
class Scope:
    """One scope of the program, while it is read.

    Attributes:
        kind: A lambda is a function; a comprehension and the type parameters of a definition
            are scopes of their own.
        name: Of a class; it mangles private names.
        bound: The names that are bound here, so far.
        own: The first parameter of a method: the object itself, or its class.
        parameters: Of a method, all of them.
        blocks: How deep what is being read is nested in blocks that catch exceptions, weighed.
    """

    kind: Literal["module", "class", "function", "comprehension", "type parameters"]
    name: str | None = None
    bound: set[str] = field(default_factory=set)
    own: str | None = None
    parameters: frozenset[str] = frozenset()
    blocks: int = 0


class Scopes:
    """The scopes around the part of the program that is being read, innermost last."""

    def __init__(self) -> None:
        self.top = Scope(kind="module")
        self.stack = [self.top]
        #: What is bound anywhere but directly in a class.
        self.variables: set[str] = set()
        #: What is bound by an import, anywhere.
        self.imported: set[str] = set()
        #: The modules that names stand for, and the names that stand for something else, too.
        self.modules: dict[str, str] = {}
        self.rebound: set[str] = set()
        #: What is bound directly in classes.
        self.class_attributes: set[str] = set()

    @property
    def innermost(self) -> Scope:
        """The scope that is being read."""
        return self.stack[-1]

    def bind(self, name: str, module: str | None = None) -> None:
        """Note that the innermost scope binds a name, to a module or to anything else."""
        if module is None or self.modules.setdefault(name, module) != module:
            self.rebound.add(name)
        scope = self.stack[-1]
        scope.bound.add(name)
        (self.class_attributes if scope.kind == "class" else self.variables).add(name)

    def bind_outside_comprehension(self, name: str) -> None:
        """Bind as `:=` does, which reaches out of comprehensions."""
        scope = next(scope for scope in reversed(self.stack) if scope.kind != "comprehension")
        scope.bound.add(name)
        self.variables.add(name)
        self.rebound.add(name)

    def class_name(self) -> str | None:
        """Return the name of the innermost class, which mangles private names."""
        return next((scope.name for scope in reversed(self.stack) if scope.kind == "class"), None)

    def in_function(self) -> bool:
        """Whether what is being read runs only when a function of the program is called."""
        return any(scope.kind == "function" for scope in self.stack)

    def is_read_in_function(self) -> bool:
        """Whether a name that is read here is looked up as in a function, not as in a class."""
        inner = (scope.kind for scope in reversed(self.stack) if scope.kind != "comprehension")
        return next(inner) == "function"

    def is_own(self, name: str) -> bool:
        """Whether a name is the first parameter of the method around, or of one further out."""
        scope = self._binder(name)
        return scope is not None and scope.own == name

    def is_parameter_of_method(self, name: str) -> bool:
        """Whether a name is a parameter of the method around, or of one further out."""
        scope = self._binder(name)
        return scope is not None and name in scope.parameters

    def _binder(self, name: str) -> Scope | None:
        """The scope that a name means here; classes are seen by nothing inside them."""
        for scope in reversed(self.stack):
            if name in scope.bound and (scope.kind != "class" or scope is self.stack[-1]):
                return scope
        return None
