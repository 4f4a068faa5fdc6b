"""Entries for the scripted server, and a registry with it."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path

from codemode.adapters.mcp import McpServers, ServerEntry, parse_mcp_config
from codemode.session import EventSink
from codemode.tools import ToolRegistry

_SCRIPT = Path(__file__).with_name("scripted_server.py")


def scripted_entry(mode: str = "well", **more: object) -> dict[str, object]:
    """An entry of mcp.json that starts the scripted server."""
    return {"command": sys.executable, "args": [str(_SCRIPT), mode], **more}


@contextmanager
def remote(port: int) -> Iterator[None]:
    """The scripted server over HTTP, with sessions that end with it."""
    arguments = [sys.executable, str(_SCRIPT), "remote", str(port)]
    with subprocess.Popen(arguments, stderr=subprocess.DEVNULL) as process:
        try:
            while process.poll() is None:
                with suppress(OSError), socket.create_connection(("127.0.0.1", port)):
                    break
            yield
        finally:
            process.kill()


def free_port() -> int:
    """A port of loopback that nobody listens at."""
    with socket.create_server(("127.0.0.1", 0)) as found:
        port: int = found.getsockname()[1]
        return port


def entries(**servers: dict[str, object]) -> dict[str, ServerEntry]:
    """What an mcp.json with these servers says."""
    return parse_mcp_config(json.dumps({"mcpServers": servers}), source="mcp.json")


@asynccontextmanager
async def connected(
    servers: dict[str, ServerEntry], *, connect_s: float = 60, sink: EventSink | None = None
) -> AsyncIterator[tuple[McpServers, ToolRegistry]]:
    """The servers, open, and the registry that has their tools."""
    registry = ToolRegistry(mode="code")
    async with McpServers(servers, registry, connect_s=connect_s, sink=sink) as opened:
        yield opened, registry


async def invoke(registry: ToolRegistry, name: str, **arguments: object) -> object:
    """What a tool gives, without programs and policies."""
    definition = registry.view().find(name)
    assert definition is not None
    return await definition.invoke(arguments)
