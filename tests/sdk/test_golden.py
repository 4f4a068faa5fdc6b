"""The golden stubs: what the generator writes, for readers and for mypy."""

from __future__ import annotations

import ast
import json
import os
from pathlib import Path

import pytest

from codemode.sdk import render_sdk

CHECKOUT = Path(__file__).parents[2]
CATALOGUES = sorted((CHECKOUT / "tests/typing/catalogs").glob("*.json"))
RECORD = "CODEMODE_RECORD_GOLDEN" in os.environ


@pytest.mark.golden
@pytest.mark.parametrize("path", CATALOGUES, ids=lambda path: path.stem)
def test_the_golden_stub_of_a_catalogue_is_what_is_generated(path: Path) -> None:
    """Checklist 45: `tox -e typing` checks the same files with mypy, programs beside them."""
    listed = json.loads(path.read_text())
    text = render_sdk(listed["tools"] if isinstance(listed, dict) else listed, form="stub")
    golden = CHECKOUT / f"stubs/golden/{path.stem}.pyi"
    if RECORD:
        golden.write_text(text)

    ast.parse(text, feature_version=(3, 10))
    assert golden.read_text() == text
