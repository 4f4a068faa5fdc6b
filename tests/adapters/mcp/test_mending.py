"""One odd tool in a listing takes away neither itself nor the others."""

from __future__ import annotations

from typing import Any

import mcp_types
import pytest
from mcp_types import methods

from codemode.adapters.mcp.mending import Mender

GOOD: dict[str, Any] = {"name": "good", "inputSchema": {"type": "object"}}
LISTED: dict[str, Any] = {"resultType": "complete", "ttlMs": 0, "cacheScope": "private"}


def mended(*tools: object) -> tuple[dict[str, mcp_types.Tool], list[str]]:
    """What the SDK takes, with the tools as they are listed, and what was noted."""
    notes: list[str] = []
    mender = Mender(notes.append)
    result: Any = mender.mend({"tools": [*tools, GOOD]})
    for version, more in (("2025-11-25", {}), ("2026-07-28", LISTED)):
        methods.validate_server_result("tools/list", version, result | more)
    shown = [mcp_types.Tool.model_validate(tool, by_name=False) for tool in result["tools"]]
    return {tool.name: mender.original(tool) for tool in shown}, notes


@pytest.mark.parametrize(
    "part",
    [
        {"inputSchema": {}},
        {"inputSchema": {"properties": {"a": {"type": "string"}}}},
        {"outputSchema": {"type": "array", "items": {"type": "integer"}}},
        {"outputSchema": {"anyOf": [{"type": "object"}, {"type": "null"}]}},
    ],
)
def test_a_schema_that_the_protocol_does_not_allow_is_kept_as_it_is(part: dict[str, Any]) -> None:
    """What can be understood is understood."""
    tools, notes = mended(GOOD | {"name": "odd"} | part)

    listed = tools["odd"].model_dump(by_alias=True)
    assert part == {key: listed[key] for key in part}
    assert {"good", "odd"} == tools.keys()
    assert [] == notes


@pytest.mark.parametrize(
    "part",
    [{"description": 5}, {"annotations": {"readOnlyHint": "maybe"}}, {"outputSchema": True}],
)
def test_what_cannot_be_understood_is_left_out_and_noted(part: dict[str, Any]) -> None:
    """The rest of the tool stays."""
    (key,) = part
    tools, notes = mended(GOOD | {"name": "odd", "title": "Odd"} | part)

    assert "Odd" == tools["odd"].title
    assert tools["odd"].model_dump(by_alias=True)[key] is None
    assert [f"odd: its {key} cannot be understood: left out"] == notes


@pytest.mark.parametrize("tool", [None, "odd", {}, {"name": 3}])
def test_a_tool_without_a_name_is_left_out_and_noted(tool: object) -> None:
    """There is no way to call it."""
    tools, notes = mended(tool)

    assert {"good"} == tools.keys()
    assert ["it lists a tool without a name, which is left out"] == notes


def test_other_results_are_passed_on_untouched() -> None:
    """Only a listing is one."""
    result: dict[str, object] = {"content": [], "structuredContent": {"tools": [1]}}

    assert Mender(print).mend(result) is result
