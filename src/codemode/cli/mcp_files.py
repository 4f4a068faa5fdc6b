"""Read what `--mcp` names, where the extra for it is installed."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from codemode.cli.refusal import Refusal

if TYPE_CHECKING:
    from codemode.adapters.mcp import ServerEntry


def read_entries(files: Iterable[Path]) -> dict[str, ServerEntry]:
    """Return the servers of all files.

    Raises:
        Refusal: If the extra is missing, or two files have a server of one name.
        McpConfigError: If a file is no such configuration.
    """
    entries: dict[str, ServerEntry] = {}
    for file in files:
        try:
            from codemode.adapters.mcp import read_mcp_config  # noqa: PLC0415 - an extra
        except ImportError as error:
            raise Refusal(
                f"--mcp needs the MCP SDK ({error}); pip install 'codemode[mcp]'"
            ) from None
        found = read_mcp_config(file)
        if twice := sorted(entries.keys() & found.keys()):
            raise Refusal(f"{file}: the server {twice[0]!r} is in an earlier file too; rename one")
        entries |= found
    return entries
