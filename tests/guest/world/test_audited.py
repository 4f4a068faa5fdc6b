"""Every place where the library works with computed names or text has a decision."""

from __future__ import annotations

import ast
import importlib
import inspect
from collections.abc import Iterator
from types import FunctionType

import pytest

from codemode_guest.world.table import here
from codemode_guest.world.table.audited import AUDITED
from codemode_guest.world.table.modules import MODULES

#: Calls that are found whatever they are given, and those that are when it is more than a literal.
ALWAYS = frozenset(
    (
        *("eval", "exec", "__import__", "import_module", "_getframe", "_getframemodulename"),
        *("globals", "vars", "format_map", "vformat", "get_field"),
    )
)
BY_NAME = {"getattr": 1, "setattr": 1, "delattr": 1, "attrgetter": 0, "methodcaller": 0}
HOOKS = frozenset(("__getattr__", "__getattribute__", "__setattr__"))


def homes() -> set[str]:
    """The modules of the table, and those where what they offer was written."""
    found = set(MODULES)
    for module, table in MODULES.items():
        real = importlib.import_module(module)
        for name in (*table.offered_here(), *table.replaced_here()):
            offered = getattr(real, name)
            kinds = [type(offered), *(offered.__mro__ if isinstance(offered, type) else ())]
            methods = [method for kind in kinds for method in vars(kind).values()]
            functions = [each for each in methods if isinstance(each, FunctionType)]
            found |= {
                each.__module__
                for each in (offered, *kinds, *functions)
                if isinstance(getattr(each, "__module__", None), str)
            }
    # `sys.stdout` is pytest's while it runs.
    return {name for name in found if not name.startswith(("codemode", "_pytest"))}


def source_of(module: str) -> str | None:
    """The text of a module; None when it is written in C."""
    try:
        return inspect.getsource(importlib.import_module(module))
    except (ImportError, OSError, TypeError):
        return None


def places(node: ast.AST, path: tuple[str, ...] = ()) -> Iterator[str]:
    """Yield `function:what` for each place below a node."""
    for child in ast.iter_child_nodes(node):
        inner = path
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            inner = (*path, child.name)
        where = ".".join(inner) or "*"
        what = found_in(child)
        if what is not None:
            yield f"{where}:{what}"
        yield from places(child, inner)


def found_in(node: ast.AST) -> str | None:
    """What a node does with a name or text that need not be its own."""
    match node:
        case ast.FunctionDef(name=name) if name in HOOKS:
            return "def"
        case ast.Attribute(value=ast.Name(id="sys" | "_sys"), attr="modules"):
            return "sys.modules"
        case ast.Call(func=ast.Name(id="compile")):
            return "compile"
        case ast.Call(func=ast.Attribute(value=value, attr="format")):
            harmless = isinstance(value, ast.Constant) or ast.unparse(value) == "self"
            return None if harmless else "format"
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name), args=args):
            return name if takes_any_name(name, args) else None
    return None


def takes_any_name(function: str, args: list[ast.expr]) -> bool:
    """Whether a function is one of those, and is given more than a literal."""
    position = BY_NAME.get(function)
    if position is None:
        return function in ALWAYS
    return len(args) <= position or not isinstance(args[position], ast.Constant)


def recorded(module: str) -> list[str]:
    """The places of a module that have a decision on this Python."""
    return [place for modules in AUDITED.values() for place in here(modules.get(module, ""))]


SEARCHED = sorted(homes() | {name for modules in AUDITED.values() for name in modules})


@pytest.mark.parametrize("module", SEARCHED)
def test_every_place_has_one_decision(module: str) -> None:
    """One that a new Python brings fails here, and so does one that is gone."""
    source = source_of(module)
    found = set() if source is None else set(places(ast.parse(source)))
    assert found == set(recorded(module))
    assert len(recorded(module)) == len(set(recorded(module)))


@pytest.mark.parametrize(
    "source,found",
    [
        ("def f(x, n): return getattr(x, n)", ["f:getattr"]),
        ("class C:\n def m(self): return getattr(self, 'x')", []),
        ("class C:\n def m(self): eval(self.x)", ["C.m:eval"]),
        ("import sys\nsys.modules[n]", ["*:sys.modules"]),
        ("def f(t): return t.format(1)", ["f:format"]),
        ("def f(): return 'a'.format(1)", []),
        ("class C:\n def __getattr__(self, n): pass", ["C.__getattr__:def"]),
        ("def f(n): return attrgetter(n), sys._getframe(1)", ["f:_getframe", "f:attrgetter"]),
    ],
)
def test_the_search_sees_what_it_is_for(source: str, found: list[str]) -> None:
    """With the function that does it, and not where the name is a literal."""
    assert found == sorted(places(ast.parse(source)))
