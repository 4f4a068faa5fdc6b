"""For `typing`: annotations that are text, read as types and not run as code.

Python evaluates them in the globals of a function, and shows those to whatever evaluates. Here they
are found where the program stands, and shown to nobody.
"""

from __future__ import annotations

import ast
import sys
import typing
from types import FrameType
from typing import Any, Final

from codemode_guest.frames import FILENAME
from codemode_guest.policy.names import is_reserved
from codemode_guest.world.guards import made_here, read

_evaluated_type: Final = vars(typing)["_eval_type"]
# Left out, it is warned of (3.13).
_OPTIONS: Final[dict[str, Any]] = (
    {"type_params": ()} if "type_params" in _evaluated_type.__code__.co_varnames else {}
)


def get_type_hints(
    obj: Any,  # noqa: ANN401 - a function or a class
    globalns: object = None,  # noqa: ARG001 - the names are those of the program
    localns: object = None,  # noqa: ARG001
    include_extras: bool = False,  # noqa: FBT001, FBT002 - the library's own argument
) -> dict[str, Any]:
    """Return the annotations of a function or class that the program made, as types.

    Raises:
        NameError: If one is text and more than names, items and `|`, or names nothing.
        TypeError: If the program did not make it.
    """
    if not made_here(obj):
        raise TypeError(f"get_type_hints() is for what the program made, not {obj!r}")
    bases = reversed(type.__dict__["__mro__"].__get__(obj)) if isinstance(obj, type) else [obj]
    hints = {
        name: _hint(value)
        for base in bases
        if made_here(base)
        for name, value in (getattr(base, "__annotations__", None) or {}).items()
    }
    if include_extras:
        return hints
    return {name: vars(typing)["_strip_annotations"](hint) for name, hint in hints.items()}


def _hint(value: object) -> Any:  # noqa: ANN401 - any type
    if value is None:
        return type(None)
    if isinstance(value, str):
        return resolve(str(value))
    return _evaluated_type(value, {}, {}, **_OPTIONS)


def resolve_reference(
    reference: Any,  # noqa: ANN401 - a `ForwardRef`, typing's own details
    *_names: object,
    **_options: object,
) -> object:
    """Stand in for `ForwardRef._evaluate`."""
    return resolve(reference.__forward_arg__)


def resolve(text: str) -> Any:  # noqa: ANN401 - any type
    """Read a text as a type.

    Raises:
        NameError: If it is more than names, items and `|`, or names nothing.
    """
    try:
        return _value(ast.parse(text, mode="eval").body, _names_of_the_program())
    except (SyntaxError, ValueError, RecursionError):
        raise _not_evaluated(text) from None


def _value(node: ast.expr, names: dict[str, Any]) -> Any:  # noqa: ANN401 - what it stands for
    match node:
        case ast.Constant(value=value):
            return value
        case ast.Name(id=name) if not is_reserved(name):
            return names[name] if name in names else _builtin(name, names["__builtins__"])
        case ast.Attribute(value=owner, attr=name):
            return read(_value(owner, names), name)
        case ast.Subscript(value=origin, slice=items):
            return _value(origin, names)[_value(items, names)]
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            return _value(left, names) | _value(right, names)
        case ast.Tuple(elts=parts) | ast.List(elts=parts):
            values = [_value(part, names) for part in parts]
            return values if isinstance(node, ast.List) else tuple(values)
    raise _not_evaluated(ast.unparse(node))


def _builtin(name: str, builtins: dict[str, Any]) -> Any:  # noqa: ANN401
    if name not in builtins:
        raise NameError(f"name {name!r} is not defined", name=name)
    return builtins[name]


def _not_evaluated(text: str) -> NameError:
    return NameError(f"the annotation {text!r} is text, and text is not evaluated; write a type")


def _names_of_the_program() -> dict[str, Any]:
    """Return the globals of the program that is running."""
    frame: FrameType | None = sys._getframe()  # noqa: SLF001 - public, by its documentation
    while frame is not None:
        if frame.f_code.co_filename == FILENAME:
            return frame.f_globals
        frame = frame.f_back
    return {"__builtins__": {}}
