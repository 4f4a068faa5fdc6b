"""FastMCP's code mode: `execute` of a server in this process, over pydantic-monty."""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib.metadata import version
from typing import Any, ClassVar, Literal

from fastmcp import Client, FastMCP
from fastmcp.experimental.transforms.code_mode import CodeMode

from benchmarks.peers import Confinement, Peer, echo, table
from benchmarks.work import Task, awaited, programs


class FastMCPCodeMode(Peer):
    title = "FastMCP code mode"
    confines: ClassVar[Confinement] = "language rules"
    process: ClassVar[Literal["one of its own"]] = "one of its own"
    programs: ClassVar[Mapping[Task, str]] = {
        task: program
        for task, program in programs(
            awaited(
                "call_tool('echo', {'text': 'hello'})",
                "len((await call_tool('table', {}))['result'])",
                cpu_clock="time.perf_counter()",
            )
        ).items()
        if task != "reused"
    }
    why_not: ClassVar[Mapping[Task, str]] = {"reused": "each execution starts a worker"}

    @classmethod
    def version(cls) -> str:
        return f"fastmcp {version('fastmcp')} (pydantic-monty {version('pydantic-monty')})"

    async def open(self) -> None:
        # Its own cap is 50 calls.
        server = FastMCP("benchmark", transforms=[CodeMode(max_tool_calls=None)])
        server.tool(echo)
        server.tool(table)
        self._client = Client(server)
        await self._client.__aenter__()

    async def close(self) -> None:
        await self._client.__aexit__(None, None, None)

    async def run(self, program: str) -> Any:
        found = await self._client.call_tool("execute", {"code": program})
        value = json.loads(found.content[0].text)
        # A tool returns its bare text; a list of results has one element for a tuple's sake.
        return _plain(value)


def _plain(value: Any) -> Any:
    """Take the results of tools out of the objects in which they arrive."""
    if isinstance(value, dict) and set(value) == {"result"}:
        return value["result"]
    return [_plain(item) for item in value] if isinstance(value, list) else value
