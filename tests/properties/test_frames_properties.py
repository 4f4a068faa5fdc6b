"""However a stream of frames is split, it is the same frames."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codemode_guest.frames import FrameDecoder, FrameTooLargeError, pack

bodies = st.lists(st.binary(max_size=300), max_size=10)


def pieces(data: bytes, cuts: list[int]) -> list[bytes]:
    """The data, cut at these places."""
    places = sorted({min(cut, len(data)) for cut in cuts})
    return [data[start:end] for start, end in zip([0, *places], [*places, len(data)], strict=True)]


@given(bodies, st.lists(st.integers(0, 3_500), max_size=30))
def test_any_split_of_a_stream_gives_the_same_frames(frames: list[bytes], cuts: list[int]) -> None:
    """Empty pieces and empty bodies included."""
    stream = b"".join(map(pack, frames))
    decoder = FrameDecoder()

    got = [body for piece in pieces(stream, cuts) for body in decoder.feed(piece)]

    assert frames == got
    assert frames == FrameDecoder().feed(stream)


@given(st.lists(st.binary(max_size=50), max_size=5))
def test_a_frame_of_parts_is_a_frame_of_the_whole(parts: list[bytes]) -> None:
    """Where one part ends is not told."""
    assert pack(b"".join(parts)) == pack(*parts)


@given(bodies, st.integers(0, 300), st.lists(st.integers(0, 3_500), max_size=30))
def test_a_body_is_given_out_only_if_it_is_within_the_limit(
    frames: list[bytes], max_bytes: int, cuts: list[int]
) -> None:
    """All before the first that is too long, in any split that lets them be seen."""
    decoder = FrameDecoder(max_bytes)
    within = []
    for frame in frames:
        if len(frame) > max_bytes:
            break
        within.append(frame)
    got: list[bytes] = []

    def feed() -> None:
        for frame in frames:
            for piece in pieces(pack(frame), cuts):
                got.extend(decoder.feed(piece))

    if within == frames:
        feed()
    else:
        with pytest.raises(FrameTooLargeError):
            feed()
    assert within == got


@given(st.binary(), st.lists(st.integers(0, 100), max_size=10), st.integers(0, 2**32 - 1))
def test_any_bytes_are_frames_or_too_large(data: bytes, cuts: list[int], max_bytes: int) -> None:
    """Checklist 88: nothing else comes of garbage, and no body is longer than it may be."""
    decoder = FrameDecoder(max_bytes)
    got: list[bytes] = []
    try:
        for piece in pieces(data, cuts):
            got += decoder.feed(piece)
    except FrameTooLargeError as error:
        assert error.length > max_bytes  # noqa: PT017 - it may also be frames

    assert all(len(body) <= max_bytes for body in got)
    assert data.startswith(b"".join(map(pack, got)))
