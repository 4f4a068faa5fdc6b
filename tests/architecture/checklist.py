"""Print the table from each line of the checklist to the tests that show it.

    python tests/architecture/checklist.py

It is made of the tests' docstrings, which name the lines: "(checklist 41, 42)".
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

CHECKOUT: Final = Path(__file__).parents[2]

_NAMED: Final = re.compile(r"checklist ((?:\d+(?:, | and )?)+)", re.IGNORECASE)

#: Lines that no test can show, and why.
NOT_BY_TEST: Final = {
    53: "no TypeScript is written: programs are Python",
    78: "a request has no options of its own; budgets are the runtime's configuration",
    107: "a measurement: `tox -e bench`",
    111: "not built: the log holds what it takes (programs, seeds, values of calls)",
}


def lines() -> dict[int, str]:
    """What each line says, under its number."""
    text = Path(__file__).with_name("checklist.txt").read_text(encoding="utf-8")
    parted = (line.partition(" ") for line in text.splitlines())
    return {int(number): words for number, _, words in parted}


def named_in(docstring: str) -> set[int]:
    """The lines that a docstring says its test shows."""
    found = _NAMED.findall(" ".join(docstring.split()))
    return {int(number) for numbers in found for number in re.findall(r"\d+", numbers)}


def tests_in(file: Path) -> Iterator[tuple[str, set[int]]]:
    """The tests of a file by name, with the lines that each shows."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                if name.startswith("test_"):
                    yield name, named_in(ast.get_docstring(node) or "")


def shown() -> dict[int, list[str]]:
    """The tests of each line, as `path::name`."""
    found: dict[int, list[str]] = {number: [] for number in lines()}
    for file in sorted((CHECKOUT / "tests").rglob("test_*.py")):
        place = file.relative_to(CHECKOUT).as_posix()
        for name, numbers in tests_in(file):
            for number in numbers:
                found.setdefault(number, []).append(f"{place}::{name}")
    return found


def table() -> str:
    """The table, in Markdown."""
    tests = shown()
    rows = [
        f"| {number} | {words} | {NOT_BY_TEST.get(number) or '<br>'.join(tests[number])} |"
        for number, words in lines().items()
    ]
    return "\n".join(["| line | what | shown by |", "|---|---|---|", *rows, ""])


if __name__ == "__main__":
    sys.stdout.write(table())
