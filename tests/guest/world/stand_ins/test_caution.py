"""Warnings can be caught, and what is shown goes to the run's log."""

from __future__ import annotations

import io

import pytest

from codemode_guest.world.stand_ins.caution import show_warning
from tests.guest.world.programs import run


@pytest.mark.filterwarnings("default")
def test_recorded_warnings_are_listed() -> None:
    """`catch_warnings(record=True)` works as in the library."""
    source = """
import warnings
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    warnings.warn("careful")
    warnings.warn("old", DeprecationWarning)
print([(str(w.message), w.category.__name__, w.lineno) for w in caught])
"""
    assert "[('careful', 'UserWarning', 5), ('old', 'DeprecationWarning', 6)]\n" == run(source)


def test_a_warning_can_be_an_error() -> None:
    """The filters are the library's own."""
    source = """
import warnings
with warnings.catch_warnings():
    warnings.simplefilter("error")
    try:
        warnings.warn("careful")
    except UserWarning as error:
        print(error)
"""
    assert "careful\n" == run(source)


def test_no_module_can_be_passed_or_read() -> None:
    """The library keeps the module itself in a private attribute; this one has none."""
    source = """
import warnings
try:
    warnings.catch_warnings(module=1)
except TypeError as error:
    print(error)
print([name for name in dir(warnings.catch_warnings()) if name.startswith("_m")])
"""
    assert "catch_warnings() takes no module here\n[]\n" == run(source)


def test_a_shown_warning_says_where() -> None:
    """One line, with the place in the program."""
    file = io.StringIO()
    show_warning("careful", UserWarning, "<program>", 3, file)
    assert "<program>:3: UserWarning: careful\n" == file.getvalue()
