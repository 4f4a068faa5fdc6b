"""Anthropic's messages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from codemode.adapters.wire import (
    Json,
    Reply,
    RequestedCall,
    images_among,
    text_with_others,
)
from codemode.bridge import Answer
from codemode.prompt import Assembly

API: Final = "anthropic-messages"


def request_body(
    assembly: Assembly, messages: Sequence[object], parameters: Mapping[str, object]
) -> Json:
    """Return the body of a request; this API wants `max_tokens` among the parameters."""
    return {
        **parameters,
        **({"system": assembly.system} if assembly.system else {}),
        "messages": list(messages),
        **({"tools": list(assembly.tools)} if assembly.tools else {}),
    }


def user_message(text: str) -> Json:
    """Return what a person says."""
    return {"role": "user", "content": text}


def reply_of(response: Mapping[str, Any]) -> Reply:
    """Read a response.

    Raises:
        KeyError, TypeError: If it is none.
    """
    blocks = response["content"]
    return Reply(
        text="\n".join(block["text"] for block in blocks if block["type"] == "text"),
        calls=tuple(_call(block) for block in blocks if block["type"] == "tool_use"),
        messages=({"role": "assistant", "content": blocks},),
    )


def result_messages(answers: Sequence[Answer]) -> list[Json]:
    """Return one message with all results, as this API wants."""
    return [{"role": "user", "content": [_result(answer) for answer in answers]}]


def unanswered_calls(messages: Sequence[Any]) -> list[RequestedCall]:
    """Return the calls that have no result."""
    blocks = [
        block
        for message in messages
        if isinstance(message["content"], list)
        for block in message["content"]
    ]
    answered = {block["tool_use_id"] for block in blocks if block["type"] == "tool_result"}
    asked = [block for block in blocks if block["type"] == "tool_use"]
    return [_call(block) for block in asked if block["id"] not in answered]


def _call(block: Mapping[str, Any]) -> RequestedCall:
    return RequestedCall(call_id=block["id"], tool=block["name"], arguments=block["input"])


def _result(answer: Answer) -> Json:
    text = text_with_others(answer)
    content: list[Json] = [{"type": "text", "text": text}] if text else []
    content += [
        {
            "type": "image",
            "source": {"type": "base64", "media_type": part.mime_type, "data": part.data},
        }
        for part in images_among(answer.parts)
    ]
    return {
        "type": "tool_result",
        "tool_use_id": answer.call_id,
        "content": content,
        **({"is_error": True} if answer.is_error else {}),
    }
