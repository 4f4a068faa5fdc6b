"""What went wrong with a server, in words for whoever wrote its entry; never what is secret."""

from __future__ import annotations

from http import HTTPStatus
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import httpx2
import mcp_types
import pydantic
from mcp import MCPError

from codemode.adapters.mcp.config import LaunchedServer, RemoteServer

_LAST_SUCCESS: Final = 399
_MAX_QUOTED: Final = 300
_CURES: Final[dict[int, str]] = {
    HTTPStatus.UNAUTHORIZED: 'send a token that is valid, under "headers" of its entry',
    HTTPStatus.FORBIDDEN: 'it does not accept the "headers" of its entry',
    HTTPStatus.NOT_FOUND: 'look at the path of its "url"; many servers have /mcp',
    HTTPStatus.METHOD_NOT_ALLOWED: 'look at the path of its "url"; many servers have /mcp',
}


def words_of(error: BaseException) -> str:
    """Say what an error is; of a group, what its first member says."""
    error = _first(error)
    if isinstance(error, MCPError) and error.code == mcp_types.CONNECTION_CLOSED:
        return "it closed the connection"
    if isinstance(error, MCPError):
        return f"it answered with an error: {error.message}"
    if isinstance(error, pydantic.ValidationError):
        # Without what was sent, which may be anything of any size.
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(map(str, first["loc"]))
        return f"it is no valid message: {place}: {first['msg']}"[:_MAX_QUOTED]
    return f"{type(error).__name__}: {error}"


def why_unreachable(
    error: BaseException, entry: LaunchedServer | RemoteServer, status: int | None
) -> str:
    """Say why a server cannot be reached, and what to look at.

    Args:
        error: What connecting to it raised.
        entry: Its entry.
        status: The status of its last HTTP response, if there was one.
    """
    error = _first(error)
    if isinstance(entry, LaunchedServer):
        return _why_not_started(error, entry)
    if isinstance(error, httpx2.LocalProtocolError):
        return 'what its entry has cannot be sent; look at its "headers" and "url"'
    if isinstance(error, httpx2.TransportError):
        why = str(error) or type(error).__name__
        return f"nothing answers at {_host(entry)}: {why}; is it running?"
    if status is not None and status > _LAST_SUCCESS:
        phrase = httpx2.codes.get_reason_phrase(status)
        cure = _CURES.get(status, "its own log may say why")
        return f"{_host(entry)} answered {status} {phrase}; {cure}"
    return words_of(error)


def _why_not_started(error: BaseException, entry: LaunchedServer) -> str:
    if entry.cwd is not None and isinstance(error, OSError) and not entry.cwd.is_dir():
        return f'there is no folder {str(entry.cwd)!r}; mend "cwd" of its entry'
    if isinstance(error, FileNotFoundError):
        return f"there is no program {entry.command!r}; install it, or give its path"
    if isinstance(error, PermissionError):
        return f"{entry.command!r} is no program that may be started; chmod +x it, or name another"
    if isinstance(error, MCPError) and error.code == mcp_types.CONNECTION_CLOSED:
        # Without its arguments: one of them may be a secret.
        return f"{words_of(error)}; start {Path(entry.command).name!r} by hand to see why"
    return words_of(error)


def _host(entry: RemoteServer) -> str:
    """Return whose address it is; the rest of it may hold a secret."""
    parts = urlsplit(entry.url)
    port = "" if parts.port is None else f":{parts.port}"
    return f"{parts.hostname}{port}"


def _first(error: BaseException) -> BaseException:
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error
