"""One server: its connection, kept up, and its tools, kept registered."""

from __future__ import annotations

import itertools
import json
import logging
import math
from collections.abc import Iterator, Mapping
from typing import Final, Literal

import anyio
import httpx2
import mcp_types
import pydantic
import pydantic_core
from mcp import Client, MCPError
from mcp.client import IncomingMessage
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from codemode.adapters.mcp.config import ServerEntry, UnusableServer
from codemode.adapters.mcp.listing import Listing, Notes
from codemode.adapters.mcp.mending import Mender
from codemode.adapters.mcp.stderr_tail import StderrTail
from codemode.adapters.mcp.transport import forgets_session, telling_unsent, transport_to
from codemode.adapters.mcp.values import error_text
from codemode.adapters.mcp.words import why_unreachable, words_of
from codemode.session import EventSink, Noted
from codemode.tools import Scope, ToolCallError, ToolContext, ToolDefinition

State = Literal["starting", "ready", "restarting", "failed", "closed"]

_FIRST_DELAY_S: Final = 0.5
_LAST_DELAY_S: Final = 30.0
_RELIST_PAUSE_S: Final = 0.5
_MAX_LOG_CHARS: Final = 2_000
_RESULT: Final[pydantic.TypeAdapter[mcp_types.CallToolResult | mcp_types.InputRequiredResult]] = (
    pydantic.TypeAdapter(mcp_types.CallToolResult | mcp_types.InputRequiredResult)
)
# The call has not been made: there is no such tool, or it does not take these arguments.
_NOT_STARTED_CODES: Final = frozenset(
    {mcp_types.INVALID_PARAMS, mcp_types.METHOD_NOT_FOUND, mcp_types.INVALID_REQUEST}
)


class _NotMadeError(ToolCallError):
    """The call has not reached the tool, and there is a connection to be made anew."""


class McpServer:
    """A server of the configuration.

    Attributes:
        name: As the configuration has it.
        namespace: The global of programs that has its tools.
        state: `starting` at first; `failed` if it has never been reached, until somebody asks
            to try again; `restarting` if it was reached and has gone.
        problem: Why it is not ready, in words; `None` if it is.
        tried_at: When it was last tried to reach it, by the clock of the event loop.
        last_words: What it wrote last to its standard error, for the operator alone: a secret of
            its environment may be in it.
    """

    def __init__(  # noqa: PLR0913 - a record of what it is made of
        self,
        name: str,
        namespace: str,
        entry: ServerEntry,
        scope: Scope,
        *,
        connect_s: float,
        sink: EventSink | None,
    ) -> None:
        self.name = name
        self.namespace = namespace
        self.state: State = "starting"
        self.problem: str | None = None
        self.tried_at = -math.inf
        self.last_words = ""
        self._entry = entry
        self._connect_s = connect_s
        self._sink = sink
        self._client: Client | None = None
        self._logger = logging.getLogger(f"codemode.mcp.{name}")
        self._notes = Notes(self._logger)
        self._mender = Mender(self._notes.add)
        self._listing = Listing(namespace, scope, self._call, self._notes, self._mender)
        #: Of the last HTTP response.
        self._status: int | None = None
        #: Whether it has refused what was sent in this connection's session.
        self._forgotten = False
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
        return self._listing.tools

    @property
    def notes(self) -> tuple[str, ...]:
        """What was odd about its tools and answers, the latest last."""
        return self._notes.all

    @property
    def hints(self) -> Mapping[str, mcp_types.ToolAnnotations]:
        """What it says of its tools beside their schemas, by their names on the wire."""
        return self._listing.hints

    def destroys(self, definition: ToolDefinition) -> bool:
        """Whether this is a tool of the server of which it says that it may destroy something."""
        return self._listing.destroys(definition)

    async def keep(self) -> None:
        """Connect, stay connected, and connect again, until cancelled."""
        delays = _delays()
        try:
            while True:
                self.tried_at = anyio.current_time()
                was_ready = await self._connect_and_serve()
                # One that dies as soon as it is up would be started twice a second for ever.
                if was_ready and anyio.current_time() - self.tried_at > _LAST_DELAY_S:
                    delays = _delays()
                self._move("restarting" if self.tools or was_ready else "failed")
                with anyio.move_on_after(next(delays) if self.state == "restarting" else math.inf):
                    await self._retry.wait()
                self._retry = anyio.Event()
        finally:
            self._client = None
            self._move("closed")
            self._listing.clear()

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
        self._status, self._forgotten = None, False
        try:
            with anyio.CancelScope(deadline=anyio.current_time() + self._connect_s) as attempt:
                async with Client(
                    transport_to(entry, tail, self._mender, lost.set, self._see),
                    message_handler=self._hear,
                    logging_callback=self._log,
                    # Asked of servers that log only for who asks.
                    log_level="info",
                ) as client:
                    await self._listing.refresh(client)
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
        self._logger.info("%s", self.problem)
        return ready

    def _see(self, response: httpx2.Response) -> None:
        self._status = response.status_code
        self._forgotten = self._forgotten or forgets_session(response)

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
                await self._listing.refresh(client)
            except (MCPError, pydantic.ValidationError) as error:
                self._notes.add(f"its changed tools could not be listed: {words_of(error)}")
            # One that tells of a change whenever it is asked would be asked for ever.
            await anyio.sleep(_RELIST_PAUSE_S)

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
            self._notes.add(f"it sent what is no message: {words_of(message)}")

    async def _log(self, params: mcp_types.LoggingMessageNotificationParams) -> None:
        text = params.data if isinstance(params.data, str) else json.dumps(params.data)
        text = text[:_MAX_LOG_CHARS]
        self._logger.info("%s: %s", params.level, text)
        if self._sink is not None:
            body = {"server": self.name, "level": params.level, "text": text}
            self._sink.emit(Noted(topic="mcp/log", body=body))

    async def _call(
        self, tool: mcp_types.Tool, arguments: dict[str, object], context: ToolContext
    ) -> mcp_types.CallToolResult:
        """Make one call; once more, if the server had forgotten us, or was not there to get it.

        Raises:
            ToolCallError: If the server says that it failed, or is not there to be asked. Where
                it has gone in mid-call, nobody knows what it has done.
        """
        _refuse_unsendable(arguments)
        try:
            return await self._requested(tool, arguments, context)
        except _NotMadeError:
            return await self._requested(tool, arguments, context)

    async def _requested(
        self, tool: mcp_types.Tool, arguments: dict[str, object], context: ToolContext
    ) -> mcp_types.CallToolResult:
        client = await self._ready_client(tool.name)
        request = mcp_types.CallToolRequest(
            params=mcp_types.CallToolRequestParams(name=tool.name, arguments=arguments)
        )

        async def report(progress: float, total: float | None, message: str | None) -> None:
            context.report_progress(progress, total, message)

        unsent = anyio.Event()
        try:
            with telling_unsent(unsent.set):
                result = await client.session.send_request(
                    request, _RESULT, progress_callback=report
                )
        except MCPError as error:
            raise self._failed(client, error, unsent=unsent.is_set()) from error
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
        return result

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

    def _failed(self, client: Client, error: MCPError, *, unsent: bool) -> ToolCallError:
        not_started = error.code in _NOT_STARTED_CODES
        if unsent or (not_started and self._forgotten):
            if self._client is client:
                self._lost.set()
            why = (
                "could not be reached, so the call was not made"
                if unsent
                else f"knows nothing of its session with us: {error.message}"
            )
            return _NotMadeError(
                f"the server {self.name!r} {why}", retryable=True, effect="not-started"
            )
        if error.code == mcp_types.CONNECTION_CLOSED or self._lost.is_set():
            if self._client is client:
                self._lost.set()
            return ToolCallError(
                f"the connection to the server {self.name!r} was lost during the call; "
                "whether it was carried out is not known: look before you repeat it",
                effect="unknown",
            )
        return ToolCallError(error.message, effect="not-started" if not_started else "unknown")

    def _move(self, state: State) -> None:
        self.state = state
        moved, self._moved = self._moved, anyio.Event()
        moved.set()


def _refuse_unsendable(arguments: dict[str, object]) -> None:
    """Refuse what the SDK cannot write: it would give up the connection, and all other calls.

    Raises:
        ToolCallError: If a text has a lone surrogate, or values nest some 250 levels deep.
    """
    try:
        pydantic_core.to_json(arguments)
    except ValueError as error:
        raise ToolCallError(
            f"these arguments cannot be sent to an MCP server: {error}",
            code="INVALID_ARGS",
            effect="not-started",
        ) from None


def _delays() -> Iterator[float]:
    """Yield how long to wait before each attempt, ever longer."""
    return (min(_FIRST_DELAY_S * 2**n, _LAST_DELAY_S) for n in itertools.count())
