"""The server over streamable HTTP: where it listens, and how it ends."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import Iterator
from typing import Final

import anyio
import uvicorn
from mcp.server.transport_security import TransportSecuritySettings
from uvicorn.protocols.http.h11_impl import H11Protocol

from codemode.adapters.mcp.gate import Gate, is_loopback
from codemode.adapters.mcp.serving import CodeModeServer
from codemode.errors import UsageError

_PATH: Final = "/mcp"
#: Of one request; a program and its arguments are far smaller.
MAX_BODY_BYTES: Final = 4 * 2**20
# Beyond them requests are answered with 503; programs need descriptors as well.
_MAX_CONNECTIONS: Final = 500
# Of clients before 2026, which have each a session, whether they are still there or not.
_MAX_SESSIONS: Final = 1_000
# For the first line of a request and its headers, from the moment of connecting.
_HEAD_S: Final = 20.0
# Calls under way may end by themselves for so long after we were told to stop.
_GRACE_S: Final = 2.0
# For answers that are on their way out, and then for the server's own end.
_LAST_ANSWERS_S: Final = 1.0
_CLOSING_S: Final = 5.0


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


async def serve_http(server: CodeModeServer, at: socket.socket, *, token: str | None) -> None:
    """Serve until cancelled; then let calls under way end, and give each its answer.

    Args:
        server: What answers.
        at: From `listening`.
        token: What clients must send as `Authorization: Bearer …`; nothing if `None`.
    """
    app = server.server.streamable_http_app(
        streamable_http_path=_PATH,
        max_request_body_size=MAX_BODY_BYTES,
        max_sessions=_MAX_SESSIONS,
        # The gate does it, for every address of loopback and not for three of them.
        transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),
    )
    gate = Gate(app, token=token, host=at.getsockname()[0])
    http = _Uvicorn(
        uvicorn.Config(
            gate,
            http=_Impatient,
            ws="none",
            log_level="warning",
            access_log=False,
            limit_concurrency=_MAX_CONNECTIONS,
            timeout_graceful_shutdown=round(_GRACE_S + _CLOSING_S),
        )
    )
    until_ended = anyio.CancelScope(shield=True)

    async def serve() -> None:
        with until_ended:
            await http.serve(sockets=[at])

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(serve)
        try:
            await anyio.sleep_forever()
        finally:
            http.should_exit = True
            with anyio.CancelScope(shield=True):
                await _drain(server, gate)
            gate.close()
            until_ended.deadline = anyio.current_time() + _CLOSING_S


async def _drain(server: CodeModeServer, gate: Gate) -> None:
    if await server.end_calls(_GRACE_S):
        with anyio.move_on_after(_LAST_ANSWERS_S):
            await gate.wait_none_open()


class _Uvicorn(uvicorn.Server):
    """One that leaves signals to whoever runs it.

    Its own way is to take them, and to raise them once more when it has ended.
    """

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Capture none."""
        yield


class _Impatient(H11Protocol):
    """A connection that is closed if no request comes, or its headers never end."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait."""
        super().connection_made(transport)
        self.loop.call_later(_HEAD_S, self._lapse)

    def _lapse(self) -> None:
        if self.cycle is None:
            self.transport.close()  # type: ignore[unreachable]  # before the first there is none
