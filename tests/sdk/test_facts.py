"""What the check before a run is told of each tool."""

from __future__ import annotations

from codemode.sdk import tool_facts
from tests.sdk.checking import STRING, raw


def test_facts_say_what_is_certain_of_each_argument() -> None:
    """Kinds, the only values, required, and what happens to others: JSON throughout."""
    schema = {
        "type": "object",
        "properties": {
            "path": STRING,
            "lines": {"type": "number", "default": 5},
            "mode": {"enum": ["r", 1, None]},
            "flag": {"type": ["boolean", "null"]},
            "rows": {"type": "array", "items": {"type": "object", "properties": {"a": STRING}}},
            "any": {},
            "none": False,
        },
        "required": ["path"],
        "additionalProperties": False,
    }
    (facts,) = tool_facts([raw("read", schema)])
    kinds = {name: found["kinds"] for name, found in facts["parameters"].items()}

    assert "refused" == facts["extra"]
    assert ["path"] == [n for n, found in facts["parameters"].items() if found["required"]]
    assert {
        "path": ["str"],
        "lines": ["int", "float"],
        "mode": ["str", "int", "None"],
        "flag": ["bool", "None"],
        "rows": ["list"],
        "any": None,
        "none": [],
    } == kinds
    assert ["r", 1, None] == facts["parameters"]["mode"]["values"]
    assert facts["parameters"]["flag"]["values"] is None
    assert facts["signature"].startswith("read(*, path: str, lines: float = 5, mode: Literal[")


def test_only_a_closed_schema_is_certain_about_other_arguments() -> None:
    """Unsaid is not refused, and no schema accepts all."""
    extras = [
        tool_facts([raw("f", schema)])[0]["extra"]
        for schema in (
            {"type": "object", "additionalProperties": False},
            {"type": "object", "properties": {"a": STRING}},
            {"type": "object", "additionalProperties": STRING},
            {},
            None,
        )
    ]
    assert ["refused", "unsaid", "accepted", "accepted", "accepted"] == extras


def test_an_argument_is_required_only_if_every_alternative_requires_it() -> None:
    """Of two objects that are accepted, what both need is required; all names are there."""
    one = {"type": "object", "properties": {"id": STRING, "a": STRING}, "required": ["id", "a"]}
    two = {"type": "object", "properties": {"id": STRING, "b": STRING}, "required": ["id", "b"]}
    (facts,) = tool_facts([raw("f", {"anyOf": [one, two]})])
    required = {name: found["required"] for name, found in facts["parameters"].items()}
    assert {"id": True, "a": False, "b": False} == required


def test_a_namespace_is_where_else_a_tool_is_reached() -> None:
    """Namespace and member are given where a program can use them."""
    spaced = {**raw("github__search", {}), "namespace": "github", "member": "search"}
    odd = {**raw("odd", {}), "namespace": "not a name", "member": "x"}
    first, second = tool_facts([odd, spaced])
    assert ("github", "search") == (first["namespace"], first["member"])
    assert (None, None) == (second["namespace"], second["member"])
