"""What is asked of an event loop beyond anyio, on each of them: nothing is lost or held up."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import Iterator
from typing import Any

import anyio
import pytest

from codemode.process.event_loop import Watch, new_tasks, watch

DEADLINE_S = 10


@pytest.fixture(params=["asyncio", "trio"])
def anyio_backend(request: pytest.FixtureRequest) -> str:
    """Each has a module of its own."""
    found: str = request.param
    return found


@pytest.fixture
def pair() -> Iterator[tuple[socket.socket, socket.socket]]:
    ours, theirs = socket.socketpair()
    ours.setblocking(False)
    with ours, theirs:
        yield ours, theirs


async def read(sock: socket.socket, watching: Watch) -> bytes:
    """Read once."""
    got: list[bytes] = []

    def once() -> bool:
        with contextlib.suppress(BlockingIOError):
            got.append(sock.recv(100))
        return not got

    await watching.reading(once)
    return got.pop()


async def test_what_is_there_is_read_at_once(
    pair: tuple[socket.socket, socket.socket],
) -> None:
    """All of it that one read takes."""
    ours, theirs = pair
    theirs.sendall(b"one")
    watching = watch(ours)

    with anyio.fail_after(DEADLINE_S):
        assert b"one" == await read(ours, watching)
    watching.close()


async def test_a_wait_ends_with_what_comes(pair: tuple[socket.socket, socket.socket]) -> None:
    """In the order in which it was sent."""
    ours, theirs = pair
    watching = watch(ours)
    got: list[bytes] = []

    async def keep() -> None:
        got.append(await read(ours, watching))

    with anyio.fail_after(DEADLINE_S):
        for data in (b"one", b"two"):
            async with anyio.create_task_group() as group:
                group.start_soon(keep)
                await anyio.wait_all_tasks_blocked()
                theirs.sendall(data)
    watching.close()

    assert [b"one", b"two"] == got


async def test_the_end_of_the_stream_is_empty_bytes(
    pair: tuple[socket.socket, socket.socket],
) -> None:
    """Again and again, however often it is asked."""
    ours, theirs = pair
    theirs.close()
    watching = watch(ours)

    with anyio.fail_after(DEADLINE_S):
        assert [b"", b""] == [await read(ours, watching), await read(ours, watching)]
    watching.close()


@pytest.mark.parametrize("anyio_backend", ["asyncio"])
async def test_bytes_that_nobody_waits_for_do_not_keep_the_loop_busy(
    pair: tuple[socket.socket, socket.socket],
) -> None:
    """As while a large frame is read in a thread; they are read when somebody does."""
    ours, theirs = pair
    watching = watch(ours)

    with anyio.fail_after(DEADLINE_S):
        for data in (b"one", b"two"):
            theirs.sendall(data)
            assert data == await read(ours, watching)
        theirs.sendall(b"three")
        for _ in range(3):
            await anyio.lowlevel.checkpoint()
        # It tells whether the loop was watching.
        assert not asyncio.get_running_loop().remove_reader(ours)
        assert b"three" == await read(ours, watching)
    watching.close()


async def test_a_cancelled_wait_loses_nothing(pair: tuple[socket.socket, socket.socket]) -> None:
    """Cancelled at each turn of the loop, also after the bytes have been taken from the socket."""
    ours, theirs = pair
    watching = watch(ours)
    sent, got = b"", b""

    def take() -> bool:
        nonlocal got
        try:
            got += ours.recv(100)
        except BlockingIOError:
            return True
        return False

    with anyio.fail_after(DEADLINE_S):
        for turns in range(1, 12):
            data = bytes([turns])
            scope = anyio.CancelScope()

            async def keep() -> None:
                with scope:  # noqa: B023 - awaited within the turn
                    await watching.reading(take)

            async with anyio.create_task_group() as group:
                group.start_soon(keep)
                theirs.sendall(data)
                for _ in range(turns):
                    await anyio.lowlevel.checkpoint()
                scope.cancel()
            sent += data
        while len(got) < len(sent):
            await watching.reading(take)
    watching.close()

    assert sent == got


async def test_reading_goes_on_until_there_is_enough(
    pair: tuple[socket.socket, socket.socket],
) -> None:
    """What is taken in between wakes nobody."""
    ours, theirs = pair
    watching = watch(ours)
    got: list[bytes] = []

    def take() -> bool:
        with contextlib.suppress(BlockingIOError):
            got.append(ours.recv(100))
        return b"enough" not in got

    with anyio.fail_after(DEADLINE_S):
        async with anyio.create_task_group() as group:
            group.start_soon(watching.reading, take)
            for data in (b"one", b"two", b"enough"):
                theirs.sendall(data)
                while data not in got:
                    await anyio.lowlevel.checkpoint()
    watching.close()

    assert [b"one", b"two", b"enough"] == got


async def test_what_is_raised_over_bytes_reaches_the_reader(
    pair: tuple[socket.socket, socket.socket],
) -> None:
    """Whatever it is: from a callback of the loop it would reach nobody."""
    ours, theirs = pair
    watching = watch(ours)
    theirs.sendall(b"one")

    def take() -> bool:
        raise MemoryError

    with anyio.fail_after(DEADLINE_S), pytest.raises(MemoryError):
        await watching.reading(take)
    watching.close()


@pytest.mark.parametrize("anyio_backend", ["asyncio"])
async def test_a_task_factory_of_the_hosts_makes_the_tasks() -> None:
    """Whatever it does for the host, it does for bindings."""
    made: list[object] = []

    def factory(loop: asyncio.AbstractEventLoop, coroutine: Any, **more: Any) -> Any:
        made.append(coroutine)
        return asyncio.Task(coroutine, loop=loop, **more)

    async def note() -> None:
        done.set()

    done, tasks, loop = anyio.Event(), new_tasks(), asyncio.get_running_loop()
    await tasks.open()
    with anyio.fail_after(DEADLINE_S):
        tasks.start(note())
        await done.wait()
        done = anyio.Event()
        loop.set_task_factory(factory)
        try:
            tasks.start(note())
        finally:
            loop.set_task_factory(None)
        await done.wait()

    assert 1 == len(made)
    assert await tasks.close(DEADLINE_S)
