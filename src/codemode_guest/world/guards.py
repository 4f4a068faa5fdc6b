"""What is checked while a program runs, because no reading of its text can decide it."""

from __future__ import annotations

import asyncio
import asyncio.mixins
import typing
from collections.abc import Callable, Iterator
from types import FunctionType, GenericAlias, MethodType, MethodWrapperType, SimpleNamespace
from typing import Any, Final

from codemode_guest.frames import FILENAME
from codemode_guest.policy.names import (
    BY_LIBRARY,
    BY_NAME,
    OF_FUTURES,
    OF_OWN,
    OF_OWN_CLASSES,
    forbidden_by_type,
)
from codemode_guest.world.formatting import safe_format
from codemode_guest.world.names import (
    OF_NAMED_TUPLES,
    PROTOCOLS,
    check_assigned_name,
    exact,
    kind_of,
)

#: `__module__` of all classes that a program defines, and of those that stand for its tools.
PROGRAM_MODULE: Final = "__main__"

_module_of = type.__dict__["__module__"].__get__
_mro_of = type.__dict__["__mro__"].__get__
_dict_of = type.__dict__["__dict__"].__get__


#: Objects of these types, a program's subclasses too, answer with what another object has.
_FORWARDING: Final = (GenericAlias, super, vars(typing)["_BaseGenericAlias"])
#: What is bound to the event loop, and a program's subclasses of it.
_LOOP_BOUND: Final = (
    asyncio.Future,
    vars(asyncio.futures)["_PyFuture"],
    vars(asyncio.mixins)["_LoopBoundMixin"],
)


def made_here(obj: Any) -> bool:  # noqa: ANN401 - any object
    """Whether the program made this object's type; for a class or a function, made it itself."""
    kind = type(obj)
    if issubclass(kind, _FORWARDING):
        return False
    if _module_of(kind) == PROGRAM_MODULE or kind is SimpleNamespace:
        return True
    if kind is FunctionType:
        # Not by its module, which wraps() copies to functions of the library's.
        return bool(obj.__code__.co_filename == FILENAME)
    return issubclass(kind, type) and bool(_module_of(obj) == PROGRAM_MODULE)


def read_private(obj: object, name: str) -> Any:  # noqa: ANN401 - whatever the attribute is
    """Return `obj._name`, if the program made `obj` or it is the public part of a named tuple.

    `__class__`, where a program may write it, is what `type` says, and `__dict__` what `vars` does.

    Raises:
        AttributeError: If it is not there, or a foreign object's own business.
        TypeError: If there is no `__dict__` to see.
    """
    if name == "__class__":
        return getattr(obj, name) if made_here(obj) else type(obj)
    if name in OF_OWN:
        return read_of_own(obj, name)
    if name in BY_NAME:
        return checking_names(obj, name)
    if _is_open(obj, name):
        return getattr(obj, name)
    raise _private(obj, name)


def read_of_own(obj: Any, name: str) -> Any:  # noqa: ANN401 - whatever the attribute is
    """Return what a class, function or object of the program's own says of itself.

    Raises:
        AttributeError: If it is not there, or the program did not make `obj`.
        TypeError: If there is no `__dict__` to see.
    """
    if name == "__dict__":
        return vars_of(obj)
    own = made_here(obj)
    if name in OF_OWN_CLASSES:
        # Of `type` itself: a metaclass has these, too, as methods for any class there is.
        if own and issubclass(type(obj), type):
            return type.__dict__[name].__get__(obj)
    elif name in BY_LIBRARY:
        if _is_own_method(found := getattr(obj, name)):
            return found
    elif own:
        return getattr(obj, name)
    elif name == "__wrapped__" and made_here(found := getattr(obj, name)):
        return found  # of a cache, which is the library's object
    raise _private(obj, name)


def check_own(obj: object) -> object:
    """Return an object whose `__dict__` or `__class__` a program may assign: one of its own.

    Raises:
        AttributeError: If it is another's, or a class.
    """
    if made_here(obj) and not issubclass(type(obj), type):
        return obj
    raise AttributeError(f"a program changes what it made itself, and not {type(obj).__name__!r}")


def _is_own_method(method: object) -> bool:
    """Whether a special method is the program's, or binds a function of the program's.

    One of the library's, inherited by a class of the program's, reads what its object tells it to.
    """
    if type(method) is MethodType:
        return made_here(method.__func__)
    if type(method) is MethodWrapperType:
        return method.__name__ == "__get__" and made_here(method.__self__)
    return type(method) is FunctionType and made_here(method)


def checking_names(obj: Any, method: str) -> Callable[..., Any]:  # noqa: ANN401 - any object
    """Return `obj.__setattr__` or its kin, called with a name that the program computed.

    A class gives it unbound: the object comes before the name then.
    """
    found = getattr(obj, method)
    after = method == "__setattr__"

    def call(*args: Any) -> Any:  # noqa: ANN401 - as the method has them
        *before, name = args[:-1] if after else args
        if method != "__getattribute__":
            check_assigned_name(name)
            return found(*args)
        target = before[0] if before else obj
        if type(target) is super:
            target = _object_of(target)
        is_class = issubclass(type(target), type)
        if exact(name) in _ASKED_BY_PYTHON and made_here(target) and not is_class:
            return found(*args)
        if name == "__class__" or name in OF_OWN:
            return read_private(target, name)
        kind = kind_of(name)
        if kind == "private" and not _is_open(target, name):
            raise _private(target, name)
        value = found(*args)
        return safe_format(value) if kind == "format" else value

    return call


#: What the interpreter itself asks an object for, through its `__getattribute__`.
_ASKED_BY_PYTHON: Final = frozenset(("__class__", "__dict__"))

_object_of = super.__dict__["__self__"].__get__


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
    if type(name) is str and name in OF_OWN and (made_here(obj) or name == "__wrapped__"):
        return default[0] if default and not hasattr(obj, name) else read_of_own(obj, name)
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

    A special method is the policy's to see, in the body of a class. That holds programs to a
    form and keeps nothing out: a metaclass makes classes of any mapping, and what it may hold
    must be harmless by itself.

    Raises:
        AttributeError: If it holds a special name that is not listed for it.
    """
    if isinstance(namespace, dict):
        for name in dict.keys(namespace):
            if type(name) is str:
                reason = forbidden_by_type(name)
                if reason is not None:
                    raise AttributeError(reason)
    return namespace


def _with_subclasses(cls: type) -> Iterator[type]:
    yield cls
    subclasses: list[type] = type.__subclasses__(cls)
    for subclass in subclasses:
        yield from _with_subclasses(subclass)


#: By identity, for a program's class may say that it equals one of these.
_OF_THE_LIBRARY: Final = frozenset(map(id, _with_subclasses(type)))


def behaves(cls: type) -> bool:
    """Whether a class is of a kind that the library has, so that no program answers for it."""
    return id(type(cls)) in _OF_THE_LIBRARY


def check_pattern(cls: Any, count: int) -> Any:  # noqa: ANN401 - any class
    """Return a class that a `match` pattern takes apart by position, if that reads nothing else.

    The names it reads stand in `__match_args__`, as strings, out of the policy's sight.

    Args:
        cls: What stands before the parentheses.
        count: How many patterns there are by position.

    Raises:
        AttributeError: If one of them is a name that a program may not read.
        TypeError: If the class could show the statement other names than it shows here: it could
            answer for them itself, or change them when it is asked whose instance an object is.
    """
    if not issubclass(type(cls), type):
        return cls
    if not behaves(cls):
        raise TypeError(
            f"{type.__repr__(cls)} has a metaclass of the program's own; match its objects by "
            "keyword, as in Point(x=0)"
        )
    for base in _mro_of(cls):
        names = _dict_of(base).get("__match_args__", ())
        if type(names) is not tuple:
            raise TypeError("__match_args__ must be a tuple")
        for name in names[:count]:
            kind = kind_of(exact(name))
            # Objects of other classes may say that they are of this one.
            open_ = kind == "private" and name not in OF_FUTURES and _has_only_own_instances(cls)
            if kind != "plain" and not open_:
                raise AttributeError(f"{name!r} cannot be read by a pattern of {cls.__name__!r}")
    return cls


def _has_only_own_instances(cls: type) -> bool:
    """Whether what matches the class was made by it: no text, nothing that was registered."""
    return type(cls) is type and not issubclass(cls, (str, *_FORWARDING))


def vars_of(obj: object) -> Any:  # noqa: ANN401 - a dict, whose values may be anything
    """Stand in for `vars`: the attributes of an object or class of the program's own."""
    if not made_here(obj):
        raise TypeError(f"vars() is for objects that the program made, not {type(obj).__name__!r}")
    found = vars(obj)
    if type(found) is dict:
        return found
    return {name: found[name] for name in found if not name.startswith("__")}
