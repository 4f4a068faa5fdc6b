"""What the page on tools shows is what happens."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import get_args

from codemode.tools import ErrorCode, ToolRegistry
from codemode.tools.hooks import Hooks

PAGE = (Path(__file__).parents[2] / "docs" / "tools.md").read_text()


def block(comment: str) -> str:
    """The fenced block behind a comment."""
    found = re.search(rf"<!-- {comment} -->\n```\w*\n(.*?)```", PAGE, re.DOTALL)
    assert found is not None, comment
    return found[1]


def test_the_example_prints_what_the_page_shows() -> None:
    """Copied and run, by itself."""
    done = subprocess.run(
        [sys.executable, "-c", block("example: tools")],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )

    assert (block("output of tools"), "") == (done.stdout, done.stderr)


def test_the_tables_have_every_hook_and_every_code() -> None:
    """And nothing else."""
    named = re.findall(r"^\| `(\w+)` \|", PAGE, re.MULTILINE)

    assert [*Hooks.__dataclass_fields__, *get_args(ErrorCode)] == named
    assert all(callable(getattr(ToolRegistry, hook)) for hook in Hooks.__dataclass_fields__)
