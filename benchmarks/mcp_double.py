"""An MCP server with one small tool, for benchmarks/measure_mcp.py.

python benchmarks/mcp_double.py [code]    with `code`, as the code mode of fastmcp, a peer
"""

from __future__ import annotations

import sys


def double(n: int) -> int:
    """Twice the number."""
    return 2 * n


if sys.argv[1:] == ["code"]:
    from fastmcp import FastMCP
    from fastmcp.experimental.transforms.code_mode import CodeMode

    peer = FastMCP("double", transforms=[CodeMode()])
    peer.tool(double)
    peer.run(show_banner=False)
else:
    from mcp.server import MCPServer
    from mcp.types import ToolAnnotations

    server = MCPServer("double")
    server.tool(annotations=ToolAnnotations(read_only_hint=True))(double)
    server.run()
