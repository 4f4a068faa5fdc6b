"""Frames are cut out of a stream of bytes, however it is split."""

from __future__ import annotations

import json

import pytest

from codemode_guest.frames import (
    ENVELOPE_BYTES,
    MAX_LENGTH,
    FrameDecoder,
    FrameTooLargeError,
    pack,
)

BODIES = [b"a", b"", b"bc" * 500, b"\0\0\0\1", b"d"]
STREAM = b"".join(pack(body) for body in BODIES)


def test_a_frame_is_its_length_and_its_body() -> None:
    """Four bytes, big-endian; the parts are joined in order."""
    assert b"\0\0\0\0" == pack()
    assert b"\0\0\0\3abc" == pack(b"abc") == pack(b"a", b"", b"bc")
    assert b"\0\1\0\0" == pack(b"x" * 2**16)[:4]


def test_a_decoder_finds_every_frame_in_one_piece() -> None:
    """Empty ones too, and a body that looks like a length."""
    assert BODIES == FrameDecoder().feed(STREAM)


@pytest.mark.parametrize("size", [1, 2, 3, 4, 5, 7, 64])
def test_a_decoder_finds_every_frame_in_pieces(size: int) -> None:
    """A length may be split as well as a body."""
    decoder = FrameDecoder()
    pieces = [STREAM[start : start + size] for start in range(0, len(STREAM), size)]

    assert BODIES == [body for piece in pieces for body in decoder.feed(piece)]


def test_an_unfinished_frame_waits_for_the_rest() -> None:
    """Feeding nothing completes nothing."""
    decoder = FrameDecoder()

    assert [b"a"] == decoder.feed(pack(b"a") + pack(b"bcd")[:-1])
    assert [] == decoder.feed(b"")
    assert [b"bcd"] == decoder.feed(b"d")


def test_a_body_is_bytes_of_its_own() -> None:
    """What is fed later does not change it."""
    decoder = FrameDecoder()
    (body,) = decoder.feed(pack(b"abc"))
    decoder.feed(pack(b"xyz"))

    assert b"abc" == body
    assert type(body) is bytes


@pytest.mark.parametrize(
    "length,refused", [(9, False), (10, False), (11, True), (MAX_LENGTH, True)]
)
def test_a_length_beyond_the_limit_is_refused_before_any_of_the_body(
    length: int,
    refused: bool,  # noqa: FBT001
) -> None:
    """Exactly the limit is within it."""
    decoder = FrameDecoder(10)
    head = length.to_bytes(4, "big")

    if not refused:
        assert [] == decoder.feed(head)
        return
    with pytest.raises(FrameTooLargeError, match=f"a frame of {length} bytes, where 10 are") as it:
        decoder.feed(head)
    assert length == it.value.length


def test_the_limit_is_for_each_body_and_not_for_the_stream() -> None:
    """Any number of frames may follow one another."""
    decoder = FrameDecoder(3)

    assert [b"abc"] * 100 == decoder.feed(pack(b"abc") * 100)


def test_a_decoder_that_has_refused_goes_on_refusing() -> None:
    """There is no way back into such a stream."""
    decoder = FrameDecoder(3)
    with pytest.raises(FrameTooLargeError):
        decoder.feed(pack(b"abcd"))

    with pytest.raises(FrameTooLargeError):
        decoder.feed(pack(b"a"))


def test_without_a_limit_any_length_is_awaited() -> None:
    """The guest's side: the seam caps no result of a binding."""
    assert [] == FrameDecoder().feed(MAX_LENGTH.to_bytes(4, "big"))


def test_the_envelope_is_longer_than_what_any_frame_has_around_its_value() -> None:
    """With the largest numbers that the host would count."""
    largest = 2**63 - 1
    around = [
        ["call", largest, largest, largest, 0],
        ["reply", largest, True, 0],
        ["reply", largest, False, 0],
        ["done", {"value": 0}],
        ["done", {"failure": 0}],
        ["log", 0],
    ]

    assert all(len(json.dumps(frame)) - 1 < ENVELOPE_BYTES for frame in around)
