"""Listings of tools that the SDK would refuse as a whole because of one tool, mended."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

import mcp_types
import pydantic
from mcp_types import methods

# What a listing must fit, by the version of the protocol; the second and what it must have.
_SURFACES: Final[tuple[tuple[str, Mapping[str, object]], ...]] = (
    ("2025-11-25", {}),
    ("2026-07-28", {"resultType": "complete", "ttlMs": 0, "cacheScope": "private"}),
)
_ANY_ARGUMENTS: Final = {"type": "object"}


class Mender:
    """Lets every tool through that has a name, with as much of it as can be understood.

    The SDK is shown a bare tool where it would refuse the real one, and with it all the others;
    `original` gives the real one back.

    Args:
        note: Told of what is left out.
    """

    def __init__(self, note: Callable[[str], object]) -> None:
        self._note = note
        self._originals: dict[str, mcp_types.Tool] = {}

    def original(self, tool: mcp_types.Tool) -> mcp_types.Tool:
        """Return the tool as the server lists it."""
        return self._originals.get(tool.name, tool)

    def mend(self, result: dict[str, object]) -> dict[str, object]:
        """Return the result of a request, mended if it is a listing of tools."""
        listed = result.get("tools")
        if not isinstance(listed, list):
            return result
        return result | {"tools": [m for tool in listed if (m := self._mended(tool)) is not None]}

    def _mended(self, tool: object) -> object:
        name = tool.get("name") if isinstance(tool, dict) else None
        if not isinstance(tool, dict) or not isinstance(name, str):
            self._note("it lists a tool without a name, which is left out")
            return None
        self._originals.pop(name, None)
        if all(_fits(tool, *surface) for surface in _SURFACES):
            return tool
        self._originals[name] = self._understood(name, tool)
        return {"name": name, "inputSchema": _ANY_ARGUMENTS}

    def _understood(self, name: str, tool: dict[str, object]) -> mcp_types.Tool:
        try:
            return mcp_types.Tool.model_validate(
                {"inputSchema": _ANY_ARGUMENTS} | tool, by_name=False
            )
        except pydantic.ValidationError as error:
            wrong = {str(part["loc"][0]) for part in error.errors(include_input=False)}
            self._note(f"{name}: its {', '.join(sorted(wrong))} cannot be understood: left out")
            rest = {key: value for key, value in tool.items() if key not in wrong}
            return mcp_types.Tool.model_validate(
                {"inputSchema": _ANY_ARGUMENTS} | rest, by_name=False
            )


def _fits(tool: dict[str, object], version: str, more: Mapping[str, object]) -> bool:
    try:
        methods.validate_server_result("tools/list", version, {"tools": [tool], **more})
    except pydantic.ValidationError:
        return False
    return True
