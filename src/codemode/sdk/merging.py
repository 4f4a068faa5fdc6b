"""Meet and join of types: what `allOf` leaves, and one signature for several."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import reduce

from codemode.sdk.tree import (
    ANYTHING,
    FLOAT,
    INT,
    NOTHING,
    Again,
    Anything,
    Array,
    Choice,
    Defined,
    Extra,
    Field,
    Node,
    Record,
    Scalar,
    Table,
    Values,
    array_of,
    choice_of,
    record_of,
    table_of,
    values_of,
)

#: Members of a choice that are met one by one. Beyond that the left side is kept, which
#: accepts no less than the meet does.
_MOST_PAIRS = 64

_KINDS = {str: "str", int: "int", bool: "bool", type(None): "None", float: "float"}


def meet(a: Node, b: Node) -> Node:
    """Return a type that accepts what both accept, and as little else as types can."""
    if isinstance(a, Anything) or a.key == b.key:
        return b
    if isinstance(b, Anything):
        return a
    # A definition that is still being read stands for itself; so does one that refers to it.
    if isinstance(a, Again) or isinstance(b, Again):
        return b if isinstance(a, Again) else a
    if isinstance(a, Choice) or isinstance(b, Choice):
        return _meet_choices(a, b)
    if isinstance(a, Defined) or isinstance(b, Defined):
        return meet(
            a.node if isinstance(a, Defined) else a, b.node if isinstance(b, Defined) else b
        )
    return _meet_plain(a, b)


def _meet_choices(a: Node, b: Node) -> Node:
    left = a.members if isinstance(a, Choice) else (a,)
    right = b.members if isinstance(b, Choice) else (b,)
    if len(left) * len(right) > _MOST_PAIRS:
        records = [node for node in (*left, *right) if isinstance(node, Record)]
        return join(records) if len(records) == len(left) + len(right) else a
    return choice_of(meet(x, y) for x in left for y in right)


def _meet_plain(a: Node, b: Node) -> Node:  # noqa: PLR0911 - one case a pair of types
    if isinstance(b, Values) and not isinstance(a, Values):
        a, b = b, a
    match a, b:
        case Values(), Values():
            allowed = {(type(value), value) for value in b.values}
            return values_of(value for value in a.values if (type(value), value) in allowed)
        case Values(), Scalar(kind=kind):
            fits = {kind, "int"} if kind == "float" else {kind}
            return values_of(value for value in a.values if _KINDS[type(value)] in fits)
        case Scalar(), Scalar():
            return INT if {a.key, b.key} == {INT.key, FLOAT.key} else NOTHING
        case Array(), Array():
            return array_of(meet(a.item, b.item))
        case Record(), Record():
            return meet_records(a, b)
        case Table(), Table():
            extra = _stricter(a.extra, b.extra)
            return table_of(meet(a.value, b.value), extra=extra, names=a.names or b.names)
        case (Record() as record, Table() as table) | (Table() as table, Record() as record):
            return _meet_table(record, table)
        case _:
            return NOTHING


def _meet_table(record: Record, table: Table) -> Record:
    """A table in an `allOf` says that it is an object, and perhaps what other keys hold."""
    extra = _stricter(record.extra, table.extra)
    return record_of(
        record.fields,
        extra=extra,
        more=meet(record.more or ANYTHING, table.value) if extra == "accepted" else None,
        doc=record.doc,
        hint=record.hint,
    )


def _stricter(a: Extra, b: Extra) -> Extra:
    if "refused" in (a, b):
        return "refused"
    return "unsaid" if "unsaid" in (a, b) else "accepted"


def meet_records(*records: Record) -> Record:
    """Return a record with the keys of all; a key of several has all their types."""
    fields: dict[str, Field] = {}
    for record in records:
        for item in record.fields:
            known = fields.get(item.name)
            fields[item.name] = item if known is None else _meet_fields(known, item)
    # Each part closes itself against the others; what their author meant is the sum.
    extra = reduce(_stricter, (record.extra for record in records))
    return record_of(
        fields.values(),
        extra=extra,
        more=records[0].more if extra == "accepted" else None,
        doc=next((record.doc for record in records if record.doc), ""),
        hint=min(record.hint for record in records),
    )


def meet_all(nodes: Iterable[Node]) -> Node:
    """Return the meet of several types; that of many records takes no longer than they are."""
    held = list(nodes)
    records = [node for node in held if isinstance(node, Record)]
    rest: list[Node] = [node for node in held if not isinstance(node, Record)]
    parts: list[Node] = [meet_records(*records), *rest] if records else rest
    start: Node = ANYTHING
    return reduce(meet, parts, start)


def _meet_fields(a: Field, b: Field) -> Field:
    return Field(
        name=a.name,
        node=meet(a.node, b.node),
        required=a.required or b.required,
        note=_both(a.note, b.note),
        facts=_both(a.facts, b.facts),
        default=a.default if b.node.key == a.node.key else b.default,
    )


def _both(a: str, b: str) -> str:
    if a in b:
        return b
    return a if b in a else f"{a}; {b}"


def join(records: Iterable[Record]) -> Record:
    """Return one record that accepts what any of these accepts: for one signature."""
    held = list(records)
    fields: dict[str, Field] = {}
    seen: dict[str, int] = {}
    for record in held:
        for item in record.fields:
            known = fields.get(item.name)
            seen[item.name] = seen.get(item.name, 0) + item.required
            fields[item.name] = item if known is None else _join_fields(known, item)
    extras = {record.extra for record in held}
    extra: Extra = "accepted" if "accepted" in extras else "unsaid"
    return record_of(
        (replace(item, required=seen[item.name] == len(held)) for item in fields.values()),
        extra="refused" if extras == {"refused"} else extra,
        more=ANYTHING if "accepted" in extras else None,
        doc=next((record.doc for record in held if record.doc), ""),
        hint=min((record.hint for record in held), default=(9, "")),
    )


def _join_fields(a: Field, b: Field) -> Field:
    return replace(
        a,
        node=choice_of((a.node, b.node)),
        required=False,
        note=_both(a.note, b.note),
        facts=_both(a.facts, b.facts),
    )


def optional(record: Record) -> Record:
    """Return the record with no key required: what a condition may add."""
    return record_of(
        (replace(item, required=False) for item in record.fields),
        extra="unsaid",
        hint=record.hint,
        doc=record.doc,
    )


def records_in(node: Node) -> list[Record]:
    """Return the objects with listed keys that a type may be."""
    if isinstance(node, Defined):
        return records_in(node.node)
    if isinstance(node, Choice):
        return [record for member in node.members for record in records_in(member)]
    return [node] if isinstance(node, Record) else []
