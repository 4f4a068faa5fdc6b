"""The page that says what a program may use says what the tables say."""

from __future__ import annotations

from pathlib import Path

from codemode_guest.world.reference import language_page
from codemode_guest.world.table.modules import MODULES

PAGE = Path(__file__).parents[3] / "docs" / "language.md"


def test_the_page_is_what_the_tables_give() -> None:
    """`docs/language.md` is regenerated with every change of a table."""
    assert language_page() == PAGE.read_text(encoding="utf-8")


def test_the_page_has_every_module_and_each_version_mark() -> None:
    """A reader finds each module, and what depends on the Python."""
    page = language_page()
    assert [] == [module for module in MODULES if f"\n### {module}\n" not in page]
    assert "`batched` (from 3.12)" in page
    assert "`template` (before 3.13)" in page
