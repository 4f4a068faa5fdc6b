"""Code mode as an MCP server: one tool, `run_code`, over all of a registry."""

from __future__ import annotations

import itertools
import secrets
from collections import deque
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, closing, contextmanager
from importlib.metadata import version
from typing import Final

import anyio
import mcp_types
from mcp.server import Server
from mcp.server.lowlevel import NotificationOptions
from mcp.server.models import InitializationOptions
from mcp.server.session import ServerSession
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler, ToolsListChanged

from codemode.adapters.mcp.answers import call_result, listed_tool
from codemode.adapters.mcp.progress import Context, RunProgress
from codemode.adapters.mcp.servers import McpServers
from codemode.bridge import CodeMode
from codemode.runtime import AbortSignal
from codemode.tools import Scope, ToolsChange

# Nothing says when one has gone; to tell one that has is harmless.
_MAX_TOLD_CLIENTS: Final = 1_000
# Who does not read is told of the next change, and gets its answer without the last progress.
_TELL_S: Final = 1.0
# For a program that was told to end, its calls and its answer.
_ENDING_S: Final = 2.0
# Clients give up after a minute. Servers that take longer are told of as a change.
_PATIENCE_S: Final = 15.0

_INSTRUCTIONS: Final = (
    "Call run_code with a Python program that uses the tools listed in its description. "
    "One program can make many calls; only what it prints or returns comes back."
)


class CodeModeServer:
    """Serves the tools of one `CodeMode` to MCP clients, over whatever transport.

    What stands in a system text elsewhere, the SDK, stands in the description of `run_code`:
    a client of MCP has no other place for it. Open it with `async with`.

    Args:
        codemode: Open, with a prompt that has no sections of its own.
        tools: The scope whose changes are told to clients.
        servers: Those that have the tools. The first to ask waits for a while until they are
            there; whoever lists tools has those tried again that could not be reached.
    """

    def __init__(
        self,
        codemode: CodeMode,
        tools: Scope,
        servers: McpServers | None = None,
    ) -> None:
        self._servers = servers
        self._waited = False
        self._codemode = codemode
        self._tools = tools
        self._clients: deque[ServerSession] = deque(maxlen=_MAX_TOLD_CLIENTS)
        # A log that is gone on with has the calls of an earlier process; another client's are
        # not to be guessed.
        self._prefix = f"mcp_{secrets.token_hex(4)}"
        self._numbers = itertools.count(1)
        self._stopping = AbortSignal()
        self._under_way = 0
        self._ended = anyio.Event()
        self._bus = InMemorySubscriptionBus()
        self.server: Server[object] = Server(
            "codemode",
            version=version("codemode"),
            instructions=_INSTRUCTIONS,
            on_list_tools=self._list,
            on_call_tool=self._call,
            on_subscriptions_listen=ListenHandler(self._bus),
        )
        self.server.add_notification_handler(
            "notifications/initialized", mcp_types.NotificationParams, self._remember
        )

    @property
    def options(self) -> InitializationOptions:
        """What clients are told of us at first."""
        return self.server.create_initialization_options(NotificationOptions(tools_changed=True))

    @asynccontextmanager
    async def telling_changes(self) -> AsyncIterator[None]:
        """Tell clients of changed tools until the block is left."""
        stale = anyio.Event()

        def mark(_: ToolsChange) -> None:
            stale.set()

        async def tell() -> None:
            nonlocal stale
            while True:
                await stale.wait()
                stale = anyio.Event()
                await self._tell_change()

        with self._tools.on_change(mark):
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(tell)
                yield
                tasks.cancel_scope.cancel()

    async def end_calls(self, grace_s: float) -> bool:
        """Let calls under way end, and end those that have not after a while.

        Each is answered; so is what is still asked for, with a refusal.

        Args:
            grace_s: For how long they may go on.

        Returns:
            Whether there were any.
        """
        were_any = self._under_way > 0
        with anyio.move_on_after(grace_s):
            await self._wait_ended()
        self._stopping.abort("the server is stopping")
        with anyio.move_on_after(_ENDING_S):
            await self._wait_ended()
        return were_any

    async def _wait_ended(self) -> None:
        while self._under_way:
            await self._ended.wait()

    async def _tell_change(self) -> None:
        with anyio.move_on_after(_TELL_S):
            await self._bus.publish(ToolsListChanged())
        for client in tuple(self._clients):
            with anyio.move_on_after(_TELL_S):
                await client.send_tool_list_changed()

    async def _remember(self, context: Context, _: mcp_types.NotificationParams) -> None:
        """Keep a client that subscribes to nothing, as those before 2026 do."""
        self._clients.append(context.session)

    async def _list(
        self, _context: Context, _params: mcp_types.PaginatedRequestParams | None
    ) -> mcp_types.ListToolsResult:
        await self._wait_ready()
        assembly = await self._codemode.assemble()
        text = "\n\n".join(filter(None, (assembly.system, self._absent())))
        hints: dict[str, mcp_types.ToolAnnotations] = {}
        if self._servers is not None:
            hints = {name: told for one in self._servers.all for name, told in one.hints.items()}
            self._servers.retry_failed()
        return mcp_types.ListToolsResult(
            tools=[listed_tool(tool, text, hints) for tool in assembly.tools]
        )

    def _absent(self) -> str:
        """Tell a model of servers that a person may ask it for, and why they have no tools."""
        servers = () if self._servers is None else self._servers.all
        return "\n".join(
            f"The tools of {server.name!r} are not there now: {server.problem}"
            for server in servers
            if server.state == "failed"
        )

    async def _call(
        self, context: Context, params: mcp_types.CallToolRequestParams
    ) -> mcp_types.CallToolResult:
        """Make one call; a client that cancels it cancels this."""
        with self._counted():
            await self._wait_ready()
            async with anyio.create_task_group() as beside:
                call_id = f"{self._prefix}_{next(self._numbers)}"
                with (
                    closing(RunProgress(call_id, beside, context)) as progress,
                    self._codemode.session.watching(progress.see),
                ):
                    answer = await self._codemode.execute(
                        params.name,
                        params.arguments or {},
                        call_id=call_id,
                        signal=self._stopping,
                    )
                beside.cancel_scope.deadline = anyio.current_time() + _TELL_S
            return call_result(answer)

    @contextmanager
    def _counted(self) -> Iterator[None]:
        self._under_way += 1
        try:
            yield
        finally:
            self._under_way -= 1
            self._ended.set()
            self._ended = anyio.Event()

    async def _wait_ready(self) -> None:
        if self._servers is not None and not self._waited:
            with anyio.move_on_after(_PATIENCE_S):
                await self._servers.settled()
            self._waited = True
