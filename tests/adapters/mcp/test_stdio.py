"""The standard streams as a transport: the client's alone, in both directions."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from mcp import Client, StdioServerParameters
from mcp.types import TextContent

pytestmark = pytest.mark.slow

COMMAND = str(Path(sys.executable).with_name("codemode"))
TOOLS = """
import os, subprocess, sys
from codemode import ToolRegistry

registry = ToolRegistry()

@registry.tool
def noisy() -> str:
    print("printed", flush=True)
    os.write(1, b"written\\n")
    subprocess.run(["echo", "echoed"])
    return sys.stdin.read()

@registry.tool
def long(n: int) -> str:
    return "é" * n
"""


@pytest.fixture(params=["asyncio"])
def anyio_backend(request: pytest.FixtureRequest) -> str:
    """One event loop: the server is a process of its own."""
    backend: str = request.param
    return backend


@pytest.fixture
def arguments(tmp_path: Path) -> list[str]:
    """What serves the tools of this file, the answers uncut."""
    (tmp_path / "tools.py").write_text(TOOLS)
    (tmp_path / "codemode.toml").write_text("max_content_chars = 10_000_000\n")
    config = str(tmp_path / "codemode.toml")
    return ["serve", "--tools", f"{tmp_path}/tools.py:registry", "--config", config]


async def test_what_tools_print_and_read_comes_between_us_and_nobody(arguments: list[str]) -> None:
    """Neither a tool, nor a descriptor of it, nor a child of it has the client's streams."""
    async with Client(StdioServerParameters(command=COMMAND, args=arguments)) as client:
        answer = await client.call_tool("run_code", {"code": "return [await tools.noisy()]"})

    assert [TextContent(text='[\n  ""\n]')] == answer.content


async def test_a_long_answer_and_a_long_program_arrive_whole(arguments: list[str]) -> None:
    """Longer than any pipe holds, both ways, with letters of two bytes at every seam."""
    program = f"# {'é' * 100_000}\nreturn await tools.long(n=300_001)"
    async with Client(StdioServerParameters(command=COMMAND, args=arguments)) as client:
        answer = await client.call_tool("run_code", {"code": program})

    assert [TextContent(text="é" * 300_001)] == answer.content


@pytest.mark.parametrize("source", ["file", os.devnull])
def test_what_cannot_be_waited_for_is_read_to_its_end(
    arguments: list[str], tmp_path: Path, source: str
) -> None:
    """A file, and the null device, are always ready."""
    (tmp_path / "file").write_text("no message\n")
    with (tmp_path / source).open() as stdin:
        ended = subprocess.run(
            [COMMAND, *arguments],
            stdin=stdin,
            capture_output=True,
            text=True,
            check=False,
            timeout=30,
        )

    assert (0, "") == (ended.returncode, ended.stdout)
    assert "Traceback" not in ended.stderr


def test_a_client_that_reads_nothing_does_not_hold_up_the_end(arguments: list[str]) -> None:
    """Its answer waits in the pipe; a signal ends the server all the same."""
    hello = (
        '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18",'
        '"capabilities":{},"clientInfo":{"name":"t","version":"0"}}}\n'
    )
    call = (
        '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"run_code",'
        '"arguments":{"code":"return await tools.long(n=300_000)"}}}\n'
    )
    with subprocess.Popen(
        [COMMAND, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(hello)
        process.stdin.flush()
        assert '"id":1' in process.stdout.readline()
        process.stdin.write(call)
        process.stdin.flush()
        # The answer has begun, so most of it waits for somebody to read it.
        assert process.stdout.read(100)
        process.terminate()

        assert 0 == process.wait(timeout=30)
        assert process.stderr is not None
        assert process.stderr.read() == ""
