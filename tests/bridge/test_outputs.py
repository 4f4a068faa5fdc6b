"""Output that is too long is shown in part, kept whole, and can be read on."""

from __future__ import annotations

from codemode import (
    ProcessRuntime,
    ToolRegistry,
)
from tests.bridge.conftest import agent_of


async def test_an_oversized_output_is_shown_in_part_and_kept_whole(
    registry: ToolRegistry, runtime: ProcessRuntime
) -> None:
    """A success, cut in the middle; host and programs can read the rest (checklist 104, 109)."""
    agent = agent_of(registry, runtime, max_content_chars=1_000)
    lines = "\n".join(f"line {n}" for n in range(2_000))

    answer = await agent.run(
        "for n in range(2_000):\n    print('line', n)\nawait tools.add(a=1, b=2)"
    )

    assert not answer.is_error
    assert answer.content.startswith("line 0\nline 1\n")
    assert answer.content.endswith("\nline 1999")
    assert len(answer.content) < 1_300
    assert "characters left out; the host keeps the whole as 'c1'" in answer.content
    assert lines == agent.codemode.whole("c1")
    call = answer.content.split("`")[1]
    more = await agent.run(f"text = {call}\nreturn text[:20]", "c2")
    head = answer.content.split("[…")[0]
    assert lines[len(head) :][:20] == more.content


async def test_an_output_that_nobody_kept_is_named_with_those_that_are(
    registry: ToolRegistry, runtime: ProcessRuntime
) -> None:
    """The mistake is the program's to mend."""
    agent = agent_of(registry, runtime, max_content_chars=1_000)
    await agent.run("print('x' * 5_000)")

    answer = await agent.run("await outputs.read(name='c7')", "c2")

    assert "there is no output 'c7'; the host has kept 'c1'" in answer.content


async def test_a_failures_output_is_cut_as_well_and_keeps_its_end(
    registry: ToolRegistry, runtime: ProcessRuntime
) -> None:
    """What to do next is never what is cut (checklist 109)."""
    agent = agent_of(registry, runtime, max_content_chars=1_000)

    answer = await agent.run("print('x' * 5_000)\nraise ValueError")

    assert answer.content.startswith("The program failed (exception).\nValueError")
    assert answer.content.endswith("Correct the program and send it again. No tool was called.")
    assert "left out" in answer.content


async def test_a_call_by_name_is_cut_as_well(runtime: ProcessRuntime) -> None:
    """The whole is kept, for the host and for programs (checklist 104)."""
    registry = ToolRegistry(mode="both")

    @registry.tool
    async def long() -> str:
        return "x" * 5_000

    agent = agent_of(registry, runtime, max_content_chars=1_000)
    answer = await agent.codemode.execute("long", {}, call_id="c1")

    assert "4,000 of 5,000 characters left out" in answer.content
    assert "x" * 5_000 == agent.codemode.whole("c1") == answer.value
    read = await agent.run("return len(await outputs.read(name='c1', length=9_999))", "c2")
    assert "5000" == read.content
