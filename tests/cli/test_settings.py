"""The configuration file holds for every command that runs programs, and `-v` tells of the host."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

COMMAND = Path(sys.executable).with_name("codemode")
TOOLS = """
from codemode import CodeBindingNamespace, ToolRegistry

registry = ToolRegistry()

@registry.tool
def lookup(key: str) -> int:
    return {}[key]

async def ping(arguments):
    raise OSError("no route")

other = CodeBindingNamespace(global_name="other", functions={"ping": ping})
"""


def command(folder: Path, *arguments: str, program: str) -> subprocess.CompletedProcess[str]:
    """What came of a command that is started in a folder, the program on its standard input."""
    return subprocess.run(
        [COMMAND, *arguments, "-"],
        cwd=folder,
        input=program,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A folder below one that has a configuration and another one beside it."""
    (tmp_path / "codemode.toml").write_text("[runtime]\nmax_calls = 1\n")
    (tmp_path / "other.toml").write_text("[runtime]\nmax_calls = 2\n")
    (tmp_path / "tools.py").write_text(TOOLS)
    inner = tmp_path / "inner"
    inner.mkdir()
    return inner


TWO_CALLS = """
import asyncio

await asyncio.gather(tools.lookup(key="a"), tools.lookup(key="b"), return_exceptions=True)
"""


@pytest.mark.parametrize(
    "options,status",
    [
        ((), 1),
        (("--config", "../other.toml"), 0),
        (("--max-calls", "2"), 0),
        (("--config", "../other.toml", "--max-calls", "1"), 1),
    ],
)
def test_a_run_has_the_budgets_of_the_nearest_configuration_unless_told_otherwise(
    project: Path, options: tuple[str, ...], status: int
) -> None:
    """The command line goes before the file that it names, and that before the nearest."""
    tools = "--tools=../tools.py:registry"
    done = command(project, "run", tools, *options, program=TWO_CALLS)

    assert status == done.returncode, done.stderr
    assert ("max_calls" in done.stderr) is bool(status)


@pytest.mark.parametrize("name", ["run", "check"])
def test_a_configuration_that_cannot_be_is_a_usage_error(project: Path, name: str) -> None:
    """As for any command: the file, the key, and the nearest that there is."""
    (project / "codemode.toml").write_text("[runtime]\nmax_cals = 1\n")

    done = command(project, name, program="return 1")

    assert (2, "") == (done.returncode, done.stdout)
    assert "codemode.toml: runtime.max_cals: there is no such key; did you mean" in done.stderr


@pytest.mark.parametrize(
    "tools,call,line",
    [
        ("registry", "tools.lookup(key='a')", "return {}[key]"),
        ("other", "other.ping()", 'raise OSError("no route")'),
    ],
)
def test_v_shows_where_in_the_host_a_tool_failed(
    project: Path, tools: str, call: str, line: str
) -> None:
    """The program sees what its author should; the host's own traceback is for the host."""
    arguments = ["run", f"--tools=../tools.py:{tools}"]
    program = f"try:\n    await {call}\nexcept Exception as error:\n    return 'caught'"

    quiet = command(project, *arguments, program=program)
    told = command(project, *arguments, "-v", program=program)

    assert (0, "caught\n", "") == (quiet.returncode, quiet.stdout, quiet.stderr)
    assert (0, "caught\n") == (told.returncode, told.stdout)
    assert 1 == told.stderr.count(line)
