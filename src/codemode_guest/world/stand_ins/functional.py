"""For `functools` and `operator`, whose functions read and write attributes by computed name."""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable
from types import FunctionType
from typing import Any, Final, TypeVar

from codemode_guest.world.guards import made_here, read
from codemode_guest.world.names import exact, kind_of

_Function = TypeVar("_Function", bound=Callable[..., Any])

_ASSIGNED: Final = frozenset(functools.WRAPPER_ASSIGNMENTS)
_UPDATED: Final = frozenset(functools.WRAPPER_UPDATES)


def update_wrapper(
    wrapper: _Function,
    wrapped: Callable[..., Any],
    assigned: tuple[str, ...] | None = None,
    updated: tuple[str, ...] | None = None,
) -> _Function:
    """Make `wrapper` look like `wrapped`."""
    if isinstance(wrapper, FunctionType | type) and not made_here(wrapper):
        raise AttributeError(f"wraps() changes what the program made, and not {wrapper!r}")
    assigned = functools.WRAPPER_ASSIGNMENTS if assigned is None else tuple(assigned)
    updated = functools.WRAPPER_UPDATES if updated is None else tuple(updated)
    _check(assigned, _ASSIGNED)
    _check(updated, _UPDATED)
    functools.update_wrapper(wrapper, wrapped, assigned, updated)
    return wrapper


def wraps(
    wrapped: Callable[..., Any],
    assigned: tuple[str, ...] | None = None,
    updated: tuple[str, ...] | None = None,
) -> Callable[[_Function], _Function]:
    """Make the function that is decorated look like `wrapped`."""
    return lambda wrapper: update_wrapper(wrapper, wrapped, assigned, updated)


def _check(names: tuple[str, ...], allowed: frozenset[str]) -> None:
    for name in names:
        if type(name) is not str or name not in allowed:
            raise AttributeError(f"wraps() copies {', '.join(sorted(allowed))}, and not {name!r}")


def attrgetter(*paths: str) -> Callable[[Any], Any]:
    """Return a function that reads attributes, those of attributes too."""
    # All of them, before any is looked into: the library takes subclasses of str as well.
    names = [name for path in paths for name in exact(path).split(".")]
    if any(kind_of(name) != "plain" for name in names):
        return functools.partial(_read_paths, paths)
    return hidden(operator.attrgetter(*paths))


def hidden(reader: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Return a function that does the same and shows no `attrgetter` or `methodcaller`.

    `type` would give the class of such an object, and that makes others, of any name.
    """

    def read_hidden(obj: Any) -> Any:  # noqa: ANN401
        return reader(obj)

    return read_hidden


def _read_paths(paths: tuple[str, ...], obj: Any) -> Any:  # noqa: ANN401 - see `attrgetter`
    found = tuple(functools.reduce(read, path.split("."), obj) for path in paths)
    return found[0] if len(found) == 1 else found


def methodcaller(name: str, /, *args: Any, **kwargs: Any) -> Callable[[Any], Any]:  # noqa: ANN401
    """Return a function that calls a method."""
    if kind_of(exact(name)) != "plain":
        return lambda obj: read(obj, name)(*args, **kwargs)
    return hidden(operator.methodcaller(name, *args, **kwargs))
