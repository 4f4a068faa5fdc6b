"""For a key or an attribute that is not there: which are.

A model guesses the names in a tool's answer. The next guess is right when it is told what the
answer holds. The program's source says which expression was asked, and its frame what that
expression is; nothing of the program's is run to find out.
"""

from __future__ import annotations

import ast
import sys
from typing import TYPE_CHECKING, Final

from codemode_guest.policy import FILENAME

if TYPE_CHECKING:
    from types import FrameType, TracebackType

_MAX_KEYS: Final = 20
_MAX_KEY: Final = 40
_LONG_INT: Final = 10**40
_NOT_KNOWN: Final = object()


def _type_of_locals() -> type:
    return type(sys._getframe().f_locals)  # noqa: SLF001 - a public attribute behind it


# From 3.13 on, the variables of a function come in a proxy. Source: PEP 667.
_INTERPRETERS_OWN: Final = (dict, _type_of_locals())


def keys_that_are_there(error: BaseException, source_lines: tuple[str, ...] = ()) -> str | None:
    """Return what the dict that was asked holds, or how a dict is asked.

    Args:
        error: Any exception; only `KeyError` and `AttributeError` have an answer.
        source_lines: The program.
    """
    if type(error) is AttributeError:
        found = error.obj
        if type(found) is not dict:
            return None
        if _item(found, error.name) is not _NOT_KNOWN:
            return f"this is a dict: write [{error.name!r}]"
        return f"this is a dict, {_listed(found)}"
    if type(error) is KeyError:
        found = _asked(error.__traceback__, source_lines)
        return _listed(found) if type(found) is dict else None
    return None


def _listed(found: dict[object, object]) -> str:
    keys = [_shown(key) for key in list(found)[:_MAX_KEYS]]
    more = len(found) - _MAX_KEYS
    if not keys:
        return "it is empty"
    return "its keys: " + ", ".join(keys) + (f" and {more} more" if more > 0 else "")


def _shown(key: object) -> str:
    if type(key) is str:
        return repr(key if len(key) <= _MAX_KEY else key[:_MAX_KEY] + "…")
    if type(key) is int and not -_LONG_INT < key < _LONG_INT:
        return "a very long integer"
    return repr(key) if type(key) in (int, bool, type(None)) else f"a {type(key).__name__}"


def _item(holder: dict[object, object], key: object) -> object:
    """The value at a key of a built-in type, without asking any other key whether it is equal."""
    for known, value in holder.items():
        if type(known) is type(key) and type(key) in (str, int) and known == key:
            return value
    return _NOT_KNOWN


def _asked(traceback: TracebackType | None, source_lines: tuple[str, ...]) -> object:
    """The object whose item the innermost frame asked for."""
    while traceback is not None and traceback.tb_next is not None:
        traceback = traceback.tb_next
    if traceback is None or traceback.tb_frame.f_code.co_filename != FILENAME:
        return _NOT_KNOWN
    positions = list(traceback.tb_frame.f_code.co_positions())
    at = traceback.tb_lasti // 2
    if not 0 <= at < len(positions):
        return _NOT_KNOWN
    line, end_line, column, end_column = positions[at]
    if line is None or line != end_line or column is None or not 0 < line <= len(source_lines):
        return _NOT_KNOWN
    text = source_lines[line - 1].encode(errors="replace")[column:end_column]
    try:
        expression = ast.parse(text.decode(errors="replace").strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError):
        return _NOT_KNOWN
    if not isinstance(expression, ast.Subscript):
        return _NOT_KNOWN
    return _evaluated(expression.value, traceback.tb_frame)


def _evaluated(expression: ast.expr, frame: FrameType) -> object:
    """Follow names and literal items through plain dicts and lists, running nothing."""
    if isinstance(expression, ast.Name):
        for names in (frame.f_locals, frame.f_globals):
            # A class body may have a mapping of the program's own.
            if type(names) in _INTERPRETERS_OWN and expression.id in names:
                return names[expression.id]
        return _NOT_KNOWN
    if isinstance(expression, ast.Subscript):
        holder, key = _evaluated(expression.value, frame), _literal(expression.slice)
        if type(holder) is dict:
            return _item(holder, key)
        if type(holder) is list and type(key) is int and -len(holder) <= key < len(holder):
            return holder[key]
    return _NOT_KNOWN


def _literal(expression: ast.expr) -> object:
    try:
        return ast.literal_eval(expression)
    except (ValueError, TypeError, RecursionError):
        return _NOT_KNOWN
