"""`codemode sdk` as a user starts it."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from pathlib import Path

import pytest

COMMAND = Path(sys.executable).with_name("codemode")
TOOLS = """
from codemode import ToolRegistry

registry = ToolRegistry()

@registry.tool
def double(n: int) -> int:
    "Twice as much."
    return 2 * n
"""


def sdk(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """What the command printed, and its status."""
    return subprocess.run(
        [COMMAND, "sdk", *arguments], capture_output=True, check=False, text=True, timeout=60
    )


@pytest.fixture
def catalog(tmp_path: Path) -> Path:
    """A catalogue of fifty tools."""
    path = tmp_path / "tools_list.json"
    listed = [{"name": f"tool-{n}", "inputSchema": {"type": "object"}} for n in range(50)]
    path.write_text(json.dumps({"tools": listed}))
    return path


def test_the_text_of_a_registry_is_printed_in_either_form(tmp_path: Path) -> None:
    """Typed functions become types; the stub has the error class too."""
    (tmp_path / "tools.py").write_text(TOOLS)
    prompt = sdk("--tools", f"{tmp_path}/tools.py:registry")
    stub = sdk("--tools", f"{tmp_path}/tools.py:registry", "--form", "stub")

    assert 'async def double(self, *, n: int) -> int: "Twice as much."' in prompt.stdout
    assert "class ToolCallError(Exception):" in stub.stdout
    ast.parse(stub.stdout)


def test_a_budget_shortens_the_text_and_says_what_became_of_it(catalog: Path) -> None:
    """Checklist 106: the level and how tokens were counted go to standard error."""
    whole = sdk("--catalog", catalog)
    short = sdk("--catalog", catalog, "--budget", "150")

    assert '"tool-7": Tool7' in whole.stdout
    assert len(short.stdout) <= 600 + 200
    assert "50 tools" in short.stdout
    assert "index: " in short.stderr or "namespaces: " in short.stderr
    assert "by " in short.stderr
    assert 0 == short.returncode


def test_what_is_no_catalogue_is_refused_with_what_to_give(tmp_path: Path) -> None:
    """Exit 2, one line on standard error, nothing on standard output."""
    (tmp_path / "x.json").write_text('{"tools": 3}')
    for arguments in ((), ("--catalog", str(tmp_path / "x.json")), ("--catalog", "nowhere.json")):
        done = sdk(*arguments)
        assert 2 == done.returncode
        assert "" == done.stdout
        assert "give" in done.stderr
