"""Types learned from results: keys and types, never values, and marked as observed."""

from __future__ import annotations

import json
from typing import Any

from codemode.sdk import observe, render_sdk
from tests.sdk.checking import Checker, raw


def learned(*values: Any) -> dict[str, Any]:
    """The shape of these results."""
    shape: dict[str, Any] | None = None
    for value in values:
        shape = observe(shape, value)
    assert shape is not None
    return shape


def test_a_learned_shape_types_the_result_and_says_that_it_was_observed(mypy: Checker) -> None:
    """A key of every result is required, one of some is not, and both texts say observed."""
    rows: list[Any] = [{"id": 1, "tags": ["a"]}, {"id": 2, "tags": [], "note": None}]
    tools = [raw("rows", {"type": "object"}, learned({"rows": rows}, {"rows": []}))]

    mypy.accepts(
        tools,
        "(await tools.rows())['rows'][0]['id'] + 1",
        "(await tools.rows())['rows'][0]['tags'][0].upper()",
        "(await tools.rows())['rows'][0].get('note')",
    )
    mypy.refuses(tools, "(await tools.rows())['rows'][0]['nothing']")
    for form in ("prompt", "stub"):
        assert "observed in 2 calls" in render_sdk(tools, form=form)


def test_kinds_that_differ_become_a_union_and_numbers_join() -> None:
    """An integer here and a float there is a number; a text beside them an alternative."""
    assert {"type": "number", "x-observed": 2} == learned(1, 1.5)
    assert {"integer", "string"} == {part["type"] for part in learned(1, "a")["anyOf"]}
    assert learned([1], [None])["items"]["anyOf"]


def test_an_object_with_very_many_keys_is_a_table() -> None:
    """Keys that are data, such as identifiers, are not listed."""
    shape = learned({f"id-{number}": {"n": number} for number in range(500)})
    assert "properties" not in shape
    assert {"n": {"type": "integer"}} == shape["additionalProperties"]["properties"]
    grown = learned(*({f"id-{number}": number} for number in range(100)))
    assert {"type": "integer"} == grown["additionalProperties"]


def test_a_shape_holds_no_value_and_no_more_than_some_levels() -> None:
    """Secrets in results do not leak into prompts; deep results end in any JSON."""
    deep: Any = "secret"
    for _ in range(5_000):
        deep = [deep]
    text = json.dumps(learned({"password": "secret", "deep": deep}))
    assert "secret" not in text
    assert len(text) < 1_000


def test_an_older_shape_is_not_changed() -> None:
    """Who holds it may share it."""
    first = learned({"a": 1})
    before = json.dumps(first)
    observe(first, {"b": 2})
    assert before == json.dumps(first)
