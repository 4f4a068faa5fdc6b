"""Streamable HTTP: who may speak to the server, and what happens to the others."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.types import TextContent

from codemode.adapters.mcp.http import is_loopback

pytestmark = pytest.mark.slow

COMMAND = Path(sys.executable).with_name("codemode")
TOKEN = "a-token-of-the-test"  # noqa: S105 - of nothing else
TOOLS = """
from codemode import ToolRegistry

registry = ToolRegistry()

@registry.tool
def double(n: int) -> int:
    return 2 * n
"""
LISTING = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
ACCEPTED = {"accept": "application/json, text/event-stream"}


@pytest.fixture(params=["asyncio"])
def anyio_backend(request: pytest.FixtureRequest) -> str:
    """One event loop: the server is a process of its own."""
    backend: str = request.param
    return backend


@contextmanager
def serving(folder: Path, **environ: str) -> Iterator[str]:
    """The address of a server started as a user starts it, on a free port of loopback."""
    (folder / "tools.py").write_text(TOOLS)
    process = subprocess.Popen(
        [COMMAND, "serve", "--tools", "tools.py:registry", "--http", "0"],
        cwd=folder,
        env=os.environ | environ,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stderr is not None
        line = process.stderr.readline()
        assert line.startswith("serving http://127.0.0.1:"), line
        yield line.split()[1]
    finally:
        process.terminate()
        process.communicate(timeout=30)
    assert process.returncode == 0


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


@pytest.mark.parametrize(
    "host,alone",
    [
        ("127.0.0.1", True),
        ("127.9.9.9", True),
        ("::1", True),
        ("localhost", True),
        ("0.0.0.0", False),  # noqa: S104 - nothing is bound
        ("::", False),
        ("192.168.0.1", False),
        ("example.test", False),
        ("127.0.0.1.example.test", False),
        ("", False),
    ],
)
def test_only_loopback_is_this_machine_alone(host: str, alone: bool) -> None:  # noqa: FBT001 - a case
    """What is not known to be loopback is not."""
    assert alone is is_loopback(host)
