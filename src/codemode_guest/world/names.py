"""What a computed name may be: the static policy's rule, applied while the program runs."""

from __future__ import annotations

from functools import lru_cache
from typing import Final, Literal, TypeAlias

from codemode_guest.policy.names import FORMATS, forbidden_assignment, forbidden_attribute

#: What `hasattr` answers although it cannot be read: whether an object follows a protocol.
PROTOCOLS: Final = frozenset(
    {
        "__annotations__",
        "__dataclass_fields__",
        "__delattr__",
        "__dict__",
        "__dir__",
        "__get__",
        "__getattr__",
        "__getstate__",
        "__set__",
        "__setattr__",
        "__setstate__",
        "__wrapped__",
    }
)

#: The methods of named tuples, which are public although they begin with an underscore.
OF_NAMED_TUPLES: Final = frozenset({"_asdict", "_field_defaults", "_fields", "_make", "_replace"})


Kind: TypeAlias = Literal["plain", "private", "format"]


@lru_cache(maxsize=1024)
def kind_of(name: str) -> Kind:
    """Say how an attribute is read: freely, if the object allows it, or made safe.

    Args:
        name: Exactly a string. A subclass could show each reader another name.

    Raises:
        AttributeError: If it is a name that a program may not read.
    """
    reason = forbidden_attribute(name)
    if reason is not None:
        raise AttributeError(reason)
    if name in FORMATS:
        return "format"
    return "private" if name.startswith("_") and not name.endswith("__") else "plain"


def check_name(name: object) -> None:
    """Check a name that a program computed and wants to read.

    Raises:
        TypeError: If it is not exactly a string.
        AttributeError: If it is a name that a program may not read.
    """
    kind_of(exact(name))


def check_assigned_name(name: object) -> None:
    """Check a name that a program computed and wants to assign or delete.

    Raises:
        TypeError: If it is not exactly a string.
        AttributeError: If it is a name that a program may not assign.
    """
    reason = forbidden_assignment(exact(name))
    if reason is not None:
        raise AttributeError(reason)


def exact(name: object) -> str:
    """Return a name that is exactly a string.

    Raises:
        TypeError: If it is not, in the words of `getattr`.
    """
    if type(name) is not str:
        raise TypeError(f"attribute name must be string, not {type(name).__name__!r}")
    return name
