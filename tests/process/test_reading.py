"""Reading as soon as there is something, on each event loop, and losing nothing."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Iterator

import anyio
import pytest

from codemode.process.reading import reader

DEADLINE_S = 10


@pytest.fixture(params=["asyncio", "trio"])
def anyio_backend(request: pytest.FixtureRequest) -> str:
    """Each has a reader of its own."""
    found: str = request.param
    return found


@pytest.fixture
def pair() -> Iterator[tuple[socket.socket, socket.socket]]:
    ours, theirs = socket.socketpair()
    ours.setblocking(False)
    with ours, theirs:
        yield ours, theirs


async def test_what_is_there_is_read_at_once(
    pair: tuple[socket.socket, socket.socket],
) -> None:
    """All of it that one read takes."""
    ours, theirs = pair
    theirs.sendall(b"one")
    reading = reader(ours)

    with anyio.fail_after(DEADLINE_S):
        assert b"one" == await reading.read()
    reading.close()


async def test_a_wait_ends_with_what_comes(pair: tuple[socket.socket, socket.socket]) -> None:
    """In the order in which it was sent."""
    ours, theirs = pair
    reading = reader(ours)
    got: list[bytes] = []

    async def read() -> None:
        got.append(await reading.read())

    with anyio.fail_after(DEADLINE_S):
        for data in (b"one", b"two"):
            async with anyio.create_task_group() as group:
                group.start_soon(read)
                await anyio.wait_all_tasks_blocked()
                theirs.sendall(data)
    reading.close()

    assert [b"one", b"two"] == got


async def test_the_end_of_the_stream_is_empty_bytes(
    pair: tuple[socket.socket, socket.socket],
) -> None:
    """Again and again, however often it is asked."""
    ours, theirs = pair
    theirs.close()
    reading = reader(ours)

    with anyio.fail_after(DEADLINE_S):
        assert [b"", b""] == [await reading.read(), await reading.read()]
    reading.close()


@pytest.mark.parametrize("anyio_backend", ["asyncio"])
async def test_bytes_that_nobody_waits_for_do_not_keep_the_loop_busy(
    pair: tuple[socket.socket, socket.socket],
) -> None:
    """As while a large frame is read in a thread; they are read when somebody does."""
    ours, theirs = pair
    reading = reader(ours)

    with anyio.fail_after(DEADLINE_S):
        for data in (b"one", b"two"):
            theirs.sendall(data)
            assert data == await reading.read()
        theirs.sendall(b"three")
        for _ in range(3):
            await anyio.lowlevel.checkpoint()
        # It tells whether the loop was watching.
        assert not asyncio.get_running_loop().remove_reader(ours)
        assert b"three" == await reading.read()
    reading.close()


async def test_a_cancelled_wait_loses_nothing(pair: tuple[socket.socket, socket.socket]) -> None:
    """Cancelled at each turn of the loop, also after the bytes have been taken from the socket."""
    ours, theirs = pair
    reading = reader(ours)
    sent, got = b"", b""

    with anyio.fail_after(DEADLINE_S):
        for turns in range(1, 12):
            data = bytes([turns])
            scope = anyio.CancelScope()

            async def read() -> None:
                nonlocal got
                with scope:  # noqa: B023 - awaited within the turn
                    got += await reading.read()

            async with anyio.create_task_group() as group:
                group.start_soon(read)
                theirs.sendall(data)
                for _ in range(turns):
                    await anyio.lowlevel.checkpoint()
                scope.cancel()
            sent += data
        while len(got) < len(sent):
            got += await reading.read()
    reading.close()

    assert sent == got
