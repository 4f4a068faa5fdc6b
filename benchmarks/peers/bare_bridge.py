"""Two asyncio loops in two processes and JSON lines between them: the plainest bridge there is.

Prints the seconds of a call in turn and of one among many at once. Nothing is validated, confined
or limited; the text is echoed by a task of its own, as a tool that awaits something would need.

    python -I benchmarks/peers/bare_bridge.py CALLS
"""

from __future__ import annotations

import asyncio
import itertools
import json
import os
import socket
import sys
import time
from typing import Any, cast


class _Line(asyncio.Protocol):
    """Splits what arrives into messages."""

    def __init__(self) -> None:
        self._rest = b""
        self.ended = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)

    def send(self, message: object) -> None:
        self._transport.write(json.dumps(message).encode() + b"\n")

    def data_received(self, data: bytes) -> None:
        *lines, self._rest = (self._rest + data).split(b"\n")
        for line in lines:
            self.receive(json.loads(line))

    def receive(self, message: Any) -> None:
        raise NotImplementedError

    def connection_lost(self, exc: Exception | None) -> None:
        del exc
        self.ended.set_result(None)


class _Host(_Line):
    def __init__(self) -> None:
        super().__init__()
        self._tasks: set[asyncio.Task[None]] = set()

    def receive(self, message: Any) -> None:
        task = asyncio.get_running_loop().create_task(self._answer(message))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _answer(self, message: Any) -> None:
        self.send([message[0], message[2]["text"]])


class _Guest(_Line):
    def __init__(self) -> None:
        super().__init__()
        self._waiting: dict[int, asyncio.Future[object]] = {}
        self._numbers = itertools.count()

    def receive(self, message: Any) -> None:
        self._waiting.pop(message[0]).set_result(message[1])

    async def echo(self, text: str) -> object:
        number = next(self._numbers)
        future = self._waiting[number] = asyncio.get_running_loop().create_future()
        self.send([number, "echo", {"text": text}])
        return await future


async def _serve(sock: socket.socket) -> None:
    _, host = await asyncio.get_running_loop().create_connection(_Host, sock=sock)
    await host.ended


async def _ask(sock: socket.socket, calls: int) -> None:
    transport, guest = await asyncio.get_running_loop().create_connection(_Guest, sock=sock)
    in_turn = gathered = 0.0
    for _ in range(2):  # the first warms up
        began = time.perf_counter()
        for _ in range(calls):
            await guest.echo("hello")
        in_turn = time.perf_counter() - began
        began = time.perf_counter()
        await asyncio.gather(*(guest.echo("hello") for _ in range(calls)))
        gathered = time.perf_counter() - began
    print(in_turn / calls, gathered / calls)
    transport.close()
    await guest.ended


def main() -> None:
    ours, theirs = socket.socketpair()
    calls = int(sys.argv[1])
    if (pid := os.fork()) == 0:
        ours.close()
        asyncio.run(_serve(theirs))
        os._exit(0)
    theirs.close()
    asyncio.run(_ask(ours, calls))
    os.waitpid(pid, 0)


if __name__ == "__main__":
    main()
