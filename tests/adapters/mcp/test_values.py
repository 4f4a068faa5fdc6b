"""What a server answers, as a program gets it: plain values, whatever form they come in."""

from __future__ import annotations

from typing import Any

import pytest
from mcp_types import (
    AudioContent,
    BlobResourceContents,
    CallToolResult,
    ContentBlock,
    EmbeddedResource,
    ImageContent,
    ResourceLink,
    TextContent,
    TextResourceContents,
    Tool,
)

from codemode.adapters.mcp.definitions import definition_of

COUNTED: dict[str, Any] = {
    "type": "object",
    "properties": {"count": {"type": "integer"}},
    "required": ["count"],
}
WRAPPED_TEXT: dict[str, Any] = {
    "type": "object",
    "properties": {"result": {"type": "string"}},
    "x-fastmcp-wrap-result": True,
}
WRAPPED_NUMBERS: dict[str, Any] = {
    "type": "object",
    "properties": {"result": {"type": "array", "items": {"type": "integer"}}},
    "x-fastmcp-wrap-result": True,
}


async def given(
    *content: ContentBlock, schema: dict[str, Any] | None = None, **more: Any
) -> tuple[object, list[str]]:
    """The value of a tool that answers so, and what was noted about it."""
    notes: list[str] = []

    async def call(*_: object) -> CallToolResult:
        return CallToolResult(content=list(content), **more)

    tool = Tool(name="t", input_schema={"type": "object"}, output_schema=schema)
    definition = definition_of(tool, namespace="n", call=call, note=notes.append)
    return await definition.invoke({}), notes


@pytest.mark.parametrize(
    "schema,text,value",
    [
        (None, '{"count": 1}', '{"count": 1}'),
        (COUNTED, '{"count": 1}', {"count": 1}),
        (WRAPPED_TEXT, '{"count": 1}', '{"count": 1}'),
        (WRAPPED_TEXT, "12", "12"),
        (WRAPPED_NUMBERS, "[1, 2]", [1, 2]),
        (WRAPPED_NUMBERS, '{"result": [1, 2]}', [1, 2]),
    ],
)
async def test_json_in_a_text_is_read_where_the_tool_declares_it(
    schema: dict[str, Any] | None, text: str, value: object
) -> None:
    """Servers older than structured content say it in a text alone."""
    assert (value, []) == await given(TextContent(text=text), schema=schema)


@pytest.mark.parametrize("text", ["three", '{"count": "three"}', "\ud800", "[1, 2"])
async def test_a_text_that_is_not_what_was_declared_is_delivered_and_noted(text: str) -> None:
    """The tool has done its work; nothing of its answer is lost."""
    value, notes = await given(TextContent(text=text), schema=COUNTED)

    assert text == value
    assert 1 == len(notes)


async def test_structured_content_goes_before_the_text_beside_it() -> None:
    """The text is for those who cannot read the other."""
    text = TextContent(text="1 of them")

    assert ({"count": 1}, []) == await given(text, schema=COUNTED, structured_content={"count": 1})
    assert ("1", []) == await given(text, schema=WRAPPED_TEXT, structured_content={"result": "1"})


async def test_no_content_is_no_value() -> None:
    """As a function that returns nothing."""
    assert (None, []) == await given()


async def test_parts_are_small_records_without_their_bytes() -> None:
    """What a program prints is context."""
    text = TextResourceContents(uri="file:///a.txt", mime_type="text/plain", text="hello")
    blob = BlobResourceContents(uri="file:///a.bin", blob="AAEC")
    value, _ = await given(
        TextContent(text="seen"),
        ImageContent(data="AAEC", mime_type="image/png"),
        AudioContent(data="AAECAw==", mime_type="audio/wav"),
        EmbeddedResource(resource=text),
        EmbeddedResource(resource=blob),
        ResourceLink(uri="file:///b.txt", name="b"),
    )

    assert [
        {"type": "text", "text": "seen"},
        {"type": "image", "mime_type": "image/png", "bytes": 3},
        {"type": "audio", "mime_type": "audio/wav", "bytes": 4},
        {"type": "resource", "uri": "file:///a.txt", "mime_type": "text/plain", "text": "hello"},
        {"type": "resource", "uri": "file:///a.bin", "mime_type": None, "bytes": 3},
        {"type": "resource_link", "uri": "file:///b.txt", "name": "b", "mime_type": None},
    ] == value
