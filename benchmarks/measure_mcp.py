"""What a call over MCP takes through `codemode serve`, beside a direct one and a peer.

    python benchmarks/measure_mcp.py [--rounds N] [--peer PYTHON]

Every server is a process on standard streams, driven by the official client. Rounds take all
rows in turn, so that a busy moment of the machine hits all alike, with a pause before each call: a
model thinks longer, and a server makes ready for the next meanwhile. PYTHON is an interpreter that
has fastmcp with its code mode; without one the peer is left out. Nothing is asserted.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from pathlib import Path

import anyio
from mcp import Client, StdioServerParameters
from mcp.types import CallToolResult

PAUSE_S = 0.05
SERVER = str(Path(__file__).with_name("mcp_double.py"))
Call = Callable[[], Awaitable[CallToolResult]]

OURS = {
    "0 calls": "return 1",
    "1 call": "return await double.double(n=1)",
    "100 calls in turn": "for n in range(100):\n    await double.double(n=n)\nreturn 1",
    "100 calls gathered": (
        "import asyncio\nawait asyncio.gather(*(double.double(n=n) for n in range(100)))\nreturn 1"
    ),
}
PEERS = {
    name: program.replace("double.double(n=1)", 'call_tool("double", {"n": 1})').replace(
        "double.double(n=n)", 'call_tool("double", {"n": n})'
    )
    for name, program in OURS.items()
}
# The peer stops at 50 calls of one program; half of them is what can be compared.
PEERS = {name: program.replace("100", "50") for name, program in PEERS.items()}


async def rows(stack: AsyncExitStack, peer: str | None) -> dict[str, Call]:
    """Start the servers; return a call for each row of the table."""
    double = StdioServerParameters(command=sys.executable, args=[SERVER])
    folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
    entry = {"command": double.command, "args": double.args}
    (folder / "mcp.json").write_text(json.dumps({"mcpServers": {"double": entry}}))
    command = str(Path(sys.executable).with_name("codemode"))
    serving = StdioServerParameters(
        command=command, args=["serve", "--mcp", str(folder / "mcp.json")]
    )
    direct = await stack.enter_async_context(Client(double))
    served = await stack.enter_async_context(Client(serving))
    await served.list_tools()
    made: dict[str, Call] = {"direct call": lambda: direct.call_tool("double", {"n": 1})}
    for name, program in OURS.items():
        made[f"codemode, {name}"] = _call(served, "run_code", program)
    if peer is not None:
        beside = await stack.enter_async_context(
            Client(StdioServerParameters(command=peer, args=[SERVER, "code"]))
        )
        for name, program in PEERS.items():
            label = name.replace("100", "50")
            made[f"fastmcp {version_of(peer)}, {label}"] = _call(beside, "execute", program)
    return made


def _call(client: Client, tool: str, program: str) -> Call:
    return lambda: client.call_tool(tool, {"code": program})


def version_of(python: str) -> str:
    """The version of fastmcp that an interpreter has."""
    import subprocess  # noqa: PLC0415 - for the peer alone

    words = "import importlib.metadata as m; print(m.version('fastmcp'))"
    told = subprocess.run([python, "-c", words], capture_output=True, text=True, check=True)
    return told.stdout.strip()


async def measure(rounds: int, peer: str | None) -> dict[str, list[float]]:
    """Return the milliseconds of each round, by row."""
    times: dict[str, list[float]] = {}
    async with AsyncExitStack() as stack:
        made = await rows(stack, peer)
        for number in range(rounds + 1):
            for name, call in made.items():
                await anyio.sleep(PAUSE_S)
                began = time.perf_counter()
                answer = await call()
                took_ms = (time.perf_counter() - began) * 1000
                if answer.is_error:
                    raise SystemExit(f"{name}: {answer.content}")
                if number:  # the first warms up
                    times.setdefault(name, []).append(took_ms)
    return times


def main() -> None:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(description="MCP latencies, side by side")
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--peer", metavar="PYTHON")
    given = parser.parse_args()
    print("| over standard streams | median ms | least | most |\n|---|---|---|---|")
    for name, took in anyio.run(measure, given.rounds, given.peer).items():
        print(f"| {name} | {statistics.median(took):.1f} | {min(took):.1f} | {max(took):.1f} |")


if __name__ == "__main__":
    main()
