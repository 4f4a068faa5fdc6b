"""The options by which commands are told of tools."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import click

_FILE: Final = click.Path(path_type=Path)

tools_option = click.option(
    "--tools",
    multiple=True,
    metavar="FILE.py:NAME",
    help="A ToolRegistry or CodeBindingNamespace in a Python file; may be given several times.",
)
mcp_option = click.option(
    "--mcp",
    multiple=True,
    metavar="mcp.json",
    type=_FILE,
    help="MCP servers in the usual form; each is a global of programs. Needs the extra 'mcp'.",
)
catalog_option = click.option(
    "--catalog",
    multiple=True,
    metavar="tools_list.json",
    type=_FILE,
    help="What an MCP server answers to tools/list: an object with 'tools', or the list itself.",
)
