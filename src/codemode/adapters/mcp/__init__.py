"""MCP servers as tools: each a namespace of programs (extra `mcp`).

Owns the reading of `mcp.json`, the connections and what comes over them, as values. Knows
nothing of programs, prompts or the process that runs them; it registers tools, and `tools`
calls them. Below are `sdk`, `tools` and the official SDK. The core is `server.McpServer.keep`.
"""

from codemode.adapters.mcp.config import (
    LaunchedServer,
    McpConfigError,
    RemoteServer,
    ServerEntry,
    UnusableServer,
    parse_mcp_config,
    read_mcp_config,
    variables_of,
)
from codemode.adapters.mcp.server import McpServer
from codemode.adapters.mcp.servers import McpServers, UnknownServerError
from codemode.adapters.mcp.serving import CodeModeServer

__all__ = [
    "CodeModeServer",
    "LaunchedServer",
    "McpConfigError",
    "McpServer",
    "McpServers",
    "RemoteServer",
    "ServerEntry",
    "UnknownServerError",
    "UnusableServer",
    "parse_mcp_config",
    "read_mcp_config",
    "variables_of",
]
