"""Each import contract is a check that can fail: here every one of them does."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).parents[2]

# The contract, the module that breaks it, and the line that does.
BREACHES = [
    ("layers", "codemode/tools/registry.py", "import codemode.cli"),
    ("layers", "codemode/tools/registry.py", "import codemode.process"),
    ("layers", "codemode/process/__init__.py", "import codemode.tools"),
    ("layers", "codemode/runtime/__init__.py", "import codemode.process"),
    ("layers", "codemode/errors.py", "import codemode.runtime"),
    ("layers", "codemode/lumber/__init__.py", "'A room that has no place.'"),
    ("guest", "codemode_guest/__init__.py", "import codemode.errors"),
    ("guest", "codemode_guest/__init__.py", "import pydantic"),
    ("guest", "codemode_guest/__init__.py", "import anyio"),
    ("guest", "codemode_guest/__init__.py", "import click"),
    ("guest", "codemode_guest/__init__.py", "import psutil"),
    ("seam", "codemode/runtime/__init__.py", "import pydantic"),
    ("light", "codemode/__init__.py", "import codemode.cli"),
    ("light", "codemode/tools/registry.py", "import click"),
    ("extras", "codemode/bridge/__init__.py", "import mcp"),
    ("command", "codemode/cli/serve.py", "import mcp"),
    ("rings", "codemode/tools/errors.py", "import codemode.tools.registry"),
]


def lint(tree: Path) -> subprocess.CompletedProcess[str]:
    """Check the contracts of the copy in `tree`, not of what is installed."""
    linter = Path(sys.executable).with_name("lint-imports")
    return subprocess.run(
        [linter, "--no-cache"],
        cwd=tree,
        env={**os.environ, "PYTHONPATH": str(tree / "src")},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


def contracts() -> dict[str, str]:
    """The name of each contract under its id."""
    config = tomllib.loads((CHECKOUT / "pyproject.toml").read_text())
    return {c["id"]: c["name"] for c in config["tool"]["importlinter"]["contracts"]}


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A copy of the sources and of the contracts, free to be spoilt."""
    shutil.copy(CHECKOUT / "pyproject.toml", tmp_path)
    shutil.copytree(CHECKOUT / "src", tmp_path / "src")
    return tmp_path


def test_the_tree_as_it_is_keeps_every_contract(tree: Path) -> None:
    """Nothing is broken to begin with, so that a breach below is the line that was added."""
    done = lint(tree)

    assert 0 == done.returncode, done.stdout
    assert f"{len(contracts())} kept, 0 broken" in done.stdout


@pytest.mark.parametrize("contract,module,line", BREACHES)
def test_a_breach_of_a_contract_is_found_and_named(
    tree: Path, contract: str, module: str, line: str
) -> None:
    """One forbidden line makes the linter fail and say which contract it broke."""
    broken = tree / "src" / module
    broken.parent.mkdir(exist_ok=True)
    with broken.open("a") as source:
        source.write(f"\n{line}\n")

    done = lint(tree)

    assert 0 != done.returncode
    assert f"{contracts()[contract]} BROKEN" in done.stdout


def test_every_contract_has_its_breach() -> None:
    """A contract that nothing here breaks might be one that nothing can break."""
    assert set(contracts()) == {contract for contract, _, _ in BREACHES}
