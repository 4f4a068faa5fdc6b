"""The policy for functions, classes, type parameters, and what they say about names."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TypeAlias

from codemode_guest.policy import names
from codemode_guest.policy.imports import ImportPolicy
from codemode_guest.policy.scopes import Scope
from codemode_guest.policy.walk import Reading, Visited, allow

_Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


class DefinitionPolicy(ImportPolicy):
    """Whatever opens a scope of its own, and `global` and `nonlocal`."""

    visit_arguments = allow("Allowed: parameters of every kind; the function checks their names.")

    def __init__(self, reading: Reading) -> None:
        super().__init__(reading)
        self._nonlocals: list[tuple[ast.Nonlocal, list[Scope]]] = []

    def visit_FunctionDef(self, node: ast.FunctionDef) -> Visited:
        """Allowed: functions, decorated and annotated; special methods in a class body."""
        return self._visit_definition(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> Visited:
        """Allowed: async functions and async generators, as functions are."""
        return self._visit_definition(node)

    def _visit_definition(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> Visited:
        self.visit_fields(node, "decorator_list")
        self.bind(node, node.name)
        scope = self._scope_of(node)
        if getattr(node, "type_params", None):
            with self._type_parameters(node):
                self._visit_signature_and_body(node, scope)
        else:
            self._visit_signature_and_body(node, scope)
        return node

    def _visit_signature_and_body(
        self, node: ast.FunctionDef | ast.AsyncFunctionDef, scope: Scope
    ) -> None:
        self.visit_fields(node, "args")
        self.visit_annotation(node, "returns")
        self._visit_body(node, scope)

    def visit_arg(self, node: ast.arg) -> Visited:
        """Allowed: a parameter with its annotation."""
        self.visit_annotation(node, "annotation")
        return node

    def visit_Lambda(self, node: ast.Lambda) -> Visited:
        """Allowed: lambdas, with parameters of every kind."""
        scope = self._scope_of(node)
        self.visit_fields(node, "args")
        self._visit_body(node, scope)
        return node

    def _scope_of(self, node: _Function) -> Scope:
        """Make the scope of a function; a method has a parameter that is its own object."""
        scope = Scope(kind="function")
        if self.scopes.innermost.kind == "class":
            positional = [*node.args.posonlyargs, *node.args.args]
            scope.own = positional[0].arg if positional else None
            scope.parameters = frozenset(parameter.arg for parameter in _parameters(node.args))
        return scope

    def _visit_body(self, node: _Function, scope: Scope) -> None:
        # By hand, for there are many: a context manager takes as long as what it is around.
        self.scopes.stack.append(scope)
        for parameter in _parameters(node.args):
            self.bind(parameter, parameter.arg)
        self.visit_fields(node, "body")
        self.scopes.stack.pop()

    def visit_ClassDef(self, node: ast.ClassDef) -> Visited:
        """Allowed: classes with bases, keywords, a metaclass and decorators, all kept.

        The body may define the special methods that are listed, `__slots__` and
        `__match_args__` as literals, and the hooks of `enum`.
        """
        self.visit_fields(node, "decorator_list")
        self.bind(node, node.name)
        with self._type_parameters(node):
            self.visit_fields(node, "bases", "keywords")
            with self.inside(Scope(kind="class", name=node.name)):
                self.visit_fields(node, "body")
        return node

    def visit_Global(self, node: ast.Global) -> Visited:
        """Allowed, under the rule for names; at the top level it says nothing, and is dropped."""
        for name in node.names:
            self.refuse(node, names.refuse_variable(name))
            self.scopes.variables.add(name)
        if self.scopes.innermost.kind == "module":
            return ast.copy_location(ast.Pass(), node)
        return node

    def visit_Nonlocal(self, node: ast.Nonlocal) -> Visited:
        """Allowed, under the rule for names.

        A program is the body of a function, so `nonlocal` may mean a name of its top level. Those
        are global here, and so it becomes `global` where no function around binds the name.
        """
        around = [scope for scope in self.scopes.stack[:-1] if scope.kind == "function"]
        statements = []
        for name in node.names:
            self.refuse(node, names.refuse_variable(name))
            # One statement for each name: some may become global and others not.
            statement = ast.copy_location(ast.Nonlocal(names=[name]), node)
            self._nonlocals.append((statement, around))
            statements.append(statement)
        return statements

    def settle_nonlocals(self) -> None:
        """Make `nonlocal` of top-level names `global`; call when all names are known."""
        for statement, around in self._nonlocals:
            name = statement.names[0]
            if name in self.scopes.top.bound and not any(name in scope.bound for scope in around):
                # In place, wherever it stands: the two kinds of node have the same fields.
                statement.__class__ = ast.Global  # type: ignore[assignment]

    def visit_TypeAlias(self, node: ast.AST) -> Visited:
        """Allowed: `type X = …` (3.12), under the rule for names."""
        self.visit_fields(node, "name")
        with self._type_parameters(node):
            self.visit_fields(node, "value")
        return node

    def visit_TypeVar(self, node: ast.AST) -> Visited:
        """Allowed: a type parameter with its bound and default, under the rule for names."""
        return self._visit_type_parameter(node)

    def visit_ParamSpec(self, node: ast.AST) -> Visited:
        """Allowed: `**P` as a type parameter."""
        return self._visit_type_parameter(node)

    def visit_TypeVarTuple(self, node: ast.AST) -> Visited:
        """Allowed: `*Ts` as a type parameter."""
        return self._visit_type_parameter(node)

    def _visit_type_parameter(self, node: ast.AST) -> Visited:
        self.bind(node, node.name)  # type: ignore[attr-defined]  # typed from 3.12 on
        self.visit_fields(node, "bound", "default_value")
        return node

    @contextmanager
    def _type_parameters(self, node: ast.AST) -> Iterator[None]:
        """Read what follows inside the scope of a definition's type parameters, if it has any."""
        if not getattr(node, "type_params", None):
            yield
            return
        with self.inside(Scope(kind="type parameters")):
            self.visit_fields(node, "type_params")
            yield


def _parameters(arguments: ast.arguments) -> Iterator[ast.arg]:
    yield from arguments.posonlyargs
    yield from arguments.args
    yield from arguments.kwonlyargs
    yield from (extra for extra in (arguments.vararg, arguments.kwarg) if extra is not None)
