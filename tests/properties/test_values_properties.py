"""Whatever the value, it is the same afterwards; whatever the bytes, they are read or refused."""

from __future__ import annotations

import json
import math
import re
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from codemode_guest.lossy import count_parts, explain
from codemode_guest.values import (
    LossyValueError,
    MalformedJsonError,
    ValueTooLargeError,
    decode,
    encode,
    encoded_text,
    refuse_lossy,
)
from tests.properties.json_values import (
    PAIR,
    any_texts,
    documents,
    long_integers,
    near_documents,
    scalars,
    texts,
    values,
)

# Deeper than the C reader of any version follows, so that ours reads what stands beside it.
DEEP = "[" * 12_000 + "]" * 12_000


def naive(value: object) -> bytes:
    """Compact JSON the simple way: recursion, and one regular expression for the surrogates."""

    def written(part: object) -> str:
        match part:
            case dict():
                members = (f"{written(key)}:{written(inner)}" for key, inner in part.items())
                return "{" + ",".join(members) + "}"
            case list() | tuple():
                return "[" + ",".join(map(written, part)) + "]"
        return json.dumps(part, ensure_ascii=False)

    lone = re.compile("[\ud800-\udfff]")
    return lone.sub(lambda found: f"\\u{ord(found[0]):04x}", written(value)).encode()


def nested(value: object, steps: list[str | None]) -> object:
    """Wrap a value: in a list for None, else in a dict under that key."""
    for key in steps:
        value = [value] if key is None else {key: value}
    return value


def read_by_json(document: str) -> object:
    """What the standard library reads, which takes some words for numbers that JSON has not."""

    def refuse(name: str) -> object:
        raise ValueError(name)

    return json.loads(document, parse_constant=refuse)


@given(values)
def test_a_value_that_crossed_is_the_same_with_the_same_types(value: object) -> None:
    """Checklist 93, 95, 96: `True` is not 1, `-0.0` stays, no digit and no order is lost."""
    got = decode(encode(value))

    assert value == got
    assert repr(value) == repr(got)


@given(long_integers)
def test_a_long_integer_that_crossed_is_the_same(number: int) -> None:
    """Checklist 96: alone, and in a document of any length."""
    assert number == decode(encode(number))
    assert [number, DEEP] == decode(encode([number, DEEP]))


@given(values)
def test_a_value_is_written_as_the_simple_writer_would(value: object) -> None:
    """Compact, in UTF-8, only lone surrogates escaped."""
    assert naive(value) == encode(value)


@given(values, st.lists(st.none() | texts, min_size=101, max_size=300))
def test_a_deep_value_is_written_and_read_alike(value: object, steps: list[str | None]) -> None:
    """Checklist 94: the writer and the reader for deep values know nothing else."""
    deep = nested(value, steps)
    encoded = encode(deep)

    assert naive(deep) == encoded
    assert repr(deep) == repr(decode(encoded))


@given(values)
def test_tuples_are_written_as_lists(value: object) -> None:
    """Wherever they stand."""

    def with_tuples(part: object) -> object:
        match part:
            case list():
                return tuple(map(with_tuples, part))
            case dict():
                return {key: with_tuples(inner) for key, inner in part.items()}
        return part

    assert encode(value) == encode(with_tuples(value))


@given(any_texts)
@example("\ud83d\ude00")
def test_text_is_refused_if_and_only_if_it_would_come_back_as_other_text(text: str) -> None:
    """Checklist 95: that is when two surrogates in a row spell one character."""
    if PAIR.search(text) is None:
        assert text == decode(encode(text))
        assert [{text: text}] == decode(encode([{text: text}]))
        return
    for value in (text, [text], {text: 1}, {"a": {"b": text}}):
        with pytest.raises(LossyValueError, match="surrogate pair"):
            encode(value)


@given(any_texts)
def test_text_that_is_shown_is_written_whatever_is_in_it(text: str) -> None:
    """Read back, it is what its code units spell."""
    spelt = text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")

    assert spelt == decode(encoded_text(text))


@given(values)
def test_the_limit_of_bytes_is_exact(value: object) -> None:
    """Checklist 98: for every value."""
    encoded = encode(value)

    assert encoded == encode(value, max_bytes=len(encoded))
    with pytest.raises(ValueTooLargeError):
        encode(value, max_bytes=len(encoded) - 1)


@given(st.lists(values, max_size=5))
def test_every_part_is_counted_and_takes_two_bytes(value: list[object]) -> None:
    """The count is what a writer would write out, and a lower bound for its bytes."""

    def count(part: object) -> int:
        match part:
            case list():
                return len(part) + sum(map(count, part))
            case dict():
                return len(part) + sum(map(count, part.values()))
        return 0

    parts = count_parts(value, max_depth=100)

    assert count(value) == parts
    assert 2 * parts <= len(encode(value))


# What is not lossless is found where it is.

_FAULTS: dict[str, Any] = {
    "a set": {1},
    "bytes": b"",
    "nan": math.nan,
    "infinity": -math.inf,
    "a long integer": 10**4300,
    "a pair of surrogates": "\ud83d\ude00",
    "an object": object(),
    "a key": {1: 2},
}
_KEYS = st.text(st.characters(exclude_categories=()), max_size=5).filter(
    lambda key: PAIR.search(key) is None
)


@st.composite
def planted(draw: st.DrawFn) -> tuple[object, str]:
    """A value with one fault in it, and the path of the fault."""
    value: object = _FAULTS[draw(st.sampled_from(sorted(_FAULTS)))]
    path = ""
    for _ in range(draw(st.integers(0, 5))):
        before, after = draw(st.lists(scalars, max_size=3)), draw(st.lists(scalars, max_size=3))
        if draw(st.booleans()):
            path = f"[{len(before)}]{path}"
            value = [*before, value, *after]
        else:
            keys = draw(st.lists(_KEYS, min_size=7, max_size=7, unique=True))
            others = dict(zip(keys, before, strict=False))
            plain = re.fullmatch("[A-Za-z_][A-Za-z0-9_]*", keys[6])
            path = (f".{keys[6]}" if plain else f"[{keys[6]!r}]") + path
            value = others | {keys[6]: value} | dict(zip(keys[3:6], after, strict=False))
    return value, "$" + path


@given(planted())
def test_the_fault_is_found_where_it_was_planted(given_value: tuple[object, str]) -> None:
    """Checklist 93: by the writer, by the check and by the explanation alike."""
    value, path = given_value

    fault = explain(value)
    assert path == fault.path
    # What was read holds no such pair, so the check of what was read does not look for one.
    for check in (encode,) if "surrogate" in fault.reason else (encode, refuse_lossy):
        with pytest.raises(LossyValueError) as caught:
            check(value)
        assert path == caught.value.path


@given(planted(), st.lists(st.none(), min_size=101, max_size=300))
def test_a_fault_is_found_at_any_depth(
    given_value: tuple[object, str], steps: list[str | None]
) -> None:
    """The path is cut then; what is told of the fault is the same."""
    value, _ = given_value

    with pytest.raises(LossyValueError) as caught:
        encode(nested(value, steps))

    assert explain(value).reason == caught.value.reason


@given(values)
def test_the_check_finds_nothing_in_a_lossless_value(value: object) -> None:
    """What is written can be checked, and what is read can be written."""
    refuse_lossy(value)
    refuse_lossy(decode(encode(value)))


# Reading.


def test_the_deep_document_is_one_that_the_c_reader_does_not_read() -> None:
    """So that what stands beside it below is read by ours."""
    with pytest.raises(RecursionError):
        json.loads(DEEP)


@given(documents())
@example("0")
@example("-0")
@example("1E400")
@example('"\\ud83d\\ude00"')
@example('{"a":1,"a":2}')
@example("1" * 4300)
def test_the_deep_reader_reads_what_json_reads(document: str) -> None:
    """Checklist 94: the same value with the same types, infinities of overflow included."""
    deep = decode(f"[{DEEP},{document}]".encode())
    assert isinstance(deep, list)

    assert repr(read_by_json(f"[{document}]")) == repr(deep[1:])
    assert repr(deep[1:]) == repr(decode(f"[{document}]".encode()))


@given(near_documents())
@example("01")
@example("1.")
@example("[1,]")
@example('{"a":1,}')
@example('{"a" 1}')
@example("{1:1}")
@example("NaN")
@example("-")
@example("tru")
@example('"\t"')
@example('"\\')
@example("1] 2")
@example("1" * 4301)
def test_the_deep_reader_refuses_what_json_refuses(document: str) -> None:
    """Ours is neither more lenient nor more strict; what it reads is the same."""
    try:
        expected = read_by_json(f"[0,{document}]")
    except ValueError:
        for beside in ("0", DEEP):
            with pytest.raises(MalformedJsonError):
                decode(f"[{beside},{document}]".encode())
        return
    deep = decode(f"[{DEEP},{document}]".encode())
    assert isinstance(deep, list)
    assert isinstance(expected, list)
    assert repr(expected[1:]) == repr(deep[1:])


@given(st.binary(max_size=100))
def test_any_bytes_are_read_or_refused_with_one_kind_of_exception(data: bytes) -> None:
    """Checklist 88, 95: also deep within a document."""
    for document in (data, b"[" + DEEP.encode() + b"," + data, DEEP.encode() + data):
        try:
            decode(document)
        except MalformedJsonError as error:
            assert str(error)  # noqa: PT017 - it may also be read
