"""What is known of each tool's arguments, as plain data: for the check before a run."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal, TypedDict

from codemode.sdk.calls import parameter
from codemode.sdk.entries import Tool, entries_of
from codemode.sdk.plan import places
from codemode.sdk.shapes import Shapes
from codemode.sdk.signature import Signature, signature_of
from codemode.sdk.spelling import Speller
from codemode.sdk.tree import (
    NULL,
    Array,
    Choice,
    Defined,
    Extra,
    Field,
    Node,
    Nothing,
    Record,
    Scalar,
    Table,
    Values,
)

ValueKind = Literal["str", "int", "float", "bool", "None", "list", "dict"]


class ParameterFacts(TypedDict):
    """What is known of one argument.

    `required` only if every valid call has it. `kinds` are those that can be right, None for
    any; `values` the only ones that can, if they are listed. A number takes both `int` and
    `float`, an integer `int`; JSON Schema takes `1.0` for an integer as well.
    """

    required: bool
    text: str
    kinds: list[ValueKind] | None
    values: list[object] | None


class ToolFacts(TypedDict):
    """What is known of one tool.

    `extra` says what happens to an argument that is not listed: only `refused` is certain.
    `namespace` and `member` are how else it is reached.
    """

    name: str
    namespace: str | None
    member: str | None
    extra: Extra
    signature: str
    parameters: dict[str, ParameterFacts]


def tool_facts(tools: Iterable[Tool]) -> list[ToolFacts]:
    """Return what is known of each tool, by name; JSON throughout."""
    return facts_of([signature_of(entry) for entry in entries_of(tools)])


def facts_of(signatures: Sequence[Signature]) -> list[ToolFacts]:
    """Return what is known of tools that are read already."""
    where = places((s.entry.name, s.entry.namespace, s.entry.member) for s in signatures)
    facts: list[ToolFacts] = []
    for signature in signatures:
        entry, arguments = signature.entry, signature.arguments
        place = where[entry.name]
        spaced = place.holder == entry.namespace
        speller = _speller(signature)
        listed = [parameter(item, speller) for item in arguments.fields]
        listed += ["**"] if arguments.extra == "accepted" else []
        facts.append(
            ToolFacts(
                name=entry.name,
                namespace=place.holder if spaced else None,
                member=place.member if spaced else None,
                extra=arguments.extra,
                signature=f"{entry.name}({', '.join(['*', *listed] if listed else [])})",
                parameters={item.name: _facts(item, speller) for item in arguments.fields},
            )
        )
    return facts


def _speller(signature: Signature) -> Speller:
    """Return a speller to whom every object is a `dict`."""
    shapes = Shapes()
    shapes.gather(signature.arguments, "", taken=True)
    names = {
        key: "dict" if isinstance(_inner(shape.node), Record) else "Any"
        for key, shape in shapes.by_key.items()
        if isinstance(shape.node, Record | Defined)
    }
    return Speller(names, {}, anything="Any")


def _inner(node: Node) -> Node:
    return node.node if isinstance(node, Defined) else node


def _facts(item: Field, speller: Speller) -> ParameterFacts:
    kinds = _kinds(item.node)
    return ParameterFacts(
        required=item.required,
        text=speller.spell(item.node),
        kinds=None if kinds is None else list(dict.fromkeys(kinds)),
        values=_values(item.node),
    )


def _kinds(node: Node) -> list[ValueKind] | None:  # noqa: C901, PLR0911 - one case a type
    match node:
        case Scalar(kind="float"):
            return ["int", "float"]
        case Scalar(kind=kind):
            return [kind]
        case Values(values=values):
            return [_KINDS[type(value)] for value in values]
        case Array():
            return ["list"]
        case Record() | Table():
            return ["dict"]
        case Defined(node=inner):
            return _kinds(inner)
        case Nothing():
            return []
        case Choice(members=members):
            found: list[ValueKind] = []
            for member in members:
                kinds = _kinds(member)
                if kinds is None:
                    return None
                found += kinds
            return found
        case _:
            return None


_KINDS: dict[type, ValueKind] = {str: "str", int: "int", bool: "bool", type(None): "None"}


def _values(node: Node) -> list[object] | None:
    members = node.members if isinstance(node, Choice) else (node,)
    listed: list[object] = []
    for member in members:
        if isinstance(member, Values):
            listed += member.values
        elif member is NULL and len(members) > 1:
            listed.append(None)
        else:
            return None
    return listed
