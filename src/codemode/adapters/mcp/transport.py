"""From an entry of the configuration to a transport that says when it has ended."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from contextvars import ContextVar
from dataclasses import replace
from http import HTTPStatus
from types import TracebackType
from typing import Any, Final, Self

import anyio
import httpx2
from mcp.client._transport import ReadStream, TransportStreams
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.message import SessionMessage
from mcp_types import JSONRPCResponse

from codemode.adapters.mcp.config import LaunchedServer, RemoteServer
from codemode.adapters.mcp.mending import Mender
from codemode.adapters.mcp.stderr_tail import StderrTail, collected

# A server may hold a response open for as long as its tool takes; the tool's own timeout and
# the run's budgets end the wait, never the transport.
_HTTP_TIMEOUT: Final = httpx2.Timeout(30.0, read=None)
_NOTHING_SENT: Final = (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.PoolTimeout)

#: The SDK sends each message in the context of whoever made it, and ends all calls of a connection
#: alike when one of them cannot be sent.
_tell_unsent: ContextVar[Callable[[], object]] = ContextVar("tell_unsent", default=lambda: None)


@contextmanager
def telling_unsent(tell: Callable[[], object]) -> Iterator[None]:
    """Have `tell` called where nothing of an HTTP request that is made in here has been sent."""
    token = _tell_unsent.set(tell)
    try:
        yield
    finally:
        _tell_unsent.reset(token)


class _HttpClient(httpx2.AsyncClient):
    """Tells whoever made a request that could not be sent."""

    async def send(
        self,
        *args: Any,  # noqa: ANN401 - whatever it takes
        **options: Any,  # noqa: ANN401
    ) -> httpx2.Response:
        """Send a request."""
        try:
            return await super().send(*args, **options)
        except _NOTHING_SENT:
            _tell_unsent.get()()
            raise


@asynccontextmanager
async def transport_to(
    server: LaunchedServer | RemoteServer,
    tail: StderrTail,
    mender: Mender,
    on_end: Callable[[], object],
    on_response: Callable[[httpx2.Response], object],
) -> AsyncIterator[TransportStreams]:
    """Start or reach a server, and yield the two streams of its messages.

    Args:
        server: Which.
        tail: Gets the standard error of one that is started.
        mender: Sees its listings of tools before the SDK does.
        on_end: Called when nothing more can come from it.
        on_response: Called with each of its HTTP responses, of which the SDK says too little.
    """
    async with AsyncExitStack() as stack:
        if isinstance(server, LaunchedServer):
            parameters = StdioServerParameters(
                command=server.command,
                args=list(server.args),
                env=server.env,
                cwd=server.cwd,
                # The SDK reads no more after a byte that is no UTF-8, and says nothing of it.
                encoding_error_handler="replace",
            )
            sink = await stack.enter_async_context(collected(tail))
            streams = await stack.enter_async_context(stdio_client(parameters, errlog=sink))
            # The child has its own copy; with ours open the pipe would never end.
            sink.close()
        else:

            async def see(response: httpx2.Response) -> None:
                on_response(response)

            client = _HttpClient(
                headers=server.headers, timeout=_HTTP_TIMEOUT, event_hooks={"response": [see]}
            )
            await stack.enter_async_context(client)
            streams = await stack.enter_async_context(
                streamable_http_client(server.url, http_client=client)
            )
        reading, writing = streams
        yield _Incoming(reading, mender, on_end), writing


def forgets_session(response: httpx2.Response) -> bool:
    """Whether the server knows our session no more, as after a restart; a new one is needed.

    Source: the MCP specification, streamable HTTP, session management.
    """
    request = response.request
    return (
        response.status_code == HTTPStatus.NOT_FOUND
        and request.method == "POST"
        and "mcp-session-id" in request.headers
    )


class _Incoming:
    """The messages of a server; listings are mended, and the end is told of."""

    def __init__(
        self,
        stream: ReadStream[SessionMessage | Exception],
        mender: Mender,
        on_end: Callable[[], object],
    ) -> None:
        self._stream = stream
        self._mender = mender
        self._on_end = on_end

    @property
    def last_context(self) -> object:
        """What the SDK looks for beside a message: the context of whoever sent it."""
        return getattr(self._stream, "last_context", None)

    async def receive(self) -> SessionMessage | Exception:
        """Return the next message."""
        try:
            received = await self._stream.receive()
        except (anyio.EndOfStream, anyio.ClosedResourceError, anyio.BrokenResourceError):
            self._on_end()
            raise
        if isinstance(received, Exception) or not isinstance(received.message, JSONRPCResponse):
            return received
        mended = self._mender.mend(received.message.result)
        message = received.message.model_copy(update={"result": mended})
        return replace(received, message=message)

    async def aclose(self) -> None:
        """Close the stream."""
        await self._stream.aclose()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> SessionMessage | Exception:
        try:
            return await self.receive()
        except anyio.EndOfStream:
            raise StopAsyncIteration from None

    async def __aenter__(self) -> Self:
        await self._stream.__aenter__()
        return self

    async def __aexit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> bool | None:
        return await self._stream.__aexit__(exc_type, exc, traceback)
