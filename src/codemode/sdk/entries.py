"""What a generator reads of a tool, whether it is a definition or an entry of tools/list."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

from codemode.errors import UsageError


class DescribedTool(Protocol):
    """The part of a `ToolDefinition` that the SDK text is made of."""

    @property
    def name(self) -> str:
        """Any text."""
        ...

    @property
    def description(self) -> str:
        """For the model."""
        ...

    @property
    def input_schema(self) -> Mapping[str, object]:
        """JSON Schema of the arguments."""
        ...

    @property
    def output_schema(self) -> Mapping[str, object] | None:
        """JSON Schema of the value, where one is declared."""
        ...

    @property
    def namespace(self) -> str | None:
        """The global that holds it, besides `tools`."""
        ...

    @property
    def member(self) -> str | None:
        """What it is called there."""
        ...


#: A definition, or one of the dicts of an MCP tools/list answer.
Tool: TypeAlias = DescribedTool | Mapping[str, object]


class UnnamedToolError(UsageError):
    """An entry of a catalogue has no name that a program could call."""

    def __init__(self, entry: object) -> None:
        super().__init__(f"a tool without a name: {entry!r:.80}; each needs 'name', a text")


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One tool, as the generators see it.

    Attributes:
        input_schema: Any JSON value; what is no object schema takes no named arguments.
        output_schema: Of what a program gets, or None where nothing is declared.
        namespace: The global that holds it under `member`, besides `tools`.
    """

    name: str
    description: str
    input_schema: object
    output_schema: object
    namespace: str | None
    member: str | None


def entries_of(tools: Iterable[Tool]) -> list[Entry]:
    """Return the tools by name; of two with one name, the same one in whatever order.

    Raises:
        UnnamedToolError: If an entry's name is missing, or is no text.
    """
    by_name: dict[str, Entry] = {}
    for tool in tools:
        entry = _entry(tool)
        known = by_name.get(entry.name)
        if known is None or fingerprint(entry) < fingerprint(known):
            by_name[entry.name] = entry
    return [by_name[name] for name in sorted(by_name)]


def fingerprint(entry: Entry) -> str:
    """Return what tells this tool from any other, or nothing if it is too deep to say."""
    parts = (entry.name, entry.description, entry.input_schema, entry.output_schema)
    try:
        return json.dumps((*parts, entry.namespace, entry.member))
    except (RecursionError, TypeError, ValueError):
        return ""


def _entry(tool: Tool) -> Entry:
    if not isinstance(tool, Mapping):
        return Entry(
            name=tool.name,
            description=tool.description,
            input_schema=tool.input_schema,
            output_schema=tool.output_schema,
            namespace=tool.namespace,
            member=tool.member if tool.namespace is not None else None,
        )
    name = tool.get("name")
    if not isinstance(name, str):
        raise UnnamedToolError(tool)
    namespace, member = tool.get("namespace"), tool.get("member")
    spaced = isinstance(namespace, str)
    return Entry(
        name=name,
        description=_described(tool),
        input_schema=tool.get("inputSchema", tool.get("input_schema", {"type": "object"})),
        output_schema=tool.get("outputSchema", tool.get("output_schema")),
        namespace=namespace if isinstance(namespace, str) else None,
        member=(member if isinstance(member, str) else name) if spaced else None,
    )


def _described(tool: Mapping[str, object]) -> str:
    """Return the description, or the title where there is none."""
    notes = tool.get("annotations")
    titles = (tool.get("title"), notes.get("title") if isinstance(notes, dict) else None)
    texts = (tool.get("description"), *titles)
    return next((text for text in texts if isinstance(text, str) and text.strip()), "")


def wrapped_member(schema: object) -> str | None:
    """Return the key under which a server wraps what is no object, if this is such a schema.

    MCP results are objects. FastMCP puts anything else into one with a single key and marks
    the schema; the official Python SDK makes a model `…Output` whose only key is `result`.
    Any other object with one key is just that.
    """
    if not isinstance(schema, dict):
        return None
    properties = schema.get("properties")
    if not isinstance(properties, dict) or len(properties) != 1:
        return None
    (key,) = properties
    marked = schema.get("x-fastmcp-wrap-result") is True
    return str(key) if marked or _is_output_model(schema) else None


def _is_output_model(schema: Mapping[str, Any]) -> bool:
    """Source: the official SDK, mcp/server/mcpserver/utilities/func_metadata.py."""
    title = schema.get("title")
    named = isinstance(title, str) and title.endswith("Output")
    return named and schema.get("required") == ["result"] and "result" in schema["properties"]
