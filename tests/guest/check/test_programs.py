"""The check over whole programs: it keeps no correct one, and misses no certain mistake."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator

import pytest

from codemode.process import ProcessRuntime
from codemode.runtime import CodeRunRequest, CodeRunResult, CodeRuntime
from codemode.testing import InMemoryRuntime
from tests.guest.check.tools_on_offer import namespaces, programs

_CORRECT = programs("correct.txt")
_MISTAKEN = programs("mistaken.txt")


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    """One loop is enough: what is shown here happens in the guest's part."""
    return "asyncio"


@pytest.fixture(scope="module")
async def runtime(anyio_backend: str) -> AsyncIterator[CodeRuntime]:
    async with InMemoryRuntime() as opened:
        yield opened


@pytest.fixture(scope="module")
async def process(anyio_backend: str) -> AsyncIterator[CodeRuntime]:
    """A process says nothing to us of coroutines that it leaves behind."""
    async with ProcessRuntime() as opened:
        yield opened


async def _run(runtime: CodeRuntime, program: str, *, checked: bool) -> CodeRunResult:
    return await runtime.run(CodeRunRequest(program=program, bindings=namespaces(checked=checked)))


def test_there_are_a_hundred_of_each() -> None:
    """Enough to mean something, and no two the same."""
    assert len(set(_CORRECT.values())) >= 100
    assert len(set(_MISTAKEN.values())) >= 100


@pytest.mark.parametrize("program", _CORRECT.values(), ids=_CORRECT.keys())
async def test_a_correct_program_runs_with_the_check_on(runtime: CodeRuntime, program: str) -> None:
    """Checklist 108: no program that works is kept from running."""
    result = await _run(runtime, program, checked=True)

    assert result.error is None


@pytest.mark.parametrize("program", _MISTAKEN.values(), ids=_MISTAKEN.keys())
async def test_a_mistake_is_reported_at_its_line_and_no_call_is_made(
    runtime: CodeRuntime, program: str
) -> None:
    """Checklist 108: each is reported with line and remedy, all at once, before any call."""
    expected = {
        number: line.partition("#! ")[2]
        for number, line in enumerate(program.splitlines(), 1)
        if "#! " in line
    }

    result = await _run(runtime, program, checked=True)

    assert result.error is not None
    assert ("exception", "compile") == (result.error.kind, result.error.phase)
    assert () == result.report.calls
    told = dict(re.findall(r"^line (\d+), column \d+: (.*)$", result.error.message, re.MULTILINE))
    for number, words in expected.items():
        assert words in told[str(number)]


@pytest.mark.parametrize("program", _MISTAKEN.values(), ids=_MISTAKEN.keys())
async def test_what_is_reported_as_certain_comes_true_when_it_is_run_all_the_same(
    process: CodeRuntime, program: str
) -> None:
    """Without the check each of them fails, or ends without having made its call."""
    result = await _run(process, program, checked=False)

    assert result.error is not None or () == result.report.calls
