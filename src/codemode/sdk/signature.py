"""One tool as types: what it takes and what it gives."""

from __future__ import annotations

from dataclasses import dataclass

from codemode.sdk.entries import Entry, Tool, entries_of, wrapped_member
from codemode.sdk.field_memory import FieldMemory
from codemode.sdk.merging import join, records_in
from codemode.sdk.notes import annotated
from codemode.sdk.reading import FROM_TOOL, Reader
from codemode.sdk.tree import ANYTHING, Anything, Extra, Node, Record, Table, record_of

#: The mark of an output schema that was learned from results, and from how many.
OBSERVED = "x-observed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Signature:
    """What one tool takes and gives.

    Attributes:
        arguments: The keyword parameters: where several objects are accepted, what is
            common to them is required and the rest is optional.
        choices: The objects that are accepted, one or several.
        returns: None where no result is declared.
        returns_note: What is said of the result beside its type.
        observed: From how many results the type was learned; 0 if it was declared.
    """

    entry: Entry
    arguments: Record
    choices: tuple[Record, ...]
    returns: Node | None
    returns_note: str
    observed: int


def signature_of(entry: Entry, known_fields: FieldMemory | None = None) -> Signature:
    """Read both schemas of a tool.

    Args:
        entry: The tool.
        known_fields: What is remembered of the fields of others.
    """
    fields = FieldMemory() if known_fields is None else known_fields
    arguments, choices = _arguments(entry, fields)
    returns, note = _returns(entry, fields)
    schema = entry.output_schema
    seen = schema.get(OBSERVED) if isinstance(schema, dict) else 0
    return Signature(
        entry=entry,
        arguments=arguments,
        choices=choices,
        returns=returns,
        returns_note=note,
        observed=seen if isinstance(seen, int) else 0,
    )


def _arguments(entry: Entry, fields: FieldMemory) -> tuple[Record, tuple[Record, ...]]:
    hint = (FROM_TOOL, f"{entry.name}_args")
    node = Reader(entry.input_schema, fields).read(entry.input_schema, hint)
    records = tuple(records_in(node))
    if not records:
        return (only := _unlisted(node, hint)), (only,)
    if len(records) == 1:
        return records[0], records
    return join(records), records


def _unlisted(node: Node, hint: tuple[int, str]) -> Record:
    """Return the signature of a tool that lists no arguments."""
    extra: Extra = "unsaid"
    if isinstance(node, Anything):
        extra = "accepted"
    elif isinstance(node, Table):
        extra = node.extra
    more = node.value if isinstance(node, Table) else ANYTHING
    return record_of((), extra=extra, more=more if extra == "accepted" else None, hint=hint)


def _returns(entry: Entry, fields: FieldMemory) -> tuple[Node | None, str]:
    schema = entry.output_schema
    if schema is None:
        return None, ""
    reader = Reader(schema, fields)
    hint = (FROM_TOOL, f"{entry.name}_result")
    inner = schema
    wrapped = wrapped_member(schema)
    if wrapped is not None and isinstance(schema, dict):
        inner = schema["properties"][wrapped]
    node = reader.read(inner, hint)
    note = "" if isinstance(node, Record) else annotated(*reader.note(inner, wrapped or ""))
    return node, note


def returned_schema(tool: Tool) -> object:
    """Return the schema of what a program gets, or None where a tool declares none.

    Where the server wraps what is no object, it is that of the inner value.
    """
    (entry,) = entries_of([tool])
    schema = entry.output_schema
    wrapped = wrapped_member(schema)
    if wrapped is None or not isinstance(schema, dict):
        return schema
    inner = schema["properties"][wrapped]
    rest = {key: schema[key] for key in ("$schema", "$id", "$defs", "definitions") if key in schema}
    return {**rest, **inner} if isinstance(inner, dict) else inner
