"""OpenAI's chat completions, which many servers speak."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from codemode.adapters.wire import (
    Json,
    Reply,
    RequestedCall,
    arguments_of,
    data_url,
    images_among,
    text_with_others,
)
from codemode.bridge import Answer
from codemode.prompt import Assembly

API: Final = "openai-chat"


def request_body(
    assembly: Assembly, messages: Sequence[object], parameters: Mapping[str, object]
) -> Json:
    """Return the body of a request."""
    system = [{"role": "system", "content": assembly.system}] if assembly.system else []
    tools = [
        {
            "type": "function",
            "function": {
                "name": tool["name"],
                "description": tool["description"],
                "parameters": tool["input_schema"],
            },
        }
        for tool in assembly.tools
    ]
    return {**parameters, "messages": [*system, *messages], **({"tools": tools} if tools else {})}


def user_message(text: str) -> Json:
    """Return what a person says."""
    return {"role": "user", "content": text}


def reply_of(response: Mapping[str, Any]) -> Reply:
    """Read a response.

    Raises:
        KeyError, TypeError, IndexError: If it is none.
    """
    message = response["choices"][0]["message"]
    return Reply(
        text=message.get("content") or "",
        calls=tuple(map(_call, message.get("tool_calls") or ())),
        messages=(message,),
    )


def result_messages(answers: Sequence[Answer]) -> list[Json]:
    """Return one message for each call; images follow in one of the user's, as this API wants."""
    results: list[Json] = [
        {"role": "tool", "tool_call_id": answer.call_id, "content": text_with_others(answer)}
        for answer in answers
    ]
    images: list[Json] = []
    for answer in answers:
        found = images_among(answer.parts)
        if found:
            images.append({"type": "text", "text": f"Images of call {answer.call_id}:"})
        images += [{"type": "image_url", "image_url": {"url": data_url(part)}} for part in found]
    return [*results, {"role": "user", "content": images}] if images else results


def unanswered_calls(messages: Sequence[Any]) -> list[RequestedCall]:
    """Return the calls that have no result."""
    answered = {message.get("tool_call_id") for message in messages}
    asked = [call for message in messages for call in message.get("tool_calls") or ()]
    return [_call(call) for call in asked if call["id"] not in answered]


def _call(call: Mapping[str, Any]) -> RequestedCall:
    function = call["function"]
    arguments = arguments_of(function.get("arguments"))
    return RequestedCall(call_id=call["id"], tool=function["name"], arguments=arguments)
