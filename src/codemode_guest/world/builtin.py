"""The builtins of a program: Python's own, without those that reach files, frames or code."""

from __future__ import annotations

import builtins
from collections.abc import Callable, Mapping
from typing import Any, Final, NoReturn

from codemode_guest.policy.advice import ABSENT_BUILTINS, Rejection
from codemode_guest.world import guards
from codemode_guest.world.console import write
from codemode_guest.world.imports import import_module

#: Handed out as they are, beside all exceptions; names in a text, as in the table.
OFFERED: Final = (
    "Ellipsis False None NotImplemented True abs aiter all anext any ascii bin "
    "bool bytearray bytes callable chr classmethod complex dict divmod enumerate filter float "
    "format frozenset hash hex id int isinstance issubclass iter len list map max memoryview min "
    "next object oct ord pow property range repr reversed round set slice sorted staticmethod str "
    "sum super tuple type zip"
)


#: How builtins of ours differ from Python's, by their names.
GUARDED: Final[Mapping[str, str]] = {
    "getattr hasattr": "take the names that a program may write out; see above",
    "setattr delattr": "the same, for the names that a program may assign",
    "vars": "takes an object or a class of the program's own",
    "dir": "takes an object",
    "print": "writes to the run's log, or to `file`, which is an object of the program's own",
}


def _refusing(name: str, rejection: Rejection) -> Callable[..., NoReturn]:
    def refuse(*_args: object, **_options: object) -> NoReturn:
        raise NameError(f"{rejection.reason}; {rejection.substitute}", name=name)

    refuse.__name__ = refuse.__qualname__ = name
    return refuse


def print_(
    *values: object,
    sep: str | None = None,
    end: str | None = None,
    file: Any = None,  # noqa: ANN401 - whatever has a `write`
    flush: bool = False,
) -> None:
    """Stand in for `print`: one write to the run's log, or to a file of the program's own."""
    for option, given in (("sep", sep), ("end", end)):
        if given is not None and not isinstance(given, str):
            raise TypeError(f"{option} must be None or a string, not {type(given).__name__}")
    if file is not None:
        print(*values, sep=sep, end=end, file=file, flush=flush)
        return
    text = (" " if sep is None else sep).join(map(str, values))
    write(f"{text}\n" if end is None else text + end)


def vars_(*obj: object) -> Any:  # noqa: ANN401 - see `vars_of`
    """Stand in for `vars`."""
    if not obj:
        raise NameError("vars() without an object is not available: use a dict of your own")
    return guards.vars_of(*obj)


def dir_(*obj: object) -> list[str]:
    """Stand in for `dir`."""
    if not obj:
        raise NameError("dir() without an object is not available: use a dict of your own")
    return dir(*obj)


def program_builtins() -> dict[str, object]:
    """Make the builtins of a program."""
    own: dict[str, object] = {
        "__build_class__": builtins.__build_class__,
        "__import__": import_module,
        "delattr": guards.delete,
        "dir": dir_,
        "getattr": guards.read,
        "hasattr": guards.has,
        "print": print_,
        "setattr": guards.write,
        "vars": vars_,
    }
    return {
        **{name: getattr(builtins, name) for name in OFFERED.split()},
        **{
            name: value
            for name, value in vars(builtins).items()
            if isinstance(value, type) and issubclass(value, BaseException)
        },
        **{name: _refusing(name, rejection) for name, rejection in ABSENT_BUILTINS.items()},
        **own,
    }
