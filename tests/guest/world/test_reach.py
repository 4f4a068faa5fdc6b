"""Nothing that a program can reach leads out of what it was given."""

from __future__ import annotations

import pathlib
import subprocess
import sys
import types
import warnings
from pathlib import Path

import pytest

from tests.guest.world.reach import walk

ROOT = Path(__file__).parents[3]

#: Where the library keeps one: what `seal_paths` takes out, so that the first test finds none.
MODULE_OF_A_PATH = {11: "_flavour.pathmod", 12: "_flavour"}.get(sys.version_info.minor, "parser")


def test_nothing_that_a_program_reaches_leads_out() -> None:
    """No path of names, items, copies and constructors ends at a module, frame, loop or file."""
    found = subprocess.run(
        [sys.executable, "-m", "tests.guest.world.reach"],
        cwd=ROOT, capture_output=True, text=True, timeout=60, check=True,
    )  # fmt: skip
    *paths, searched = found.stdout.splitlines()
    assert [] == paths
    assert int(searched.split()[1]) > 20_000


@pytest.mark.parametrize(
    "root,path",
    [
        (warnings.catch_warnings(), "root._module"),
        (types.SimpleNamespace(x=[(1, sys)]), "root.x[0][1]"),
        (pathlib.PurePosixPath, f"root.{MODULE_OF_A_PATH}"),
        (types.SimpleNamespace, None),
        (print, None),
        (open, "root"),
    ],
)
def test_the_search_finds_what_leads_out(root: object, path: str | None) -> None:
    """The search sees a module behind a private name or an item, and a raw builtin."""
    paths = list(walk({"root": root}))[:-1]
    assert (path in paths) if path else not paths
