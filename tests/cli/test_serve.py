"""`codemode serve` over the standard streams: it speaks, and it stops when it is told to."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest

from tests.adapters.mcp.scripted import scripted_entry

COMMAND = Path(sys.executable).with_name("codemode")
HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "0"},
    },
}


@contextmanager
def started(folder: Path, *arguments: str, **environ: str) -> Iterator[subprocess.Popen[str]]:
    """The command, once it has answered; its standard input stays open."""
    process = subprocess.Popen(
        [COMMAND, "serve", *arguments],
        cwd=folder,
        env=os.environ | environ,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        process.stdin.write(json.dumps(HELLO) + "\n")
        process.stdin.flush()
        assert "codemode" == json.loads(process.stdout.readline())["result"]["serverInfo"]["name"]
        yield process
    finally:
        process.kill()
        process.wait(timeout=30)
        process.stdin.close()
        process.stdout.close()


@pytest.fixture
def serving(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """The command over a registry without tools."""
    (tmp_path / "tools.py").write_text(
        "from codemode import ToolRegistry\nregistry = ToolRegistry()\n"
    )
    with started(tmp_path, "--tools", "tools.py:registry") as process:
        yield process


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_and_all_that_it_started(
    serving: subprocess.Popen[str], number: signal.Signals
) -> None:
    """Though its client keeps its standard input open and says nothing."""
    started = psutil.Process(serving.pid).children(recursive=True)

    serving.send_signal(number)

    assert 0 == serving.wait(timeout=30)
    gone, alive = psutil.wait_procs(started, timeout=10)
    assert started
    assert [] == alive
    assert len(started) == len(gone)


def test_the_end_of_its_input_ends_it(serving: subprocess.Popen[str]) -> None:
    """A client that goes takes the server with it."""
    assert serving.stdin is not None
    serving.stdin.close()

    assert 0 == serving.wait(timeout=30)


def test_no_secret_of_a_server_stands_in_the_log(tmp_path: Path) -> None:
    """What `${NAME}` stands for in the file of servers, though a server itself says it."""
    entry = scripted_entry(env={"SERVER_SECRET": "${KEY_OF_TEST}"})
    (tmp_path / "mcp.json").write_text(json.dumps({"mcpServers": {"calc": entry}}))
    (tmp_path / "codemode.toml").write_text('log = "session.jsonl"\n')
    call = {"name": "run_code", "arguments": {"code": "return await calc.environment()"}}
    with started(tmp_path, "--mcp", "mcp.json", KEY_OF_TEST="a-secret-of-the-test") as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(json.dumps(HELLO | {"method": "tools/call", "params": call}) + "\n")
        process.stdin.flush()
        while '"id":1,' not in (answer := process.stdout.readline()):
            assert answer

    log = (tmp_path / "session.jsonl").read_text()
    assert "a-secret-of-the-test" in answer
    assert "a-secret-of-the-test" not in log
    assert "[redacted]" in log


@pytest.mark.parametrize(
    "config,told",
    [
        ('log = "none/session.jsonl"', "session.jsonl"),
        ("sdk_tokens = 1", "sdk_tokens: Input should be greater than or equal to 100"),
    ],
)
def test_what_cannot_be_served_is_one_message(tmp_path: Path, config: str, told: str) -> None:
    """What and where, and no traceback."""
    (tmp_path / "codemode.toml").write_text(config)
    (tmp_path / "mcp.json").write_text('{"mcpServers": {"absent": {"command": "none"}}}')
    ended = subprocess.run(
        [COMMAND, "serve", "--mcp", "mcp.json"],
        cwd=tmp_path,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )

    assert (2, "") == (ended.returncode, ended.stdout)
    assert ended.stderr.startswith("Error: ")
    assert told in ended.stderr
    assert "Traceback" not in ended.stderr
