"""The policy for `except*`, and the guard that makes it sound on every interpreter.

Python takes an exception group apart by calling its `split`. Releases without the fix of gh-128049
(CVE-2025-22153) take whatever that returns for a tuple of two, and read memory that is not theirs.
"""

from __future__ import annotations

import ast
import sys
from typing import Final

from codemode_guest.policy.advice import Rejection
from codemode_guest.policy.variables import VariablePolicy
from codemode_guest.policy.walk import Reading, Visited

#: A guard in a program's globals, put there by the compiled program itself.
CHECK_GROUP: Final = "_group_"

#: What Python calls on a group, to take it apart and to make groups of the parts.
_TAKES_APART: Final = frozenset(("split", "derive"))


def except_star_is_sound(version: tuple[int, int, int]) -> bool:
    """Whether a version of CPython checks what `split` returns.

    The fix was merged on 2024-12-20 and released with 3.12.9, 3.13.2 and 3.14. No release of 3.11
    is known to have it.
    """
    fixed = {(3, 12): 9, (3, 13): 2}
    return version[:2] >= (3, 14) or version[2] >= fixed.get(version[:2], version[2] + 1)


SOUND: Final = except_star_is_sound(sys.version_info[:3])


def check_group() -> None:
    """Let the exception that is being handled pass only if Python itself will take it apart.

    Raises:
        TypeError: If it is a group with a `split` or `derive` that may be the program's own.
    """
    error = sys.exception()
    if not issubclass(type(error), BaseExceptionGroup):
        return
    # By identity: the class of a program's class says what equals it.
    is_plain = type(error) is ExceptionGroup or type(error) is BaseExceptionGroup
    if is_plain and not _TAKES_APART & {*vars(error)}:
        return
    raise TypeError(
        f"except* cannot take a {type(error).__name__} apart on this version of Python; "
        "write except ExceptionGroup as group, and look at group.exceptions"
    )


class GroupPolicy(VariablePolicy):
    """`except*`."""

    def __init__(self, reading: Reading) -> None:
        super().__init__(reading)
        #: The `except*` statements; with any, the guard is needed where Python is not sound.
        self.group_handlers: list[ast.TryStar] = []

    def guard_groups(self, node: ast.TryStar) -> Visited:
        """Put the guard between what a `try` does and its `except*` clauses.

        Nothing of the program's runs between the guard and the first `split`, if the classes that
        the clauses name are plain names.
        """
        self.group_handlers.append(node)
        if SOUND:
            return node
        if self.scopes.innermost.kind == "class":
            self.refuse(node, _IN_CLASS)
        for handler in node.handlers:
            if handler.type is not None and not _are_plain_names(handler.type):
                self.refuse(handler.type, _NOT_PLAIN)
        node.body = [_guarded(node)]
        return node

    def refuse_own_splitting(self) -> None:
        """Refuse `except*` beside a class that defines `split`; call when all names are known."""
        if "split" in self.scopes.class_attributes:
            for node in self.group_handlers:
                self.refuse(node, _SPLITS_ITSELF)


_IN_CLASS: Final = Rejection(
    reason="except* cannot stand in the body of a class on this version of Python",
    substitute="put it into a function",
)
_NOT_PLAIN: Final = Rejection(
    reason="except* takes plain names on this version of Python",
    substitute="give the exception class a name of its own first",
)
_SPLITS_ITSELF: Final = Rejection(
    reason="except* calls split() of exception groups, and a class of the program defines it",
    substitute="rename that method, or write except ExceptionGroup as group",
)


def _are_plain_names(node: ast.expr) -> bool:
    parts = node.elts if isinstance(node, ast.Tuple) else [node]
    return all(isinstance(part, ast.Name) for part in parts)


def _guarded(node: ast.TryStar) -> ast.Try:
    """Build `try: … except: _group_(); raise` around the body of a statement."""
    func = ast.copy_location(ast.Name(id=CHECK_GROUP, ctx=ast.Load()), node)
    call = ast.copy_location(ast.Call(func=func, args=[], keywords=[]), node)
    check = ast.copy_location(ast.Expr(value=call), node)
    again = ast.copy_location(ast.Raise(exc=None, cause=None), node)
    handler = ast.copy_location(ast.ExceptHandler(type=None, name=None, body=[check, again]), node)
    inner = ast.Try(body=node.body, handlers=[handler], orelse=[], finalbody=[])
    return ast.copy_location(inner, node)
