"""Streamable HTTP: who may speak to the server, and what happens to the others."""

from __future__ import annotations

import contextlib
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

import anyio
import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.types import TextContent

pytestmark = pytest.mark.slow

COMMAND = Path(sys.executable).with_name("codemode")
TOKEN = "a-token-of-the-test"  # noqa: S105 - of nothing else
TOOLS = """
import pathlib
import anyio
from codemode import ToolRegistry
from codemode.tools import ToolContext

registry = ToolRegistry()

@registry.tool
def double(n: int) -> int:
    return 2 * n

@registry.tool
async def hold(context: ToolContext) -> str:
    context.report_progress(1, message="held")
    while not pathlib.Path("go-on").exists():
        await anyio.sleep(0.01)
    return "went on"
"""
LISTING = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
ACCEPTED = {"accept": "application/json, text/event-stream"}


@pytest.fixture(params=["asyncio"])
def anyio_backend(request: pytest.FixtureRequest) -> str:
    """One event loop: the server is a process of its own."""
    backend: str = request.param
    return backend


class Serving:
    """A server started as a user starts it, on a free port."""

    def __init__(self, folder: Path, at: str = "0", **environ: str) -> None:
        (folder / "tools.py").write_text(TOOLS)
        self.process = subprocess.Popen(
            [COMMAND, "serve", "--tools", "tools.py:registry", "--http", at],
            cwd=folder,
            env=os.environ | environ,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert self.process.stderr is not None
        line = self.process.stderr.readline()
        assert line.startswith("serving http://"), line
        self.address = line.split()[1]

    def ended(self) -> str:
        """Wait for its end; return what it wrote to its standard error."""
        try:
            _, told = self.process.communicate(timeout=30)
        finally:
            self.process.kill()
        assert self.process.returncode == 0, told
        return told


@contextmanager
def serving(folder: Path, at: str = "0", **environ: str) -> Iterator[str]:
    """The address of a server, which has nothing to say about what is asked of it."""
    server = Serving(folder, at, **environ)
    try:
        yield server.address
    finally:
        server.process.terminate()
        told = server.ended()
    assert told == ""


@pytest.fixture
def open_server(tmp_path: Path) -> Iterator[str]:
    """A server without a token."""
    with serving(tmp_path, CODEMODE_TOKEN="") as address:
        yield address


async def test_a_client_runs_programs_over_http_with_the_token(tmp_path: Path) -> None:
    """With it everything works; without it, or with another, nothing does."""
    with serving(tmp_path, CODEMODE_TOKEN=TOKEN) as address:
        http = httpx2.AsyncClient(headers={"Authorization": f"Bearer {TOKEN}"})
        async with http, Client(streamable_http_client(address, http_client=http)) as client:
            answer = await client.call_tool("run_code", {"code": "return await tools.double(n=2)"})
        refused = [
            httpx2.post(address, json=LISTING, headers=ACCEPTED | sent).status_code
            for sent in ({}, {"Authorization": "Bearer other"}, {"Authorization": TOKEN})
        ]

    assert [TextContent(text="4")] == answer.content
    assert [401, 401, 401] == refused


def test_a_web_page_of_another_origin_is_refused(open_server: str) -> None:
    """No page that a person visits can run programs here; one served from here may."""
    for origin, status in [
        ("https://attacker.test", 403),
        ("null", 403),
        ("http://127.0.0.1.attacker.test", 403),
    ]:
        headers = ACCEPTED | {"Origin": origin}
        assert status == httpx2.post(open_server, json=LISTING, headers=headers).status_code
    own = ACCEPTED | {"Origin": "http://localhost:5173"}
    assert 403 != httpx2.post(open_server, json=LISTING, headers=own).status_code


def test_a_foreign_host_header_is_refused(open_server: str) -> None:
    """A name that an attacker points at this machine is not this machine's name."""
    headers = ACCEPTED | {"Host": "attacker.test"}

    assert 421 == httpx2.post(open_server, json=LISTING, headers=headers).status_code


@pytest.mark.parametrize("at", ["127.0.0.2:0", "[::1]:0"])
async def test_every_address_of_loopback_is_guarded_alike(tmp_path: Path, at: str) -> None:
    """A client reaches it by its own name; a page that was led there does not."""
    with serving(tmp_path, at, CODEMODE_TOKEN="") as address:
        async with Client(streamable_http_client(address)) as client:
            answer = await client.call_tool("run_code", {"code": "return await tools.double(n=2)"})
        refused = [
            httpx2.post(address, json=LISTING, headers=ACCEPTED | sent).status_code
            for sent in ({"Host": "attacker.test"}, {"Origin": "http://attacker.test"})
        ]

    assert [TextContent(text="4")] == answer.content
    assert [421, 403] == refused


Era = Literal["legacy", "auto"]


@pytest.mark.parametrize("era", ["legacy", "auto"])
async def test_a_run_under_way_may_end_when_the_server_is_stopped(tmp_path: Path, era: Era) -> None:
    """Its client gets the answer, nobody new is let in, and nothing is said of it."""
    server, held = Serving(tmp_path, CODEMODE_TOKEN=""), anyio.Event()

    async def listen(progress: float, total: float | None, message: str | None) -> None:
        held.set()

    async def go_on() -> None:
        await held.wait()
        server.process.terminate()
        (tmp_path / "go-on").touch()

    with anyio.fail_after(30):
        async with (
            Client(streamable_http_client(server.address), mode=era) as client,
            anyio.create_task_group() as tasks,
        ):
            await client.list_tools()
            tasks.start_soon(go_on)
            program = {"code": "print('seen')\nreturn await tools.hold()"}
            answer = await client.call_tool("run_code", program, progress_callback=listen)

    assert [TextContent(text="seen\nwent on")] == answer.content
    assert server.ended() == ""


async def test_a_run_that_goes_on_is_ended_with_an_answer(tmp_path: Path) -> None:
    """After a moment of grace: what it printed, which call it was at, and why it was ended."""
    server, held = Serving(tmp_path, CODEMODE_TOKEN=""), anyio.Event()

    async def listen(progress: float, total: float | None, message: str | None) -> None:
        if not held.is_set():
            held.set()
            server.process.terminate()

    with anyio.fail_after(30):
        async with Client(streamable_http_client(server.address), mode="legacy") as client:
            program = {"code": "print('seen')\nreturn await tools.hold()"}
            answer = await client.call_tool("run_code", program, progress_callback=listen)

    assert isinstance(answer.content[0], TextContent)
    assert answer.is_error
    assert "the server is stopping" in answer.content[0].text
    assert "seen" in answer.content[0].text
    assert "hold" in answer.content[0].text
    assert server.ended() == ""


def test_a_connection_that_says_nothing_hinders_nobody(open_server: str) -> None:
    """Nor does one that says half of a request."""
    host, port = open_server.removeprefix("http://").removesuffix("/mcp").split(":")
    half = f"POST /mcp HTTP/1.1\r\nHost: {host}:{port}\r\nContent-Length: 9\r\n\r\n{{"
    with contextlib.ExitStack() as idle:
        for sent in ("", "POST /mcp", half) * 30:
            connection = socket.create_connection((host, int(port)), timeout=10)
            idle.enter_context(connection).sendall(sent.encode())

        assert 421 == httpx2.post(open_server, headers={"Host": "attacker.test"}).status_code


def test_a_body_of_a_gigabyte_is_refused_before_it_is_read(open_server: str) -> None:
    """The declared length is enough to say no; without one, the count is."""
    chunk = b" " * 2**20

    def endless() -> Iterator[bytes]:
        for _ in range(2**10):
            yield chunk

    headers = ACCEPTED | {"content-type": "application/json"}
    declared = headers | {"content-length": str(2**30)}
    for sent in (declared, headers):
        try:
            status = httpx2.post(open_server, content=endless(), headers=sent).status_code
        except httpx2.TransportError:
            status = 413  # refused, and the connection closed under the rest of the body
        assert status == 413
    assert 404 == httpx2.get(open_server.removesuffix("/mcp")).status_code


def test_an_address_that_others_can_reach_needs_a_token(tmp_path: Path) -> None:
    """Refused at the start, with what to set."""
    (tmp_path / "tools.py").write_text(TOOLS)
    ended = subprocess.run(
        [COMMAND, "serve", "--tools", "tools.py:registry", "--http", "0.0.0.0:0"],
        cwd=tmp_path,
        env=os.environ | {"CODEMODE_TOKEN": ""},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )

    assert ended.returncode == 2
    assert "CODEMODE_TOKEN" in ended.stderr
