"""What a server lists, kept registered, and what is odd about it."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Mapping
from typing import Final

import mcp_types
from mcp import Client

from codemode.adapters.mcp.definitions import CallServer, definition_of, is_destructive
from codemode.adapters.mcp.mending import Mender
from codemode.errors import UsageError
from codemode.tools import Registration, Scope, ToolDefinition

_KEPT_NOTES: Final = 50
# Names and messages in it are the server's own.
_MAX_NOTE_CHARS: Final = 500
# A server that gives ever more pages would be listed for ever.
_MAX_PAGES: Final = 1_000


class Notes:
    """What was odd about a server, the latest last, each said once.

    Args:
        logger: Told of each as it comes.
    """

    def __init__(self, logger: logging.Logger) -> None:
        self._logger = logger
        self._kept: deque[str] = deque(maxlen=_KEPT_NOTES)

    @property
    def all(self) -> tuple[str, ...]:
        """Those that are kept."""
        return tuple(self._kept)

    def add(self, words: str) -> None:
        """Keep one, as far as it is short."""
        if len(words) > _MAX_NOTE_CHARS:
            words = f"{words[: _MAX_NOTE_CHARS - 1]}…"
        if words not in self._kept:
            self._kept.append(words)
            self._logger.warning("%s", words)


class Listing:
    """The tools of one server, in a scope.

    Args:
        namespace: Of the server in programs.
        scope: Where they are registered.
        call: Makes a call of one.
        notes: Told what is odd about them.
        mender: Knows them as the server lists them.
    """

    def __init__(
        self, namespace: str, scope: Scope, call: CallServer, notes: Notes, mender: Mender
    ) -> None:
        self._namespace = namespace
        self._scope = scope
        self._call = call
        self._notes = notes
        self._mender = mender
        self._listed: dict[str, mcp_types.Tool] = {}
        self._tools: dict[str, tuple[ToolDefinition, Registration]] = {}

    @property
    def tools(self) -> tuple[ToolDefinition, ...]:
        """As they are registered now."""
        return tuple(definition for definition, _ in self._tools.values())

    @property
    def hints(self) -> Mapping[str, mcp_types.ToolAnnotations]:
        """What the server says of each beside its schemas, by the name on the wire."""
        return {
            definition.wire_name: hints
            for name, (definition, _) in self._tools.items()
            if (hints := self._listed[name].annotations) is not None
        }

    def destroys(self, definition: ToolDefinition) -> bool:
        """Whether this is one of them of which the server says that it may destroy something."""
        tool = self._listed.get(definition.member or "")
        return tool is not None and definition in self.tools and is_destructive(tool)

    async def refresh(self, client: Client) -> None:
        """Bring the registered tools in line with what the server lists now."""
        listed: dict[str, mcp_types.Tool] = {}
        cursor: str | None = None
        for _ in range(_MAX_PAGES):
            page = await client.list_tools(cursor=cursor, cache_mode="bypass")
            listed.update((tool.name, self._mender.original(tool)) for tool in page.tools)
            cursor = page.next_cursor
            if not cursor:
                break
        else:
            self._notes.add(f"it lists more than {_MAX_PAGES} pages of tools; the rest is left out")
        self._take(listed)

    def clear(self) -> None:
        """Take all of them away."""
        for _, registration in self._tools.values():
            registration.close()
        self._tools.clear()

    def _take(self, listed: dict[str, mcp_types.Tool]) -> None:
        known, self._listed = self._listed, listed
        for name in known:
            if known[name] != listed.get(name) and name in self._tools:
                _, registration = self._tools.pop(name)
                registration.close()
        for name, tool in listed.items():
            if name not in self._tools:
                self._register(tool)

    def _register(self, tool: mcp_types.Tool) -> None:
        definition = definition_of(
            tool, namespace=self._namespace, call=self._call, note=self._notes.add
        )
        try:
            self._tools[tool.name] = definition, self._scope.register(definition)
        except UsageError as error:
            self._notes.add(f"its tool {tool.name!r} is left out: {error}")
