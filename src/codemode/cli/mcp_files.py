"""What `--mcp` names, read and tried, where the extra for it is installed."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from codemode.cli.refusal import Refusal
from codemode.errors import UsageError
from codemode.tools import ToolRegistry

if TYPE_CHECKING:
    from codemode.adapters.mcp import ServerEntry

_MIN_SECRET_CHARS: Final = 8


def need_mcp(what: str) -> None:
    """Refuse what needs the extra `mcp` where it is not installed."""
    try:
        import codemode.adapters.mcp  # noqa: F401, PLC0415 - an extra
    except ImportError as error:
        raise Refusal(f"{what} needs the MCP SDK ({error}); pip install 'codemode[mcp]'") from None


def read_entries(files: Iterable[Path]) -> dict[str, ServerEntry]:
    """Return the servers of all files.

    Raises:
        Refusal: If the extra is missing, a file is no such configuration, or two files have a
            server of one name.
    """
    entries: dict[str, ServerEntry] = {}
    for file in files:
        need_mcp("--mcp")
        from codemode.adapters.mcp import read_mcp_config  # noqa: PLC0415 - an extra

        try:
            found = read_mcp_config(file)
        except UsageError as error:
            raise Refusal(f"--mcp {error}") from None
        if twice := sorted(entries.keys() & found.keys()):
            raise Refusal(f"{file}: the server {twice[0]!r} is in an earlier file too; rename one")
        entries |= found
    return entries


def secret_variables(files: Iterable[Path], environ: Mapping[str, str] = os.environ) -> set[str]:
    """Return the variables that these files refer to and that may well hold a secret.

    A path, or a word or number of a few characters, is none, and stands in many places.
    """
    from codemode.adapters.mcp import variables_of  # noqa: PLC0415 - an extra

    named = {name for file in files for name in variables_of(file.read_text(encoding="utf-8"))}
    values = {name: environ.get(name, "") for name in named}
    return {
        name
        for name, value in values.items()
        if len(value) >= _MIN_SECRET_CHARS and not value.startswith("/")
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class TriedServer:
    """What came of starting a server.

    Attributes:
        name: As the file has it.
        namespace: The global of programs that has its tools.
        tools: How many it has.
        problem: Why it cannot be reached; `None` if it can.
        notes: What is odd about it.
    """

    name: str
    namespace: str
    tools: int
    problem: str | None
    notes: tuple[str, ...]

    def facts(self) -> dict[str, object]:
        """Return all of it but the name, as JSON."""
        facts = asdict(self) | {"notes": list(self.notes)}
        del facts["name"]
        return facts


async def try_servers(entries: Mapping[str, ServerEntry]) -> tuple[TriedServer, ...]:
    """Start all servers, list their tools, and stop them again."""
    from codemode.adapters.mcp import McpServers  # noqa: PLC0415 - an extra

    async with McpServers(entries, ToolRegistry()) as servers:
        return tuple(
            TriedServer(
                name=server.name,
                namespace=server.namespace,
                tools=len(server.tools),
                problem=server.explanation,
                notes=server.notes,
            )
            for server in servers.all
        )
