"""The server over streamable HTTP: who may speak to it, and for how long it listens."""

from __future__ import annotations

import hmac
import ipaddress
import socket
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any, Final
from urllib.parse import urlsplit

import uvicorn
from mcp.server import Server

from codemode.errors import UsageError

_Scope = MutableMapping[str, Any]
_Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
_Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
_App = Callable[[_Scope, _Receive, _Send], Awaitable[None]]

_PATH: Final = "/mcp"
#: Of one request; a program and its arguments are far smaller.
MAX_BODY_BYTES: Final = 4 * 2**20
# Streams of clients stay open for as long as clients like.
_GRACE_S: Final = 2


class MissingTokenError(UsageError):
    """The server would be open to the network without a token."""

    def __init__(self, host: str) -> None:
        super().__init__(
            f"{host!r} can be reached from other machines, so a bearer token is required: "
            "set the environment variable CODEMODE_TOKEN, or listen at 127.0.0.1"
        )
        self.host = host


class AddressError(UsageError):
    """The server cannot listen where it was told to."""

    def __init__(self, host: str, port: int, reason: str) -> None:
        super().__init__(f"cannot listen at {host}:{port}: {reason}; give another with --http")
        self.host = host
        self.port = port


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach that address."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def listening(host: str, port: int, *, token: str | None) -> socket.socket:
    """Return a socket that listens there; port 0 takes a free one.

    Raises:
        MissingTokenError: If others can reach the address and there is no token.
        AddressError: If it cannot be had.
    """
    if not is_loopback(host) and not token:
        raise MissingTokenError(host)
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        return socket.create_server((host, port), family=family)
    except OSError as error:
        raise AddressError(host, port, error.strerror or str(error)) from None


async def serve_http(server: Server[Any], at: socket.socket, *, token: str | None) -> None:
    """Serve until cancelled, or until a signal stops it.

    Args:
        server: What answers.
        at: From `listening`.
        token: What clients must send as `Authorization: Bearer …`; nothing if `None`.
    """
    app = server.streamable_http_app(
        streamable_http_path=_PATH,
        host=at.getsockname()[0],
        max_request_body_size=MAX_BODY_BYTES,
    )
    config = uvicorn.Config(
        _Gate(app, token),
        log_level="warning",
        access_log=False,
        ws="none",
        timeout_graceful_shutdown=_GRACE_S,
    )
    await uvicorn.Server(config).serve(sockets=[at])


class _Gate:
    """Lets through who has the token, and no web page of another origin.

    A browser sends `Origin` with what a page asks of us: without the check, any page that a
    person visits could run programs here (DNS rebinding, or plainly by loopback).
    """

    def __init__(self, app: _App, token: str | None) -> None:
        self._app = app
        self._token = None if token is None else token.encode()

    async def __call__(self, scope: _Scope, receive: _Receive, send: _Send) -> None:
        if scope["type"] != "lifespan":
            headers = {name.lower(): value for name, value in scope["headers"]}
            refusal = self._refusal(headers)
            if refusal is not None:
                await _refuse(send, *refusal)
                return
        await self._app(scope, receive, send)

    def _refusal(self, headers: MutableMapping[bytes, bytes]) -> tuple[int, str] | None:
        origin = headers.get(b"origin")
        if origin is not None and not _is_own(origin.decode("latin-1")):
            return 403, "requests from web pages of other origins are refused"
        if self._token is None:
            return None
        sent = headers.get(b"authorization", b"")
        if not hmac.compare_digest(sent, b"Bearer " + self._token):
            return 401, "send the token of this server as 'Authorization: Bearer …'"
        return None


def _is_own(origin: str) -> bool:
    """Whether a page at that origin was served by this machine."""
    return is_loopback(urlsplit(origin).hostname or "")


async def _refuse(send: _Send, status: int, words: str) -> None:
    headers = [(b"content-type", b"text/plain; charset=utf-8")]
    if status == 401:  # noqa: PLR2004 - the status that asks for a token
        headers.append((b"www-authenticate", b"Bearer"))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": words.encode() + b"\n"})
