"""A text that does not fit is shortened step by step, and says how to find the rest."""

from __future__ import annotations

import ast
import sys
from types import SimpleNamespace
from typing import Any

import pytest

from codemode.errors import UsageError
from codemode.sdk import SdkBudget, describe_tool, discovery_name, generate, search_tools
from codemode.sdk.tokens import installed_tokenizer
from tests.sdk.checking import STRING, tool

LONG = "Does one thing. Then says more about it, at some length, for whoever wants to know. " * 2


def catalogue(count: int, *, spaced: bool = False) -> list[Any]:
    """Tools of twenty services, in namespaces of their own or not."""
    made = []
    for number in range(count):
        service = f"service{number % 20:02}"
        name = f"{service}_operation_{number}"
        entry = tool(name, description=LONG, path={**STRING, "description": "Where it is. " * 3})
        spare = {"namespace": service, "member": f"operation_{number}"} if spaced else {}
        made.append({**entry, **spare})
    return made


def test_levels_follow_each_other_as_the_budget_shrinks() -> None:
    """Checklist 106: full, signatures with first lines, index, namespaces; each fits, all parse."""
    tools = catalogue(60)
    whole = generate(tools).size
    seen = []
    for characters in range(whole, 100, -150):
        made = generate(tools, budget=SdkBudget(characters=characters))
        assert made.size == len(made.text) <= characters or made.level == "namespaces"
        ast.parse(made.text)
        seen.append(made.level)

    assert ["full", "signatures", "index", "namespaces"] == list(dict.fromkeys(seen))


@pytest.mark.parametrize("spaced", [True, False])
def test_two_and_a_half_thousand_tools_fit_fifteen_hundred_tokens(*, spaced: bool) -> None:
    """Checklist 106: as groups with counts, and the way to search them; it says how it counted."""
    made = generate(catalogue(2500, spaced=spaced), budget=SdkBudget(tokens=1500))

    assert made.size <= 1500
    assert "tokens" == made.unit
    assert made.counted_by == "four characters a token" or made.counted_by.startswith("bpe-openai")
    assert "2,500 tools" in made.text
    assert "catalog.search(" in made.text
    assert all(f"service{number:02}" in made.text for number in range(20))
    assert "(125)" in made.text


def test_tools_without_a_shared_word_are_counted_too() -> None:
    """2,500 names that begin differently still fit, and none is forgotten in the count."""
    tools = [tool(f"{chr(97 + n % 26)}{n}thing_{n}") for n in range(2500)]
    made = generate(tools, budget=SdkBudget(tokens=1500))

    assert made.size <= 1500
    assert "2,500" in made.text


def test_a_budget_for_which_nothing_is_short_enough_keeps_the_heading() -> None:
    """The number of tools and the search are said in any case; the size says that it is over."""
    made = generate(catalogue(50), budget=SdkBudget(characters=10))

    assert "namespaces" == made.level
    assert "catalog.search(" in made.text
    assert made.size > 10


def test_what_was_shortened_is_described_in_full() -> None:
    """Checklist 106: every tool that an index leaves out can be found and described."""
    tools = catalogue(100)
    index = generate(tools, budget=SdkBudget(characters=1500)).text
    (found, *_) = search_tools(tools, "operation 77")

    assert "operation_77" not in index
    assert "service17_operation_77" == found["name"]
    assert "Does one thing" == found["summary"]
    stub = describe_tool(tools, found["name"])
    assert "Where it is." in stub
    assert LONG.rsplit(maxsplit=1)[-1] in stub


def test_a_stub_is_never_shortened() -> None:
    """A part of a stub would be wrong about the rest."""
    made = generate(catalogue(50), form="stub", budget=SdkBudget(characters=10))
    assert "full" == made.level


@pytest.mark.parametrize("given", [{}, {"tokens": 0}, {"tokens": 5, "characters": 5}])
def test_a_budget_is_exactly_one_positive_number(given: Any) -> None:
    """Anything else is the host's mistake, and says so."""
    with pytest.raises(UsageError, match="exactly one"):
        SdkBudget(**given)


def test_the_search_is_under_a_name_that_no_namespace_has() -> None:
    """Checklist 106: `catalog`, unless a server is called so."""
    clash = {"namespace": "catalog", "member": "search"}
    assert "catalog" == discovery_name([tool("search"), tool("catalog")])
    assert "tool_catalog" == discovery_name([tool("search") | clash])
    assert (
        "tool_catalog.search("
        in generate(
            [tool(f"x{n}") | clash for n in range(9)], budget=SdkBudget(characters=150)
        ).text
    )


def test_an_installed_tokenizer_counts_and_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the extra `tokens` is installed; the stand-in has a word a token."""
    encoding = SimpleNamespace(encode_ordinary=str.split)
    module = SimpleNamespace(get_encoding={"o200k_base": encoding}.__getitem__)
    monkeypatch.setitem(sys.modules, "bpe_openai", module)
    installed_tokenizer.cache_clear()
    try:
        tokenizer = installed_tokenizer()
    finally:
        installed_tokenizer.cache_clear()

    assert ("bpe-openai o200k_base", 3) == (tokenizer.name, tokenizer.count("one two three"))
