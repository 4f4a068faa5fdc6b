"""A strategy for JSON Schemas, each with a strategy for values that it accepts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

KEYS = st.one_of(
    st.sampled_from(["id", "name", "class", "self", "list", "str", "a-b", "", "_x", "__y", "Json"]),
    st.text(max_size=6),
)
SCALARS = st.one_of(st.none(), st.booleans(), st.integers(-(10**30), 10**30), st.text(max_size=6))
TEXTS = st.text(max_size=20)
MOST_LEVELS = 3


@dataclass(frozen=True, slots=True)
class Typed:
    """A schema and one value that it accepts."""

    schema: Any
    value: Any


def plain() -> st.SearchStrategy[Typed]:
    """Schemas of one keyword, and the keywords that a type cannot say."""
    return st.one_of(
        st.builds(Typed, st.just({"type": "string"}), st.text(max_size=6)),
        st.builds(Typed, st.just({"type": "integer", "minimum": -(10**9)}), st.integers(0, 9)),
        st.builds(
            Typed,
            st.just({"type": "number"}),
            st.one_of(st.integers(), st.floats(allow_nan=False, allow_infinity=False)),
        ),
        st.builds(Typed, st.just({"type": "boolean"}), st.booleans()),
        st.builds(Typed, st.just({"type": "null"}), st.none()),
        st.builds(Typed, st.sampled_from([{}, True]), SCALARS),
        st.builds(
            lambda schema, text: Typed({**schema, "description": text, "title": text}, "x"),
            st.just({"type": ["string", "null"]}),
            TEXTS,
        ),
    )


@st.composite
def listed(draw: st.DrawFn) -> Typed:
    """`enum` and `const`, floats and lists among the values."""
    odd: st.SearchStrategy[Any] = st.one_of(SCALARS, st.just(1.5), st.just([]), st.just({"a": 1}))
    values = draw(st.lists(odd, min_size=1, max_size=4))
    if len(values) == 1 and draw(st.booleans()):
        return Typed({"const": values[0]}, values[0])
    return Typed({"enum": values}, draw(st.sampled_from(values)))


@st.composite
def arrays(draw: st.DrawFn, inner: st.SearchStrategy[Typed]) -> Typed:
    """Lists of one type, and lists of a type for each place."""
    first = draw(inner)
    if draw(st.booleans()):
        return Typed(
            {"type": "array", "items": first.schema},
            draw(st.sampled_from([[], [first.value], [first.value, first.value]])),
        )
    second = draw(inner)
    word = draw(st.sampled_from(["prefixItems", "items"]))
    rest = {"items": False} if word == "prefixItems" else {"additionalItems": False}
    schema = {"type": "array", word: [first.schema, second.schema], **rest}
    return Typed(schema, draw(st.sampled_from([[], [first.value], [first.value, second.value]])))


@st.composite
def objects(draw: st.DrawFn, inner: st.SearchStrategy[Typed]) -> Typed:
    """Objects with keys, open and closed, and tables."""
    fields = draw(st.dictionaries(KEYS, inner, max_size=4))
    required = draw(st.lists(st.sampled_from(sorted(fields)), unique=True)) if fields else []
    present = [key for key in fields if key in required or draw(st.booleans())]
    schema: dict[str, Any] = {
        "type": "object",
        "properties": {key: part.schema for key, part in fields.items()},
        "required": required,
    }
    value = {key: fields[key].value for key in present}
    rest = draw(st.sampled_from(["absent", "closed", "open", "typed"]))
    if rest == "closed":
        schema["additionalProperties"] = False
    elif rest != "absent":
        other = draw(inner)
        schema["additionalProperties"] = True if rest == "open" else other.schema
        extra = draw(st.text(min_size=7, max_size=9))
        value[extra] = other.value
    return Typed(schema, value)


@st.composite
def composed(draw: st.DrawFn, inner: st.SearchStrategy[Typed]) -> Typed:
    """Unions, merges, and what only may be there."""
    first, second = draw(inner), draw(inner)
    match draw(st.sampled_from(["anyOf", "nullable", "allOf", "then", "not"])):
        case "anyOf":
            value = draw(st.sampled_from([first.value, second.value]))
            return Typed({"anyOf": [first.schema, second.schema]}, value)
        case "nullable":
            return Typed({"anyOf": [first.schema, {"type": "null"}]}, None)
        case "allOf":
            parts = [
                {"type": "object", "properties": {"l": first.schema}, "required": ["l"]},
                {"properties": {"r": second.schema}, "required": ["r"]},
            ]
            return Typed({"allOf": parts}, {"l": first.value, "r": second.value})
        case "then":
            schema = {
                "type": "object",
                "properties": {"l": first.schema},
                "if": {"required": ["l"]},
                "then": {"properties": {"r": second.schema}},
            }
            return Typed(schema, {"l": first.value, "r": second.value})
        case _:
            return Typed({**_as_dict(first.schema), "not": {"const": object.__name__}}, first.value)


def _as_dict(schema: Any) -> dict[str, Any]:
    return schema if isinstance(schema, dict) else {}


@st.composite
def recursive(draw: st.DrawFn, inner: st.SearchStrategy[Typed]) -> Typed:
    """A tree under a definition; its root refers to the definition."""
    leaf = draw(inner)
    node = {
        "type": "object",
        "properties": {
            "leaf": leaf.schema,
            "inner": {"type": "array", "items": {"$ref": "#/$defs/Node~1 of"}},
        },
        "required": ["leaf"],
    }
    value: dict[str, Any] = {"leaf": leaf.value}
    for _ in range(draw(st.integers(0, 3))):
        value = {"leaf": leaf.value, "inner": [value]}
    return Typed({"$ref": "#/$defs/Node~1 of", "$defs": {"Node/ of": node}}, value)


def typed() -> st.SearchStrategy[Typed]:
    """Any schema, with a value."""
    leaves = st.one_of(plain(), listed())
    return st.recursive(
        leaves,
        lambda inner: st.one_of(arrays(inner), objects(inner), composed(inner)),
        max_leaves=8,
    )
