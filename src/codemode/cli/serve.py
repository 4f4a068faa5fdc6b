"""`codemode serve`: an MCP server with one tool, run_code, over other servers' tools."""

from __future__ import annotations

import logging
import os
import signal
import socket
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final, NoReturn

import anyio
import click

from codemode.bridge.configuration import Configuration
from codemode.cli.mcp_files import need_mcp, read_entries
from codemode.cli.refusal import Refusal
from codemode.cli.sources import load_registry
from codemode.cli.streams import open_missing_streams, output_of_tools_on_stderr
from codemode.cli.tool_options import mcp_option
from codemode.cli.toolbox import tell_problems
from codemode.errors import CodemodeError
from codemode.tools import Scope

if TYPE_CHECKING:
    from codemode.adapters.mcp import McpServers, ServerEntry

_TOKEN_VARIABLE: Final = "CODEMODE_TOKEN"  # noqa: S105 - where it stands, not what it is
_STOPPING: Final = (signal.SIGINT, signal.SIGTERM)

_EXAMPLE: Final = (
    "\b\n"
    "Example, as an entry of a client's own mcp.json:\n"
    '  {"mcpServers": {"codemode": {"command": "codemode",\n'
    '                               "args": ["serve", "--mcp", "servers.json"]}}}'
)


@click.command(epilog=_EXAMPLE, short_help="Be an MCP server with one tool, run_code.")
@mcp_option
@click.option(
    "--tools",
    metavar="FILE.py:NAME",
    help="A ToolRegistry in a Python file, beside the servers.",
)
@click.option(
    "--mode",
    type=click.Choice(["code", "both"]),
    default="code",
    show_default=True,
    help="Whether clients see run_code alone, or every tool beside it.",
)
@click.option(
    "--http",
    metavar="[HOST:]PORT",
    help="Serve streamable HTTP at /mcp there, not the standard streams. Any address that "
    f"other machines can reach needs a bearer token, in the environment as {_TOKEN_VARIABLE}.",
)
@click.option(
    "--config",
    type=click.Path(path_type=Path),
    help="A codemode.toml; by default the nearest, from here upwards.",
)
def serve(
    mcp: Sequence[Path], tools: str | None, mode: str, http: str | None, config: Path | None
) -> NoReturn:
    """Serve run_code to an MCP client, over the tools of other servers.

    A server that cannot be reached is named on standard error; the others work.
    """
    open_missing_streams()
    logging.basicConfig(stream=sys.stderr, format="%(name)s: %(message)s", level=logging.WARNING)
    address = _address(http)
    need_mcp("codemode serve")
    try:
        configuration = Configuration.find() if config is None else Configuration.load(config)
        entries = read_entries(mcp)
        with output_of_tools_on_stderr():
            registry = configuration.registry() if tools is None else load_registry(tools)
        if not entries and tools is None:
            raise Refusal("there is nothing to serve; give --mcp mcp.json or --tools FILE.py:NAME")
        with registry.scope("serve") as scope:
            scope.present_as("both" if mode == "both" else "code")
            with _listening(address) as listener:
                anyio.run(_serve, configuration, entries, scope, listener)
    except CodemodeError as error:
        raise Refusal(str(error)) from None
    raise SystemExit(0)


async def _serve(
    configuration: Configuration,
    entries: Mapping[str, ServerEntry],
    scope: Scope,
    listener: socket.socket | None,
) -> None:
    from mcp.server.stdio import stdio_server  # noqa: PLC0415 - an extra

    from codemode.adapters.mcp import CodeModeServer, McpServers  # noqa: PLC0415 - likewise
    from codemode.adapters.mcp.http import serve_http  # noqa: PLC0415 - likewise

    stopped_by: list[int] = []
    async with AsyncExitStack() as transport:
        streams = None
        if listener is None:
            streams = await transport.enter_async_context(stdio_server())
        async with (
            configuration.opened(scope) as codemode,
            McpServers(entries, scope, wait=False) as servers,
            anyio.create_task_group() as beside,
        ):
            beside.start_soon(_stop_at_signal, beside.cancel_scope, stopped_by)
            beside.start_soon(_tell_problems, servers)
            server = CodeModeServer(codemode, scope, servers.settled)
            async with server.telling_changes():
                if streams is not None:
                    reading, writing = streams
                    await server.server.run(reading, writing, server.options)
                elif listener is not None:
                    await serve_http(server.server, listener, token=_token())
            beside.cancel_scope.cancel()
        if streams is not None and stopped_by:
            # All of ours is closed. The SDK reads standard input in a thread, which nothing
            # ends but a line or the end of it.
            sys.stderr.flush()
            os._exit(0)


@contextmanager
def _listening(address: tuple[str, int] | None) -> Iterator[socket.socket | None]:
    """Give a socket that listens there, and say so; none for the standard streams."""
    if address is None:
        yield None
        return
    from codemode.adapters.mcp.http import listening  # noqa: PLC0415 - an extra

    with listening(*address, token=_token()) as listener:
        host, port, *_ = listener.getsockname()
        shown = f"[{host}]" if ":" in host else host
        click.echo(f"serving http://{shown}:{port}/mcp", err=True)
        yield listener


def _token() -> str | None:
    return os.environ.get(_TOKEN_VARIABLE, "").strip() or None


async def _tell_problems(servers: McpServers) -> None:
    await servers.settled()
    tell_problems(servers)


async def _stop_at_signal(scope: anyio.CancelScope, stopped_by: list[int]) -> None:
    with anyio.open_signal_receiver(*_STOPPING) as signals:
        async for number in signals:
            if stopped_by:
                os._exit(128 + number)
            stopped_by.append(number)
            scope.cancel()


def _address(http: str | None) -> tuple[str, int] | None:
    """Read `[HOST:]PORT`; loopback where no host is named."""
    if http is None:
        return None
    host, _, port = http.rpartition(":")
    if not port.isdecimal() or int(port) >= 2**16:
        raise Refusal(f"--http {http!r} names no port; write 8000 or 127.0.0.1:8000")
    return host.strip("[]") or "127.0.0.1", int(port)
