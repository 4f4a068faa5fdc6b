"""All servers of a configuration, behind one registry."""

from __future__ import annotations

import builtins
import re
from collections.abc import Mapping
from types import TracebackType
from typing import Final, Self

import anyio

from codemode.adapters.mcp.config import ServerEntry
from codemode.adapters.mcp.server import McpServer
from codemode.errors import UsageError
from codemode.runtime import Owner, is_portable_global
from codemode.session import EventSink
from codemode.tools import Ask, Scope, ToolCall

# Some servers are fetched from a registry at their first start.
_CONNECT_S: Final = 60.0
_CLOSING_S: Final = 10.0
_AGAIN_S: Final = 30.0
_NOT_IN_NAMES: Final = re.compile(r"[^A-Za-z0-9_]+")


class UnknownServerError(UsageError):
    """There is no server of that name in the configuration."""

    def __init__(self, name: str, known: tuple[str, ...]) -> None:
        super().__init__(
            f"there is no server {name!r}; there are {', '.join(map(repr, known)) or 'none'}"
        )
        self.name = name


class McpServers:
    """Servers, started together and kept up for as long as this is open.

    Each server is a namespace of programs: `await github.search_issues(query="…")`. One that
    cannot be reached is left out, with its `problem`, and is tried again when asked for.

    Args:
        entries: From `read_mcp_config`.
        scope: Where the tools are registered: a registry, or a scope of one.
        connect_s: How long one may take to start and to list its tools.
        sink: Told of what servers log, as notes of the topic `mcp/log`: a session, mostly.
        wait: Whether opening waits until each server is ready or has failed.
    """

    def __init__(
        self,
        entries: Mapping[str, ServerEntry],
        scope: Scope,
        *,
        connect_s: float = _CONNECT_S,
        sink: EventSink | None = None,
        wait: bool = True,
    ) -> None:
        self._wait = wait
        taken: set[str] = set()
        self._servers: dict[str, McpServer] = {}
        for name, entry in entries.items():
            namespace = _namespace(name, taken)
            taken.add(namespace)
            self._servers[name] = McpServer(
                name, namespace, entry, scope, connect_s=connect_s, sink=sink
            )
        self._owner = Owner()

    async def __aenter__(self) -> Self:
        """Start them all."""
        await self._owner.start()
        try:
            for server in self._servers.values():
                self._owner.tasks.start_soon(server.keep)
            if self._wait:
                await self.settled()
        except BaseException:
            await self._owner.stop(_CLOSING_S)
            raise
        return self

    async def __aexit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self._owner.stop(_CLOSING_S)

    async def settled(self) -> None:
        """Wait until each is ready or has failed; at most as long as one may take to start."""
        for server in self._servers.values():
            await server.settled()

    @property
    def all(self) -> tuple[McpServer, ...]:
        """Every server, ready or not, in the order of the configuration."""
        return tuple(self._servers.values())

    async def retry(self, name: str) -> McpServer:
        """Try again to reach a server; return it, ready or with its problem.

        Raises:
            UnknownServerError: If there is none of that name.
        """
        if name not in self._servers:
            raise UnknownServerError(name, tuple(self._servers))
        server = self._servers[name]
        server.retry()
        await server.settled()
        return server

    def retry_failed(self) -> None:
        """Begin to try again to reach those that never were, each twice a minute at most."""
        now = anyio.current_time()
        for server in self._servers.values():
            if server.state == "failed" and now - server.tried_at > _AGAIN_S:
                server.retry()

    def ask_before_destroying(self, call: ToolCall) -> Ask | None:
        """Have a person asked before a call that may destroy something, as servers hint it.

        A policy for `registry.pre_execute`. The hints are the servers' own: worth as much as
        your trust in them.
        """
        definition = call.definition
        if definition is not None and any(s.destroys(definition) for s in self._servers.values()):
            return Ask(f"{call.name} may destroy something")
        return None


def _namespace(name: str, taken: set[str]) -> str:
    """Return a name for a global of programs, as near as can be to the server's.

    A built-in function keeps its name, since programs count on it. A module does not: who
    imports it means it.
    """
    base = _NOT_IN_NAMES.sub("_", name).strip("_")
    if not is_portable_global(base) or hasattr(builtins, base):
        base = f"mcp_{base}" if base else "mcp"
    candidate, number = base, 2
    while candidate in taken or candidate == "tools":
        candidate, number = f"{base}_{number}", number + 1
    return candidate
