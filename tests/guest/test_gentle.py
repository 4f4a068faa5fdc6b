"""JSON is weighed before it is read, and read without holding up other threads."""

from __future__ import annotations

import contextlib
import json
import threading

import pytest
from hypothesis import given

from codemode_guest.gentle import GentleReader, MalformedJsonError, has_more_parts, most_parts
from codemode_guest.values import encode
from tests.properties.json_values import values

DEADLINE_S = 30


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


@given(values, values)
def test_a_document_is_read_as_json_reads_it(one: object, other: object) -> None:
    """Whether its parts are few, deep, or many in a row."""
    text = encode([one, other, [one] * 50, {str(n): other for n in range(50)}, 0]).decode()

    assert repr(json.loads(text)) == repr(GentleReader(text).document())


@pytest.mark.parametrize(
    "part",
    ["", " ", "1 2", "NaN", "-Infinity", "01", "]", "[}", '"\n"', '"\\x"', "[1,]", "9" * 4301],
)
@pytest.mark.parametrize("form", ["[1,{},3,4]", "[1,2,{}]", '{{"a":1,"b":{},"c":3,"d":4}}'])
def test_what_is_no_json_is_none_in_a_row_of_parts_either(part: str, form: str) -> None:
    """However many parts are read at once."""
    with pytest.raises((MalformedJsonError, json.JSONDecodeError)):
        GentleReader(form.format(part)).document()


@pytest.mark.parametrize(
    "text",
    [
        "[" + "1," * 300_000 + "x]",
        "[" + "1,2 3," * 100_000 + "0]",
        "[1,[" * 9_000 + "]" * 18_000,
        f"[1,[{'1,' * 2_000}0]," * 100 + "0" + "]" * 100,
        "[" + "[[[[[]]]]]," * 50_000 + "0]",
        "[" + f"{{{'[1,' * 50}0{']' * 50}}}," * 1_000 + "0]",
    ],
    ids=["an end that is none", "wrong at once", "a chain", "a long chain", "deep parts", "no key"],
)
def test_any_document_is_read_in_a_time_that_grows_with_it(text: str) -> None:
    """What is refused, or nests too deeply to be read at once, is not looked at over and over.

    Together these take a second; any that were gone through anew for each part, minutes.
    """
    reader = GentleReader(text)

    def read() -> None:
        with contextlib.suppress(ValueError):
            reader.document()

    thread = threading.Thread(target=read)
    thread.start()
    thread.join(DEADLINE_S)
    has_ended = not thread.is_alive()
    reader.stop()
    thread.join()

    assert has_ended


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
