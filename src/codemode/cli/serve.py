"""`codemode serve`: an MCP server with one tool, run_code, over other servers' tools."""

from __future__ import annotations

import os
import signal
import socket
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final, NoReturn

import anyio
import click

from codemode.bridge.configuration import Configuration
from codemode.cli.mcp_files import need_mcp, read_entries, secret_variables
from codemode.cli.refusal import Refusal
from codemode.cli.settings import config_option, log_to_stderr, read_settings, verbose_option
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
_STOPPED_BY: Final = 128

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
@config_option
@verbose_option
def serve(  # noqa: PLR0913 - one parameter an option
    mcp: Sequence[Path],
    *,
    tools: str | None,
    mode: str,
    http: str | None,
    config: Path | None,
    verbose: int,
) -> NoReturn:
    """Serve run_code to an MCP client, over the tools of other servers.

    A server that cannot be reached is named on standard error; the others work.
    """
    open_missing_streams()
    log_to_stderr(verbose)
    address = _address(http)
    need_mcp("codemode serve")
    configuration = read_settings(config)
    try:
        entries = read_entries(mcp)
        hidden = {*configuration.redact_env, *secret_variables(mcp)}
        configuration = configuration.model_copy(update={"redact_env": tuple(sorted(hidden))})
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
    from codemode.adapters.mcp import CodeModeServer, McpServers  # noqa: PLC0415 - an extra
    from codemode.adapters.mcp.http import serve_http  # noqa: PLC0415 - likewise
    from codemode.adapters.mcp.stdio import serve_stdio  # noqa: PLC0415 - likewise

    async with configuration.opened(scope) as codemode, anyio.create_task_group() as beside:
        with anyio.CancelScope() as until_stopped:
            beside.start_soon(_stop_at_signal, until_stopped)
            async with McpServers(entries, scope, sink=codemode.session, wait=False) as servers:
                beside.start_soon(_tell_problems, servers)
                server = CodeModeServer(codemode, scope, servers)
                async with server.telling_changes():
                    if listener is None:
                        await serve_stdio(server)
                    else:
                        await serve_http(server, listener, token=_token())
        beside.cancel_scope.cancel()


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


async def _stop_at_signal(serving: anyio.CancelScope) -> None:
    """End it in order at the first signal, and at once at the second."""
    with anyio.open_signal_receiver(*_STOPPING) as signals:
        async for number in signals:
            if serving.cancel_called:
                os._exit(_STOPPED_BY + number)
            serving.cancel()


def _address(http: str | None) -> tuple[str, int] | None:
    """Read `[HOST:]PORT`; loopback where no host is named."""
    if http is None:
        return None
    host, _, port = http.rpartition(":")
    if not port.isdecimal() or int(port) >= 2**16:
        raise Refusal(f"--http {http!r} names no port; write 8000 or 127.0.0.1:8000")
    return host.strip("[]") or "127.0.0.1", int(port)
