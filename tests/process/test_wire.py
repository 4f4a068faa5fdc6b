"""The host's end of a bridge waits for nobody and loses nothing."""

from __future__ import annotations

import os
import socket
import tracemalloc
from collections.abc import Iterator
from functools import partial

import anyio
import anyio.lowlevel
import pytest

from codemode.process.wire import Wire

WAIT_S = 10
LARGE = 4 * 2**20


@pytest.fixture
def ends() -> Iterator[tuple[socket.socket, socket.socket]]:
    """The host's end and the guest's, neither of which blocks."""
    host, guest = socket.socketpair()
    with host, guest:
        host.settimeout(0)
        guest.settimeout(0)
        yield host, guest


async def read_to_end(sock: socket.socket, until_bytes: int) -> bytes:
    """Read what a slow peer would."""
    found = bytearray()
    with anyio.fail_after(WAIT_S):
        while len(found) < until_bytes:
            await anyio.wait_readable(sock)
            found += sock.recv(2**16)
    return bytes(found)


async def received(wire: Wire) -> list[bytes]:
    """What one read brings."""
    got: list[bytes] = []

    def take(data: bytes) -> bool:
        got.append(data)
        return False

    await wire.receive(take)
    return got


async def test_what_fits_is_sent_at_once(ends: tuple[socket.socket, socket.socket]) -> None:
    """No task is needed and no turn of the loop."""
    host, guest = ends
    wire = Wire(host)

    wire.send(b"frame")
    got = guest.recv(100)

    assert b"frame" == got
    assert 5 == wire.bytes_sent


async def test_what_a_peer_does_not_read_is_kept_and_sent_in_order(
    ends: tuple[socket.socket, socket.socket],
) -> None:
    """Sending returns at once; when the peer reads, nothing is lost, doubled or reordered."""
    host, guest = ends
    wire = Wire(host)
    frames = [os.urandom(size) for size in (10, LARGE, 1, 100_000, 3, LARGE, 7)]
    whole = b"".join(frames)

    for frame in frames:
        wire.send(frame)
    sent_before_reading = wire.bytes_sent
    got = await read_to_end(guest, len(whole))

    assert sent_before_reading < LARGE
    assert whole == got
    assert len(whole) == wire.bytes_sent


async def test_frames_sent_while_others_wait_go_behind_them(
    ends: tuple[socket.socket, socket.socket],
) -> None:
    """Even when there is room again at that moment."""
    host, guest = ends
    wire = Wire(host)

    wire.send(b"a" * LARGE)
    first = await read_to_end(guest, 2**16)
    wire.send(b"b" * 10)
    rest = await read_to_end(guest, LARGE + 10 - len(first))

    assert b"a" * LARGE + b"b" * 10 == first + rest


async def test_a_wire_that_was_behind_sends_at_once_again(
    ends: tuple[socket.socket, socket.socket],
) -> None:
    """A backlog that is gone is forgotten, and a second one is sent like the first."""
    host, guest = ends
    wire = Wire(host)
    got = b""

    for _ in range(2):
        wire.send(b"a" * LARGE)
        got += await read_to_end(guest, LARGE)

    assert b"a" * 2 * LARGE == got


async def test_what_waits_is_kept_once(ends: tuple[socket.socket, socket.socket]) -> None:
    """The rest of a frame is a view of it: a peer that stops reading costs the frame itself."""
    host, _guest = ends
    wire = Wire(host)
    frame = bytes(64 * 2**20)

    tracemalloc.start()
    try:
        for _ in range(4):
            wire.send(frame)
        _, peak_bytes = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    wire.close()

    assert 2**20 > peak_bytes


async def test_received_bytes_come_as_they_are_there(
    ends: tuple[socket.socket, socket.socket],
) -> None:
    """Before they are sent there is a wait; afterwards there is none."""
    host, guest = ends
    wire = Wire(host)
    got: list[bytes] = []

    async def receive() -> None:
        got.extend(await received(wire))

    with anyio.fail_after(WAIT_S):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(receive)
            await anyio.wait_writable(guest)
            guest.send(b"first")
        guest.send(b"second")
        got.extend(await received(wire))

    assert [b"first", b"second"] == got
    assert (11, False) == (wire.bytes_received, wire.at_end)


async def test_a_peer_that_closes_is_at_its_end(ends: tuple[socket.socket, socket.socket]) -> None:
    """What it had said is read first."""
    host, guest = ends
    wire = Wire(host)
    guest.send(b"last words")
    guest.close()

    with anyio.fail_after(WAIT_S):
        got = [await received(wire), await received(wire), await received(wire)]

    assert [[b"last words"], [], []] == got
    assert wire.at_end


async def test_a_peer_that_closes_on_unread_bytes_is_at_its_end_too(
    ends: tuple[socket.socket, socket.socket],
) -> None:
    """The kernel calls that a reset connection; for the host it is an end like any other."""
    host, guest = ends
    wire = Wire(host)
    host.send(b"never read")
    guest.close()

    with anyio.fail_after(WAIT_S):
        assert [] == await received(wire)

    assert wire.at_end


async def test_sending_to_a_peer_that_is_gone_does_nothing(
    ends: tuple[socket.socket, socket.socket],
) -> None:
    """The end is told where one reads; a sender need not know. No signal, no exception."""
    host, guest = ends
    wire = Wire(host)
    guest.close()

    wire.send(b"frame")
    wire.send(b"a" * LARGE)

    assert 0 == wire.bytes_sent


async def test_a_peer_that_goes_while_much_waits_has_it_let_go(
    ends: tuple[socket.socket, socket.socket],
) -> None:
    """What is left is for nobody, and counts as sent."""
    host, guest = ends
    wire = Wire(host)
    gone = [anyio.Event(), anyio.Event()]

    wire.send(b"a" * LARGE, gone[0].set)
    wire.send(b"b" * LARGE, gone[1].set)
    guest.close()
    with anyio.fail_after(WAIT_S):
        for each in gone:
            await each.wait()

    assert LARGE > wire.bytes_sent


async def test_each_of_frames_that_are_sent_together_counts_when_it_has_left(
    ends: tuple[socket.socket, socket.socket],
) -> None:
    """A peer that has read the first may act on it, whatever becomes of the last."""
    host, guest = ends
    wire = Wire(host)
    left: list[str] = []
    frames = {"small": b"a" * 10, "large": b"b" * LARGE, "last": b"c"}

    wire.send_together([(body, partial(left.append, name)) for name, body in frames.items()])
    left_at_once = list(left)
    got = await read_to_end(guest, LARGE + 11)
    with anyio.fail_after(WAIT_S):
        while len(left) < len(frames):
            await anyio.lowlevel.checkpoint()

    assert ["small"] == left_at_once
    assert list(frames) == left
    assert b"".join(frames.values()) == got


async def test_nothing_is_sent_by_a_wire_that_is_closed(
    ends: tuple[socket.socket, socket.socket],
) -> None:
    """Also what was waiting for room: the run that it was for is over."""
    host, guest = ends
    wire = Wire(host)

    wire.send(b"a" * LARGE)
    wire.close()
    sent = wire.bytes_sent
    await read_to_end(guest, sent)
    await anyio.wait_all_tasks_blocked()

    assert sent == wire.bytes_sent


async def test_the_socket_stays_its_owners(ends: tuple[socket.socket, socket.socket]) -> None:
    """A wire that is dropped closes nothing."""
    host, guest = ends
    wire = Wire(host)
    del wire

    host.send(b"still open")

    assert b"still open" == guest.recv(100)
