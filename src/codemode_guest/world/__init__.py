"""What a program finds when it runs: builtins, guards, and the modules that it may import.

Owns the decision for each public name of the library (`table`), the facades made of it, the
stand-ins for what would lead further, and the tasks of asyncio in wrappers. Does not own what is
decided by reading a program (`policy`, whose rule for names it applies at run time) or the
bindings. Above is the guest; below is the standard library. Its core function is `new_globals`.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Collection
from functools import cache

from codemode_guest.world.builtin import program_builtins
from codemode_guest.world.console import connect
from codemode_guest.world.formatting import read_format
from codemode_guest.world.guards import (
    PROGRAM_MODULE,
    check_namespace,
    check_own,
    check_pattern,
    read_private,
)
from codemode_guest.world.imports import (
    ALWAYS_THERE,
    explain_import,
    explain_name,
    facades,
    public_names,
)
from codemode_guest.world.preloading import preload

__all__ = [
    "ALWAYS_THERE",
    "connect",
    "explain_import",
    "explain_name",
    "global_names",
    "module_names",
    "new_globals",
    "preload",
    "public_names",
    "seed",
]


def new_globals(*, output: Callable[[str], None] | None = None) -> dict[str, object]:
    """Return the globals of a program that has not begun.

    Args:
        output: Receives all that the program prints or logs, in the pieces that it writes; None
            leaves it to a later `connect`.
    """
    if output is not None:
        connect(output)
    return {
        **_names(),
        "__builtins__": _builtins().copy(),
    }


def module_names() -> Collection[str]:
    """Return the full names of the modules that can be imported."""
    return facades().keys()


@cache
def global_names() -> frozenset[str]:
    """Return the names that every program finds."""
    return frozenset((*_names(), *_builtins()))


@cache
def _builtins() -> dict[str, object]:
    return program_builtins()


@cache
def _names() -> dict[str, object]:
    return {
        "__name__": PROGRAM_MODULE,
        "_format_": read_format,
        "_namespace_": check_namespace,
        "_own_": check_own,
        "_pattern_": check_pattern,
        "_private_": read_private,
        ALWAYS_THERE: facades()[ALWAYS_THERE],
    }


def seed(number: int) -> None:
    """Make what `random` offers repeatable."""
    random.seed(number)
