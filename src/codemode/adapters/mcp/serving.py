"""Code mode as an MCP server: one tool, `run_code`, over all of a registry."""

from __future__ import annotations

import itertools
import json
import secrets
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager, closing, suppress
from importlib.metadata import version
from typing import Final

import anyio
import anyio.lowlevel
import mcp_types
import pydantic
from anyio.abc import TaskGroup
from anyio.streams.memory import MemoryObjectReceiveStream
from mcp.server import Server, ServerRequestContext
from mcp.server.lowlevel import NotificationOptions
from mcp.server.models import InitializationOptions
from mcp.server.session import ServerSession
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler, ToolsListChanged

from codemode.bridge import Answer, CodeMode
from codemode.runtime import ABSENT
from codemode.session import Entry, RunPrinted, SubCallSettled, SubCallStarted, ToolProgressed
from codemode.tools import RUN_CODE, ImagePart, OtherPart, Part, Scope, TextPart, ToolsChange
from codemode_guest.values import encode

# Nothing says when one has gone; to tell one that has is harmless.
_MAX_TOLD_CLIENTS: Final = 1_000
# Who does not read is told of the next change, and gets its answer without the last progress.
_TELL_S: Final = 1.0
# Clients give up after a minute. Servers that take longer are told of as a change.
_PATIENCE_S: Final = 15.0
# What a slow client has not been told by then it is not told: a run waits for nobody.
_MAX_UNTOLD: Final = 100
_MAX_PROGRESS_CHARS: Final = 200

_INSTRUCTIONS: Final = (
    "Call run_code with a Python program that uses the tools listed in its description. "
    "One program can make many calls; only what it prints or returns comes back."
)

_BLOCK: Final[pydantic.TypeAdapter[mcp_types.ContentBlock]] = pydantic.TypeAdapter(
    mcp_types.ContentBlock
)

# Many clients show a model what is structured as well; what was too long to be shown whole
# must not come back that way.
_MAX_STRUCTURED_BYTES: Final = 24_000

Context = ServerRequestContext[object]


class CodeModeServer:
    """Serves the tools of one `CodeMode` to MCP clients, over whatever transport.

    What stands in a system text elsewhere, the SDK, stands in the description of `run_code`:
    a client of MCP has no other place for it. Open it with `async with`.

    Args:
        codemode: Open, with a prompt that has no sections of its own.
        tools: The scope whose changes are told to clients.
        ready: Awaited before tools are listed or called: by then there are those to come.
    """

    def __init__(
        self,
        codemode: CodeMode,
        tools: Scope,
        ready: Callable[[], Awaitable[object]] = anyio.lowlevel.checkpoint,
    ) -> None:
        self._ready = ready
        self._codemode = codemode
        self._tools = tools
        self._clients: deque[ServerSession] = deque(maxlen=_MAX_TOLD_CLIENTS)
        # A log that is gone on with has the calls of an earlier process; another client's are
        # not to be guessed.
        self._prefix = f"mcp_{secrets.token_hex(4)}"
        self._numbers = itertools.count(1)
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
        return mcp_types.ListToolsResult(
            tools=[_listed(tool, assembly.system) for tool in assembly.tools]
        )

    async def _call(
        self, context: Context, params: mcp_types.CallToolRequestParams
    ) -> mcp_types.CallToolResult:
        """Make one call; a client that cancels it cancels this."""
        await self._wait_ready()
        async with anyio.create_task_group() as beside:
            call_id = f"{self._prefix}_{next(self._numbers)}"
            with (
                closing(_Progress(call_id, beside, context)) as progress,
                self._codemode.session.watching(progress.see),
            ):
                answer = await self._codemode.execute(
                    params.name, params.arguments or {}, call_id=call_id
                )
            beside.cancel_scope.deadline = anyio.current_time() + _TELL_S
        return _answered(answer)

    async def _wait_ready(self) -> None:
        with anyio.move_on_after(_PATIENCE_S):
            await self._ready()


class _Progress:
    """Tells a client how a run goes on, as MCP has it: a number that grows, and a line."""

    def __init__(self, call_id: str, tasks: TaskGroup, context: Context) -> None:
        self._call_id = call_id
        self._sent, received = anyio.create_memory_object_stream[str](_MAX_UNTOLD)
        tasks.start_soon(self._tell, received, context)

    def see(self, entry: Entry) -> None:
        """Take an event of the session; of other runs, none."""
        match entry.event:
            case RunPrinted(call_id=self._call_id, text=text):
                words = text
            case SubCallStarted(root_id=self._call_id, tool=tool):
                words = f"{tool} …"
            case ToolProgressed(call_id=call_id) as told if self._is_of_run(call_id):
                words = told.message or f"{told.progress:g} of {told.total or '?'}"
            case SubCallSettled(tool=tool, is_error=is_error) as settled if (
                settled.parent_id == self._call_id
            ):
                words = f"{tool} {'failed' if is_error else 'done'}"
            case _:
                return
        with suppress(anyio.WouldBlock):
            self._sent.send_nowait(words[:_MAX_PROGRESS_CHARS])

    def _is_of_run(self, call_id: str) -> bool:
        return call_id == self._call_id or call_id.startswith(f"{self._call_id}:code:")

    def close(self) -> None:
        """Say no more; what was said already is still told."""
        self._sent.close()

    @staticmethod
    async def _tell(received: MemoryObjectReceiveStream[str], context: Context) -> None:
        async with received:
            number = 0
            async for words in received:
                number += 1
                await context.session.report_progress(number, message=words)


def _listed(tool: Mapping[str, object], system: str) -> mcp_types.Tool:
    """Return a tool as a client lists it."""
    description = str(tool["description"])
    if tool["name"] == RUN_CODE and system:
        description = f"{description}\n\n{system}"
    return mcp_types.Tool.model_validate(
        {
            "name": tool["name"],
            "description": description,
            "inputSchema": {"type": "object"} | dict(tool["input_schema"]),  # type: ignore[call-overload]  # a schema
        }
    )


def _answered(answer: Answer) -> mcp_types.CallToolResult:
    """Return an answer in MCP's form: what the model is shown, and the value beside it."""
    result = mcp_types.CallToolResult(
        content=[_block(part) for part in answer.parts], is_error=answer.is_error
    )
    value = answer.value
    if value is not ABSENT and len(encode(value)) <= _MAX_STRUCTURED_BYTES:
        # An object in every version of the protocol but the latest.
        result.structured_content = value if isinstance(value, dict) else {"result": value}
    return result


def _block(part: Part) -> mcp_types.ContentBlock:
    match part:
        case TextPart(text=text):
            return mcp_types.TextContent(text=text)
        case ImagePart(data=data, mime_type=mime_type):
            return mcp_types.ImageContent(data=data, mime_type=mime_type)
        case OtherPart(value=value):
            try:
                return _BLOCK.validate_python(dict(value))
            except pydantic.ValidationError:
                return mcp_types.TextContent(text=json.dumps(dict(value), ensure_ascii=False))
