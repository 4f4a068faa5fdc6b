"""mcp.json as clients write it: read whole, expanded, and wrong entries named."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from codemode.adapters.mcp import (
    LaunchedServer,
    McpConfigError,
    RemoteServer,
    UnusableServer,
    parse_mcp_config,
    read_mcp_config,
)

ENVIRON = {"TOKEN": "s3cret", "EMPTY": ""}


def parse(**servers: object) -> dict[str, object]:
    text = json.dumps({"mcpServers": servers})
    return dict(parse_mcp_config(text, source="mcp.json", environ=ENVIRON))


def test_variables_are_expanded_in_every_text() -> None:
    """Arguments, environment and headers, in the three spellings that clients use."""
    found = parse(
        files={"command": "run", "args": ["--key=${TOKEN}"], "env": {"KEY": "${env:TOKEN}"}},
        web={"url": "https://x.test/${EMPTY:-mcp}", "headers": {"Authorization": "B ${TOKEN}"}},
    )

    assert found == {
        "files": LaunchedServer(command="run", args=("--key=s3cret",), env={"KEY": "s3cret"}),
        "web": RemoteServer(url="https://x.test/mcp", headers={"Authorization": "B s3cret"}),
    }


def test_no_secret_stands_in_the_repr_of_an_entry() -> None:
    """An entry that ends in a log or a traceback gives nothing away."""
    found = parse(
        files={"command": "run", "args": ["${TOKEN}"], "env": {"KEY": "${TOKEN}"}},
        web={"url": "https://x.test", "headers": {"Authorization": "${TOKEN}"}},
    )

    assert "s3cret" not in repr(found)


@pytest.mark.parametrize(
    "entry,told",
    [
        ({"command": "run", "args": ["${NOPE}"]}, "no NOPE"),
        ({}, '"command" or "url"'),
        ({"command": "run", "url": "https://x.test"}, "one of the two"),
        ({"url": "ftp://x.test"}, "url"),
        ({"type": "sse", "url": "https://x.test"}, "streamable HTTP"),
        ({"command": "run", "args": "${TOKEN}"}, "args"),
        ({"command": 7}, "command: must be the name or path of a program"),
        ({"command": "run", "envs": {}}, "did you mean 'env'"),
        ("run", "no object"),
    ],
)
def test_a_wrong_entry_is_named_and_the_others_work(entry: object, told: str) -> None:
    """One slip does not take the other servers away, nor show a secret."""
    found = parse(bad=entry, good={"command": "run"})

    bad = found["bad"]
    assert isinstance(bad, UnusableServer)
    assert told in bad.problem
    assert "s3cret" not in bad.problem
    assert LaunchedServer(command="run") == found["good"]


def test_a_disabled_server_is_left_out() -> None:
    """Clients switch servers off with a key of theirs."""
    assert parse(off={"command": "run", "disabled": True}) == {}


def test_the_table_of_an_editor_is_read_too() -> None:
    """VS Code calls it `servers`."""
    found = parse_mcp_config('{"servers": {"a": {"command": "run"}}}', source="mcp.json")

    assert found == {"a": LaunchedServer(command="run")}


@pytest.mark.parametrize("text", ["{", "[]", "{}", '{"mcpServers": []}'])
def test_a_file_that_is_no_configuration_is_refused_by_name(tmp_path: Path, text: str) -> None:
    """What, where and what to write."""
    file = tmp_path / "mcp.json"
    file.write_text(text)

    with pytest.raises(McpConfigError, match=r"mcp\.json: (is no JSON|has no table)"):
        read_mcp_config(file)


def test_a_missing_file_is_refused_by_name(tmp_path: Path) -> None:
    """The path is shown."""
    with pytest.raises(McpConfigError, match=r"none\.json: cannot be read"):
        read_mcp_config(tmp_path / "none.json")
