"""The guest's end of the bridge sends whole frames, waits as asked, and ends with the host."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator

import pytest

from codemode_guest.bridge import Bridge
from codemode_guest.frames import FrameDecoder, pack
from codemode_guest.values import decode
from tests.guest.children import child_on_a_bridge

WAIT_S = 10


@pytest.fixture
def ends() -> Iterator[tuple[Bridge, socket.socket]]:
    """A bridge and the host's end of it."""
    guest, host = socket.socketpair()
    with guest, host:
        host.settimeout(WAIT_S)
        yield Bridge(guest), host


def frames(data: bytes) -> list[object]:
    """The JSON of each whole frame."""
    return [decode(body) for body in FrameDecoder().feed(data)]


def test_what_is_sent_is_one_frame_of_its_parts(ends: tuple[Bridge, socket.socket]) -> None:
    """Nothing is added and nothing waits."""
    bridge, host = ends

    bridge.send(b'["log",', b'"a"', b"]")

    assert pack(b'["log","a"]') == host.recv(100)


def test_sending_waits_while_the_host_is_behind(ends: tuple[Bridge, socket.socket]) -> None:
    """A frame larger than the socket's room is sent whole, in order with the next."""
    bridge, host = ends
    large = b"x" * 2**22
    got = bytearray()

    def read() -> None:
        while len(got) < len(large) + 9:
            got.extend(host.recv(2**16))

    reading = threading.Thread(target=read)
    reading.start()
    bridge.send(large)
    bridge.send(b"y")
    reading.join(WAIT_S)

    assert pack(large) + pack(b"y") == got


@pytest.mark.parametrize("text", ["a", "a\nb\n", "\ud800", 'quote " and \0', "x" * 32_769])
def test_printed_text_arrives_as_it_was(ends: tuple[Bridge, socket.socket], text: str) -> None:
    """Checklist 95: in one frame or in several, lone surrogates included."""
    bridge, host = ends

    bridge.log(text)

    said = frames(host.recv(2**18))
    assert text == "".join(piece for _, piece in said)  # type: ignore[misc,has-type]
    assert all(kind == "log" for kind, _ in said)  # type: ignore[misc,has-type]


def test_a_long_text_is_sent_in_pieces(ends: tuple[Bridge, socket.socket]) -> None:
    """So that a flood meets the host's cap before all of it has been sent."""
    bridge, host = ends

    bridge.log("x" * 2**16)

    assert [2**15, 2**15] == [len(piece) for _, piece in frames(host.recv(2**18))]  # type: ignore[misc,has-type]


def test_empty_text_is_not_sent(ends: tuple[Bridge, socket.socket]) -> None:
    """There is nothing to say."""
    bridge, host = ends

    bridge.log("")
    bridge.send(b"next")

    assert pack(b"next") == host.recv(100)


@pytest.mark.parametrize("timeout_s", [0, 0.02])
def test_waiting_for_some_time_gives_nothing_when_nothing_comes(
    ends: tuple[Bridge, socket.socket], timeout_s: float
) -> None:
    """Not before the time is over."""
    bridge, _host = ends
    started = time.monotonic()

    assert [] == bridge.receive(timeout_s)
    assert timeout_s <= time.monotonic() - started


@pytest.mark.parametrize("timeout_s", [0, 5, None])
def test_what_has_come_is_received_with_any_wait(
    ends: tuple[Bridge, socket.socket], timeout_s: float | None
) -> None:
    """All frames that are there, in order."""
    bridge, host = ends
    host.sendall(pack(b'["reply",1,true,null]') + pack(b'["reply",2,false,"no"]'))

    assert [["reply", 1, True, None], ["reply", 2, False, "no"]] == bridge.receive(timeout_s)


def test_waiting_without_end_ends_with_what_comes(ends: tuple[Bridge, socket.socket]) -> None:
    """The wait is in the call itself, not beside it."""
    bridge, host = ends
    sending = threading.Timer(0.02, host.sendall, [pack(b"[1]")])
    sending.start()

    got = bridge.receive(None)
    sending.join(WAIT_S)

    assert [[1]] == got


def test_a_frame_that_comes_in_pieces_is_received_with_its_last(
    ends: tuple[Bridge, socket.socket],
) -> None:
    """Until then a wait may end with nothing."""
    bridge, host = ends
    frame = pack(b'["start",{}]')
    host.sendall(frame[:3])
    early = bridge.receive(None)
    host.sendall(frame[3:-1])
    later = bridge.receive(None)
    host.sendall(frame[-1:])

    assert ([], [], [["start", {}]]) == (early, later, bridge.receive(None))


def test_a_large_result_is_received_whole(ends: tuple[Bridge, socket.socket]) -> None:
    """The host caps no result; small frames after it come as before."""
    bridge, host = ends
    text = "x" * 2**23
    stream = pack(f'["reply",1,true,"{text}"]'.encode()) + pack(b"[2]")
    sending = threading.Thread(target=host.sendall, args=[stream])
    sending.start()
    got: list[object] = []
    while len(got) < 2:
        got += bridge.receive(WAIT_S)
    sending.join(WAIT_S)

    assert [["reply", 1, True, text], [2]] == got


IMPORTS = """
import socket, sys
from codemode_guest.bridge import Bridge
bridge = Bridge(socket.socket(fileno=int(sys.argv[1])))
bridge.send(b"[0]")
"""


@pytest.mark.parametrize(
    "code",
    [
        "bridge.receive(None)",
        "while True: bridge.receive(0)",
        "while True: bridge.receive(1)",
        "while True: bridge.send(b'x' * 100_000)",
        "while True: bridge.log('x')",
        "try: bridge.receive(None)\nfinally: print('a farewell')",
    ],
)
def test_when_the_host_is_gone_the_guest_ends_at_once(code: str) -> None:
    """Checklist 84, 88: without a word, and without running what was to be run at the end."""
    with child_on_a_bridge(IMPORTS + code) as peer:
        assert [0] == peer.next()
        ended = peer.end()

    assert (0, "", "") == (ended.status, ended.stdout, ended.stderr)
