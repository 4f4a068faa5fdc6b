"""Sections become a system text; whoever listens has the last word."""

from __future__ import annotations

from dataclasses import replace

import pytest

from codemode import ToolRegistry
from codemode.errors import UsageError
from codemode.prompt import (
    GUIDANCE_BAND,
    IDENTITY_BAND,
    RULE_BAND,
    SDK_BAND,
    Draft,
    DuplicateSectionError,
    InterpolationError,
    Prompt,
    RenderedSection,
    Section,
    TwoCompleteSectionsError,
)

SDK = Section(name="tools:sdk", text="{{not a variable}}", order=SDK_BAND, interpolate=False)


async def text(prompt: Prompt, *sections: Section) -> str:
    return (await prompt.assemble(sections=sections)).system


async def test_sections_are_ordered_by_band_and_joined_by_a_blank_line() -> None:
    """-100, 0, 99, 100 to 199, 150; empty ones are left out (checklist 39)."""
    prompt = Prompt()
    prompt.section("guidance", "guide", order=GUIDANCE_BAND + 99)
    prompt.section("persona", "\npersona\n")
    prompt.section("empty", "")
    prompt.section("nothing", lambda: None)
    prompt.section("rule", "rule", order=RULE_BAND)
    prompt.section("identity", "who", order=IDENTITY_BAND)

    made = await prompt.assemble(sections=[SDK])

    assert "who\n\npersona\n\nrule\n\n{{not a variable}}\n\nguide" == made.system
    assert ("identity", "persona", "rule", "tools:sdk", "guidance") == made.sections


async def test_sections_of_one_order_stand_by_name() -> None:
    """However they were added, the text is the same to the byte (checklist 43)."""
    one, other = Prompt(), Prompt()
    for name in "bca":
        one.section(name, name)
    for name in "abc":
        other.section(name, name)

    assert "a\n\nb\n\nc" == await text(one) == await text(other)


async def test_lazy_text_is_asked_for_at_each_assembly() -> None:
    """Async or not (checklist 39)."""
    prompt, days = Prompt(), iter(["Monday", "Tuesday"])

    async def today() -> str:
        return next(days)

    prompt.section("day", today)
    prompt.section("hour", lambda: "noon")

    assert ["Monday\n\nnoon", "Tuesday\n\nnoon"] == [await text(prompt), await text(prompt)]


async def test_variables_are_asked_for_only_where_a_section_names_them() -> None:
    """In the host's sections; never in the SDK (checklist 40)."""
    prompt = Prompt()
    prompt.variable("name", lambda: "Ada")
    prompt.variable("unused", lambda: 1 / 0)  # type: ignore[arg-type, return-value]  # never called
    prompt.section("persona", "You are {{name}}.")
    prompt.section("raw", "{{raw", interpolate=False)

    assert "You are Ada.\n\n{{raw\n\n{{not a variable}}" == await text(prompt, SDK)


async def test_an_unknown_variable_fails_the_assembly() -> None:
    """A prompt with a hole in it reaches no model (checklist 40)."""
    prompt = Prompt()
    prompt.section("persona", "You are {{name}}.")

    with pytest.raises(InterpolationError, match="'persona': no variable 'name'"):
        await text(prompt)


async def test_a_scopes_section_shadows_the_global_one_below_it_only() -> None:
    """And goes with its registration, or with the scope (checklist 13, 44)."""
    registry, prompt = ToolRegistry(), Prompt()
    scope = registry.scope("agent")
    child, sibling = scope.scope("child"), registry.scope("sibling")
    prompt.section("persona", "global")
    own = prompt.section("persona", "own", scope=scope)

    async def persona(of: object) -> str:
        return (await prompt.assemble(scope=of)).system  # type: ignore[arg-type]  # a scope

    assert ["own", "own"] == [await persona(scope), await persona(child)]
    assert ["global", "global"] == [await persona(sibling), await persona(registry)]
    own.close()
    assert "global" == await persona(child)
    prompt.section("persona", "again", scope=scope)
    scope.close()
    assert "global" == await persona(scope)


async def test_a_hosts_section_takes_the_place_of_ours() -> None:
    """By its name (checklist 42)."""
    prompt = Prompt()
    prompt.section("tools:sdk", "see the manual", order=SDK_BAND)

    assert "see the manual" == await text(prompt, SDK)


def test_one_name_in_one_scope_is_one_section() -> None:
    """The first stays."""
    prompt = Prompt()
    first = prompt.section("persona", "a")

    with pytest.raises(DuplicateSectionError, match="'persona' is there already"):
        prompt.section("persona", "b")
    first.close()
    prompt.section("persona", "b")


async def test_what_the_last_listener_returns_is_final() -> None:
    """Removed, changed and added sections and tools stay so; nothing is restored (checklist 42)."""
    prompt = Prompt()
    prompt.section("persona", "a")

    @prompt.on_assemble
    def change(draft: Draft) -> Draft:
        without = draft.without("tools:sdk")
        added = RenderedSection(name="note", text="{{as it is}}")
        return replace(without, sections=(*without.sections, added), tools=draft.tools[:1])

    @prompt.on_assemble
    async def look(draft: Draft) -> None:
        seen.append([section.name for section in draft.sections])

    seen: list[list[str]] = []
    made = await prompt.assemble(sections=[SDK], tools=[{"name": "b"}, {"name": "a"}])

    assert [["persona", "note"]] == seen
    assert "a\n\n{{as it is}}" == made.system
    assert [{"name": "a"}] == made.tools


async def test_a_listener_that_returns_something_else_fails_the_assembly() -> None:
    """And says what to return (checklist 42)."""
    prompt = Prompt()

    @prompt.on_assemble
    def wrong(_: Draft) -> Draft:
        return "text"  # type: ignore[return-value]  # that is the test

    with pytest.raises(UsageError, match="returned str; return a Draft"):
        await text(prompt)


async def test_a_complete_section_is_the_whole_text() -> None:
    """Two of them cannot both be (checklist 42)."""
    prompt = Prompt()
    prompt.section("persona", "a")
    prompt.section("all", "only this", complete=True)

    assert "only this" == await text(prompt, SDK)

    prompt.section("all-too", "or this", complete=True)
    with pytest.raises(TwoCompleteSectionsError, match="'all' and 'all-too' are both complete"):
        await text(prompt, SDK)


async def test_tools_are_put_in_the_given_order() -> None:
    """Registration order is irrelevant (checklist 41, 43)."""
    prompt = Prompt(tool_order=["z", "*"])

    made = await prompt.assemble(tools=[{"name": "b"}, {"name": "z"}, {"name": "a"}])

    assert ["z", "a", "b"] == [tool["name"] for tool in made.tools]
