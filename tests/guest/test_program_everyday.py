"""Programs as models write them, each of which returns True when all of it worked."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

import pytest

from codemode import CodeRunRequest, CodeRunResult, ProcessRuntime, ProcessRuntimeConfig

#: Each begins with its title, a comment at the beginning of a line.
_TEXT = Path(__file__).with_name("everyday.txt").read_text(encoding="utf-8")
PROGRAMS = dict(part.split("\n", 1) for part in re.split(r"^# ", _TEXT, flags=re.MULTILINE)[1:])


async def _results() -> dict[str, CodeRunResult]:
    async with ProcessRuntime(ProcessRuntimeConfig(spare_guests=1)) as runtime:
        return {
            title: await runtime.run(CodeRunRequest(program=program))
            for title, program in PROGRAMS.items()
        }


@pytest.fixture(scope="module")
def results() -> dict[str, CodeRunResult]:
    """What became of each; one runtime for all, since each has a process of its own."""
    return asyncio.run(_results())


@pytest.mark.parametrize("title", PROGRAMS)
def test_an_everyday_program_runs_as_python_runs_it(
    title: str, results: dict[str, CodeRunResult]
) -> None:
    """Nothing of it is refused, and nothing means anything else."""
    result = results[title]

    assert (None, True) == (result.error and result.error.message, result.value)
