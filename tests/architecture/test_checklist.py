"""Every line of the checklist is shown by a test that names it."""

from __future__ import annotations

import pytest

from tests.architecture.checklist import NOT_BY_TEST, lines, named_in, shown, table


def test_no_line_is_without_a_test() -> None:
    """But for those that no test can show, each with its reason."""
    tests = shown()

    assert [] == [number for number in lines() if not tests[number] and number not in NOT_BY_TEST]


def test_no_test_names_a_line_that_there_is_not() -> None:
    """A slip in a number would show the wrong thing."""
    assert set(lines()) == set(shown())


def test_the_table_has_a_row_for_each_line() -> None:
    """Numbered without a gap."""
    assert list(range(1, len(lines()) + 1)) == list(lines())
    assert len(lines()) + 2 == len(table().splitlines())


@pytest.mark.parametrize(
    "docstring,numbers",
    [
        ("It works (checklist 41).", {41}),
        ("It works (checklist 41, 42 and 7).", {41, 42, 7}),
        ("Checklist 1,\n    2: it works.", {1, 2}),
        ("It works 100 times (checklist\n    3).", {3}),
        ("It works 41 times.", set()),
    ],
)
def test_a_docstring_names_lines_in_any_of_these_ways(docstring: str, numbers: set[int]) -> None:
    """Over the end of a line, too."""
    assert numbers == named_in(docstring)
