"""`codemode init`: a commented configuration, and the snippet for the client in use."""

from __future__ import annotations

import json
import shutil
import textwrap
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import click
import pydantic

from codemode.bridge.configuration import Configuration
from codemode.cli.descriptions import descriptions
from codemode.cli.refusal import Refusal

_FILE: Final = "codemode.toml"
_WIDTH: Final = 88
_HEAD: Final = """\
# Settings of codemode. Each line is the default: take the # away to change it.
"""

_SERVERS: Final = "servers.json"

# Where each client keeps its servers, under which key, and how it is told of a file of the
# project: `None` for one that may start us in any folder, and with any PATH.
_CLIENTS: Final = {
    "claude-code": (".mcp.json", "mcpServers", ""),
    "claude-desktop": ("claude_desktop_config.json", "mcpServers", None),
    "cursor": (".cursor/mcp.json", "mcpServers", None),
    "vscode": (".vscode/mcp.json", "servers", "${workspaceFolder}/"),
}

_EXAMPLE: Final = "\b\nExample:\n  codemode init --client claude-code"


@click.command(epilog=_EXAMPLE, short_help="Write a codemode.toml; print a client's entry.")
@click.argument(
    "folder", type=click.Path(path_type=Path, exists=True, file_okay=False), default=Path()
)
@click.option(
    "--client",
    type=click.Choice(sorted(_CLIENTS)),
    help="Print what to add to this client's configuration, so that it starts `codemode serve`.",
)
def init(folder: Path, client: str | None) -> None:
    """Write a codemode.toml with every setting, its meaning and its default.

    A file that is there is left as it is.
    """
    file = folder / _FILE
    try:
        with file.open("x", encoding="utf-8") as new:
            new.write(commented_configuration())
    except FileExistsError:
        click.echo(f"{file} is there already and stays as it is", err=True)
    except OSError as error:
        raise Refusal(f"{file} cannot be written: {error.strerror}") from None
    else:
        click.echo(f"wrote {file}", err=True)
    if client is not None:
        where, key, project = _CLIENTS[client]
        click.echo(f"add this to {where}; {_SERVERS} has the servers behind it:", err=True)
        click.echo(json.dumps({key: {"codemode": _entry(folder, project)}}, indent=2))


def _entry(folder: Path, project: str | None) -> dict[str, object]:
    """Return what starts `codemode serve` over the servers of a file in that folder."""
    if project is None:
        command = shutil.which("codemode") or "codemode"
        servers = str(folder.resolve() / _SERVERS)
    else:
        command, servers = "codemode", project + _SERVERS
    return {"type": "stdio", "command": command, "args": ["serve", "--mcp", servers]}


def commented_configuration() -> str:
    """Return a codemode.toml in which every line is a comment, and every setting a default."""
    return "\n".join([_HEAD, *_settings(Configuration, ()), ""])


def _settings(model: type[pydantic.BaseModel], path: Sequence[str]) -> Iterator[str]:
    """Yield the lines of one table, then those of the tables in it."""
    described = descriptions(model)
    tables: list[tuple[str, type[pydantic.BaseModel]]] = []
    for name, field in model.model_fields.items():
        default = field.get_default(call_default_factory=True)
        if isinstance(default, pydantic.BaseModel):
            tables.append((name, type(default)))
            continue
        yield from textwrap.wrap(
            described.get(name, ""), _WIDTH, initial_indent="# ", subsequent_indent="# "
        )
        yield f"#{name} = {_toml(name, default)}"
        yield ""
    for name, table in tables:
        yield f"#[{'.'.join([*path, name])}]"
        yield ""
        yield from _settings(table, [*path, name])


def _toml(name: str, default: object) -> str:
    """Write a default; TOML has no word for none."""
    if default is None:
        return f'"{name}"  # none by default'
    return json.dumps(list(default) if isinstance(default, tuple) else default)
