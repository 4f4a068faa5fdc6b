"""A program in the form in which mypy reads it: a module, with every line and column in its place.

A program is the body of an async function, and its names are those of a module. As a module it has
statements that mypy does not follow: what a `return` at the top level gives, and whose a
`nonlocal` is. They become others of the same length.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final, TypeAlias

#: Line from 0, offset in bytes of UTF-8, how many bytes there are replaced, and by what.
_Edit: TypeAlias = tuple[int, int, int, bytes]

_FUNCTIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


def as_module(program: str) -> str:
    """Return a text of as many lines that mypy can check as a module.

    Args:
        program: Python that parses.
    """
    lines = [line.encode(errors="replace") for line in program.split("\n")]
    tree = ast.parse(program)
    # From the end, so that what is inserted moves nothing that is still to be replaced.
    for line, offset, length, text in sorted(_edits(tree, lines), reverse=True):
        old = lines[line]
        lines[line] = old[:offset] + text + old[offset + length :]
    module = b"\n".join(lines).decode(errors="replace")
    try:
        ast.parse(module)
    except SyntaxError:  # such as `return(1), 2`
        return program
    return module


def _edits(tree: ast.Module, lines: list[bytes]) -> Iterator[_Edit]:
    pending: list[tuple[ast.AST, int]] = [(tree, 0)]
    while pending:
        node, depth = pending.pop()
        depth += isinstance(node, _FUNCTIONS)
        if isinstance(node, ast.Return) and depth == 0:
            yield from _raising(node, lines)
        elif isinstance(node, ast.Nonlocal) and depth == 1:
            # Of the program's own function, which is not there.
            yield node.lineno - 1, node.col_offset, len(b"nonlocal"), b"global  "
        pending += [(part, depth) for part in ast.iter_child_nodes(node)]


def _raising(node: ast.Return, lines: list[bytes]) -> Iterator[_Edit]:
    """Have a value raised: mypy looks into it, and knows that what follows is not reached."""
    line, value = node.lineno - 1, node.value
    after = node.col_offset + len(b"return")
    if value is None or lines[line][after : after + 1] != b" ":
        yield line, node.col_offset, len(b"return"), b"raise "
    else:
        yield line, node.col_offset, len(b"return "), b"raise ("
        yield (value.end_lineno or 1) - 1, value.end_col_offset or 0, 0, b")"
