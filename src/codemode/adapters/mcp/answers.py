"""Our tools and answers in MCP's form."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Final

import mcp_types
import pydantic

from codemode.bridge import Answer
from codemode.runtime import ABSENT
from codemode.tools import RUN_CODE, ImagePart, OtherPart, Part, TextPart
from codemode_guest.values import encode

_BLOCK: Final[pydantic.TypeAdapter[mcp_types.ContentBlock]] = pydantic.TypeAdapter(
    mcp_types.ContentBlock
)

# Many clients show a model what is structured as well; what was too long to be shown whole
# must not come back that way.
_MAX_STRUCTURED_BYTES: Final = 24_000


def listed_tool(
    tool: Mapping[str, object], system: str, hints: Mapping[str, mcp_types.ToolAnnotations]
) -> mcp_types.Tool:
    """Return a tool as a client lists it.

    Args:
        tool: As a request to a model has it.
        system: What a model is to know before it writes programs.
        hints: What servers say of their tools beside that, by name.
    """
    name, description = str(tool["name"]), str(tool["description"])
    if name == RUN_CODE and system:
        description = f"{description}\n\n{system}"
    schema = {"type": "object"} | dict(tool["input_schema"])  # type: ignore[call-overload]  # a schema
    return mcp_types.Tool(
        name=name, description=description, input_schema=schema, annotations=hints.get(name)
    )


def call_result(answer: Answer) -> mcp_types.CallToolResult:
    """Return an answer in MCP's form: what the model is shown, and the value beside it."""
    result = mcp_types.CallToolResult(
        content=[_block(part) for part in answer.parts], is_error=answer.is_error
    )
    value = answer.value
    if value is not ABSENT and len(encode(value)) <= _MAX_STRUCTURED_BYTES:
        # An object in every version of the protocol but the latest.
        result.structured_content = value if isinstance(value, dict) else {"result": value}
    return result


def _block(part: Part) -> mcp_types.ContentBlock:
    match part:
        case TextPart(text=text):
            return mcp_types.TextContent(text=text)
        case ImagePart(data=data, mime_type=mime_type):
            return mcp_types.ImageContent(data=data, mime_type=mime_type)
        case OtherPart(value=value):
            try:
                return _BLOCK.validate_python(dict(value))
            except pydantic.ValidationError:
                return mcp_types.TextContent(text=json.dumps(dict(value), ensure_ascii=False))
