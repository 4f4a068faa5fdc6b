"""The page that says what a program may use says what the tables say."""

from __future__ import annotations

from pathlib import Path

import pytest

from codemode_guest.policy import Refusal, compile_program
from codemode_guest.world.reference import ALSO, SPECIAL_NAMES, language_page
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


@pytest.mark.parametrize("sentence,names,program", SPECIAL_NAMES)
def test_what_the_page_says_of_special_names_is_so(
    sentence: str, names: frozenset[str], program: str
) -> None:
    """Each that it lists passes the policy, and no other does."""
    others = {"__globals__", "__code__", "__reduce_ex__", "__mangled_x__", "_reserved_", "__self__"}
    assert f"- {sentence} `" in language_page()
    for name in names:
        compile_program(program.format(name))
    for name in others - names:
        with pytest.raises(Refusal):
            compile_program(program.format(name))


@pytest.mark.parametrize("expression", ALSO)
def test_an_expression_that_the_page_allows_passes(expression: str) -> None:
    """With the names that it uses."""
    assert f"`{expression}`" in language_page()
    compile_program(f"import traceback\nx = e = None\n{expression}")
