"""The assembly and the results in the wire forms of three APIs, and their replies back."""

from __future__ import annotations

from types import ModuleType
from typing import Any, Final

import pytest

from codemode.adapters import anthropic_messages, openai_chat, openai_responses
from codemode.adapters.wire import RequestedCall, arguments_of, body_bytes
from codemode.bridge import Answer
from codemode.prompt import Assembly
from codemode.tools import ImagePart, OtherPart, TextPart

SCHEMA: Final = {"type": "object", "properties": {"code": {"type": "string"}}}
ASSEMBLY: Final = Assembly(
    system="Be brief.",
    tools=[{"name": "run_code", "description": "Runs.", "input_schema": SCHEMA}],
)
CALL: Final = RequestedCall(call_id="c1", tool="run_code", arguments={"code": "return 1"})
WIRES: Final = (openai_chat, openai_responses, anthropic_messages)


def answer(call_id: str = "c1", *parts: Any, is_error: bool = False) -> Answer:
    return Answer(
        call_id=call_id, tool="run_code", parts=parts or (TextPart("one"),), is_error=is_error
    )


IMAGE: Final = answer("c1", TextPart("see"), ImagePart(data="AA==", mime_type="image/png"))

REQUESTS: Final[dict[ModuleType, dict[str, object]]] = {
    openai_chat: {
        "model": "m",
        "messages": [
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": "Hello"},
        ],
        "tools": [
            {
                "type": "function",
                "function": {"name": "run_code", "description": "Runs.", "parameters": SCHEMA},
            }
        ],
    },
    openai_responses: {
        "model": "m",
        "instructions": "Be brief.",
        "input": [{"role": "user", "content": "Hello"}],
        "tools": [
            {
                "type": "function",
                "name": "run_code",
                "description": "Runs.",
                "parameters": SCHEMA,
                "strict": False,
            }
        ],
    },
    anthropic_messages: {
        "model": "m",
        "system": "Be brief.",
        "messages": [{"role": "user", "content": "Hello"}],
        "tools": [{"name": "run_code", "description": "Runs.", "input_schema": SCHEMA}],
    },
}

# What each API answers to it: some text, and one call.
RESPONSES: Final[dict[ModuleType, dict[str, object]]] = {
    openai_chat: {
        "choices": [
            {
                "finish_reason": "tool_calls",
                "message": {
                    "role": "assistant",
                    "content": "Let me see.",
                    "tool_calls": [
                        {
                            "id": "c1",
                            "type": "function",
                            "function": {
                                "name": "run_code",
                                "arguments": '{"code": "return 1"}',
                            },
                        }
                    ],
                },
            }
        ]
    },
    openai_responses: {
        "output": [
            {"type": "reasoning", "id": "rs_1", "summary": []},
            {
                "type": "message",
                "role": "assistant",
                "content": [{"type": "output_text", "text": "Let me see.", "annotations": []}],
            },
            {
                "type": "function_call",
                "call_id": "c1",
                "name": "run_code",
                "arguments": '{"code": "return 1"}',
            },
        ]
    },
    anthropic_messages: {
        "stop_reason": "tool_use",
        "content": [
            {"type": "text", "text": "Let me see."},
            {"type": "tool_use", "id": "c1", "name": "run_code", "input": {"code": "return 1"}},
        ],
    },
}

RESULTS: Final[dict[ModuleType, list[dict[str, object]]]] = {
    openai_chat: [{"role": "tool", "tool_call_id": "c1", "content": "one"}],
    openai_responses: [{"type": "function_call_output", "call_id": "c1", "output": "one"}],
    anthropic_messages: [
        {
            "role": "user",
            "content": [
                {
                    "type": "tool_result",
                    "tool_use_id": "c1",
                    "content": [{"type": "text", "text": "one"}],
                }
            ],
        }
    ],
}

IMAGES: Final[dict[ModuleType, list[dict[str, object]]]] = {
    openai_chat: [
        {"role": "tool", "tool_call_id": "c1", "content": "see"},
        {
            "role": "user",
            "content": [
                {"type": "text", "text": "Images of call c1:"},
                {"type": "image_url", "image_url": {"url": "data:image/png;base64,AA=="}},
            ],
        },
    ],
    openai_responses: [
        {
            "type": "function_call_output",
            "call_id": "c1",
            "output": [
                {"type": "input_text", "text": "see"},
                {"type": "input_image", "image_url": "data:image/png;base64,AA=="},
            ],
        }
    ],
    anthropic_messages: [
        {
            "role": "user",
            "content": [
                {
                    "type": "tool_result",
                    "tool_use_id": "c1",
                    "content": [
                        {"type": "text", "text": "see"},
                        {
                            "type": "image",
                            "source": {
                                "type": "base64",
                                "media_type": "image/png",
                                "data": "AA==",
                            },
                        },
                    ],
                }
            ],
        }
    ],
}


#: How many messages a reply is, and what answers two calls, the first with an image.
ADDED: Final = {openai_chat: 1, openai_responses: 3, anthropic_messages: 1}
SIDE_BY_SIDE: Final = {
    openai_chat: ["tool", "tool", "user"],
    openai_responses: ["function_call_output", "function_call_output"],
    anthropic_messages: ["user"],
}


@pytest.fixture(params=WIRES, ids=lambda wire: str(wire.API))
def wire(request: pytest.FixtureRequest) -> Any:
    return request.param


def test_a_request_has_the_prompt_the_conversation_and_the_tools(wire: Any) -> None:
    """As the API's own documentation has them."""
    messages = [wire.user_message("Hello")]

    assert REQUESTS[wire] == wire.request_body(ASSEMBLY, messages, {"model": "m"})


def test_what_is_empty_is_left_out(wire: Any) -> None:
    """APIs refuse an empty list of tools."""
    body = wire.request_body(Assembly(system="", tools=[]), [], {"model": "m"})

    assert not {"tools", "system", "instructions"} & set(body)
    assert [] == body.get("messages", body.get("input"))


def test_a_reply_gives_text_calls_and_what_to_add(wire: Any) -> None:
    """What is added is what came, so that it can go back unchanged."""
    reply = wire.reply_of(RESPONSES[wire])

    assert ("Let me see.", (CALL,)) == (reply.text, reply.calls)
    assert ADDED[wire] == len(reply.messages)


def test_results_name_the_calls_that_they_answer(wire: Any) -> None:
    """Each in the place where the API looks for it."""
    assert RESULTS[wire] == wire.result_messages([answer()])


def test_images_go_along(wire: Any) -> None:
    """In order, after the text (checklist 63)."""
    assert IMAGES[wire] == wire.result_messages([IMAGE])


def test_the_results_of_one_reply_stand_side_by_side(wire: Any) -> None:
    """Nothing comes between them, an image neither (checklist 101)."""
    messages = wire.result_messages([IMAGE, answer("c2")])

    assert SIDE_BY_SIDE[wire] == [m.get("role", m.get("type")) for m in messages]
    assert str(messages).index("'c1'") < str(messages).index("'c2'")


def test_a_failure_is_marked_where_the_api_can(wire: Any) -> None:
    """Elsewhere its text says so."""
    marked = "is_error" in str(wire.result_messages([answer(is_error=True)]))

    assert (wire is anthropic_messages) is marked


def test_other_parts_are_shown_as_json(wire: Any) -> None:
    """A link to a resource is not lost."""
    link = OtherPart({"type": "resource_link", "uri": "file:///x"})

    assert '"uri":"file:///x"' in str(wire.result_messages([answer("c1", TextPart("a"), link)]))


def test_calls_without_a_result_are_found(wire: Any) -> None:
    """After a crash they are to be answered (checklist 103)."""
    conversation = [wire.user_message("Hello"), *wire.reply_of(RESPONSES[wire]).messages]

    assert [CALL] == wire.unanswered_calls(conversation)
    assert [] == wire.unanswered_calls([*conversation, *wire.result_messages([answer()])])


@pytest.mark.parametrize(
    "given,taken",
    [
        ('{"a": 1}', {"a": 1}),
        ("", {}),
        (None, {}),
        ({"a": 1}, {"a": 1}),
        ('{"a": ', '{"a": '),
        ("[1]", [1]),
    ],
)
def test_arguments_that_are_no_json_are_passed_on(given: object, taken: object) -> None:
    """The registry refuses them, with words for the model (checklist 16)."""
    assert taken == arguments_of(given)


def test_a_body_keeps_the_order_of_its_keys() -> None:
    """So that it is the same to the byte when it is made again (checklist 102)."""
    assert b'{"b":"\xc3\xa9\\ud800","a":1}' == body_bytes({"b": "é\ud800", "a": 1})
