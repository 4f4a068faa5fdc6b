"""JSON is weighed before it is read, and read without holding up other threads."""

from __future__ import annotations

import threading

import pytest
from hypothesis import given

from codemode_guest.gentle import GentleReader, has_more_parts, most_parts
from codemode_guest.values import encode
from tests.properties.json_values import values


def parts_in(value: object) -> int:
    """How many values are within a value."""
    if isinstance(value, dict):
        return sum(1 + parts_in(inner) for inner in value.values())
    if isinstance(value, list):
        return sum(1 + parts_in(inner) for inner in value)
    return 0


@given(values)
def test_parts_are_counted_exactly_without_reading(value: object) -> None:
    """Whatever is in texts; an empty container has none."""
    encoded, parts = encode(value), parts_in(value)

    assert not has_more_parts(encoded, parts)
    assert not parts or has_more_parts(encoded, parts - 1)
    assert parts <= most_parts(encoded)


@pytest.mark.parametrize("spaces", ["", " ", "\n\t "])
def test_spaces_make_no_parts(spaces: str) -> None:
    """A list of spaces is empty."""
    text = f"[{spaces}{{{spaces}}}{spaces},{spaces}[{spaces}]{spaces}]".encode()

    assert not has_more_parts(text, 2)
    assert has_more_parts(text, 1)


@pytest.mark.parametrize(
    "text",
    [b'"' + b"\\" * 2**20, b'"' + b",[{" * 2**20 + b'"', b'"' * 2**20, b"[" * 2**20],
    ids=["backslashes", "commas in a text", "quotes", "openers"],
)
def test_any_bytes_are_counted_in_a_time_that_grows_with_them(text: bytes) -> None:
    """None of these is searched twice from the same place: together they take a second."""
    assert (text[0] == ord("[")) is has_more_parts(text, 2**19)


def test_a_reading_ends_soon_when_it_is_stopped() -> None:
    """From another thread; what it would have been is of no interest."""
    reader = GentleReader("[" + "[]," * 3_000_000 + "0]")
    ended: list[Exception] = []

    def read() -> None:
        try:
            reader.document()
        except ValueError as error:
            ended.append(error)

    thread = threading.Thread(target=read)
    thread.start()
    reader.stop()
    thread.join(1)

    assert not thread.is_alive()
    assert 1 == len(ended)
