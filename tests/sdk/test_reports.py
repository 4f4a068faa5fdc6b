"""Schemas that broke other generators, each reported in public: here they are typed."""

from __future__ import annotations

from typing import Any

import pytest

from codemode.sdk import render_sdk, returned_schema, tool_facts
from tests.sdk.checking import STRING, Checker, raw, tool


def test_local_references_with_siblings_and_escapes_are_typed_and_recursion_ends(
    mypy: Checker,
) -> None:
    """References into $defs, definitions and properties, escaped ones too, keep their types."""
    leaf = {
        "type": "object",
        "properties": {"column": STRING, "is": {"type": ["string", "number", "null"]}},
        "required": ["column", "is"],
    }
    group = {
        "type": "object",
        "properties": {"or": {"type": "array", "items": {"$ref": "#/$defs/Test"}}},
        "required": ["or"],
    }
    schema = {
        "type": "object",
        "required": ["test"],
        "properties": {
            "test": {"$ref": "#/$defs/Test", "description": "what to keep"},
            "order": {"$ref": "#/definitions/up~1down~0x"},
            "again": {"$ref": "#/properties/order"},
        },
        "$defs": {"Test": {"anyOf": [{"$ref": "#/$defs/Leaf"}, group]}, "Leaf": leaf},
        "definitions": {"up/down~x": {"type": "string", "enum": ["up", "down"]}},
    }
    tools = [raw("find", schema)]

    mypy.accepts(
        tools,
        'await tools.find(test={"column": "x", "is": None}, order="up")',
        'await tools.find(test={"or": [{"or": [{"column": "x", "is": 1}]}]}, again="down")',
    )
    mypy.refuses(
        tools,
        'await tools.find(test={"or": {}})',
        'await tools.find(test={"or": [{"or": 1}]})',
        'await tools.find(test={"column": "x", "is": 1}, order="sideways")',
        'await tools.find(test={"column": "x", "is": 1}, again="sideways")',
    )


def test_a_property_named_like_a_type_shadows_no_type(mypy: Checker) -> None:
    """Keys called list, str, dict, Any, Literal and NotRequired leave their neighbours typed."""
    inner = {
        "type": "object",
        "properties": {"dict": {"type": "object", "properties": {"int": STRING}}},
    }
    schema = {
        "type": "object",
        "properties": {
            "list": {"type": "array", "items": STRING},
            "numbers": {"type": "array", "items": {"type": "integer"}},
            "str": {"type": "integer"},
            "text": STRING,
            "dict": inner,
            "Any": {},
            "Literal": {"enum": ["a"]},
            "mode": {"enum": ["b"]},
            "NotRequired": {"type": "boolean"},
        },
        "required": ["list"],
    }
    tools = [raw("log", schema, {"type": "object", "properties": {"said": schema}})]

    mypy.accepts(
        tools,
        'await tools.log(list=["a"], numbers=[1], str=3, text="t", dict={"dict": {"int": "x"}})',
        'await tools.log({"list": ["a"], "mode": "b", "Literal": "a", "NotRequired": True})',
        'x: list[int] = (await tools.log(list=[]))["said"]["numbers"]',
    )
    mypy.refuses(
        tools,
        'await tools.log(list=["a"], numbers=["x"])',
        'await tools.log(list=["a"], text=1)',
        'await tools.log(list=["a"], mode="a")',
        'await tools.log({"list": ["a"], "numbers": ["x"]})',
    )


def test_names_that_look_alike_stay_apart_and_all_can_be_called(mypy: Checker) -> None:
    """Eight names that others make one of: each is reached by its own, and typed."""
    names = ["get-item", "get_item", "get.item", "get/item", "GET_ITEM", "1get", "class", "print"]
    tools = [tool(name, n={"type": "integer"}) for name in names]

    mypy.accepts(
        tools,
        *(f"await tools[{name!r}](n=1)" for name in names),
        "await tools.get_item(n=1)",
        "await tools.GET_ITEM(n=1)",
        "await tools.print(n=1)",
    )
    odd = ["get-item", "get.item", "get/item", "1get", "class"]
    mypy.refuses(tools, *(f"await tools[{name!r}](n='x')" for name in odd))
    assert sorted(names) == [facts["name"] for facts in tool_facts(tools)]


def test_arguments_are_typed_so_that_wrong_ones_are_seen_before_the_call(mypy: Checker) -> None:
    """Types, literals, required and closed are in the stub; the range is beside the type."""
    schema = {
        "type": "object",
        "properties": {
            "sum": {"type": "number", "exclusiveMinimum": 0},
            "unit": {"enum": ["EUR", "USD"]},
            "tags": {"type": "array", "items": STRING, "maxItems": 2},
        },
        "required": ["sum", "unit"],
        "additionalProperties": False,
    }
    tools = [raw("pay", schema)]

    mypy.accepts(
        tools,
        'await tools.pay(sum=1, unit="EUR")',
        'await tools.pay(sum=0.5, unit="USD", tags=[])',
    )
    mypy.refuses(
        tools,
        'await tools.pay(sum="1", unit="EUR")',
        "await tools.pay(sum=1)",
        'await tools.pay(sum=1, unit="GBP")',
        'await tools.pay(sum=1, unit="EUR", more=1)',
        'await tools.pay({"sum": 1, "unit": "EUR", "more": 1})',
    )
    assert "> 0" in render_sdk(tools)
    assert "<= 2 items" in render_sdk(tools)


@pytest.mark.parametrize("marked", [True, False])
def test_a_wrapped_result_is_unwrapped_only_where_the_server_marked_it(
    *, marked: bool, mypy: Checker
) -> None:
    """FastMCP's envelope around a string is `str`; an object with one key stays an object."""
    schema: dict[str, Any] = {
        "type": "object",
        "properties": {"result": STRING},
        "required": ["result"],
    }
    schema |= {"x-fastmcp-wrap-result": True} if marked else {}
    tools = [raw("say", {"type": "object"}, schema)]

    assert returned_schema(tools[0]) == (STRING if marked else schema)
    line = "(await tools.say()).upper()" if marked else "(await tools.say())['result'].upper()"
    mypy.accepts(tools, line)


def test_the_official_sdk_s_wrapping_is_known_by_its_model(mypy: Checker) -> None:
    """`sayOutput` with nothing but a required `result`; its title says nothing either."""
    wrapped = {
        "type": "object",
        "properties": {"result": {"title": "Result", "type": "string"}},
        "required": ["result"],
        "title": "sayOutput",
    }
    mypy.accepts([raw("say", {"type": "object"}, wrapped)], "(await tools.say()).upper()")
    assert "Returns:" not in render_sdk([raw("say", {"type": "object"}, wrapped)])
    changes: list[dict[str, Any]] = [
        {"title": "Said"},
        {"required": []},
        {"properties": {"text": STRING}, "required": ["text"]},
        {"properties": {"result": STRING, "more": STRING}},
    ]
    for change in changes:
        schema = {**wrapped, **change}
        assert schema == returned_schema(raw("say", {"type": "object"}, schema))


def test_a_namespace_can_be_asked_what_it_has(mypy: Checker) -> None:
    """As in a run: which members there are, by name."""
    tools = [tool("f"), tool("odd-name"), tool("object"), tool("Iterator"), tool("bool")]
    for form in ("prompt", "stub"):
        assert {} == mypy.complaints(render_sdk(tools, form=form), ["await tools.object()"])
    mypy.accepts(tools, "[name.upper() for name in tools]", "'f' in tools and 1 + len(tools)")
