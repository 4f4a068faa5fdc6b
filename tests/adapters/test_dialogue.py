"""A conversation over a wire form is on record, and goes on after a crash."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from codemode import CodeMode, ToolRegistry
from codemode.adapters import Dialogue, anthropic_messages, openai_chat, recorded_bodies
from codemode.errors import RuntimeFault
from codemode.session import (
    Entry,
    MemoryLog,
    MessageAdded,
    Session,
    ToolCalled,
    ToolReturned,
    ToolStarted,
)


def chat_reply(*call_ids: str, text: str = "") -> dict[str, Any]:
    calls = [
        {"id": i, "type": "function", "function": {"name": "add", "arguments": '{"a": 1, "b": 2}'}}
        for i in call_ids
    ]
    message = {"role": "assistant", "content": text, **({"tool_calls": calls} if calls else {})}
    return {"choices": [{"message": message}]}


@pytest.fixture
def registry() -> ToolRegistry:
    registry = ToolRegistry()

    @registry.tool
    async def add(a: int, b: int) -> int:
        """Add."""
        return a + b

    return registry


def dialogue_of(
    registry: ToolRegistry, entries: Sequence[Entry] = (), wire: Any = openai_chat
) -> tuple[Dialogue, MemoryLog]:
    log = MemoryLog(entries)
    return Dialogue(CodeMode(registry, session=Session(log)), wire, {"model": "m"}), log


async def turn(dialogue: Dialogue) -> list[bytes]:
    """Two requests, with two calls between them."""
    dialogue.say("1 + 2, twice?")
    bodies = [await dialogue.request()]
    await dialogue.answer(dialogue.hear(chat_reply("c1", "c2")).calls)
    bodies.append(await dialogue.request())
    dialogue.hear(chat_reply(text="3 and 3."))
    return bodies


async def test_a_conversation_is_user_call_results_answer(registry: ToolRegistry) -> None:
    """Results stand right behind the calls, whatever was logged meanwhile (checklist 101)."""
    dialogue, log = dialogue_of(registry)
    await turn(dialogue)

    messages: list[Any] = dialogue.messages
    assert ["user", "assistant", "tool", "tool", "assistant"] == [m["role"] for m in messages]
    assert messages == [e.message for e in log.events(MessageAdded) if isinstance(e, MessageAdded)]
    kinds = [type(e.event) for e in log.entries]
    assert [ToolCalled, ToolCalled, ToolStarted, ToolReturned, ToolStarted, ToolReturned] == [
        kind for kind in kinds if kind in {ToolCalled, ToolStarted, ToolReturned}
    ]


async def test_requests_are_made_again_from_the_log_byte_for_byte(registry: ToolRegistry) -> None:
    """System text, tools, messages and parameters (checklist 102)."""
    dialogue, log = dialogue_of(registry)

    assert await turn(dialogue) == list(recorded_bodies(log.entries, openai_chat))


async def test_a_request_that_cannot_be_made_again_is_an_error(registry: ToolRegistry) -> None:
    """It is not passed off as what was sent (checklist 102)."""
    dialogue, log = dialogue_of(registry)
    await turn(dialogue)

    with pytest.raises(RuntimeFault, match="cannot be made again"):
        list(recorded_bodies(log.entries, anthropic_messages))


@pytest.mark.parametrize("response", [{}, {"choices": []}, {"choices": [{"message": None}]}])
def test_a_response_that_is_none_says_what_came(
    registry: ToolRegistry, response: dict[str, object]
) -> None:
    """An error page of a proxy is not a KeyError of ours."""
    dialogue, _ = dialogue_of(registry)

    with pytest.raises(RuntimeFault, match="none of openai-chat"):
        dialogue.hear(response)
    assert [] == dialogue.messages


def crashed_after(log: MemoryLog, kind: type[object], nth: int = 1) -> list[Entry]:
    """The entries up to the nth of a kind: what a crash right after it leaves."""
    places = [n for n, entry in enumerate(log.entries) if isinstance(entry.event, kind)]
    return log.entries[: places[nth - 1] + 1]


@pytest.mark.parametrize(
    "kind,nth,said",
    [
        (MessageAdded, 2, ["Nothing was done", "Nothing was done"]),
        (ToolCalled, 2, ["Nothing was done", "Nothing was done"]),
        (ToolStarted, 1, ["not known; check", "Nothing was done"]),
        (ToolReturned, 1, ["3", "Nothing was done"]),
        (ToolReturned, 2, ["3", "3"]),
    ],
)
async def test_a_crash_leaves_no_call_without_an_answer(
    registry: ToolRegistry, kind: type[object], nth: int, said: list[str]
) -> None:
    """Known results are kept; begun and unbegun calls are told apart (checklist 103)."""
    before, log = dialogue_of(registry)
    await turn(before)
    dialogue, resumed = dialogue_of(registry, crashed_after(log, kind, nth))

    dialogue.resume(list(resumed.entries))

    results: list[Any] = dialogue.messages[-2:]
    assert ["c1", "c2"] == [result["tool_call_id"] for result in results]
    assert all(words in result["content"] for words, result in zip(said, results, strict=True))
    body = await dialogue.request()
    assert body == list(recorded_bodies(resumed.entries, openai_chat))[-1]


async def test_a_conversation_without_open_calls_just_goes_on(registry: ToolRegistry) -> None:
    """Nothing is added to it."""
    before, log = dialogue_of(registry)
    await turn(before)
    dialogue, resumed = dialogue_of(registry, log.entries)

    dialogue.resume(resumed.entries)

    assert before.messages == dialogue.messages
