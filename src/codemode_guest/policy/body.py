"""A program as the body of an async function, in which everything is as true as in a module.

The names of the top level are declared global, so they are real globals, and the functions and
classes among them have bare qualified names. What Python would still name after the wrapper
(lambdas and generators at the top level) is renamed in the code object.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from types import CodeType
from typing import Final

#: The name of the wrapper, in code objects and, until it is taken out, in the namespace.
MAIN: Final = "_program_"

_PREFIX: Final = f"{MAIN}.<locals>."


class _NoValue:
    """The type of `NO_VALUE`."""

    def __repr__(self) -> str:
        return "NO_VALUE"


#: What the body returns when the program ends without `return`, or with a bare one.
NO_VALUE: Final = _NoValue()

# A syntax tree holds only literals, so the code object is given `NO_VALUE` in the place of this
# one. A program that contains the same text at its top level gains nothing but that object.
_NO_VALUE_MARK: Final = f"\0{MAIN} has no value"


def no_value(place: ast.AST) -> ast.Constant:
    """Build the expression for `NO_VALUE`, at the place of a node of the program."""
    return ast.copy_location(ast.Constant(value=_NO_VALUE_MARK), place)


def wrap(tree: ast.Module, top_level_names: list[str], guards: Iterable[str] = ()) -> ast.Module:
    """Build a module that defines the wrapper around the statements of another.

    Args:
        tree: The program; its nodes are used, not copied.
        top_level_names: What the program binds at its top level.
        guards: Names that the module defines, too; `finish` gives them their objects.
    """
    module = ast.parse(f"async def {MAIN}(): pass")
    main = module.body[0]
    names = list(top_level_names)
    statements = tree.body
    if ast.get_docstring(tree, clean=False) is not None:
        statements[0] = _docstring_of_module(statements[0])
        names.append("__doc__")
    last = statements[-1] if statements else main
    statements.append(ast.copy_location(ast.Return(value=no_value(last)), last))
    if names:
        statements.insert(0, ast.copy_location(ast.Global(names=names), main))
    main.body = statements  # type: ignore[attr-defined]  # it is what was parsed
    module.body = [*(_definition(guard, main) for guard in guards), main]
    return module


def _docstring_of_module(statement: ast.stmt) -> ast.stmt:
    """Turn the docstring at the head of a program into an assignment: it is not the wrapper's."""
    target = ast.copy_location(ast.Name(id="__doc__", ctx=ast.Store()), statement)
    value: ast.expr = statement.value  # type: ignore[attr-defined]  # a string that stands alone
    return ast.copy_location(ast.Assign(targets=[target], value=value), statement)


def _definition(guard: str, place: ast.AST) -> ast.stmt:
    target = ast.copy_location(ast.Name(id=guard, ctx=ast.Store()), place)
    mark = ast.copy_location(ast.Constant(value=_guard_mark(guard)), place)
    return ast.copy_location(ast.Assign(targets=[target], value=mark), place)


def _guard_mark(guard: str) -> str:
    return f"\0the guard {guard}"


def finish(code: CodeType, guards: Mapping[str, object]) -> CodeType:
    """Put objects in the place of their marks, and take the wrapper out of names.

    Args:
        code: Of the module that `wrap` built.
        guards: The objects of its guards, by name.
    """
    objects = {_guard_mark(name): guard for name, guard in guards.items()}
    return code.replace(
        co_consts=tuple(
            _finished_main(const) if isinstance(const, CodeType) else objects.get(const, const)
            for const in code.co_consts
        )
    )


def _finished_main(code: CodeType) -> CodeType:
    return code.replace(
        co_consts=tuple(
            NO_VALUE if const == _NO_VALUE_MARK else _renamed(const) for const in code.co_consts
        )
    )


def _renamed(const: object) -> object:
    """Take the wrapper out of the qualified name of code, and of the code within it."""
    if not isinstance(const, CodeType) or not const.co_qualname.startswith(_PREFIX):
        return const
    return const.replace(
        co_qualname=const.co_qualname.removeprefix(_PREFIX),
        co_consts=tuple(_renamed(inner) for inner in const.co_consts),
    )
