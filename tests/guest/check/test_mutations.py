"""Correct programs with one thing changed at random: what the check refuses does fail."""

from __future__ import annotations

import ast
import random
from collections.abc import AsyncIterator, Callable
from functools import partial
from itertools import count

import pytest

from codemode.process import ProcessRuntime
from codemode.runtime import CodeRunRequest, CodeRunResult, CodeRuntime
from tests.guest.check.tools_on_offer import namespaces, programs

_MUTANTS = 80
_VALUES = (None, True, 1, 1.5, "x")


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    """One loop is enough: what is shown here happens in the guest."""
    return "asyncio"


@pytest.fixture(scope="module")
async def runtime(anyio_backend: str) -> AsyncIterator[CodeRuntime]:
    async with ProcessRuntime() as opened:
        yield opened


def _is_member(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id in ("tools", "github")
    )


def _changes(tree: ast.Module, choice: random.Random) -> list[Callable[[], object]]:
    """All the ways in which one thing in a tree can be changed; each changes the tree."""
    found: list[Callable[[], object]] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            found.append(partial(setattr, node, "id", f"{node.id}_q"))
        if isinstance(node, ast.Attribute) and _is_member(node):
            found.append(partial(setattr, node, "attr", f"{node.attr}s"))
        if isinstance(node, ast.Call) and _is_member(node.func):
            found.append(partial(node.keywords.append, ast.keyword("extra", ast.Constant(1))))
            for word in node.keywords:
                found += [
                    partial(node.keywords.remove, word),
                    partial(setattr, word, "arg", "other"),
                    partial(setattr, word, "value", ast.Constant(choice.choice(_VALUES))),
                ]
        for name, value in ast.iter_fields(node):
            if isinstance(value, ast.Await):
                found.append(partial(setattr, node, name, value.value))
    return found


def _mutants(seed: int) -> list[str]:
    choice = random.Random(seed)  # noqa: S311 - the same ones each time
    correct = list(programs("correct.txt").values())
    found: list[str] = []
    while len(found) < _MUTANTS:
        tree = ast.parse(choice.choice(correct))
        changes = _changes(tree, choice)
        if changes:
            choice.choice(changes)()
            found.append(ast.unparse(ast.fix_missing_locations(tree)))
    return found


async def _run(runtime: CodeRuntime, program: str, *, checked: bool) -> CodeRunResult:
    bindings = namespaces(checked=checked)
    return await runtime.run(CodeRunRequest(program=program, bindings=bindings))


async def test_no_program_is_refused_that_would_have_done_its_work(runtime: CodeRuntime) -> None:
    """It fails without the check, too, or a call that it makes is never awaited."""
    refused = count()
    for program in _mutants(20_26):
        result = await _run(runtime, program, checked=True)
        if result.error is None or result.error.exception_type != "CheckError":
            continue
        next(refused)
        without = await _run(runtime, program, checked=False)
        assert without.error is not None or "never awaited" in result.error.message, program
    # Half of such changes are certain to fail; a check that refuses next to nothing is none.
    assert next(refused) > _MUTANTS / 3
