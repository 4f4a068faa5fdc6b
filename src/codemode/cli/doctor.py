"""`codemode doctor`: what confines programs here, what does not, and which servers work."""

from __future__ import annotations

import json
import platform
import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NoReturn

import anyio
import click

from codemode.cli.mcp_files import TriedServer, read_entries, try_servers
from codemode.cli.refusal import Refusal
from codemode.cli.settings import silence_mcp_client
from codemode.errors import CodemodeError
from codemode.process import (
    CURES,
    STOPS,
    Confinement,
    Containment,
    ProcessRuntime,
    ProcessRuntimeConfig,
)

_WIDTH: Final = 100
_INDENT: Final = " " * 4

_EXAMPLE: Final = "\b\nExamples:\n  codemode doctor --strict\n  codemode doctor --mcp servers.json"


@click.command(
    epilog=_EXAMPLE, short_help="Tell what confines programs here, and which servers work."
)
@click.option(
    "--mcp",
    multiple=True,
    metavar="mcp.json",
    type=click.Path(path_type=Path),
    help="Start the MCP servers of a file, too, and tell which work. Needs the extra 'mcp'.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the facts as one JSON object.")
@click.option("--strict", is_flag=True, help="Exit with 1 if any layer is missing.")
def doctor(mcp: Sequence[Path], *, as_json: bool, strict: bool) -> NoReturn:
    """Start a process as for a run and tell what the kernel says of its confinement.

    Exit status: 0, or 1 if a layer is missing that is required by default (with --strict: any),
    or if a server of --mcp cannot be reached.
    """
    config = ProcessRuntimeConfig(confinement=Confinement.of_all("best-effort"), spare_guests=0)
    entries = read_entries(mcp)
    try:
        containment = anyio.run(_containment, config)
        silence_mcp_client()
        servers = anyio.run(try_servers, entries) if entries else ()
    except CodemodeError as error:
        raise Refusal(str(error)) from None
    required = Confinement.of_all("required") if strict else Confinement()
    lacking = set(containment.missing) & set(required.layers("required"))
    if as_json:
        click.echo(_as_json(containment, servers))
    else:
        click.echo("\n".join([_as_table(containment), *map(_told, servers)]))
    failed = any(server.problem is not None for server in servers)
    raise SystemExit(int(bool(lacking) or failed))


async def _containment(config: ProcessRuntimeConfig) -> Containment:
    async with ProcessRuntime(config) as runtime:
        return await runtime.containment()


def _as_json(containment: Containment, servers: Sequence[TriedServer]) -> str:
    layers = {
        fact.layer: {
            "active": fact.active,
            "evidence": fact.evidence,
            "stops": STOPS[fact.layer],
            "cure": None if fact.active else CURES[fact.layer],
        }
        for fact in containment.layers
    }
    facts: dict[str, object] = {"machine": _machine(), "layers": layers}
    if servers:
        facts["servers"] = {server.name: server.facts() for server in servers}
    return json.dumps(facts, indent=2)


def _as_table(containment: Containment) -> str:
    lines = [_machine()]
    for fact in containment.layers:
        lines.append(f"{'active ' if fact.active else 'MISSING'}  {fact.layer}")
        lines += _paragraph("stops", STOPS[fact.layer]) + _paragraph("kernel", fact.evidence)
        if not fact.active:
            lines += _paragraph("to get it", CURES[fact.layer])
    active = len(containment.layers) - len(containment.missing)
    return "\n".join([*lines, f"{active} of {len(containment.layers)} layers are active"])


def _told(server: TriedServer) -> str:
    if server.problem is not None:
        lines = [f"FAILED   server {server.name!r}"]
        first, *rest = server.problem.splitlines()
        lines += _paragraph("why", first) + [f"{_INDENT}{line}" for line in rest]
    else:
        lines = [f"works    server {server.name!r}"]
        words = f"{server.tools} of them, as `await {server.namespace}.…`"
        lines += _paragraph("tools", words)
    for note in server.notes:
        lines += _paragraph("note", note)
    return "\n".join(lines)


def _machine() -> str:
    return f"{platform.system()} {platform.release()}, {platform.machine()}"


def _paragraph(label: str, text: str) -> list[str]:
    indent = _INDENT + " " * (len(label) + 2)
    return textwrap.wrap(
        f"{label}: {text}",
        _WIDTH,
        initial_indent=_INDENT,
        subsequent_indent=indent,
        break_on_hyphens=False,
    )
