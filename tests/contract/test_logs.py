"""What a program prints reaches the logs, line by line."""

import pytest

from codemode import CodeRuntime
from tests.contract.conftest import RunProgram, request_for


async def test_printed_lines_come_in_order_without_their_newlines(run: RunProgram) -> None:
    """One entry a line, whatever print is given (checklist 85)."""
    result = await run("print('a', 1, [2], sep='-')\nprint()\nprint('two\\nlines')\nreturn None")

    assert ("a-1-[2]", "", "two", "lines") == result.logs


async def test_an_unfinished_line_joins_what_follows_it(run: RunProgram) -> None:
    """`end=''` and flush make no entries of their own (checklist 86)."""
    result = await run(
        "print('a', end='')\nprint('b', end='', flush=True)\nprint('c')\nprint('d', end='')"
    )

    assert ("abc", "d") == result.logs


async def test_a_line_of_100_000_characters_is_kept(run: RunProgram) -> None:
    """No line is too long to be shown, below the cap (checklist 87)."""
    result = await run("print('x' * 100_000)\nprint('after')")

    assert ("x" * 100_000, "after") == result.logs


async def test_logs_are_exact_text(run: RunProgram) -> None:
    """Control characters, carriage returns and lone surrogates are data (checklist 95)."""
    result = await run(r"print('\x1b[2J\r\x00\x85\u2028\ud800')")

    assert ("\x1b[2J\r\x00\x85\u2028\ud800",) == result.logs


async def test_nothing_reaches_the_hosts_own_streams(
    runtime: CodeRuntime, capfd: pytest.CaptureFixture[str]
) -> None:
    """The host's stdout and stderr are untouched (checklist 85)."""
    await runtime.run(
        request_for("import warnings\nprint('mine')\nwarnings.warn('and this')\nraise ValueError")
    )

    assert ("", "") == capfd.readouterr()
