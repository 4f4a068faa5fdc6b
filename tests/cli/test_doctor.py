"""`codemode doctor` as a user starts it, here and where the system refuses something."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from codemode.cli.main import main
from codemode.process import CURES, STOPS
from codemode_guest.confinement import LAYERS
from tests.adapters.mcp.scripted import scripted_entry

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="Linux confines")

COMMAND = str(Path(sys.executable).with_name("codemode"))
CHECKOUT = str(Path(__file__).parents[2])
#: In the place of the command, in a container that refuses these calls.
REFUSED = """
import os, sys
sys.path.insert(0, sys.argv[1])
from tests.hostile.host import enter_container
enter_container(sys.argv[2].split(), [])
os.execv(sys.argv[3], sys.argv[3:])
"""


def doctor(*options: str, refuse: str = "") -> subprocess.CompletedProcess[str]:
    command = [COMMAND, "doctor", *options]
    if refuse:
        command = [sys.executable, "-c", REFUSED, CHECKOUT, refuse, *command]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


def test_every_layer_is_told_with_what_it_stops_and_what_the_kernel_says() -> None:
    """As facts for a program, too."""
    done = doctor("--json")
    layers = json.loads(done.stdout)["layers"]

    assert 0 == done.returncode
    assert list(LAYERS) == list(layers)
    assert dict(STOPS) == {layer: fact["stops"] for layer, fact in layers.items()}
    assert "Seccomp: 2" in layers["seccomp"]["evidence"]
    assert all(fact["evidence"] for fact in layers.values())
    assert all(fact["active"] == (fact["cure"] is None) for fact in layers.values())


def test_a_missing_layer_is_told_with_the_reason_and_a_cure() -> None:
    """It is not required, so that all is well as it is; with --strict it is not."""
    done = doctor(refuse="unshare landlock_create_ruleset")
    words = " ".join(done.stdout.split())

    assert 0 == done.returncode
    assert "MISSING landlock" in words
    assert "not in force; Operation not permitted" in words
    assert f"to get it: {CURES['landlock']}" in words
    assert "MISSING pid_namespace" in words
    assert "active seccomp" in words
    assert 1 == doctor("--strict", refuse="unshare").returncode


def test_a_missing_layer_that_is_required_is_a_status() -> None:
    """So that a deployment can ask before it starts."""
    done = doctor(refuse="seccomp")

    assert 1 == done.returncode
    assert "MISSING  seccomp" in done.stdout


def test_each_server_of_a_file_is_tried_and_what_is_wrong_is_told_in_words(tmp_path: Path) -> None:
    """One works, three do not, each for a reason of its own; that is a status."""
    pytest.importorskip("mcp")
    file = tmp_path / "mcp.json"
    servers = {
        "calc": scripted_entry("pages"),
        "gone": {"command": "no-such-program"},
        "slip": {"command": "python", "arg": ["-V"]},
        "far": {"url": "http://127.0.0.1:9/mcp?key=s3cret"},
    }
    file.write_text(json.dumps({"mcpServers": servers}))

    done = doctor("--mcp", str(file))
    words = " ".join(done.stdout.split())

    assert 1 == done.returncode
    assert "works server 'calc' tools: 3 of them, as `await calc.…`" in words
    assert "FAILED server 'gone' why: there is no program 'no-such-program'; install it" in words
    assert "FAILED server 'slip' why: its entry has 'arg'; did you mean 'args'?" in words
    assert "FAILED server 'far' why: nothing answers at 127.0.0.1:9: " in words
    assert "s3cret" not in done.stdout + done.stderr


def test_a_server_that_prints_is_told_of_without_a_traceback(tmp_path: Path) -> None:
    """It works; whoever wrote its entry reads what was odd, and nothing of the client's inside."""
    pytest.importorskip("mcp")
    file = tmp_path / "mcp.json"
    file.write_text(json.dumps({"mcpServers": {"calc": scripted_entry("chatty")}}))

    done = doctor("--mcp", str(file), "--json")

    assert "no message" in str(json.loads(done.stdout)["servers"]["calc"]["notes"])
    assert "Traceback" not in done.stderr


def test_servers_that_all_work_are_facts_and_no_status(tmp_path: Path) -> None:
    """With what a program calls them."""
    pytest.importorskip("mcp")
    file = tmp_path / "mcp.json"
    file.write_text(json.dumps({"mcpServers": {"my-calc": scripted_entry("pages")}}))

    done = doctor("--mcp", str(file), "--json")

    assert 0 == done.returncode
    assert {
        "my-calc": {"namespace": "my_calc", "tools": 3, "problem": None, "notes": []}
    } == json.loads(done.stdout)["servers"]


@pytest.mark.parametrize("command", [["doctor"], ["run", "-"], ["check", "-"], ["sdk"], ["serve"]])
def test_a_file_of_servers_that_is_not_there_is_refused_in_words(command: list[str]) -> None:
    """By every command that takes one, without a traceback."""
    pytest.importorskip("mcp")
    done = CliRunner().invoke(main, [*command, "--mcp", "none.json"], input="return 1")

    assert 2 == done.exit_code
    assert (
        "Error: --mcp none.json: cannot be read: No such file or directory; "
        "give the path of an mcp.json\n"
    ) == done.stderr
