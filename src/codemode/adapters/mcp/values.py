"""What a server answers, as a plain value for a program and as parts for a model."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

import mcp_types

from codemode.tools import ImagePart, OtherPart, Part, TextPart, ToolOutput
from codemode_guest.values import decode

_BASE64_GROUP: Final = 4
_BYTES_PER_GROUP: Final = 3


def output_of(
    result: mcp_types.CallToolResult, wrapped: str | None, fits: Callable[[object], bool]
) -> ToolOutput:
    """Return what a call gave.

    The value is the structured content where there is one; else the text, if it is a single
    one, as it stands, or the JSON in it where the tool declares that and no text; else a list
    with a record for each part. The bytes of images, sounds and
    files are in no record: a program has no use for them, and what it prints is context.

    Args:
        result: The answer, which is no error.
        wrapped: The key of the structured content under which the server put the value.
        fits: Whether a value is what the tool declares.
    """
    content = tuple(part_of(block) for block in result.content)
    return ToolOutput(value=_value(result, wrapped, fits), content=_shown(content, result))


def error_text(result: mcp_types.CallToolResult) -> str:
    """Return what the server says about a call that failed."""
    texts = [block.text for block in result.content if isinstance(block, mcp_types.TextContent)]
    return "\n".join(texts) or "the server says that it failed, and not why"


def part_of(block: mcp_types.ContentBlock) -> Part:
    """Return what a model is shown of one part."""
    match block:
        case mcp_types.TextContent():
            return TextPart(block.text)
        case mcp_types.ImageContent():
            return ImagePart(data=block.data, mime_type=block.mime_type)
        case _:
            return OtherPart(block.model_dump(mode="json", by_alias=True, exclude_none=True))


def _value(
    result: mcp_types.CallToolResult, wrapped: str | None, fits: Callable[[object], bool]
) -> object:
    structured = result.structured_content
    if structured is not None or "structured_content" in result.model_fields_set:
        return _unwrapped(structured, wrapped)
    match result.content:
        case []:
            return None
        case [mcp_types.TextContent(text=text)]:
            return text if fits(text) else _told_as_json(text, wrapped, fits)
        case blocks:
            return [record_of(block) for block in blocks]


def _told_as_json(text: str, wrapped: str | None, fits: Callable[[object], bool]) -> object:
    try:
        value = _unwrapped(decode(text.encode()), wrapped)
    except ValueError:
        return text
    return value if fits(value) else text


def _unwrapped(structured: object, wrapped: str | None) -> object:
    if wrapped is not None and isinstance(structured, dict) and set(structured) == {wrapped}:
        return structured[wrapped]
    return structured


def record_of(block: mcp_types.ContentBlock) -> object:
    """Return what a program gets of one part among several."""
    match block:
        case mcp_types.TextContent():
            return {"type": "text", "text": block.text}
        case mcp_types.ImageContent() | mcp_types.AudioContent():
            return {
                "type": block.type,
                "mime_type": block.mime_type,
                "bytes": _decoded_bytes(block.data),
            }
        case mcp_types.EmbeddedResource(resource=resource):
            return {"type": "resource", **_resource_record(resource)}
        case mcp_types.ResourceLink():
            return {
                "type": "resource_link",
                "uri": str(block.uri),
                "name": block.name,
                "mime_type": block.mime_type,
            }


def _resource_record(
    resource: mcp_types.TextResourceContents | mcp_types.BlobResourceContents,
) -> Mapping[str, object]:
    record: dict[str, object] = {"uri": str(resource.uri), "mime_type": resource.mime_type}
    if isinstance(resource, mcp_types.TextResourceContents):
        return record | {"text": resource.text}
    return record | {"bytes": _decoded_bytes(resource.blob)}


def _decoded_bytes(base64: str) -> int:
    """Return how many bytes a base64 text stands for."""
    return len(base64) // _BASE64_GROUP * _BYTES_PER_GROUP - base64[-2:].count("=")


def _shown(content: tuple[Part, ...], result: mcp_types.CallToolResult) -> tuple[Part, ...] | None:
    """Return what a model is shown; `None` has it rendered from the value."""
    if not content and result.structured_content is not None:
        return None
    return content
