"""What is checked while a program runs, because no reading of its text can decide it."""

from __future__ import annotations

import asyncio
import asyncio.mixins
import typing
from types import FunctionType, GenericAlias, SimpleNamespace
from typing import Any, Final

from codemode_guest.policy.names import OF_FUTURES
from codemode_guest.world.formatting import safe_format
from codemode_guest.world.names import (
    OF_NAMED_TUPLES,
    PROTOCOLS,
    check_assigned_name,
    exact,
    kind_of,
)

#: `__module__` of everything that a program defines; nothing of ours has it.
PROGRAM_MODULE: Final = "__main__"

_module_of = type.__dict__["__module__"].__get__
_mro_of = type.__dict__["__mro__"].__get__


#: Objects of these types, a program's subclasses too, answer with what another object has.
_FORWARDING: Final = (GenericAlias, super, vars(typing)["_BaseGenericAlias"])
#: What is bound to the event loop, and a program's subclasses of it.
_LOOP_BOUND: Final = (
    asyncio.Future,
    vars(asyncio.futures)["_PyFuture"],
    vars(asyncio.mixins)["_LoopBoundMixin"],
)


def made_here(obj: object) -> bool:
    """Whether the program made this object's type; for a class or a function, made it itself."""
    kind = type(obj)
    if issubclass(kind, _FORWARDING):
        return False
    if _module_of(kind) == PROGRAM_MODULE or kind is SimpleNamespace:
        return True
    if kind is FunctionType:
        return obj.__module__ == PROGRAM_MODULE
    return issubclass(kind, type) and bool(_module_of(obj) == PROGRAM_MODULE)


def read_private(obj: object, name: str) -> Any:  # noqa: ANN401 - whatever the attribute is
    """Return `obj._name`, if the program made `obj` or it is the public part of a named tuple.

    `__class__` and `__dict__`, where a program may write them, are what `type` and `vars` say.

    Raises:
        AttributeError: If it is not there, or a foreign object's own business.
        TypeError: If there is no `__dict__` to see.
    """
    if name == "__class__":
        return getattr(obj, name) if made_here(obj) else type(obj)
    if name == "__dict__":
        return vars_of(obj)
    if _is_open(obj, name):
        return getattr(obj, name)
    raise _private(obj, name)


def _is_open(obj: object, name: str) -> bool:
    """Whether a private attribute of this object is the program's to read."""
    if name in OF_FUTURES and issubclass(type(obj), _LOOP_BOUND):
        return False
    cls: Any = obj if issubclass(type(obj), type) else type(obj)
    return made_here(obj) or (name in OF_NAMED_TUPLES and issubclass(cls, tuple))


def _private(obj: object, name: str) -> AttributeError:
    # Without `obj`: the error is the program's to look into.
    return AttributeError(
        f"{name!r} is private to {type(obj).__name__!r} objects; a program reads names with a "
        "leading underscore only on what it made itself"
    )


def read(obj: object, name: str, *default: object) -> Any:  # noqa: ANN401 - see above
    """Stand in for `getattr`."""
    kind = kind_of(name if type(name) is str else exact(name))
    if kind == "private" and not _is_open(obj, name) and hasattr(obj, name):
        raise _private(obj, name)
    value = getattr(obj, name, *default)
    return safe_format(value) if kind == "format" else value


def has(obj: object, name: str) -> bool:
    """Stand in for `hasattr`; it also says whether an object follows a protocol."""
    if exact(name) not in PROTOCOLS:
        kind_of(name)
    return hasattr(obj, name)


def write(obj: object, name: str, value: object) -> None:
    """Stand in for `setattr`."""
    check_assigned_name(name)
    setattr(obj, name, value)


def delete(obj: object, name: str) -> None:
    """Stand in for `delattr`."""
    check_assigned_name(name)
    delattr(obj, name)


def check_namespace(namespace: Any) -> Any:  # noqa: ANN401 - what the program gave
    """Return the namespace for a class made by `type`, if a program may make one of it.

    A special method is the policy's to see, in the body of a class.

    Raises:
        AttributeError: If one of its names may not be assigned.
    """
    if isinstance(namespace, dict):
        for name in dict.keys(namespace):
            if type(name) is str:
                check_assigned_name(name)
    return namespace


def check_pattern(cls: Any) -> Any:  # noqa: ANN401 - any class
    """Return a class that a `match` pattern takes apart by position, if that reads nothing else.

    The names it reads stand in `__match_args__`, as strings, out of the policy's sight.

    Raises:
        AttributeError: If one of them is a name that a program may not read.
        TypeError: If the class could show the statement other names than it shows here.
    """
    if not issubclass(type(cls), type):
        return cls
    for meta in _mro_of(type(cls)):
        if _module_of(meta) == PROGRAM_MODULE and {"__getattribute__", "__match_args__"} & {
            *vars(meta)
        }:
            raise TypeError(f"{cls!r} decides by itself what its __match_args__ are")
    for base in _mro_of(cls):
        names = vars(base).get("__match_args__", ())
        if type(names) is not tuple:
            raise TypeError("__match_args__ must be a tuple")
        for name in names:
            if kind_of(exact(name)) != "plain" and not _has_only_own_instances(cls):
                raise AttributeError(f"{name!r} cannot be read by a pattern of {cls.__name__!r}")
    return cls


def _has_only_own_instances(cls: type) -> bool:
    """Whether what matches the class was made by it: no text, nothing that was registered."""
    return type(cls) is type and not issubclass(cls, str)


def vars_of(obj: object) -> Any:  # noqa: ANN401 - a dict, whose values may be anything
    """Stand in for `vars`: the attributes of an object or class of the program's own."""
    if not made_here(obj):
        raise TypeError(f"vars() is for objects that the program made, not {type(obj).__name__!r}")
    found = vars(obj)
    if type(found) is dict:
        return found
    return {name: found[name] for name in found if not name.startswith("__")}
