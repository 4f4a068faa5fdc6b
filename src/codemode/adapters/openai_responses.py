"""OpenAI's responses."""

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

API: Final = "openai-responses"


def request_body(
    assembly: Assembly, messages: Sequence[object], parameters: Mapping[str, object]
) -> Json:
    """Return the body of a request, which holds the whole conversation."""
    tools = [
        {
            "type": "function",
            "name": tool["name"],
            "description": tool["description"],
            "parameters": tool["input_schema"],
            # Strict schemas cannot have optional properties, and tools do.
            "strict": False,
        }
        for tool in assembly.tools
    ]
    return {
        **parameters,
        **({"instructions": assembly.system} if assembly.system else {}),
        "input": list(messages),
        **({"tools": tools} if tools else {}),
    }


def user_message(text: str) -> Json:
    """Return what a person says."""
    return {"role": "user", "content": text}


def reply_of(response: Mapping[str, Any]) -> Reply:
    """Read a response; its reasoning goes back with the rest, as this API wants.

    Raises:
        KeyError, TypeError: If it is none.
    """
    output = response["output"]
    said = [
        part["text"]
        for item in output
        if item["type"] == "message"
        for part in item["content"]
        if part["type"] == "output_text"
    ]
    calls = tuple(_call(item) for item in output if item["type"] == "function_call")
    return Reply(text="\n".join(said), calls=calls, messages=tuple(output))


def result_messages(answers: Sequence[Answer]) -> list[Json]:
    """Return one item for each call, with its images."""
    return [
        {"type": "function_call_output", "call_id": answer.call_id, "output": _output(answer)}
        for answer in answers
    ]


def unanswered_calls(messages: Sequence[Any]) -> list[RequestedCall]:
    """Return the calls that have no result."""
    kinds = {"function_call": [], "function_call_output": []}  # type: dict[str, list[Any]]
    for item in messages:
        if item.get("type") in kinds:
            kinds[item["type"]].append(item)
    answered = {item["call_id"] for item in kinds["function_call_output"]}
    return [_call(item) for item in kinds["function_call"] if item["call_id"] not in answered]


def _call(item: Mapping[str, Any]) -> RequestedCall:
    arguments = arguments_of(item.get("arguments"))
    return RequestedCall(call_id=item["call_id"], tool=item["name"], arguments=arguments)


def _output(answer: Answer) -> str | list[Json]:
    text, images = text_with_others(answer), images_among(answer.parts)
    if not images:
        return text
    shown: list[Json] = [{"type": "input_image", "image_url": data_url(part)} for part in images]
    return [{"type": "input_text", "text": text}, *shown]
