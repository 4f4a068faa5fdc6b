"""A server for tests, started as a process: it answers rightly, oddly, or not at all.

Its first argument says how: `well`, `silent`, `garbage`, `chatty` or `pages`; or `remote`, over
HTTP at the port that follows, in the way of the years before 2026, with sessions.
"""

from __future__ import annotations

import os
import sys
import time
from typing import Any

import anyio
import mcp_types as types
import uvicorn
from mcp.server import Server, ServerRequestContext
from mcp.server.lowlevel import NotificationOptions
from mcp.server.stdio import stdio_server
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler, ToolsListChanged
from starlette.responses import Response

PIXEL = "iVBORw0KGgo="
OBJECT: dict[str, Any] = {"type": "object"}
NUMBERS: dict[str, Any] = {
    "type": "object",
    "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}},
    "required": ["a", "b"],
}
WRAPPED: dict[str, Any] = {
    "type": "object",
    "properties": {"result": {"type": "integer"}},
    "required": ["result"],
    "x-fastmcp-wrap-result": True,
}
#: As the official SDK's own servers list it.
MODEL: dict[str, Any] = {
    "type": "object",
    "properties": {"result": {"title": "Result", "type": "integer"}},
    "required": ["result"],
    "title": "multiplyOutput",
}
READS = types.ToolAnnotations(read_only_hint=True)


def tool(name: str, **more: Any) -> types.Tool:
    return types.Tool(name=name, **({"input_schema": OBJECT} | more))


TOOLS = [
    tool("add", input_schema=NUMBERS, output_schema=WRAPPED, annotations=READS),
    tool("multiply", input_schema=NUMBERS, output_schema=MODEL, annotations=READS),
    tool("odd-name", description="Reached by subscript."),
    tool("die"),
    tool("hang"),
    tool("refuse"),
    tool("picture"),
    tool("several"),
    tool("lie", output_schema=WRAPPED),
    tool("flood"),
    tool("environment"),
    tool("progress"),
    tool("change"),
    tool("say"),
    tool("broken", input_schema={"type": "object", "properties": {"x": {"type": "nonsense"}}}),
]
extra: list[types.Tool] = []
bus = InMemorySubscriptionBus()
mode = sys.argv[1]


async def list_tools(
    _: ServerRequestContext[Any], params: types.PaginatedRequestParams | None
) -> types.ListToolsResult:
    if mode != "pages":
        return types.ListToolsResult(tools=TOOLS + extra)
    page = int((params and params.cursor) or 0)
    last = page == 2
    return types.ListToolsResult(
        tools=[tool(f"page_{page}")], next_cursor=None if last else str(page + 1)
    )


def text(*parts: str) -> types.CallToolResult:
    return types.CallToolResult(content=[types.TextContent(text=part) for part in parts])


async def call_tool(  # noqa: C901, PLR0911, PLR0912 - one case a tool
    context: ServerRequestContext[Any], params: types.CallToolRequestParams
) -> types.CallToolResult:
    arguments = params.arguments or {}
    match params.name:
        case "add":
            total = arguments["a"] + arguments["b"]
            return types.CallToolResult(
                content=[types.TextContent(text=str(total))], structured_content={"result": total}
            )
        case "multiply":
            product = arguments["a"] * arguments["b"]
            return types.CallToolResult(content=[], structured_content={"result": product})
        case "die":
            sys.stderr.write("cannot go on\n")
            sys.stderr.flush()
            os._exit(3)
        case "hang":
            await anyio.sleep_forever()
        case "refuse":
            return types.CallToolResult(
                content=[types.TextContent(text="no such page")], is_error=True
            )
        case "picture":
            return types.CallToolResult(
                content=[types.ImageContent(data=PIXEL, mime_type="image/png")]
            )
        case "several":
            return text("one", "two")
        case "lie":
            return types.CallToolResult(content=[], structured_content={"result": "no number"})
        case "flood":
            for _ in range(20_000):
                sys.stderr.write("x" * 99 + "\n")
            return text("still here")
        case "environment":
            return text(os.environ.get("SERVER_SECRET", "none"))
        case "progress":
            await context.session.report_progress(1, 2, "half")
            return text("done")
        case "say":
            await context.session.send_log_message("warning", {"seen": 1})
        case "change":
            extra.append(tool("fresh"))
            await bus.publish(ToolsListChanged())
            return text("changed")
    return text(params.name)


server: Server[Any] = Server(
    "scripted",
    on_list_tools=list_tools,
    on_call_tool=call_tool,
    on_subscriptions_listen=ListenHandler(bus),
)


async def main() -> None:
    options = server.create_initialization_options(NotificationOptions(tools_changed=True))
    async with stdio_server() as (reading, writing):
        await server.run(reading, writing, options)


if mode == "silent":
    time.sleep(600)
if mode == "garbage":
    while sys.stdin.readline():
        sys.stdout.write("this is no message\n")
        sys.stdout.flush()
    sys.exit()
if mode == "chatty":
    sys.stdout.buffer.write(b"welcome\n\xff\xfe no text\n")
    sys.stdout.buffer.flush()
if mode == "remote":
    sessions = server.streamable_http_app()

    async def legacy(scope: Any, receive: Any, send: Any) -> None:
        if (b"mcp-protocol-version", b"2026-07-28") in scope.get("headers", ()):
            await Response(status_code=400)(scope, receive, send)
        else:
            await sessions(scope, receive, send)

    uvicorn.run(legacy, port=int(sys.argv[2]), log_level="error")
    sys.exit()
anyio.run(main)
