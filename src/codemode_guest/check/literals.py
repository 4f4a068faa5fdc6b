"""What an expression tells of its value: its kind as JSON, or even the value itself."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import Final

#: Stands for a value that only the run will know.
UNKNOWN: Final = object()

#: The kinds of JSON value as Python's types are called.
PYTHON: Final = {
    "array": "list",
    "boolean": "bool",
    "integer": "int",
    "null": "None",
    "number": "float",
    "object": "dict",
    "string": "str",
}

#: What has no JSON form.
_NO_JSON: Final = {
    ast.GeneratorExp: "generator",
    ast.Lambda: "function",
    ast.Set: "set",
    ast.SetComp: "set",
}
_DISPLAYS: Final = {
    ast.Dict: "object",
    ast.DictComp: "object",
    ast.JoinedStr: "string",
    ast.List: "array",
    ast.ListComp: "array",
    # It arrives as a list.
    ast.Tuple: "array",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Literal:
    """What an expression tells of its value.

    Attributes:
        kind: As JSON names it, or as Python does where JSON has no such thing.
        value: The scalar that it is, or `UNKNOWN`.
    """

    kind: str
    value: object = UNKNOWN

    @property
    def is_json(self) -> bool:
        """Whether JSON has such a thing."""
        return self.kind in PYTHON

    def __str__(self) -> str:
        shown = PYTHON.get(self.kind, self.kind)
        return "None" if shown == "None" else f"{'an' if shown[0] in 'aeio' else 'a'} {shown}"


def literal(node: ast.expr) -> Literal | None:
    """Return what is known of an expression's value; None when that is nothing."""
    match node:
        case ast.Constant(value):
            return _constant(value)
        case ast.UnaryOp(ast.Not()):
            return Literal(kind="boolean")
        case ast.UnaryOp(ast.USub(), ast.Constant(int(number) | float(number))):
            return _constant(-number)
    kind = _NO_JSON.get(node.__class__) or _DISPLAYS.get(node.__class__)
    return None if kind is None else Literal(kind=kind)


def _constant(value: object) -> Literal:
    return Literal(kind=kind_of(value) or type(value).__name__, value=value)


def kind_of(value: object) -> str | None:
    """Return what JSON calls a value's kind; None where it has none."""
    match value:
        case None:
            return "null"
        case bool():
            return "boolean"
        case int():
            return "integer"
        case float():
            return "number"
        case str():
            return "string"
    return None
