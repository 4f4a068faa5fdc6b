"""From an entry of the configuration to a transport that says when it has ended."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from types import TracebackType
from typing import Final, Self

import anyio
import httpx2
from mcp.client._transport import ReadStream, TransportStreams
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.message import SessionMessage

from codemode.adapters.mcp.config import LaunchedServer, RemoteServer
from codemode.adapters.mcp.stderr_tail import StderrTail, collected

# A server may hold a response open for as long as its tool takes; the tool's own timeout and
# the run's budgets end the wait, never the transport.
_HTTP_TIMEOUT: Final = httpx2.Timeout(30.0, read=None)


@asynccontextmanager
async def transport_to(
    server: LaunchedServer | RemoteServer,
    tail: StderrTail,
    on_end: Callable[[], object],
    on_status: Callable[[int], object],
) -> AsyncIterator[TransportStreams]:
    """Start or reach a server, and yield the two streams of its messages.

    Args:
        server: Which.
        tail: Gets the standard error of one that is started.
        on_end: Called when nothing more can come from it.
        on_status: Called with the status of each of its HTTP responses, which the SDK keeps back.
    """
    async with AsyncExitStack() as stack:
        if isinstance(server, LaunchedServer):
            parameters = StdioServerParameters(
                command=server.command, args=list(server.args), env=server.env, cwd=server.cwd
            )
            sink = await stack.enter_async_context(collected(tail))
            streams = await stack.enter_async_context(stdio_client(parameters, errlog=sink))
            # The child has its own copy; with ours open the pipe would never end.
            sink.close()
        else:

            async def see(response: httpx2.Response) -> None:
                on_status(response.status_code)

            client = httpx2.AsyncClient(
                headers=server.headers, timeout=_HTTP_TIMEOUT, event_hooks={"response": [see]}
            )
            await stack.enter_async_context(client)
            streams = await stack.enter_async_context(
                streamable_http_client(server.url, http_client=client)
            )
        reading, writing = streams
        yield _EndTold(reading, on_end), writing


class _EndTold:
    """A stream of messages that tells when it has ended."""

    def __init__(
        self, stream: ReadStream[SessionMessage | Exception], on_end: Callable[[], object]
    ) -> None:
        self._stream = stream
        self._on_end = on_end

    @property
    def last_context(self) -> object:
        """What the SDK looks for beside a message: the context of whoever sent it."""
        return getattr(self._stream, "last_context", None)

    async def receive(self) -> SessionMessage | Exception:
        """Return the next message."""
        try:
            return await self._stream.receive()
        except (anyio.EndOfStream, anyio.ClosedResourceError, anyio.BrokenResourceError):
            self._on_end()
            raise

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
