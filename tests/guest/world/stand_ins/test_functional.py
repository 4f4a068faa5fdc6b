"""What reads attributes by computed name obeys the rule for names."""

from __future__ import annotations

import json
import operator
import warnings
from types import SimpleNamespace
from typing import Any

import pytest

from codemode_guest.world.stand_ins.functional import (
    attrgetter,
    methodcaller,
    update_wrapper,
)
from tests.guest.world.programs import run, run_natively

WRAPS = """
import functools
def double(x: int) -> int:
    "Twice."
    return 2 * x
double.calls = 3
def counted(function):
    @functools.wraps(function)
    def wrapper(*args):
        return function(*args)
    return wrapper
wrapped = counted(double)
print(wrapped.__name__, wrapped.__doc__, wrapped.calls, wrapped(4))
some = functools.wraps(double, assigned=("__doc__",), updated=())(lambda: None)
print(some.__name__, some.__doc__)
part = functools.update_wrapper(functools.partial(double, 4), double)
print(part(), part.__doc__)
class Callable:
    def __init__(self, function):
        functools.update_wrapper(self, function)
print(Callable(double).__name__)
"""


def test_wraps_makes_decorators_as_models_write_them() -> None:
    """Of functions, partials and objects; the same as plain CPython."""
    assert run_natively(WRAPS) == run(WRAPS)


@pytest.mark.parametrize(
    "names",
    [
        "assigned=('__globals__',)",
        "assigned=('__code__',), updated=()",
        "updated=('__globals__',)",
        "assigned=(type('Name', (str,), {})('__doc__'),)",
    ],
)
def test_wraps_copies_nothing_else(names: str) -> None:
    """Any other name is refused, and so is a string that is not exactly one."""
    source = f"""
import functools
try:
    functools.update_wrapper(lambda: None, print, {names})
except AttributeError as error:
    print(error)
"""
    assert run(source).startswith("wraps() copies ")


@pytest.mark.parametrize("foreign", [json.dumps, json.JSONEncoder])
def test_wraps_changes_only_what_the_program_made(foreign: Any) -> None:
    """A class of the library's would pass for the program's own, by its `__module__`."""
    with pytest.raises(AttributeError, match="what the program made"):
        update_wrapper(foreign, lambda: None)


def test_attrgetter_reads_ordinary_names() -> None:
    """By the library's own, which is not shown: its type would read any name."""
    getter = attrgetter("a.b", "c")
    assert not isinstance(getter, operator.attrgetter)
    assert (1, 2) == getter(SimpleNamespace(a=SimpleNamespace(b=1), c=2))


def test_attrgetter_reads_private_names_of_the_programs_own() -> None:
    """A namespace is the program's own; a foreign object is not."""
    assert 5 == attrgetter("x._y")(SimpleNamespace(x=SimpleNamespace(_y=5)))
    with pytest.raises(AttributeError, match="private to 'catch_warnings'"):
        attrgetter("_module")(warnings.catch_warnings())


def test_methodcaller_calls_with_all_arguments() -> None:
    """Positional ones and keywords reach the method."""
    assert ["a", "b c"] == methodcaller("split", maxsplit=1)("a b c")


def test_methodcaller_formats_safely() -> None:
    """`format` works, and its template is checked."""
    assert "1 2" == methodcaller("format", 1, b=2)("{} {b}")
    with pytest.raises(AttributeError, match="__class__"):
        methodcaller("format", 1)("{0.__class__}")


@pytest.mark.parametrize("name", ["__class__", "a.__class__", "gi_frame", "a._b_"])
def test_names_that_lead_inside_are_refused(name: str) -> None:
    """When the getter is made, not when it is used."""
    with pytest.raises(AttributeError):
        attrgetter(name)
    with pytest.raises(AttributeError):
        methodcaller(name.removeprefix("a."))


@pytest.mark.parametrize("make", [attrgetter, methodcaller])
def test_a_name_is_a_string(make: type) -> None:
    """As in the library, another type is a TypeError."""
    with pytest.raises(TypeError):
        make(5)
