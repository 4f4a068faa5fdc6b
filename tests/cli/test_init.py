"""`codemode init` writes a configuration that means what it says, and overwrites nothing."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from codemode.bridge.configuration import Configuration
from codemode.cli.init import init


def run(*arguments: str) -> Result:
    return CliRunner().invoke(init, arguments)


def test_as_written_the_configuration_changes_nothing(tmp_path: Path) -> None:
    """Every line is a comment."""
    run(str(tmp_path))

    assert Configuration() == Configuration.load(tmp_path / "codemode.toml")


def test_without_the_comment_signs_every_setting_has_its_default(tmp_path: Path) -> None:
    """The names, the tables and the values are those that the library knows."""
    run(str(tmp_path))
    file = tmp_path / "codemode.toml"
    file.write_text(re.sub(r"^#(?=[\w\[])", "", file.read_text(), flags=re.MULTILINE))

    loaded = Configuration.load(file)

    assert str(tmp_path / "log") == loaded.log
    assert Configuration() == loaded.model_copy(update={"log": None})
    assert 'seccomp = "required"' in file.read_text()


def test_every_setting_is_explained(tmp_path: Path) -> None:
    """No name without the sentence that says what it does."""
    run(str(tmp_path))
    lines = (tmp_path / "codemode.toml").read_text().splitlines()

    settings = [n for n, line in enumerate(lines) if re.match(r"#\w+ = ", line)]
    assert len(settings) > 30
    assert [] == [lines[n] for n in settings if not re.match(r"# \S", lines[n - 1])]


def test_a_configuration_that_is_there_is_left_as_it_is(tmp_path: Path) -> None:
    """Nothing is lost, and nobody is told otherwise."""
    file = tmp_path / "codemode.toml"
    file.write_text('mode = "both"\n')

    told = run(str(tmp_path))

    assert 'mode = "both"\n' == file.read_text()
    assert "stays as it is" in told.stderr


@pytest.mark.parametrize(
    "client,key,servers",
    [
        ("claude-code", "mcpServers", "servers.json"),
        ("vscode", "servers", "${workspaceFolder}/servers.json"),
        ("cursor", "mcpServers", "FOLDER/servers.json"),
        ("claude-desktop", "mcpServers", "FOLDER/servers.json"),
    ],
)
def test_a_client_is_given_the_entry_that_it_reads(
    tmp_path: Path, client: str, key: str, servers: str
) -> None:
    """Standard output is the snippet alone, with the file where that client will find it."""
    snippet = json.loads(run(str(tmp_path), "--client", client).stdout)

    told = servers.replace("FOLDER", str(tmp_path))
    assert ["serve", "--mcp", told] == snippet[key]["codemode"]["args"]
