"""What a host can see of a run while it runs, and choose for it before."""

from __future__ import annotations

import random

import pytest

from codemode import CodeRunRequest, CodeRuntime, UsageError
from tests.contract.conftest import request_for


async def test_printed_text_is_told_while_the_program_runs(runtime: CodeRuntime) -> None:
    """A line is there before the call that follows it is answered (checklist 112)."""
    heard: list[str] = []
    when_called: list[str] = []

    async def look(_: object) -> None:
        when_called.append("".join(heard))

    request = request_for("print('one')\nawait tools.look()\nprint('two', end='')", look=look)
    result = await runtime.run(
        CodeRunRequest(program=request.program, bindings=request.bindings, on_print=heard.append)
    )

    assert ["one\n"] == when_called
    assert "one\ntwo" == "".join(heard)
    assert ("one", "two") == result.logs


async def test_a_listener_that_fails_does_not_disturb_the_run(runtime: CodeRuntime) -> None:
    """Who looks on does not take part."""

    def fail(_: str) -> None:
        raise ValueError("not interested")

    result = await runtime.run(CodeRunRequest(program="print(1)\nreturn 2", on_print=fail))

    assert (2, ("1",), None) == (result.value, result.logs, result.error)


async def test_a_seed_makes_the_numbers_of_a_run_repeatable(runtime: CodeRuntime) -> None:
    """Two runs of one seed draw alike, and the report names it."""
    program = "import random\nreturn [random.randrange(10**9) for _ in range(5)]"

    first, second = [await runtime.run(CodeRunRequest(program=program, seed=7)) for _ in "ab"]
    other = await runtime.run(CodeRunRequest(program=program, seed=8))

    drawn = random.Random(7)  # noqa: S311 - what the program draws
    assert [drawn.randrange(10**9) for _ in range(5)] == first.value == second.value
    assert first.value != other.value
    assert (7, 8) == (first.report.seed, other.report.seed)


@pytest.mark.parametrize("seed", [-1, 2**64, True, 1.0])
def test_a_seed_that_is_none_is_refused(seed: int) -> None:
    """Before anything runs."""
    with pytest.raises(UsageError, match="at most 64 bits"):
        CodeRunRequest(program="", seed=seed)
