"""The scopes of a program, and which names each of them binds and reads."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

#: Functions that look at a list and leave it as it is.
READING: Final = frozenset(
    [
        "all",
        "any",
        "dict",
        "enumerate",
        "len",
        "list",
        "max",
        "min",
        "print",
        "range",
        "reversed",
        "set",
        "sorted",
        "str",
        "sum",
        "tuple",
        "zip",
    ]
)

#: Methods after which a list or a dict has no fewer items than before.
_GROWING: Final = frozenset(
    [
        "append",
        "copy",
        "count",
        "extend",
        "get",
        "index",
        "insert",
        "items",
        "keys",
        "sort",
        "values",
    ]
)


@dataclass(slots=True, eq=False)
class Scope:
    """A function, a lambda, a class or the top level; comprehensions belong to what is around.

    Attributes:
        parent: The scope around; None for the top level.
        is_class: Whether it is a class, whose names nothing inside it sees.
        stores: How often each name is bound. An `import json` that binds `json` counts once.
        loads: How often each name is read.
        reads: How many of these leave a list under the name as long as it was.
        modules: What such imports bind.
        declared: What is declared to be bound elsewhere, with whether that is the top level.
        yields: Whether calling it makes a generator.
    """

    parent: Scope | None
    is_class: bool = False
    stores: Counter[str] = field(default_factory=Counter)
    loads: Counter[str] = field(default_factory=Counter)
    reads: Counter[str] = field(default_factory=Counter)
    modules: set[str] = field(default_factory=set)
    declared: dict[str, bool] = field(default_factory=dict)
    yields: bool = False


_Pending: TypeAlias = list[tuple[Any, Scope]]


class Scopes:
    """Reads a tree once, in no order.

    Attributes:
        top: The scope of the top level.
        inner: The others, by function, lambda or class.
        has_star_import: Whether names are bound that no place spells out.
    """

    def __init__(self, tree: ast.Module) -> None:
        self.top = Scope(None)
        self.inner: dict[ast.AST, Scope] = {}
        self.has_star_import = False
        pending: _Pending = [(tree, self.top)]
        while pending:
            node, scope = pending.pop()
            look = _LOOKS.get(node.__class__)
            if look is None or look(self, node, scope, pending):
                _push(pending, scope, (getattr(node, name, None) for name in node._fields))

    # What to do at a node; the answer says whether to go on into its parts.

    def on_name(self, node: ast.Name, scope: Scope, _: _Pending) -> bool:
        """Count."""
        (scope.loads if node.ctx.__class__ is ast.Load else scope.stores)[node.id] += 1
        return False

    def on_matchas(self, node: Any, scope: Scope, _: _Pending) -> bool:  # noqa: ANN401 - see below
        """Count the name that is bound, if there is one."""
        if node.name is not None:
            scope.stores[node.name] += 1
        return True

    on_matchstar = on_excepthandler = on_matchas
    # Type parameters, from 3.12 on.
    on_typevar = on_paramspec = on_typevartuple = on_matchas

    def on_matchmapping(self, node: ast.MatchMapping, scope: Scope, _: _Pending) -> bool:
        """Count the name of the rest."""
        if node.rest is not None:
            scope.stores[node.rest] += 1
        return True

    def on_functiondef(
        self, node: ast.FunctionDef | ast.AsyncFunctionDef, scope: Scope, pending: _Pending
    ) -> bool:
        """Open the scope of its body."""
        scope.stores[node.name] += 1
        inner = self._open(node, scope, pending)
        _push(pending, scope, (node.decorator_list,))
        _push(pending, inner, (node.body, getattr(node, "type_params", None)))
        return False

    on_asyncfunctiondef = on_functiondef

    def on_lambda(self, node: ast.Lambda, scope: Scope, pending: _Pending) -> bool:
        """Open the scope of its body."""
        pending.append((node.body, self._open(node, scope, pending)))
        return False

    def _open(
        self,
        node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda,
        scope: Scope,
        pending: _Pending,
    ) -> Scope:
        """Make the scope of a function, with its parameters; annotations are not looked at."""
        inner = self.inner[node] = Scope(scope)
        args = node.args
        for arg in (*args.posonlyargs, *args.args, *args.kwonlyargs, args.vararg, args.kwarg):
            if arg is not None:
                inner.stores[arg.arg] += 1
        _push(pending, scope, (args.defaults, args.kw_defaults))
        return inner

    def on_classdef(self, node: ast.ClassDef, scope: Scope, pending: _Pending) -> bool:
        """Open the scope of its body."""
        scope.stores[node.name] += 1
        inner = self.inner[node] = Scope(scope, is_class=True)
        _push(pending, scope, (node.decorator_list, node.bases, node.keywords))
        _push(pending, inner, (node.body, getattr(node, "type_params", None)))
        return False

    def on_import(self, node: ast.Import, scope: Scope, _: _Pending) -> bool:
        """Count the names; repeating an import binds the same once more."""
        for alias in node.names:
            outer = alias.name.partition(".")[0]
            name = alias.asname or outer
            if name == outer:
                scope.stores[name] += name not in scope.modules
                scope.modules.add(name)
            else:
                scope.stores[name] += 1
        return False

    def on_importfrom(self, node: ast.ImportFrom, scope: Scope, _: _Pending) -> bool:
        """Count the names."""
        for alias in node.names:
            if alias.name == "*":
                self.has_star_import = True
            else:
                scope.stores[alias.asname or alias.name] += 1
        return False

    def on_global(self, node: ast.Global | ast.Nonlocal, scope: Scope, _: _Pending) -> bool:
        """Remember whose the names are."""
        scope.declared.update(dict.fromkeys(node.names, isinstance(node, ast.Global)))
        return False

    on_nonlocal = on_global

    def on_yield(self, _: ast.Yield | ast.YieldFrom, scope: Scope, __: _Pending) -> bool:
        """Note it."""
        scope.yields = True
        return True

    on_yieldfrom = on_yield

    def on_for(
        self, node: ast.For | ast.AsyncFor | ast.comprehension, scope: Scope, _: _Pending
    ) -> bool:
        """Going through a list leaves it as it is."""
        _read(node.iter, scope)
        return True

    on_asyncfor = on_comprehension = on_for

    def on_subscript(self, node: ast.Subscript | ast.Starred, scope: Scope, _: _Pending) -> bool:
        """Reading an item, or all of them, leaves a list as it is."""
        if isinstance(node.ctx, ast.Load):
            _read(node.value, scope)
        return True

    on_starred = on_subscript

    def on_formattedvalue(self, node: ast.FormattedValue, scope: Scope, _: _Pending) -> bool:
        """Showing a list leaves it as it is."""
        _read(node.value, scope)
        return True

    def on_call(self, node: ast.Call, scope: Scope, _: _Pending) -> bool:
        """Some functions and methods leave a list as it is."""
        match node.func:
            case ast.Name(name) if name in READING:
                for argument in node.args:
                    _read(argument, scope)
            case ast.Attribute(holder, method) if method in _GROWING:
                _read(holder, scope)
        return True


def _push(pending: _Pending, scope: Scope, values: Iterable[Any]) -> None:
    for value in values:
        if value.__class__ is list:
            pending.extend([(item, scope) for item in value if isinstance(item, ast.AST)])
        elif isinstance(value, ast.AST):
            pending.append((value, scope))


def _read(node: ast.expr, scope: Scope) -> None:
    if isinstance(node, ast.Name):
        scope.reads[node.id] += 1


_LOOKS: Final[dict[type, Callable[[Scopes, Any, Scope, _Pending], bool]]] = {
    kind: getattr(Scopes, f"on_{name.lower()}")
    for name, kind in vars(ast).items()
    if hasattr(Scopes, f"on_{name.lower()}")
}
