"""`mcp.json` as the clients of MCP write it, read for one host."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Final

import pydantic

from codemode.errors import UsageError
from codemode_guest.near import nearest

# `${NAME}`, `${NAME:-otherwise}`, and `${env:NAME}` as editors write it.
_VARIABLE: Final = re.compile(r"\$\{(?:env:)?([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}")

# Editors keep the same table under a name of their own.
_TABLES: Final = ("mcpServers", "servers")


# What each key holds, in the words of JSON.
_FORMS: Final = {
    "command": "the name or path of a program",
    "args": 'a list of texts, ["-y", "…"]',
    "env": 'an object of texts, {"NAME": "…"}',
    "cwd": "the path of a folder",
    "url": "an address that begins with http:// or https://",
    "headers": 'an object of texts, {"Authorization": "…"}, each a line of ASCII, no space around',
}


class McpConfigError(UsageError):
    """A configuration of servers cannot be read at all."""

    def __init__(self, source: str, reason: str) -> None:
        super().__init__(f"{source}: {reason}")
        self.source = source
        self.reason = reason


class _Read(pydantic.BaseModel):
    # Clients keep keys of their own beside these, and one file serves them all.
    model_config = pydantic.ConfigDict(frozen=True, extra="ignore")


class LaunchedServer(_Read):
    """A server that is started here and spoken to over its standard streams.

    Attributes:
        command: The program, looked up on `PATH`.
        args: Its arguments.
        env: Its environment, beside the harmless part of ours (`PATH`, `HOME`, `LANG` …).
        cwd: Where it starts.
    """

    command: Annotated[str, pydantic.Field(min_length=1)]
    args: tuple[str, ...] = pydantic.Field((), repr=False)
    env: dict[str, str] = pydantic.Field(default_factory=dict, repr=False)
    cwd: Path | None = None


class RemoteServer(_Read):
    """A server that runs elsewhere and speaks streamable HTTP.

    Attributes:
        url: Its endpoint.
        headers: Sent with each request; tokens stand here.
    """

    url: Annotated[str, pydantic.Field(pattern=r"\Ahttps?://", repr=False)]
    headers: dict[str, str] = pydantic.Field(default_factory=dict, repr=False)

    @pydantic.field_validator("headers")
    @classmethod
    def _sendable(cls, headers: dict[str, str]) -> dict[str, str]:
        # The HTTP library would quote the value in its error, and the value is a secret.
        if any(not v.isprintable() or not v.isascii() or v != v.strip() for v in headers.values()):
            raise ValueError("not one line")
        return headers


class UnusableServer(_Read):
    """An entry that cannot be connected to, with the reason in words."""

    problem: str


ServerEntry = LaunchedServer | RemoteServer | UnusableServer


def read_mcp_config(
    path: Path, *, environ: Mapping[str, str] = os.environ
) -> dict[str, ServerEntry]:
    """Return the servers of an `mcp.json`, by name, in its order; disabled ones left out.

    An entry that is wrong by itself is an `UnusableServer`, so that the others work.

    Args:
        path: The file. Its servers start where we do, unless they say `cwd`.
        environ: Where `${NAME}` is looked up.

    Raises:
        McpConfigError: If the file cannot be read, is no JSON or has no table of servers.
    """
    try:
        content = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise McpConfigError(
            str(path), f"cannot be read: {why}; give the path of an mcp.json"
        ) from None
    return parse_mcp_config(content, source=str(path), environ=environ)


def variables_of(content: str) -> frozenset[str]:
    """Return the names of all variables of the environment that such a text refers to."""
    return frozenset(match[1] for match in _VARIABLE.finditer(content))


def parse_mcp_config(
    content: str, *, source: str, environ: Mapping[str, str] = os.environ
) -> dict[str, ServerEntry]:
    """Return the servers of such a text; `source` names it in errors. See `read_mcp_config`."""
    try:
        document = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise McpConfigError(source, f"is no JSON: {error}") from None
    for name in _TABLES:
        if isinstance(document, dict) and isinstance(table := document.get(name), dict):
            return {
                server: _entry(entry, environ)
                for server, entry in table.items()
                if not (isinstance(entry, dict) and entry.get("disabled") is True)
            }
    raise McpConfigError(
        source,
        'has no table "mcpServers"; write '
        '{"mcpServers": {"files": {"command": "npx", "args": ["-y", "…"]}}}',
    )


def _entry(entry: object, environ: Mapping[str, str]) -> ServerEntry:
    if not isinstance(entry, dict):
        return UnusableServer(problem='its entry is no object; write {"command": "…"}')
    missing: list[str] = []
    expanded = _expanded(entry, lambda match: _looked_up(match, environ, missing))
    if missing:
        names = ", ".join(sorted(set(missing)))
        return UnusableServer(problem=f"the environment has no {names}, which its entry refers to")
    return _server(expanded)


def _server(entry: object) -> ServerEntry:
    keys = entry if isinstance(entry, dict) else {}
    if keys.get("type") == "sse":
        return UnusableServer(
            problem="it speaks the old SSE transport; give the address of its streamable HTTP one"
        )
    if ("command" in keys) == ("url" in keys):
        return UnusableServer(problem='its entry needs "command" or "url", one of the two')
    for key in keys:
        # Keys of other clients are none of ours, but a slip in one of ours would go unseen.
        if key not in _FORMS and (meant := nearest(key, _FORMS, likeness=0.85)):
            return UnusableServer(problem=f"its entry has {key!r}; did you mean {meant!r}?")
    kind = LaunchedServer if "command" in keys else RemoteServer
    try:
        return kind.model_validate(keys)
    except pydantic.ValidationError as error:
        # Without the values: one of them may be a secret.
        wrong = "; ".join(_wrong(part["loc"]) for part in error.errors())
        return UnusableServer(problem=f"its entry is wrong: {wrong}")


def _wrong(path: tuple[int | str, ...]) -> str:
    return f"{'.'.join(map(str, path))}: must be {_FORMS[str(path[0])]}"


def _expanded(value: object, replace: Callable[[re.Match[str]], str]) -> object:
    """Return a copy in which the variables of every text are replaced."""
    if isinstance(value, str):
        return _VARIABLE.sub(replace, value)
    if isinstance(value, list):
        return [_expanded(part, replace) for part in value]
    if isinstance(value, dict):
        return {key: _expanded(part, replace) for key, part in value.items()}
    return value


def _looked_up(match: re.Match[str], environ: Mapping[str, str], missing: list[str]) -> str:
    name, otherwise = match.groups()
    # As a shell has it: `:-` stands for a variable that is empty, too.
    found = environ.get(name) or otherwise
    if found is None:
        found = environ.get(name)
    if found is None:
        missing.append(name)
        return ""
    return found
