"""From schemas to what a guest is told: no more than is certain."""

from __future__ import annotations

from codemode.runtime import CodeBindingNamespace, CodeBindingSignature
from codemode.sdk.preflight import signatures_of, signed

_SEARCH = {
    "name": "search",
    "inputSchema": {
        "type": "object",
        "properties": {
            "query": {"type": "string"},
            "limit": {"type": ["integer", "null"], "maximum": 50},
            "sort": {"enum": ["asc", "desc"]},
            "near": {"$ref": "#/$defs/place"},
            "other": {},
        },
        "required": ["query"],
        "additionalProperties": False,
        "$defs": {"place": {"type": "object", "properties": {"city": {"type": "string"}}}},
    },
}


async def _nothing(_: object) -> object:
    return None


def test_a_schema_becomes_the_facts_that_are_certain() -> None:
    """Kinds, listed values, what is required, and whether other names are refused."""
    found = signatures_of([_SEARCH])["tools"]["search"]

    assert "rejected" == found.others
    assert ["query"] == [name for name, one in found.parameters.items() if one.required]
    assert {"sort": ("asc", "desc")} == {
        name: one.values for name, one in found.parameters.items() if one.values is not None
    }
    assert {
        "query": ("string",),
        "limit": ("integer", "null"),
        "near": ("object",),
        "other": None,
    } == {name: one.kinds for name, one in found.parameters.items() if one.values is None}


def test_a_schema_that_says_nothing_of_other_names_has_them_unsaid() -> None:
    """JSON Schema takes them, and so a call with one is not certain to fail."""
    found = signatures_of([{"name": "t", "inputSchema": {"type": "object", "properties": {}}}])

    assert {"t": CodeBindingSignature(parameters={}, others="unsaid")} == found["tools"]


def test_only_namespaces_that_are_known_are_signed() -> None:
    """Another, such as one for discovery, is left alone."""
    functions = {"search": _nothing, "unknown": _nothing}
    tools = CodeBindingNamespace(global_name="tools", functions=functions)
    catalog = CodeBindingNamespace(global_name="catalog", functions=functions)

    one, other = signed([tools, catalog], signatures_of([_SEARCH]))

    assert one.signatures is not None
    assert ["search"] == list(one.signatures)
    assert other.signatures is None
