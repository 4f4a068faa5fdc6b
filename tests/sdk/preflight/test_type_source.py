"""A program as a module: every line and column stays where it was."""

from __future__ import annotations

import ast

import pytest

from codemode.sdk.preflight.type_source import as_module
from tests.guest.check.tools_on_offer import programs


@pytest.mark.parametrize(
    "program, module",
    [
        ("return x", "raise (x)"),
        ("return", "raise "),
        ("return(x)", "raise (x)"),
        ("return a, b  # both", "raise (a, b)  # both"),
        ("return {\n  'a': 1,\n}", "raise ({\n  'a': 1,\n})"),
        ("if x: return 'é', y; z", "if x: raise ('é', y); z"),
        ("async def f():\n    return 1", "async def f():\n    return 1"),
        ("lambda: 1\nreturn lambda: 1", "lambda: 1\nraise (lambda: 1)"),
        ("def f():\n    nonlocal x", "def f():\n    global   x"),
        ("x = 'return 1'", "x = 'return 1'"),
    ],
)
def test_statements_become_others_of_the_same_length(program: str, module: str) -> None:
    """What is inserted stands behind what it closes."""
    assert module == as_module(program)


def test_a_nonlocal_of_a_function_within_a_function_stays() -> None:
    """Its variable is a function's, in a module as well."""
    program = "def f():\n    x = 1\n    def g():\n        nonlocal x\n        x = 2"

    assert program == as_module(program)


def test_what_cannot_be_done_is_left_undone() -> None:
    """Better an unread value than a program that is none any more."""
    assert "return(1), 2" == as_module("return(1), 2")


@pytest.mark.parametrize("file", ["correct.txt", "mistaken.txt"])
def test_what_stands_in_a_program_stands_there_in_its_module(file: str) -> None:
    """Every name and constant of two hundred programs, by line and column."""
    for program in programs(file).values():
        assert _places(program) == _places(as_module(program))


def _places(text: str) -> set[tuple[int, int, str]]:
    return {
        (node.lineno, node.col_offset, ast.dump(node))
        for node in ast.walk(ast.parse(text))
        if isinstance(node, (ast.Name, ast.Constant, ast.Call))
    }
