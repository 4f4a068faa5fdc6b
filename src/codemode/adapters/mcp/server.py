"""One server: its connection, kept up, and its tools, kept registered."""

from __future__ import annotations

import itertools
import logging
import math
from collections import deque
from collections.abc import Iterator
from typing import Final, Literal

import anyio
import mcp_types
import pydantic
from mcp import Client, MCPError
from mcp.client import IncomingMessage
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from codemode.adapters.mcp.config import ServerEntry, UnusableServer
from codemode.adapters.mcp.definitions import definition_of, is_destructive
from codemode.adapters.mcp.stderr_tail import StderrTail
from codemode.adapters.mcp.transport import transport_to
from codemode.adapters.mcp.values import error_text, output_of
from codemode.adapters.mcp.words import why_unreachable, words_of
from codemode.errors import UsageError
from codemode.sdk.entries import wrapped_member
from codemode.tools import (
    Registration,
    Scope,
    ToolCallError,
    ToolContext,
    ToolDefinition,
    ToolOutput,
)

State = Literal["starting", "ready", "restarting", "failed", "closed"]

_FIRST_DELAY_S: Final = 0.5
_LAST_DELAY_S: Final = 30.0
_KEPT_NOTES: Final = 50
# A server that gives ever more pages would be listed for ever.
_MAX_PAGES: Final = 1_000
_RESULT: Final[pydantic.TypeAdapter[mcp_types.CallToolResult | mcp_types.InputRequiredResult]] = (
    pydantic.TypeAdapter(mcp_types.CallToolResult | mcp_types.InputRequiredResult)
)
# The call has not been made: there is no such tool, or it does not take these arguments.
_NOT_STARTED_CODES: Final = frozenset(
    {mcp_types.INVALID_PARAMS, mcp_types.METHOD_NOT_FOUND, mcp_types.INVALID_REQUEST}
)


class McpServer:
    """A server of the configuration.

    Attributes:
        name: As the configuration has it.
        namespace: The global of programs that has its tools.
        state: `starting` at first; `failed` if it has never been reached, until somebody asks
            to try again; `restarting` if it was reached and has gone.
        problem: Why it is not ready, in words; `None` if it is.
        last_words: What it wrote last to its standard error, for the operator alone: a secret of
            its environment may be in it.
    """

    def __init__(
        self, name: str, namespace: str, entry: ServerEntry, scope: Scope, *, connect_s: float
    ) -> None:
        self.name = name
        self.namespace = namespace
        self.state: State = "starting"
        self.problem: str | None = None
        self.last_words = ""
        self._entry = entry
        self._scope = scope
        self._connect_s = connect_s
        self._client: Client | None = None
        self._listed: dict[str, mcp_types.Tool] = {}
        self._tools: dict[str, tuple[ToolDefinition, Registration]] = {}
        self._notes: deque[str] = deque(maxlen=_KEPT_NOTES)
        self._logger = logging.getLogger(f"codemode.mcp.{name}")
        #: Of the last HTTP response.
        self._status: int | None = None
        # Set anew for each connection and each wait.
        self._lost = anyio.Event()
        self._changed = anyio.Event()
        self._retry = anyio.Event()
        self._moved = anyio.Event()

    @property
    def explanation(self) -> str | None:
        """The problem and the last words, for the operator; `None` if it is ready."""
        if self.problem is None or not self.last_words:
            return self.problem
        return f"{self.problem}; the last it wrote to its standard error:\n{self.last_words}"

    @property
    def tools(self) -> tuple[ToolDefinition, ...]:
        """Its tools, as they are registered now."""
        return tuple(definition for definition, _ in self._tools.values())

    @property
    def notes(self) -> tuple[str, ...]:
        """What was odd about its tools and answers, the latest last."""
        return tuple(self._notes)

    def destroys(self, definition: ToolDefinition) -> bool:
        """Whether this is a tool of the server of which it says that it may destroy something."""
        tool = self._listed.get(definition.member or "")
        return tool is not None and definition in self.tools and is_destructive(tool)

    async def keep(self) -> None:
        """Connect, stay connected, and connect again, until cancelled."""
        delays = _delays()
        try:
            while True:
                began = anyio.current_time()
                was_ready = await self._connect_and_serve()
                # One that dies as soon as it is up would be started twice a second for ever.
                if was_ready and anyio.current_time() - began > _LAST_DELAY_S:
                    delays = _delays()
                self._move("restarting" if self._tools or was_ready else "failed")
                with anyio.move_on_after(next(delays) if self.state == "restarting" else math.inf):
                    await self._retry.wait()
                self._retry = anyio.Event()
        finally:
            self._client = None
            self._move("closed")
            for _, registration in self._tools.values():
                registration.close()
            self._tools.clear()

    async def settled(self) -> None:
        """Wait until it is ready, or has failed."""
        while self.state == "starting":
            await self._moved.wait()

    def retry(self) -> None:
        """Try again now to reach it, if it is not ready."""
        if self.state in ("failed", "restarting"):
            self._move("starting")
            self._retry.set()

    async def _connect_and_serve(self) -> bool:
        """Serve until the connection is lost; return whether there was one."""
        entry = self._entry
        if isinstance(entry, UnusableServer):
            self.problem = entry.problem
            return False
        tail = StderrTail(self._logger)
        self._lost = lost = anyio.Event()
        ready = False
        self._status = None
        try:
            with anyio.CancelScope(deadline=anyio.current_time() + self._connect_s) as attempt:
                async with Client(
                    transport_to(entry, tail, lost.set, self._see_status),
                    message_handler=self._hear,
                    logging_callback=self._log,
                ) as client:
                    await self._list(client)
                    attempt.deadline = math.inf
                    self._client, self.problem, ready = client, None, True
                    self._move("ready")
                    await self._follow(client, lost)
            self.problem = "it has ended" if ready else self._unanswered()
        except Exception as error:
            self.problem = words_of(error) if ready else why_unreachable(error, entry, self._status)
        finally:
            self._client = None
        self.last_words = tail.text
        self._logger.info("server %r: %s", self.name, self.problem)
        return ready

    def _see_status(self, status: int) -> None:
        self._status = status

    def _unanswered(self) -> str:
        return f"it did not answer within {self._connect_s:g} s"

    async def _follow(self, client: Client, lost: anyio.Event) -> None:
        """List the tools again whenever they change, until the connection is lost."""
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(self._relist, client)
            if client.protocol_version in MODERN_PROTOCOL_VERSIONS:
                tasks.start_soon(self._subscribe, client)
            await lost.wait()
            tasks.cancel_scope.cancel()

    async def _relist(self, client: Client) -> None:
        while True:
            await self._changed.wait()
            self._changed = anyio.Event()
            try:
                await self._list(client)
            except (MCPError, pydantic.ValidationError) as error:
                self._note(f"its changed tools could not be listed: {words_of(error)}")

    async def _subscribe(self, client: Client) -> None:
        """Ask for changes, where the protocol sends them only to who asks."""
        try:
            async with client.listen(tools_list_changed=True) as changes:
                # What changed before we were heard is not told again.
                self._changed.set()
                async for _ in changes:
                    self._changed.set()
        except (MCPError, RuntimeError) as error:
            self._logger.debug("no word of changed tools: %s", error)

    async def _hear(self, message: IncomingMessage) -> None:
        if isinstance(message, mcp_types.ToolListChangedNotification):
            self._changed.set()
        elif isinstance(message, Exception):
            self._note(f"it sent what is no message: {words_of(message)}")

    async def _log(self, params: mcp_types.LoggingMessageNotificationParams) -> None:
        self._logger.info("%s: %s", params.level, params.data)

    async def _list(self, client: Client) -> None:
        """Bring the registered tools in line with what the server lists now."""
        listed: dict[str, mcp_types.Tool] = {}
        cursor: str | None = None
        for _ in range(_MAX_PAGES):
            page = await client.list_tools(cursor=cursor, cache_mode="bypass")
            listed.update((tool.name, tool) for tool in page.tools)
            cursor = page.next_cursor
            if not cursor:
                break
        else:
            self._note(f"it lists more than {_MAX_PAGES} pages of tools; the rest is left out")
        self._register(listed)

    def _register(self, listed: dict[str, mcp_types.Tool]) -> None:
        known, self._listed = self._listed, listed
        for name in known:
            if known[name] != listed.get(name) and name in self._tools:
                _, registration = self._tools.pop(name)
                registration.close()
        for name, tool in listed.items():
            if name in self._tools:
                continue
            definition = definition_of(
                tool, namespace=self.namespace, call=self._call, note=self._note
            )
            try:
                self._tools[name] = definition, self._scope.register(definition)
            except UsageError as error:
                self._note(f"its tool {name!r} is left out: {error}")

    async def _call(
        self, tool: mcp_types.Tool, arguments: dict[str, object], context: ToolContext
    ) -> ToolOutput:
        """Make one call.

        Raises:
            ToolCallError: If the server says that it failed, or is not there to be asked. Where
                it has gone in mid-call, nobody knows what it has done.
        """
        client = await self._ready_client(tool.name)
        request = mcp_types.CallToolRequest(
            params=mcp_types.CallToolRequestParams(name=tool.name, arguments=arguments)
        )

        async def report(progress: float, total: float | None, message: str | None) -> None:
            context.report_progress(progress, total, message)

        try:
            result = await client.session.send_request(request, _RESULT, progress_callback=report)
        except MCPError as error:
            raise self._failed(client, error) from error
        except pydantic.ValidationError as error:
            raise ToolCallError(
                f"the server {self.name!r} answered what the protocol does not know: "
                f"{words_of(error)}",
                effect="unknown",
            ) from error
        if not isinstance(result, mcp_types.CallToolResult):
            raise ToolCallError(
                f"the server {self.name!r} wants to ask a person something first, "
                "which is not offered here",
                effect="unknown",
            )
        if result.is_error:
            raise ToolCallError(error_text(result), effect="unknown")
        return output_of(result, wrapped_member(tool.output_schema))

    async def _ready_client(self, tool: str) -> Client:
        """Return the connection, waited for if it is being made."""
        if not self._is_connected():
            self._retry.set()
            with anyio.move_on_after(self._connect_s):
                while not self._is_connected() and self.state != "closed":
                    await self._moved.wait()
        if self._client is None or not self._is_connected():
            raise ToolCallError(
                f"{tool} was not called: the server {self.name!r} is not there: {self.problem}",
                retryable=self.state != "closed",
                effect="not-started",
            )
        return self._client

    def _is_connected(self) -> bool:
        return self._client is not None and not self._lost.is_set()

    def _failed(self, client: Client, error: MCPError) -> ToolCallError:
        if error.code == mcp_types.CONNECTION_CLOSED or self._lost.is_set():
            if self._client is client:
                self._lost.set()
            return ToolCallError(
                f"the connection to the server {self.name!r} was lost during the call; "
                "whether it was carried out is not known: look before you repeat it",
                effect="unknown",
            )
        not_started = error.code in _NOT_STARTED_CODES
        return ToolCallError(error.message, effect="not-started" if not_started else "unknown")

    def _move(self, state: State) -> None:
        self.state = state
        moved, self._moved = self._moved, anyio.Event()
        moved.set()

    def _note(self, words: str) -> None:
        self._notes.append(words)
        self._logger.warning("server %r: %s", self.name, words)


def _delays() -> Iterator[float]:
    """Yield how long to wait before each attempt, ever longer."""
    return (min(_FIRST_DELAY_S * 2**n, _LAST_DELAY_S) for n in itertools.count())
