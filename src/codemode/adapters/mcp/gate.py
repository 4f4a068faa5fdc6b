"""Who may speak to the server over HTTP, how long a request may take to arrive, and its end."""

from __future__ import annotations

import hmac
import ipaddress
import math
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from typing import Any, Final
from urllib.parse import urlsplit

import anyio

_Message = MutableMapping[str, Any]
_Receive = Callable[[], Awaitable[_Message]]
_Send = Callable[[_Message], Awaitable[None]]
App = Callable[[MutableMapping[str, Any], _Receive, _Send], Awaitable[None]]

# A request of the largest size takes that long over 1 Mbit/s. One that trickles in would hold
# its connection for as long as it likes.
_ARRIVAL_S: Final = 40.0


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach that address."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


class Gate:
    """Lets through who has the token and asks this machine by a name of its own, no web page.

    A browser sends `Origin` with what a page asks of us, and as `Host` whatever name led it here:
    without these checks any page that a person visits could run programs here, plainly or by DNS
    rebinding. Where the address is none of loopback there is a token, which no page knows.

    Args:
        app: What is behind it.
        token: What clients must send as `Authorization: Bearer …`; nothing if `None`.
        host: The address that is listened at.
        arrival_s: How long a request may take to arrive as a whole.
    """

    def __init__(
        self, app: App, *, token: str | None, host: str, arrival_s: float = _ARRIVAL_S
    ) -> None:
        self._app = app
        self._token = None if token is None else token.encode()
        self._own_names_only = is_loopback(host)
        self._arrival_s = arrival_s
        self._open: set[anyio.CancelScope] = set()
        self._none_open = anyio.Event()
        self._closed = False

    async def __call__(
        self, scope: MutableMapping[str, Any], receive: _Receive, send: _Send
    ) -> None:
        """Answer one request, as ASGI has it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        refusal = self._refusal(dict(scope["headers"]))
        if refusal is not None:
            await _refuse(send, *refusal)
            return
        answer = _Answer(send)
        with anyio.CancelScope(deadline=anyio.current_time() + self._arrival_s) as request:

            async def receive_in_time() -> _Message:
                message = await receive()
                if not message.get("more_body"):
                    request.deadline = math.inf
                return message

            self._open.add(request)
            try:
                await self._app(scope, receive_in_time, answer.send)
            finally:
                self._open.discard(request)
                if not self._open:
                    self._none_open.set()
        if request.cancelled_caught:
            await answer.end(*((503, _STOPPING) if self._closed else (408, _TOO_SLOW)))

    async def wait_none_open(self) -> None:
        """Wait until every request has its answer."""
        while self._open:
            self._none_open = anyio.Event()
            await self._none_open.wait()

    def close(self) -> None:
        """End what is open, streams of clients too, and refuse what still comes."""
        self._closed = True
        for request in self._open:
            request.cancel()

    def _refusal(self, headers: Mapping[bytes, bytes]) -> tuple[int, str] | None:
        """Return the status and the words for who may not pass."""
        if self._closed:
            return 503, _STOPPING
        if self._own_names_only and not is_loopback(_host_of(b"//" + headers.get(b"host", b""))):
            return 421, "this is another machine than the one that was asked"
        origin = headers.get(b"origin")
        if origin is not None and not is_loopback(_host_of(origin)):
            return 403, "requests from web pages of other origins are refused"
        if self._token is None:
            return None
        scheme, _, sent = headers.get(b"authorization", b"").partition(b" ")
        if scheme.lower() != b"bearer" or not hmac.compare_digest(sent.strip(), self._token):
            return 401, "send the token of this server as 'Authorization: Bearer …'"
        return None


_STOPPING: Final = "the server is stopping"
_TOO_SLOW: Final = "the request took too long to arrive"


class _Answer:
    """What has been sent of a response, so that one cut short still ends as it should."""

    def __init__(self, send: _Send) -> None:
        self._send = send
        self._begun = False
        self._whole = False

    async def send(self, message: _Message) -> None:
        """Send a part of it."""
        self._begun = True
        self._whole = message["type"] == "http.response.body" and not message.get("more_body")
        await self._send(message)

    async def end(self, status: int, words: str) -> None:
        """Send what is missing: all of it, or the end."""
        if not self._begun:
            await _refuse(self._send, status, words)
        elif not self._whole:
            await self._send({"type": "http.response.body", "body": b""})


def _host_of(url: bytes) -> str:
    """Return whose address it is; nothing if it is none."""
    try:
        return urlsplit(url.decode("latin-1")).hostname or ""
    except ValueError:
        return ""


async def _refuse(send: _Send, status: int, words: str) -> None:
    # Nothing more of a body that we do not want is read.
    headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"connection", b"close")]
    if status == 401:  # noqa: PLR2004 - the status that asks for a token
        headers.append((b"www-authenticate", b"Bearer"))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": words.encode() + b"\n"})
