"""What a computed name may be: the static policy's rule, applied while the program runs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from codemode_guest.policy.names import forbidden_assignment, forbidden_attribute

#: What `hasattr` answers although it cannot be read: whether an object follows a protocol.
PROTOCOLS: Final = frozenset(
    f"__{name}__"
    for name in (
        "annotations dataclass_fields delattr dict dir get getattr getstate set setattr setstate "
        "wrapped"
    ).split()
)

#: The methods of named tuples, which are public although they begin with an underscore.
OF_NAMED_TUPLES: Final = frozenset({"_asdict", "_field_defaults", "_fields", "_make", "_replace"})


def check_name(name: object) -> None:
    """Check a name that a program computed and wants to read.

    Raises:
        TypeError: If it is not exactly a string; a subclass could show each reader another one.
        AttributeError: If it is a name that a program may not read.
    """
    _check(name, forbidden_attribute)


def check_assigned_name(name: object) -> None:
    """Check a name that a program computed and wants to assign or delete.

    Raises:
        TypeError: As for reading.
        AttributeError: If it is a name that a program may not assign.
    """
    _check(name, forbidden_assignment)


def _check(name: object, rule: Callable[[str], str | None]) -> None:
    if type(name) is not str:
        raise TypeError(f"attribute name must be string, not {type(name).__name__!r}")
    reason = rule(name)
    if reason is not None:
        raise AttributeError(reason)


def is_private(name: str) -> bool:
    """Whether a name that passed the check begins with an underscore and is no special name."""
    return name.startswith("_") and not name.endswith("__")
