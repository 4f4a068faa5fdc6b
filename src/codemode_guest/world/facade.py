"""A module as a program sees it: its listed names, read-only, and no module inside."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NoReturn

from codemode_guest.world.sealed import Sealed


class LeftOut:
    """In the place of a name that a program may not have; reading it says why."""

    __slots__ = ("_reason",)

    def __init__(self, reason: str) -> None:
        self._reason = reason

    def __get__(self, instance: object, owner: object) -> NoReturn:
        raise AttributeError(self._reason)


class _FixedType(type):
    """The kind of class that a facade has: it cannot be changed either."""

    def __setattr__(cls, name: str, value: object) -> NoReturn:
        raise AttributeError(f"{name!r} cannot be set: {cls.__name__} is read-only")

    def __delattr__(cls, name: str) -> NoReturn:
        raise AttributeError(f"{name!r} cannot be deleted: {cls.__name__} is read-only")


class Facade(Sealed, metaclass=_FixedType):
    """The base of all facades.

    Each has a class of its own with a slot for each name, since that is what the interpreter
    reads as fast as an attribute of a module. It has no `__name__`: with one, `from a import b`
    would look for `a.b` among the interpreter's own modules.
    """

    __slots__ = ()

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"{name!r} cannot be set: {self!r} is read-only")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"{name!r} cannot be deleted: {self!r} is read-only")

    def __repr__(self) -> str:
        return f"<{type(self).__name__}>"

    def __dir__(self) -> list[str]:
        return sorted(self.__slots__)


def make_facade(module: str, names: Mapping[str, object], left_out: Mapping[str, str]) -> Facade:
    """Make the facade of one module.

    Args:
        module: The module's name.
        names: What it offers.
        left_out: Why it does not offer the others, by name.
    """
    reasons = {
        name: LeftOut(f"{module}.{name} is not available: {why}") for name, why in left_out.items()
    }
    cls = _FixedType(f"module {module}", (Facade,), {"__slots__": tuple(names), **reasons})
    facade = cls()
    for name, value in names.items():
        object.__setattr__(facade, name, value)
    return facade  # type: ignore[no-any-return]
