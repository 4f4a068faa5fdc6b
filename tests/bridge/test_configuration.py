"""One model for all that can be set, from code or from a file."""

from __future__ import annotations

from pathlib import Path

import pytest

from codemode import ToolRegistry
from codemode.bridge.configuration import Configuration, ConfigurationError
from codemode.session import SessionOpened, ToolCalled, read_log


def write(folder: Path, name: str, text: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(text)
    return folder / name


def test_the_mode_is_one_line_away(tmp_path: Path) -> None:
    """`native` where nothing is said (checklist 37)."""
    file = write(tmp_path, "codemode.toml", 'mode = "code"\n')

    assert "code" == Configuration.load(file).registry().mode
    assert "native" == Configuration().registry().mode


def test_everything_can_be_set_in_a_file(tmp_path: Path) -> None:
    """Budgets of the runtime in a table of their own."""
    file = write(
        tmp_path,
        "codemode.toml",
        """\
mode = "both"
tool_order = ["run_code", "*"]
max_parallel_calls = 4
max_content_chars = 1000
log = "logs/session.jsonl"
redact_env = ["MY_TOKEN"]

[runtime]
compute_ms = 5000
""",
    )

    read = Configuration.load(file)

    assert ("both", ("run_code", "*"), 4) == (read.mode, read.tool_order, read.max_parallel_calls)
    assert (1000, ("MY_TOKEN",)) == (read.max_content_chars, read.redact_env)
    assert str(tmp_path / "logs/session.jsonl") == read.log
    assert 5000 == read.runtime.compute_ms


@pytest.mark.parametrize(
    "text,said",
    [
        ('moed = "code"', "moed: there is no such key; did you mean 'mode'?"),
        ("qqq = 1", "qqq: there is no such key; there are mode, max_parallel_calls,"),
        ("[runtime]\ncompute = 1", "runtime.compute: there is no such key; did you mean"),
        ('mode = "fast"', "mode: Input should be 'native', 'code' or 'both', not 'fast'"),
        ('max_parallel_calls = "4"', "max_parallel_calls: Input should be a valid integer"),
        ("max_parallel_calls = 0", "greater than or equal to 1, not 0"),
        ("max_parallel_calls = true", "valid integer, not True"),
        ("[runtime]\ncompute_ms = -1", "runtime.compute_ms: Input should be greater than 0"),
        ('tool_order = ["a"]', "put '*' there"),
        ("mode = ", "Invalid value"),
    ],
)
def test_what_cannot_be_is_refused_by_file_and_key(tmp_path: Path, text: str, said: str) -> None:
    """An unknown key names the nearest that there is (checklist 41, 66)."""
    file = write(tmp_path, "codemode.toml", text)

    with pytest.raises(ConfigurationError) as caught:
        Configuration.load(file)

    assert said in str(caught.value)
    assert str(file) in str(caught.value)


def test_all_mistakes_are_told_at_once() -> None:
    """One look at the file is enough."""
    with pytest.raises(ConfigurationError) as caught:
        Configuration.of({"moed": 1, "sdk_tokens": "many", "runtime": {"x": 1}})

    assert ["moed", "runtime.x", "sdk_tokens"] == sorted(
        problem.split(":")[0] for problem in caught.value.problems
    )


def test_a_table_of_pyproject_does_as_well(tmp_path: Path) -> None:
    """`[tool.codemode]`, the rest of the file being others'."""
    file = write(
        tmp_path, "pyproject.toml", '[project]\nname = "x"\n[tool.codemode]\nmode = "code"\n'
    )

    assert "code" == Configuration.load(file).mode


def test_the_nearest_folder_that_configures_is_found(tmp_path: Path) -> None:
    """A pyproject without our table does not."""
    write(tmp_path, "codemode.toml", 'mode = "both"')
    write(tmp_path / "a", "pyproject.toml", '[project]\nname = "x"')
    write(tmp_path / "a" / "b", "pyproject.toml", '[tool.codemode]\nmode = "code"')

    assert "both" == Configuration.find(tmp_path / "a").mode
    assert "code" == Configuration.find(tmp_path / "a" / "b").mode


def test_two_configurations_in_one_folder_are_refused(tmp_path: Path) -> None:
    """Nobody should have to know which wins."""
    write(tmp_path, "codemode.toml", 'mode = "both"')
    write(tmp_path, "pyproject.toml", '[tool.codemode]\nmode = "code"')

    with pytest.raises(ConfigurationError, match="keep one of them"):
        Configuration.find(tmp_path)


def test_a_missing_file_is_an_error_that_names_it(tmp_path: Path) -> None:
    """Asked for by name, it is to be there."""
    with pytest.raises(ConfigurationError, match=r"nowhere\.toml"):
        Configuration.load(tmp_path / "nowhere.toml")


async def test_opened_keeps_a_log_without_the_secrets(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What an environment variable named in it holds is blacked out."""
    monkeypatch.setenv("MY_TOKEN", "hunter2-token")
    monkeypatch.delenv("NOT_SET", raising=False)
    file = write(
        tmp_path, "codemode.toml", 'log = "s.jsonl"\nredact_env = ["MY_TOKEN", "NOT_SET"]\n'
    )
    registry = ToolRegistry()

    @registry.tool
    async def echo(text: str) -> str:
        return text

    async with Configuration.load(file).opened(registry) as codemode:
        answer = await codemode.execute("echo", {"text": "hunter2-token"})

    assert "hunter2-token" == answer.content
    assert b"hunter2" not in (tmp_path / "s.jsonl").read_bytes()
    kinds = [type(entry.event) for entry in read_log(tmp_path / "s.jsonl")]
    assert [SessionOpened, ToolCalled] == kinds[:2]
