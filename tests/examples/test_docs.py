"""What the pages on code mode and sessions show is what happens."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import get_args

import pytest

from codemode.bridge.configuration import Configuration
from codemode.session import Event

DOCS = Path(__file__).parents[2] / "docs"


def block(page: str, comment: str) -> str:
    """The fenced block behind a comment."""
    found = re.search(
        rf"<!-- {re.escape(comment)} -->\n```\w*\n(.*?)```", (DOCS / page).read_text(), re.DOTALL
    )
    assert found is not None, comment
    return found[1]


@pytest.mark.parametrize("page,name", [("code-mode.md", "code-mode"), ("sessions.md", "session")])
def test_an_example_prints_what_the_page_shows(page: str, name: str) -> None:
    """Copied and run, by itself."""
    done = subprocess.run(
        [sys.executable, "-c", block(page, f"example: {name}")],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )

    assert (block(page, f"output of {name}"), "") == (done.stdout, done.stderr)


def test_the_configuration_of_the_page_is_valid(tmp_path: Path) -> None:
    """Every key of it."""
    file = tmp_path / "codemode.toml"
    file.write_text(block("code-mode.md", "configuration"))

    assert ("code", 10_000) == (
        Configuration.load(file).mode,
        Configuration.load(file).runtime.compute_ms,
    )


def test_every_kind_of_event_is_in_the_table() -> None:
    """And nothing else is."""
    told = re.findall(r"^\| `([\w/-]+)` \|", (DOCS / "sessions.md").read_text(), re.MULTILINE)

    assert {kind.kind for kind in get_args(Event)} == set(told)
