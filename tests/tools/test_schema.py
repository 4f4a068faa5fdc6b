"""Tools from raw JSON Schemas: which are refused, and what is said of values."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from codemode.tools import ToolCallError, ToolDefinition, ToolRegistry, ToolSchemaError
from codemode.tools.contract import SchemaContract
from codemode_guest.values import encode

DRAFT_07 = "http://json-schema.org/draft-07/schema#"
DRAFT_2020 = "https://json-schema.org/draft/2020-12/schema"


async def echo(arguments: dict[str, object], context: object) -> object:
    return arguments.get("value")


def refused(schema: Any, **schemas: Any) -> tuple[str, ...]:
    registry = ToolRegistry()
    with pytest.raises(ToolSchemaError) as error:
        registry.register(ToolDefinition(name="t", body=echo, input_schema=schema, **schemas))
    assert () == registry.tools
    return error.value.violations


def told(schema: dict[str, Any], arguments: dict[str, Any]) -> str | None:
    """What is said of arguments; nothing if they fit."""
    try:
        SchemaContract("t", schema, None).accept(encode(arguments))
    except ToolCallError as error:
        return str(error) if error.code == "INVALID_ARGS" else error.code
    return None


def test_a_bad_schema_is_refused_with_everything_that_is_wrong_with_it() -> None:
    """Checklist 5: all violations at once, each with its path."""
    schema = {"properties": {"a": {"type": "strng"}, "b": 3}, "required": "a", "minProperties": -1}

    violations = refused(schema)

    assert {"$.properties.a.type", "$.properties.b", "$.required", "$.minProperties"} == {
        violation.partition(":")[0] for violation in violations
    }


@pytest.mark.parametrize(
    "output,told",
    [
        ({"type": "nothing"}, "$.type: fits none of 2 forms"),
        (True, "$: a schema is an object, not bool"),
        ({"enum": {1, 2}}, "$.enum: "),
    ],
)
def test_a_malformed_output_declaration_is_refused_at_registration(output: Any, told: str) -> None:
    """Checklist 4: one that is missing declares nothing, and any JSON value passes."""
    assert refused({}, output_schema=output)[0].startswith(told)

    ToolRegistry().register(ToolDefinition(name="t", body=echo))


@pytest.mark.parametrize(
    "schema,violation",
    [
        ({"$ref": "#/$defs/gone"}, "$: Pointer '/$defs/gone' does not exist"),
        ({"$ref": "http://127.0.0.1:9/schema"}, "$: Resource 'http://127.0.0.1:9/schema' is not"),
        ({"properties": {"a": {"pattern": "["}}}, '$.properties.a.pattern: "[" is not a "regex"'),
        (
            {"$schema": "http://example.org/mine"},
            "$.$schema: 'http://example.org/mine' is no known",
        ),
        ({"default": float("nan")}, "$.default: nan is not a JSON number"),
        ([], "$: a schema is an object, not list"),
        ({"type": "array"}, "$.type: the arguments of a tool are one object"),
        ({"type": ["null", "string"]}, "$.type: the arguments of a tool are one object"),
    ],
)
def test_what_no_validator_could_use_is_refused_without_asking_the_network(
    schema: Any, violation: str
) -> None:
    """Checklist 5: references that lead nowhere, patterns that do not parse, unknown drafts."""
    assert refused(schema)[0].startswith(violation)


@pytest.mark.parametrize("draft", [DRAFT_07, DRAFT_2020, None])
def test_both_drafts_are_checked_by_their_own_rules(draft: str | None) -> None:
    """Checklist 17: tuples are `items` in draft 7 and `prefixItems` in 2020-12."""
    keyword = "items" if draft == DRAFT_07 else "prefixItems"
    schema: dict[str, Any] = {
        "properties": {"pair": {keyword: [{"type": "string"}, {"type": "integer"}]}}
    }
    if draft is not None:
        schema["$schema"] = draft

    assert told(schema, {"pair": ["a", 1]}) is None
    assert "pair[1]: must be integer, not string; it takes (pair?)" == told(
        schema, {"pair": ["a", "b"]}
    )


EVERYTHING: dict[str, Any] = {
    "type": "object",
    "properties": {
        "text": {"type": "string"},
        "number": {"type": "number"},
        "integer": {"type": "integer"},
        "flag": {"type": "boolean"},
        "nothing": {"type": "null"},
        "list": {"type": "array", "items": {"type": "integer"}},
        "object": {"type": "object", "properties": {"a": {}}, "additionalProperties": False},
        "json": {},
        "either": {"oneOf": [{"type": "string"}, {"type": "integer"}]},
        "choice": {"enum": ["a", 1]},
        "fixed": {"const": 7},
    },
    "required": ["text"],
    "additionalProperties": False,
}


@pytest.mark.parametrize(
    "arguments,words",
    [
        ({}, "the argument 'text' is missing"),
        ({"text": 1}, "text: must be string, not integer"),
        ({"text": "", "number": "1"}, "number: must be number, not string"),
        ({"text": "", "integer": 1.5}, "integer: must be integer, not number"),
        ({"text": "", "integer": True}, "integer: must be integer, not boolean"),
        ({"text": "", "number": False}, "number: must be number, not boolean"),
        ({"text": "", "flag": 0}, "flag: must be boolean, not integer"),
        ({"text": "", "nothing": 0}, "nothing: must be null, not integer"),
        ({"text": "", "list": [1, None]}, "list[1]: must be integer, not null"),
        ({"text": "", "object": {"b": 1}}, "object.b is not allowed"),
        ({"text": "", "either": None}, "either: fits none of 2 forms; nearest: either: must be"),
        ({"text": "", "choice": "b"}, 'choice: "b" is not one of'),
        ({"text": "", "fixed": 8}, "fixed: 7 was expected"),
        ({"text": "", "txt": 1}, "there is no argument 'txt' (did you mean 'text'?)"),
    ],
)
def test_what_does_not_fit_is_told_with_path_and_expected_type(
    arguments: dict[str, Any], words: str
) -> None:
    """Checklist 16, 17, 19: for every kind of schema; `True` is no integer."""
    message = told(EVERYTHING, arguments)

    assert message is not None
    assert message.startswith(words)
    assert message.endswith(
        "; it takes (text, number?, integer?, flag?, nothing?, list?, object?, json?, either?, "
        "choice?, fixed?)"
    )


def test_what_fits_passes_as_it_is() -> None:
    """Checklist 17, 19: -0.0 and integers of any length among it."""
    arguments = {
        "text": "\ud800",
        "number": -0.0,
        "integer": 10**400,
        "flag": True,
        "nothing": None,
        "list": [1],
        "object": {"a": 1},
        "json": [{"": None}],
        "either": 3,
        "choice": 1,
        "fixed": 7,
    }

    accepted = SchemaContract("t", EVERYTHING, None).accept(encode(arguments))

    assert repr(arguments) == repr(accepted)


def test_a_lone_surrogate_is_checked_as_the_character_that_stands_for_it() -> None:
    """Checklist 19: text that no schema can speak of is no crash, nor is a backslash before it."""
    schema = {"properties": {"a": {"maxLength": 3}}}

    assert told(schema, {"a": "\\\ud800\\"}) is None
    assert told(schema, {"a": "\ud800\ud800\ud800\ud800"}) is not None


def nested(levels: int, leaf: dict[str, Any]) -> dict[str, Any]:
    schema = leaf
    for _ in range(levels):
        schema = {"type": "array", "items": schema}
    return schema


def in_lists(levels: int, value: Any) -> Any:
    for _ in range(levels):
        value = [value]
    return value


@pytest.mark.parametrize("draft", [DRAFT_07, DRAFT_2020])
def test_a_schema_of_ten_thousand_levels_is_checked_to_its_last(draft: str) -> None:
    """Checklist 18: without a recursion error, at registration or later."""
    levels = 10_000
    schema = {"$schema": draft, "properties": {"a": nested(levels, {"type": "integer"})}}
    contract = SchemaContract("t", schema, None)

    assert contract.accept(encode({"a": in_lists(levels, 1)}))
    with pytest.raises(ToolCallError, match=r"must be integer, not boolean"):
        contract.accept(encode({"a": in_lists(levels, True)}))
    with pytest.raises(ToolCallError, match=r"must be array, not integer"):
        contract.accept(encode({"a": in_lists(levels - 1, 1)}))


TREE = {"anyOf": [{"type": "integer"}, {"type": "array", "items": {"$ref": "#/$defs/tree"}}]}


@pytest.mark.parametrize(
    "tree",
    [
        TREE,
        {
            "if": {"type": "array"},
            "then": {"allOf": [{"items": TREE}], "unevaluatedItems": False, "contains": {}},
            "else": {"type": "integer"},
        },
    ],
)
def test_no_value_drives_a_recursive_schema_through_the_stack(tree: dict[str, Any]) -> None:
    """Checklist 18: a validator that recurses would take the host with it; depth is bounded."""
    schema = {"$defs": {"tree": tree}, "properties": {"a": {"$ref": "#/$defs/tree"}}}
    said: list[str | None] = []

    def check() -> None:
        for levels, leaf in ((100, 1), (19_000, 1), (300, True)):
            said.append(told(schema, {"a": in_lists(levels, leaf)}))

    # A thread, whose stack may be smaller than that of the process.
    thread = threading.Thread(target=check)
    thread.start()
    thread.join()

    assert said[0] is None
    assert said[1] is not None
    assert "levels, more than its schema is checked for" in said[1]
    assert said[2] is not None
    assert len(said[2]) < 1_000


def test_parts_that_nest_too_deeply_to_be_compared_are_refused() -> None:
    """Checklist 18: in words, and not with the library's own exception."""
    twins = [in_lists(10_000, 1), in_lists(10_000, 1)]

    assert "the arguments: nests too deeply to be compared; it takes (a?)" == told(
        {"properties": {"a": {"uniqueItems": True}}}, {"a": twins}
    )


def test_a_deep_schema_with_references_is_refused_in_words() -> None:
    """Checklist 18: its paths would lead elsewhere once it is taken apart."""
    (violation,) = refused({"properties": {"a": nested(300, {"$ref": "#"})}})

    assert "nests over 100 schemas and has references; use $defs" in violation


@pytest.mark.parametrize(
    "value,words",
    [
        ({"items": [{"price": "1"}]}, "items[0].price: must be number, not string"),
        ({}, "items is missing"),
        ([], "it: must be object, not array"),
        ({"items": [float("nan")]}, "its result is not lossless JSON: $.items[0]: nan"),
        ({"items": {1}}, "its result is not lossless JSON: $.items: "),
    ],
)
async def test_a_value_that_is_not_what_was_declared_is_an_error_with_its_path(
    value: object, words: str
) -> None:
    """Checklist 15: the program gets no value of another shape, and the effect is committed."""
    output = {
        "type": "object",
        "properties": {"items": {"items": {"properties": {"price": {"type": "number"}}}}},
        "required": ["items"],
    }

    async def body(arguments: dict[str, object], context: object) -> object:
        return value

    registry = ToolRegistry()
    registry.register(ToolDefinition(name="t", body=body, output_schema=output))

    result = await registry.call("t", {})

    assert result.failure is not None
    assert ("INVALID_TOOL_OUTPUT", "committed") == (result.failure.code, result.failure.effect)
    assert words in result.failure.message


async def test_what_the_caller_does_to_a_schema_afterwards_changes_nothing() -> None:
    """Checklist 22: it was compiled at registration."""
    schema: dict[str, Any] = {"properties": {"value": {"type": "integer"}}}
    registry = ToolRegistry()
    registry.register(ToolDefinition(name="t", body=echo, input_schema=schema))
    schema["properties"]["value"]["type"] = "string"

    assert 1 == (await registry.call("t", {"value": 1})).value
