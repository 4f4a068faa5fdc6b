"""`codemode serve` over the standard streams: it speaks, and it stops when it is told to."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

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


@pytest.fixture
def serving(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """The command, once it has answered; its standard input stays open."""
    (tmp_path / "tools.py").write_text(
        "from codemode import ToolRegistry\nregistry = ToolRegistry()\n"
    )
    process = subprocess.Popen(
        [COMMAND, "serve", "--tools", "tools.py:registry"],
        cwd=tmp_path,
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
