"""`run_code` as an MCP server offers it, seen by the official client."""

from __future__ import annotations

import json
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from logging import INFO
from pathlib import Path
from typing import Literal

import anyio
import pytest
from mcp import Client
from mcp.client import IncomingMessage
from mcp.types import ImageContent, TextContent, ToolAnnotations, ToolListChangedNotification

from codemode.adapters.mcp import CodeModeServer, McpServers
from codemode.adapters.mcp import servers as servers_module
from codemode.bridge import CodeMode
from codemode.process import ProcessRuntime, ProcessRuntimeConfig
from codemode.tools import ImagePart, ToolContext, ToolRegistry
from tests.adapters.mcp.scripted import entries, scripted_entry

PIXEL = "iVBORw0KGgo="
Era = Literal["legacy", "auto"]


@pytest.fixture(params=["asyncio"])
def anyio_backend(request: pytest.FixtureRequest) -> str:
    """One event loop: what differs between the two is the SDK's."""
    backend: str = request.param
    return backend


def toolbox(mode: Literal["code", "both"] = "code") -> ToolRegistry:
    registry = ToolRegistry(mode=mode)

    @registry.tool(concurrency_safe=True)
    async def double(n: int) -> int:
        """Twice the number."""
        return 2 * n

    @registry.tool
    async def picture(context: ToolContext) -> str:
        """An image."""
        context.defer(ImagePart(data=PIXEL, mime_type="image/png"))
        return "a pixel"

    return registry


@asynccontextmanager
async def served(
    registry: ToolRegistry, servers: McpServers | None = None
) -> AsyncIterator[CodeModeServer]:
    runtime = ProcessRuntime(ProcessRuntimeConfig(spare_guests=0, max_wall_ms=30_000))
    async with CodeMode(registry, runtime=runtime) as codemode:
        server = CodeModeServer(codemode, registry, servers)
        async with server.telling_changes():
            yield server


@pytest.mark.parametrize("era", ["legacy", "auto"])
async def test_a_client_sees_run_code_alone_with_the_sdk_in_its_description(era: Era) -> None:
    """There is no system text over MCP, so the types stand where the model reads."""
    async with served(toolbox()) as server, Client(server.server, mode=era) as client:
        tools = (await client.list_tools()).tools

        assert ["run_code"] == [tool.name for tool in tools]
        assert "double(self, *, n: int) -> int" in (tools[0].description or "")
        assert ["code"] == tools[0].input_schema["required"]


async def test_in_mode_both_the_tools_are_called_either_way() -> None:
    """By name, and from a program."""
    async with served(toolbox("both")) as server, Client(server.server) as client:
        names = [tool.name for tool in (await client.list_tools()).tools]
        direct = await client.call_tool("double", {"n": 4})
        program = await client.call_tool("run_code", {"code": "return await tools.double(n=4)"})

        assert ["double", "picture", "run_code"] == sorted(names)
        assert {"result": 8} == direct.structured_content
        assert {"logs": [], "result": 8} == program.structured_content


async def test_what_servers_hint_of_their_tools_reaches_the_client() -> None:
    """Clients ask a person less often about what only reads."""
    registry = ToolRegistry(mode="both")
    async with (
        McpServers(entries(calc=scripted_entry()), registry) as servers,
        served(registry, servers) as server,
        Client(server.server) as client,
    ):
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}

    assert ToolAnnotations(read_only_hint=True) == tools["calc_add"].annotations
    assert tools["calc_die"].annotations is None
    assert tools["run_code"].annotations is None


async def test_a_result_is_text_and_structure_and_images() -> None:
    """What was printed and returned, then what a tool showed."""
    async with served(toolbox()) as server, Client(server.server) as client:
        answer = await client.call_tool(
            "run_code", {"code": "print('seen')\nreturn await tools.picture()"}
        )

        assert [
            TextContent(text="seen\na pixel"),
            ImageContent(data=PIXEL, mime_type="image/png"),
        ] == answer.content
        assert {"logs": ["seen"], "result": "a pixel"} == answer.structured_content
        assert not answer.is_error


async def test_a_failed_program_is_an_error_that_says_where() -> None:
    """`isError`, with the line."""
    async with served(toolbox()) as server, Client(server.server) as client:
        answer = await client.call_tool("run_code", {"code": "x = 1\nreturn x / 0"})

        assert answer.is_error
        assert isinstance(answer.content[0], TextContent)
        assert "ZeroDivisionError" in answer.content[0].text
        assert "line 2" in answer.content[0].text


async def test_what_is_too_long_to_show_does_not_come_back_as_structure() -> None:
    """Many clients put both before the model."""
    async with served(toolbox()) as server, Client(server.server) as client:
        answer = await client.call_tool("run_code", {"code": "return 'x' * 200_000"})

        assert answer.structured_content is None
        assert len(json.dumps([part.model_dump() for part in answer.content])) < 30_000


async def test_progress_is_told_while_a_program_runs() -> None:
    """Lines and calls, numbered upwards."""
    told: list[tuple[float, str | None]] = []

    async def listen(progress: float, total: float | None, message: str | None) -> None:
        assert total is None
        told.append((progress, message and message.strip()))

    async with served(toolbox()) as server, Client(server.server, mode="legacy") as client:
        await client.call_tool(
            "run_code",
            {"code": "print('at it')\nawait tools.double(n=1)"},
            progress_callback=listen,
        )

    assert [(1, "at it"), (2, "double …"), (3, "double done")] == told


async def test_progress_of_a_tool_is_passed_on_to_the_client() -> None:
    """In its words, or in its numbers where it has none."""
    registry, told = toolbox(), list[str | None]()

    @registry.tool
    async def walk(context: ToolContext) -> None:
        context.report_progress(1, 4, "off we go")
        context.report_progress(2, 4)

    async def listen(progress: float, total: float | None, message: str | None) -> None:
        assert (progress, total) == (len(told) + 1, None)
        told.append(message)

    async with served(registry) as server, Client(server.server, mode="legacy") as client:
        await client.call_tool("run_code", {"code": "await tools.walk()"}, progress_callback=listen)

    assert ["walk …", "off we go", "2 of 4", "walk done"] == told


async def test_cancelling_the_call_ends_the_program(caplog: pytest.LogCaptureFixture) -> None:
    """And what it had begun: its call is cancelled at the host, and nobody complains of it."""
    registry, begun, ended = toolbox(), anyio.Event(), anyio.Event()

    @registry.tool
    async def hold() -> None:
        try:
            begun.set()
            await anyio.sleep_forever()
        finally:
            ended.set()

    async with served(registry) as server, Client(server.server, mode="legacy") as client:
        with anyio.fail_after(30):
            async with anyio.create_task_group() as calls:
                calls.start_soon(client.call_tool, "run_code", {"code": "await tools.hold()"})
                await begun.wait()
                calls.cancel_scope.cancel()
            await ended.wait()
    assert [] == [record.getMessage() for record in caplog.records if record.levelno > INFO]


async def test_a_client_is_told_of_changed_tools() -> None:
    """It lists them again and sees the new one."""
    registry, told = toolbox(), anyio.Event()

    async def listen(message: IncomingMessage) -> None:
        if isinstance(message, ToolListChangedNotification):
            told.set()

    async with served(registry) as server:
        client = Client(server.server, mode="legacy", message_handler=listen)
        async with client:
            await client.list_tools()

            @registry.tool
            async def fresh() -> None:
                """New."""

            with anyio.fail_after(30):
                await told.wait()
            tools = (await client.list_tools()).tools
    assert "fresh(self)" in (tools[0].description or "")


async def test_a_server_that_is_not_there_is_told_of_and_tried_again_by_who_lists(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The model can say why; as soon as the server can be reached, clients are told."""
    monkeypatch.setattr(servers_module, "_AGAIN_S", -1)
    registry, told, program = toolbox(), anyio.Event(), tmp_path / "server"
    absent = {"late": {**scripted_entry(), "command": str(program)}}

    async def listen(message: IncomingMessage) -> None:
        if isinstance(message, ToolListChangedNotification):
            told.set()

    async with (
        McpServers(entries(**absent), registry) as servers,
        served(registry, servers) as server,
        Client(server.server, mode="legacy", message_handler=listen) as client,
    ):
        program.write_text(f'#!/bin/sh\nexec {sys.executable} "$@"\n')
        program.chmod(0o700)
        without = (await client.list_tools()).tools[0].description or ""
        with anyio.fail_after(30):
            await told.wait()
        tools = (await client.list_tools()).tools[0].description or ""

    assert f"The tools of 'late' are not there now: there is no program {str(program)!r}" in without
    assert "class Late" not in without
    assert "are not there now" not in tools
    assert "class Late" in tools
