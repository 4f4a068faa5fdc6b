"""Entries for the scripted server, and a registry with it."""

from __future__ import annotations

import json
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from codemode.adapters.mcp import McpServers, ServerEntry, parse_mcp_config
from codemode.tools import ToolRegistry

_SCRIPT = Path(__file__).with_name("scripted_server.py")


def scripted_entry(mode: str = "well", **more: object) -> dict[str, object]:
    """An entry of mcp.json that starts the scripted server."""
    return {"command": sys.executable, "args": [str(_SCRIPT), mode], **more}


def entries(**servers: dict[str, object]) -> dict[str, ServerEntry]:
    """What an mcp.json with these servers says."""
    return parse_mcp_config(json.dumps({"mcpServers": servers}), source="mcp.json")


@asynccontextmanager
async def connected(
    servers: dict[str, ServerEntry], *, connect_s: float = 60
) -> AsyncIterator[tuple[McpServers, ToolRegistry]]:
    """The servers, open, and the registry that has their tools."""
    registry = ToolRegistry(mode="code")
    async with McpServers(servers, registry, connect_s=connect_s) as opened:
        yield opened, registry


async def invoke(registry: ToolRegistry, name: str, **arguments: object) -> object:
    """What a tool gives, without programs and policies."""
    definition = registry.view().find(name)
    assert definition is not None
    return await definition.invoke(arguments)
