"""The type tree: what JSON Schema says, in the terms that every language's types share.

Every node has a `key`: equal keys mean equal text. It is made once, from the keys of the
children, so comparing and sharing nodes costs nothing however deep they are.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import Enum
from typing import Literal, TypeAlias

Kind = Literal["str", "int", "float", "bool", "None"]
#: May an object hold keys that it does not list? The schema says no, nothing, or yes.
Extra = Literal["refused", "unsaid", "accepted"]
ScalarValue: TypeAlias = "str | int | bool | None"

#: A key up to this long is kept as it is; a longer one is replaced by its digest.
_LONGEST_KEY = 120


class Missing(Enum):
    """The absence of a default, which `None` cannot say."""

    DEFAULT = "no default"


@dataclass(frozen=True, slots=True)
class Anything:
    """Any JSON value: the schema says no more, or more than a type can."""

    key: str = "*"


@dataclass(frozen=True, slots=True)
class Nothing:
    """No value at all: `false`, or an empty `enum`."""

    key: str = "!"


@dataclass(frozen=True, slots=True)
class Scalar:
    """A string, number, boolean or null."""

    kind: Kind
    key: str


@dataclass(frozen=True, slots=True)
class Values:
    """One of these values. A float is no literal in any type system, so there is none."""

    values: tuple[ScalarValue, ...]
    key: str


@dataclass(frozen=True, slots=True)
class Array:
    """A list."""

    item: Node
    key: str


@dataclass(frozen=True, slots=True)
class Table:
    """An object whose keys are not listed; `names` are the only ones, if the schema says so."""

    names: Values | None
    value: Node
    extra: Extra
    key: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """One key of a record.

    Attributes:
        note: Its description, on one line.
        facts: What else the schema says and no type can, on one line.
        default: A scalar.
    """

    name: str
    node: Node
    required: bool
    note: str = ""
    facts: str = ""
    default: object = Missing.DEFAULT


@dataclass(frozen=True, slots=True)
class Record:
    """An object whose keys are listed. `more` is the type of further ones, where accepted."""

    fields: tuple[Field, ...]
    extra: Extra
    more: Node | None
    doc: str
    key: str
    #: What to call it, and how good a name that is (0 is best). No part of its identity.
    hint: tuple[int, str] = field(compare=False)


@dataclass(frozen=True, slots=True)
class Choice:
    """One of several; never holds another choice, at least two members."""

    members: tuple[Node, ...]
    key: str


@dataclass(frozen=True, slots=True)
class Defined:
    """A definition that refers to itself, with its content."""

    node: Node
    hint: tuple[int, str] = field(compare=False)
    key: str


@dataclass(frozen=True, slots=True)
class Again:
    """A reference back to the `Defined` of the same key that it stands in."""

    key: str


Node: TypeAlias = (
    Anything | Nothing | Scalar | Values | Array | Table | Record | Choice | Defined | Again
)

ANYTHING = Anything()
NOTHING = Nothing()
STR = Scalar("str", "s")
INT = Scalar("int", "i")
FLOAT = Scalar("float", "f")
BOOL = Scalar("bool", "b")
NULL = Scalar("None", "n")


def digest(text: str) -> str:
    """Return a short name for a text, the same in every process."""
    raw = text.encode("utf-8", "surrogatepass")
    return hashlib.blake2b(raw, digest_size=12, usedforsecurity=False).hexdigest()


def _key(text: str) -> str:
    return text if len(text) <= _LONGEST_KEY else f"#{digest(text)}"


def values_of(values: Iterable[ScalarValue]) -> Node:
    """Return the type of exactly these values; none at all is `NOTHING`."""
    distinct = tuple({(type(value), value): value for value in values}.values())
    if not distinct:
        return NOTHING
    if distinct == (None,):
        return NULL
    return Values(distinct, _key("=" + ",".join(map(_spell_value, distinct))))


def _spell_value(value: ScalarValue) -> str:
    # Not `repr`: an integer of over 4,300 digits has none.
    return hex(value) if type(value) is int else repr(value)


def array_of(item: Node) -> Array:
    """Return the type of lists of `item`."""
    return Array(item, _key(f"[{item.key}]"))


def table_of(value: Node, *, extra: Extra, names: Values | None = None) -> Table:
    """Return the type of objects with values of one type."""
    key = f"{{{names.key if names else ''}:{value.key}:{extra[0]}}}"
    return Table(names, value, extra, _key(key))


def record_of(
    fields: Iterable[Field],
    *,
    extra: Extra,
    hint: tuple[int, str],
    more: Node | None = None,
    doc: str = "",
) -> Record:
    """Return the type of objects with these fields."""
    held = tuple(fields)
    parts = [extra[0], more.key if more else "", doc]
    for item in held:
        parts += (
            item.name,
            item.node.key,
            "!" if item.required else "?",
            item.note,
            item.facts,
            "" if item.default is Missing.DEFAULT else f"{item.default!r:.80}",
        )
    return Record(held, extra, more, doc, f"R{digest(chr(0).join(parts))}", hint)


def choice_of(members: Iterable[Node]) -> Node:  # noqa: C901 - one branch a kind of member
    """Return the type of values of any of these types, in this order, each once."""
    flat: dict[str, Node] = {}
    arrays: list[Array] = []
    literals: list[ScalarValue] = []
    place = -1
    for member in members:
        for node in member.members if isinstance(member, Choice) else (member,):
            if isinstance(node, Anything):
                return ANYTHING
            if isinstance(node, Values):
                place = len(flat) if place < 0 else place
                literals += node.values
            elif isinstance(node, Array):
                # `[x]` has no one type where it may be a list of this or a list of that, so
                # there is one list, of either.
                flat.setdefault("[]", node)
                arrays.append(node)
            elif not isinstance(node, Nothing):
                flat[node.key] = node
    if len(arrays) > 1:
        flat["[]"] = array_of(choice_of(array.item for array in arrays))
    if "f" in flat:
        flat.pop("i", None)
    nodes = list(flat.values())
    if literals:
        nodes.insert(place, values_of(literals))
    if not nodes:
        return NOTHING
    if len(nodes) == 1:
        return nodes[0]
    # A null reads best at the end, wherever the schema has it.
    nodes.sort(key=lambda node: node is NULL)
    return Choice(tuple(nodes), _key("(" + "|".join(node.key for node in nodes) + ")"))
