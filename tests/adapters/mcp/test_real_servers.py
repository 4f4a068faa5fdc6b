"""Five servers of other people behind one `serve`, driven by two clients of other people.

Three servers and a client come from npm, installed once into pytest's cache; two from PyPI.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from mcp import Client, StdioServerParameters
from mcp.types import TextContent

pytestmark = pytest.mark.slow

BIN = Path(sys.executable).parent
NPM = shutil.which("npm")
FROM_NPM = (
    "@modelcontextprotocol/server-filesystem",
    "@modelcontextprotocol/server-everything",
    "@modelcontextprotocol/server-memory",
    "@modelcontextprotocol/inspector",
)
PROGRAM = """
listing = await filesystem.list_directory(path=FOLDER)
entries = [line.split(maxsplit=1) for line in listing["content"].splitlines()]
names = [name for kind, name in entries if kind == "[FILE]"]
sizes = {}
for name in sorted(names):
    sizes[name] = len((await filesystem.read_text_file(path=f"{FOLDER}/{name}"))["content"])
await memory.create_entities(entities=[
    {"name": "notes", "entityType": "folder",
     "observations": [f"{name} has {size} characters" for name, size in sizes.items()]},
])
graph = await memory.read_graph()
log = await git.git_log(repo_path=FOLDER)
noon = await time.convert_time(
    source_timezone="UTC", time="12:00", target_timezone="Asia/Tokyo"
)
echo = await everything.echo(message="hello")
return {
    "observations": graph["entities"][0]["observations"],
    "log": "first notes" in str(log),
    "tokyo": "21:00" in str(noon),
    "echo": echo,
}
"""


def install(npm: str, folder: Path) -> str | None:
    """Install what comes from npm; say why it cannot be had, or nothing."""
    options = ["--no-audit", "--no-fund", "--fetch-retries=0", "--fetch-timeout=20000"]
    try:
        done = subprocess.run(
            [npm, "install", "--prefix", folder, *options, *FROM_NPM],
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )
    except subprocess.TimeoutExpired:
        return "it takes more than two minutes"
    return done.stderr[-300:] if done.returncode else None


@pytest.fixture(scope="module")
def npm_bin(request: pytest.FixtureRequest) -> Path:
    """Where the programs from npm are."""
    if NPM is None:
        pytest.skip("npm is not installed; it brings three of the servers and a client")
    folder = request.config.cache.mkdir("npm-servers")
    found = folder / "node_modules" / ".bin"
    if not (found / "mcp-inspector").exists():
        problem = install(NPM, folder)
        if problem is not None:
            pytest.skip(f"npm cannot install the servers: {problem}")
    return found


@pytest.fixture(params=["asyncio"])
def anyio_backend(request: pytest.FixtureRequest) -> str:
    """One event loop: everything is a process of its own."""
    backend: str = request.param
    return backend


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A repository with two notes."""
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "a.txt").write_text("one\n")
    (notes / "b.txt").write_text("three\n")
    shown = ["-c", "user.name=t", "-c", "user.email=t@t.test"]
    for command in (["init", "-q"], ["add", "."], [*shown, "commit", "-qm", "first notes"]):
        subprocess.run(["git", *command], cwd=notes, check=True)  # noqa: S607 - wherever it is
    return notes


@pytest.fixture
def serving(tmp_path: Path, npm_bin: Path, folder: Path) -> list[str]:
    """The arguments of `codemode` that serve all five."""
    servers = {
        "filesystem": {"command": str(npm_bin / "mcp-server-filesystem"), "args": [str(folder)]},
        "everything": {"command": str(npm_bin / "mcp-server-everything")},
        "memory": {
            "command": str(npm_bin / "mcp-server-memory"),
            "env": {"MEMORY_FILE_PATH": str(tmp_path / "memory.json")},
        },
        "git": {"command": str(BIN / "mcp-server-git"), "args": ["-r", str(folder)]},
        "time": {"command": str(BIN / "mcp-server-time"), "args": ["--local-timezone", "UTC"]},
    }
    config = tmp_path / "mcp.json"
    config.write_text(json.dumps({"mcpServers": servers}))
    return [str(BIN / "codemode"), "serve", "--mcp", str(config)]


def program(folder: Path) -> str:
    return f"FOLDER = {str(folder)!r}\n{PROGRAM}"


def check(told: object, folder: Path) -> None:
    """One program has read a directory through one server and written into another."""
    assert {
        "observations": ["a.txt has 4 characters", "b.txt has 6 characters"],
        "log": True,
        "tokyo": True,
        "echo": "Echo: hello",
    } == told
    memory = (folder.parent / "memory.json").read_text()
    assert "b.txt has 6 characters" in memory


async def test_one_program_uses_five_servers_through_the_official_client(
    serving: list[str], folder: Path
) -> None:
    """It reads files, writes a graph, reads a log, asks the time, and hears an echo."""
    command, *arguments = serving
    async with Client(StdioServerParameters(command=command, args=arguments)) as client:
        names = [tool.name for tool in (await client.list_tools()).tools]
        answer = await client.call_tool("run_code", {"code": program(folder)})

    assert ["run_code"] == names
    assert isinstance(answer.content[0], TextContent)
    assert not answer.is_error, answer.content[0].text
    check(json.loads(answer.content[0].text), folder)


def test_one_program_uses_five_servers_through_the_inspector(
    serving: list[str], npm_bin: Path, folder: Path
) -> None:
    """The same from a client in another language, of an older protocol."""
    called = subprocess.run(
        [
            npm_bin / "mcp-inspector",
            "--cli",
            *serving,
            "--method",
            "tools/call",
            "--tool-name",
            "run_code",
            "--tool-arg",
            f"code={program(folder)}",
        ],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )

    assert called.returncode == 0, called.stderr + called.stdout
    answer = json.loads(called.stdout)
    assert not answer.get("isError"), answer
    check(json.loads(answer["content"][0]["text"]), folder)
