"""Frames are read as what they are, small or large, and a wait for a large one can be left."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import anyio
import pytest

from codemode.process.conversation import ProtocolViolationError
from codemode.process.decoding import FrameReader, items_of
from codemode.process.event_loop import new_tasks

DEADLINE_S = 20
LARGE = [{"text": ",[{" * 100_000}, [[n, {"n": [n]}] for n in range(30_000)]]


@pytest.fixture(params=["asyncio", "trio"])
def anyio_backend(request: pytest.FixtureRequest) -> str:
    """Threads are waited for by each."""
    found: str = request.param
    return found


@asynccontextmanager
async def reading(max_parts: int = 1_000_000) -> AsyncIterator[FrameReader]:
    """Nothing that it started goes on afterwards."""
    tasks = new_tasks()
    await tasks.open()
    with anyio.fail_after(DEADLINE_S):
        yield FrameReader(max_parts, tasks, anyio.CapacityLimiter(1))
        assert await tasks.close(DEADLINE_S)


@pytest.mark.parametrize(
    "frame",
    [["a"], ["done", {"value": LARGE}], ["log", ",[{" * 100_000]],
    ids=["small", "of many parts", "of one part"],
)
async def test_a_frame_is_read_as_it_is(frame: list[object]) -> None:
    """Whichever way it is read."""
    async with reading() as reader:
        items = await reader.read_large(json.dumps(frame).encode())

    assert frame == items


@pytest.mark.parametrize("parts,fits", [(49_999, True), (60_000, False)])
async def test_parts_are_counted_without_what_is_in_texts(
    parts: int,
    fits: bool,  # noqa: FBT001
) -> None:
    """A text full of commas is one part."""
    body = json.dumps(["log", ",[{" * 100_000, [0] * parts]).encode()
    async with reading(50_000) as reader:
        if fits:
            assert 3 == len(await reader.read_large(body))
        else:
            with pytest.raises(ProtocolViolationError, match="over 50000 parts"):
                await reader.read_large(body)


async def test_a_wait_that_was_left_goes_on_with_the_same_reading() -> None:
    """A deadline that passes in between loses nothing, and nothing is read twice."""
    frame = ["done", {"value": LARGE}]
    body = json.dumps(frame).encode()
    left, items = 0, None
    async with reading() as reader:
        while items is None:
            with anyio.move_on_after(0.005):
                items = await reader.read_large(body)
            left += items is None

    assert frame == items
    assert left > 0
    assert reader.cpu_ns > 0


async def test_a_reading_that_is_stopped_is_not_waited_for() -> None:
    """As when the run has ended."""
    body = json.dumps(["done", {"value": [[]] * 900_000}]).encode()
    async with reading() as reader:
        with anyio.move_on_after(0.05):
            await reader.read_large(body)
        reader.stop()

    assert 0 == reader.cpu_ns


def test_a_frame_that_the_host_has_no_memory_for_is_the_peers_fault() -> None:
    """It ends the run as any other that is too large; the host goes on."""

    def decode(_body: bytes) -> object:
        raise MemoryError

    with pytest.raises(ProtocolViolationError, match="no memory"):
        items_of(b"[1]", decode)
