"""Every keyword of JSON Schema has a decision, and does what the table says."""

from __future__ import annotations

from typing import Any

import pytest

from codemode.sdk import render_sdk
from codemode.sdk.keywords import DECISIONS
from tests.sdk.checking import STRING, Checker, raw, tool

INTEGER = {"type": "integer"}

#: The vocabularies of drafts 07 and 2020-12. Source: their meta-schemas.
VOCABULARY = [
    "$schema",
    "$id",
    "$ref",
    "$anchor",
    "$dynamicRef",
    "$dynamicAnchor",
    "$vocabulary",
    "$comment",
    "$defs",
    "allOf",
    "anyOf",
    "oneOf",
    "not",
    "if",
    "then",
    "else",
    "dependentSchemas",
    "prefixItems",
    "items",
    "contains",
    "properties",
    "patternProperties",
    "additionalProperties",
    "propertyNames",
    "unevaluatedItems",
    "unevaluatedProperties",
    "type",
    "enum",
    "const",
    "multipleOf",
    "maximum",
    "exclusiveMaximum",
    "minimum",
    "exclusiveMinimum",
    "maxLength",
    "minLength",
    "pattern",
    "maxItems",
    "minItems",
    "uniqueItems",
    "maxContains",
    "minContains",
    "maxProperties",
    "minProperties",
    "required",
    "dependentRequired",
    "title",
    "description",
    "default",
    "deprecated",
    "readOnly",
    "writeOnly",
    "examples",
    "format",
    "contentEncoding",
    "contentMediaType",
    "contentSchema",
    "definitions",
    "dependencies",
    "additionalItems",
    "$recursiveRef",
    "$recursiveAnchor",
]


def test_every_keyword_of_both_drafts_has_a_decision() -> None:
    """Checklist 45, 52: typed, widened, a comment or ignored, and how."""
    assert set(VOCABULARY) <= set(DECISIONS)
    assert all(treatment.how for treatment in DECISIONS.values())


# A schema, values that its type accepts, values that it refuses.
TYPED: list[tuple[str, Any, list[Any], list[Any]]] = [
    ("type", {"type": ["string", "null"]}, ["a", None], [1]),
    ("integer and number", {"anyOf": [INTEGER, {"type": "null"}]}, [1], [1.5]),
    ("number", {"type": "number"}, [1, 1.5], ["1"]),
    ("boolean", {"type": "boolean"}, [True], [1, "true"]),
    ("enum", {"enum": ["a", 2, None, True, 2**53 + 1]}, ["a", 2, None, True, 2**53 + 1], ["b", 3]),
    ("enum filtered by type", {"type": "string", "enum": ["a", 1]}, ["a"], [1]),
    ("const", {"const": "a"}, ["a"], ["b"]),
    ("const null", {"const": None}, [None], ["b"]),
    ("const of a float", {"const": 1.5}, [1.5], ["b"]),
    ("const of an object", {"const": {"a": 1}}, [{"a": 1}], ["b"]),
    ("an integer of a hundred digits", {"enum": [10**100, "a"]}, [10**100, "a"], ["b"]),
    ("an empty enum", {"enum": []}, [], ["a", None]),
    ("false", False, [], ["a", None]),
    ("true", True, ["a", None, [1], {"a": {"b": 1}}], [set()]),
    (
        "properties, required",
        {"properties": {"a": INTEGER, "b": STRING}, "required": ["a"]},
        [{"a": 1}, {"a": 1, "b": "x"}],
        [{}, {"a": "x"}, {"a": 1, "c": 1}],
    ),
    ("required, not listed", {"type": "object", "required": ["a"]}, [{"a": 1}], [{}]),
    (
        "additionalProperties false",
        {"type": "object", "additionalProperties": False},
        [{}],
        [{"a": 1}],
    ),
    (
        "additionalProperties",
        {"type": "object", "additionalProperties": INTEGER},
        [{}, {"a": 1}],
        [{"a": "x"}],
    ),
    (
        "additionalProperties beside properties",
        {"type": "object", "properties": {"a": INTEGER}, "additionalProperties": True},
        [{"a": 1}, {"a": 1, "z": 2}],
        [1],
    ),
    (
        "unevaluatedProperties",
        {"type": "object", "unevaluatedProperties": INTEGER},
        [{"a": 1}],
        [{"a": "x"}],
    ),
    (
        "patternProperties",
        {"type": "object", "patternProperties": {"^x": INTEGER}},
        [{"xa": 1}],
        [{"xa": "x"}],
    ),
    (
        "propertyNames",
        {"type": "object", "propertyNames": {"enum": ["a", "b"]}, "additionalProperties": INTEGER},
        [{"a": 1}],
        [{"c": 1}],
    ),
    ("items", {"type": "array", "items": INTEGER}, [[], [1]], [["a"], "a", 1]),
    ("items without type", {"items": INTEGER}, [[1]], [["a"]]),
    ("prefixItems", {"prefixItems": [INTEGER, STRING], "items": False}, [[1, "a"]], [[1.5]]),
    (
        "prefixItems up to maxItems",
        {"type": "array", "prefixItems": [INTEGER, STRING], "minItems": 2, "maxItems": 2},
        [[1, "a"]],
        [[1.5], [None]],
    ),
    (
        "a list of items",
        {"items": [INTEGER, STRING], "additionalItems": {"type": "null"}},
        [[1, "a", None]],
        [[1.5]],
    ),
    ("anyOf", {"anyOf": [STRING, INTEGER]}, ["a", 1], [None]),
    (
        "oneOf of objects",
        {
            "oneOf": [
                {"properties": {"kind": {"const": "a"}, "x": INTEGER}, "required": ["kind", "x"]},
                {"properties": {"kind": {"const": "b"}, "y": STRING}, "required": ["kind", "y"]},
            ]
        },
        [{"kind": "a", "x": 1}, {"kind": "b", "y": "z"}],
        [{"kind": "a", "y": "z"}, {"kind": "c"}],
    ),
    (
        "anyOf that only requires",
        {
            "properties": {"a": INTEGER, "b": INTEGER},
            "anyOf": [{"required": ["a"]}, {"required": ["b"]}],
        },
        [{"a": 1}, {"b": 1}],
        [{"a": "x"}],
    ),
    (
        "allOf of objects",
        {
            "allOf": [
                {"properties": {"a": INTEGER}, "required": ["a"]},
                {"properties": {"b": STRING}},
            ]
        },
        [{"a": 1}, {"a": 1, "b": "x"}],
        [{"b": "x"}, {"a": 1, "b": 1}],
    ),
    ("allOf of scalars", {"allOf": [{"type": "number"}, INTEGER]}, [1], [1.5]),
    (
        "allOf and anyOf",
        {"allOf": [{"enum": ["a", "b", 1]}], "anyOf": [STRING, {"type": "null"}]},
        ["a"],
        [1, "c", None],
    ),
    ("nullable", {"type": "string", "nullable": True}, ["a", None], [1]),
    (
        "if, then, else",
        {
            "properties": {"a": INTEGER},
            "if": {"required": ["a"]},
            "then": {"properties": {"b": INTEGER}},
            "else": {"properties": {"c": INTEGER}},
        },
        [{"a": 1, "b": 2}, {"c": 1}],
        [{"b": "x"}],
    ),
    (
        "dependentSchemas",
        {"properties": {"a": INTEGER}, "dependentSchemas": {"a": {"properties": {"b": INTEGER}}}},
        [{"a": 1, "b": 2}],
        [{"b": "x"}],
    ),
    ("not", {"type": "string", "not": {"const": "a"}}, ["b"], [1]),
]


def test_types_accept_what_schemas_accept_and_refuse_what_types_can(mypy: Checker) -> None:
    """Checklist 46, 49, 50: one table of schemas with right and wrong values, by mypy."""
    tools = [tool(f"t{number}", x=schema) for number, (_, schema, _, _) in enumerate(TYPED)]
    right = [
        (f"await tools.t{number}(x={value!r})", word)
        for number, (word, _, values, _) in enumerate(TYPED)
        for value in values
    ]
    wrong = [
        (f"await tools.t{number}(x={value!r})", word)
        for number, (word, _, _, values) in enumerate(TYPED)
        for value in values
    ]
    found = mypy.complaints(render_sdk(tools, form="stub"), [line for line, _ in right + wrong])

    assert [] == [(right[n], found[n]) for n in found if n < len(right)]
    assert [] == [wrong[n] for n in range(len(wrong)) if len(right) + n not in found]


SAID: list[tuple[Any, str]] = [
    ({"type": "integer", "minimum": 1, "maximum": 9}, "1..9"),
    ({"type": "number", "exclusiveMinimum": 0}, "> 0"),
    ({"type": "number", "minimum": 0, "exclusiveMinimum": True}, "> 0"),
    ({"type": "integer", "multipleOf": 5}, "multiple of 5"),
    ({"type": "string", "minLength": 2, "maxLength": 4}, "2..4 chars"),
    ({"type": "string", "pattern": "^a+$"}, "/^a+$/"),
    ({"type": "string", "format": "date-time"}, "date-time"),
    ({"type": "array", "items": STRING, "minItems": 1}, "1+ items"),
    ({"type": "array", "items": STRING, "uniqueItems": True}, "distinct"),
    ({"type": "array", "contains": {"const": 1}}, "holds"),
    ({"type": "array", "items": {"type": "string", "format": "uri"}}, "each: uri"),
    ({"type": "array", "prefixItems": [{"title": "lat"}, {"title": "lon"}]}, "in order: lat, lon"),
    ({"type": "object", "minProperties": 1, "maxProperties": 2}, "1..2 keys"),
    ({"type": "object", "propertyNames": {"pattern": "^x"}}, "keys: /^x/"),
    ({"type": "object", "patternProperties": {"^x": STRING}}, "keys /^x/"),
    ({"type": "object", "dependentRequired": {"a": ["b"]}}, "a needs b"),
    ({"type": "string", "contentEncoding": "base64"}, "base64"),
    ({"type": "string", "examples": ["one", "two"]}, "e.g. one, two"),
    ({"type": "string", "deprecated": True}, "deprecated"),
    ({"type": "string", "readOnly": True}, "read-only"),
    ({"type": "array", "default": [1, 2]}, "default [1, 2]"),
    ({"type": "string", "title": "How it is called"}, "How it is called"),
    ({"type": "string", "description": "two\n  lines"}, "two lines"),
    ({"not": {"type": "null"}}, "not {"),
    ({"enum": [0.5, 1.5]}, "one of 0.5, 1.5"),
    ({"$ref": "https://example.com/x.json"}, "see https://example.com/x.json"),
    ({"type": "date"}, "type date"),
    ({"anyOf": [{"type": "string", "format": "date"}, {"type": "null"}]}, "date"),
]


@pytest.mark.parametrize("schema,said", SAID, ids=[said for _, said in SAID])
def test_what_a_type_cannot_say_stands_beside_it(schema: Any, said: str) -> None:
    """Checklist 51: constraints are comments in both forms, on one line."""
    tools = [tool(x=schema)]
    for form in ("prompt", "stub"):
        lines = render_sdk(tools, form=form).splitlines()
        (line,) = (line for line in lines if line.strip().startswith("x: ") and "#" in line)
        assert said in line.partition("#")[2]


def test_a_default_is_the_parameter_s_where_its_type_allows() -> None:
    """Checklist 51: `= 5` for a scalar of the type; a comment or nothing otherwise."""
    schema = {
        "type": "object",
        "properties": {
            "n": {"type": "integer", "default": 5},
            "mode": {"enum": ["a", "b"], "default": "a"},
            "odd": {"type": "integer", "default": "five"},
            "gone": {"type": "string", "default": None},
        },
    }
    text = render_sdk([raw("f", schema)])
    assert "n: int = 5" in text
    assert 'mode: Literal["a", "b"] = "a"' in text
    assert "odd: int = ..., # default five" in text
    assert "gone: str = ..." in text


def test_a_long_pattern_is_left_out_where_a_format_says_it() -> None:
    """Some generators write beside each format the expression by which they check it."""
    pattern = f"^({'[0-9a-f]{4}-' * 9})$"
    said = render_sdk([tool(x={**STRING, "format": "uuid", "pattern": pattern})])

    assert "# uuid\n" in said
    assert f"/{pattern}/" in render_sdk([tool(x={**STRING, "pattern": pattern})])
    assert "/^a$/" in render_sdk([tool(x={**STRING, "format": "uuid", "pattern": "^a$"})])


def test_bounds_that_say_nothing_are_left_out() -> None:
    """The range of a double's integers, which one generator adds to every integer, is noise."""
    schema = {"type": "integer", "minimum": -(2**53 - 1), "maximum": 2**53 - 1}
    assert str(2**53 - 1) not in render_sdk([tool(x=schema)])


def test_references_lead_anywhere_in_the_document(mypy: Checker) -> None:
    """Checklist 105: anchors, own addresses, percent signs, lists, siblings and the root."""
    schema = {
        "$id": "https://example.com/root.json",
        "type": "object",
        "properties": {
            "anchor": {"$ref": "#leaf"},
            "address": {"$ref": "part.json"},
            "own": {"$ref": "https://example.com/root.json#/$defs/a%20b"},
            "item": {"$ref": "#/$defs/list/anyOf/1"},
            "both": {"$ref": "#/$defs/base", "properties": {"more": INTEGER}},
            "root": {"$ref": "#"},
            "dynamic": {"$dynamicRef": "#leaf"},
        },
        "$defs": {
            "leaf": {"$anchor": "leaf", "type": "integer"},
            "part": {"$id": "part.json", "type": "integer"},
            "a b": INTEGER,
            "list": {"anyOf": [STRING, INTEGER]},
            "base": {"type": "object", "properties": {"least": INTEGER}, "required": ["least"]},
        },
    }
    tools = [raw("f", schema)]
    keys = ("anchor", "address", "own", "item", "dynamic")
    mypy.accepts(
        tools,
        f"await tools.f({', '.join(f'{key}=1' for key in keys)})",
        "await tools.f(both={'least': 1, 'more': 2}, root={'root': {'root': {'own': 1}}})",
    )
    mypy.refuses(
        tools,
        *(f"await tools.f({key}='x')" for key in keys),
        "await tools.f(both={'more': 2})",
        "await tools.f(both={'least': 1, 'more': 'x'})",
        "await tools.f(root={'root': {'own': 'x'}})",
    )


def test_definitions_that_recurse_through_each_other_end(mypy: Checker) -> None:
    """Checklist 105: lists of themselves, tables of themselves, and two that need each other."""
    schema = {
        "type": "object",
        "properties": {
            "tree": {"$ref": "#/$defs/tree"},
            "table": {"$ref": "#/$defs/table"},
            "even": {"$ref": "#/$defs/even"},
        },
        "$defs": {
            "tree": {"anyOf": [INTEGER, {"type": "array", "items": {"$ref": "#/$defs/tree"}}]},
            "table": {"type": "object", "additionalProperties": {"$ref": "#/$defs/table"}},
            "even": {"type": "object", "properties": {"odd": {"$ref": "#/$defs/odd"}}},
            "odd": {"type": "object", "properties": {"even": {"$ref": "#/$defs/even"}}},
        },
    }
    tools = [raw("f", schema)]
    mypy.accepts(
        tools,
        "await tools.f(tree=[1, [2, [3]]], table={'a': {'b': {}}})",
        "await tools.f(even={'odd': {'even': {'odd': {}}}})",
    )
    mypy.refuses(
        tools,
        "await tools.f(tree=[1, ['x']])",
        "await tools.f(table={'a': 1})",
        "await tools.f(even={'odd': {'even': {'even': {}}}})",
    )


def test_alternatives_of_all_arguments_are_one_signature_by_keyword(mypy: Checker) -> None:
    """Checklist 105: `anyOf` at the top keeps every name; the dict form keeps them apart."""
    schema = {
        "type": "object",
        "properties": {"id": INTEGER},
        "required": ["id"],
        "oneOf": [
            {"properties": {"path": STRING}, "required": ["path"]},
            {"properties": {"url": STRING, "deep": {"type": "boolean"}}, "required": ["url"]},
        ],
    }
    tools = [raw("f", schema)]
    mypy.accepts(
        tools,
        "await tools.f(id=1, path='x')",
        "await tools.f(id=1, url='x', deep=True)",
        "await tools.f({'id': 1, 'path': 'x'})",
    )
    mypy.refuses(
        tools,
        "await tools.f(path='x')",
        "await tools.f(id=1, url=2)",
        "await tools.f({'id': 1})",
        "await tools.f({'id': 1, 'deep': True})",
    )
