"""A value that crosses is the same afterwards, and what would not be is refused."""

from __future__ import annotations

import inspect
import json
import math
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from codemode_guest.values import (
    MAX_DEPTH,
    MAX_INT_DIGITS,
    LossyValueError,
    MalformedJsonError,
    ValueTooLargeError,
    decode,
    encode,
    encoded_text,
    refuse_lossy,
)

LARGEST = 10**MAX_INT_DIGITS - 1


def nested(levels: int, inner: object = None) -> object:
    """Lists and dicts around a value, in turns."""
    for level in range(levels):
        inner = [inner] if level % 2 else {"k": inner}
    return inner


@pytest.mark.parametrize(
    "value,written",
    [
        (None, b"null"),
        (True, b"true"),
        (1, b"1"),
        (1.0, b"1.0"),
        (-0.0, b"-0.0"),
        (5e-324, b"5e-324"),
        (1.7976931348623157e308, b"1.7976931348623157e+308"),
        (2**64, b"18446744073709551616"),
        ("", b'""'),
        ('"\\\n\t\0\x7f', b'"\\"\\\\\\n\\t\\u0000\x7f"'),
        ("é😀", '"é😀"'.encode()),
        ("\ud800", b'"\\ud800"'),
        ("\ude00\ud83d", b'"\\ude00\\ud83d"'),
        ([], b"[]"),
        ({}, b"{}"),
        ([1, [2, {}]], b"[1,[2,{}]]"),
        ({"b": 1, "a": {"": []}}, b'{"b":1,"a":{"":[]}}'),
        ({"\ud800": "\udfff"}, b'{"\\ud800":"\\udfff"}'),
    ],
    ids=repr,
)
def test_a_lossless_value_is_compact_json_and_comes_back(value: object, written: bytes) -> None:
    """Checklist 93, 95, 96: same value, same types, same order, in UTF-8."""
    assert written == encode(value)
    assert value == decode(written)
    assert repr(value) == repr(decode(written))


def test_exact_tuples_become_lists() -> None:
    """At any depth; JSON has no other word for them."""
    assert b'[1,[2,{"a":[]}]]' == encode((1, (2, {"a": ()})))


@pytest.mark.parametrize("number", [LARGEST, -LARGEST], ids=["positive", "negative"])
def test_an_integer_of_4300_digits_crosses_exactly(number: int) -> None:
    """Checklist 96: the limit is CPython's own."""
    assert sys.int_info.default_max_str_digits == MAX_INT_DIGITS
    assert number == decode(encode(number))
    assert [number] == decode(encode([number]))


@pytest.mark.parametrize(
    "number", [LARGEST + 1, -LARGEST - 1, 10**100_000], ids=["positive", "negative", "huge"]
)
def test_a_longer_integer_is_refused_before_it_is_converted(number: int) -> None:
    """Checklist 96: with its path; a conversion would raise something else, or take ages."""
    with pytest.raises(LossyValueError, match="an integer has more than 4300 digits") as caught:
        encode({"a": [0, number]})

    assert "$.a[1]" == caught.value.path


@pytest.mark.parametrize("sign", ["", "-"])
@pytest.mark.parametrize("around", ["%s", "[%s]", '{"a":[1,%s]}'])
def test_a_longer_integer_is_not_read(sign: str, around: str) -> None:
    """Checklist 96: on the other side the same limit holds, sign apart."""
    longest, longer = (sign + "9" * digits for digits in (MAX_INT_DIGITS, MAX_INT_DIGITS + 1))

    assert decode((around % longest).encode()) == json.loads(around % longest)
    with pytest.raises(MalformedJsonError, match="an integer has more than 4300 digits"):
        decode((around % longer).encode())


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
@pytest.mark.parametrize("levels", [0, 3, 500])
def test_a_number_that_is_none_is_refused_at_any_depth(value: float, levels: int) -> None:
    """Checklist 93."""
    with pytest.raises(LossyValueError, match="is not a JSON number"):
        encode(nested(levels, value))
    with pytest.raises(LossyValueError, match="is not a JSON number"):
        refuse_lossy(nested(levels, value))


@pytest.mark.parametrize(
    "value", [b"", {1}, object(), print, 1j, range(3), iter(()), type, Ellipsis, NotImplemented]
)
@pytest.mark.parametrize("levels", [0, 1, 500])
def test_a_value_of_another_type_is_refused_at_any_depth(value: object, levels: int) -> None:
    """Checklist 93: nothing is converted silently."""
    with pytest.raises(LossyValueError):
        encode(nested(levels, value))


@pytest.mark.parametrize("key", [1, None, True, 1.5, (1, 2), b"k"])
@pytest.mark.parametrize("levels", [0, 500])
def test_a_key_that_is_no_text_is_refused(key: object, levels: int) -> None:
    """Checklist 93: `json` would write `"1"` and `"null"`, which come back as something else."""
    with pytest.raises(LossyValueError, match="JSON keys are text"):
        encode(nested(levels, {"a": 1, key: 2}))


class Text(str):
    __slots__ = ()


class Number(int):
    pass


class Real(float):
    pass


class Items(list[object]):
    pass


class Members(dict[str, object]):
    pass


class Pair(tuple[object, ...]):
    __slots__ = ()


@pytest.mark.parametrize(
    "value", [Text("a"), Number(1), Real(1.0), Items(), Members(), Pair(), {Text("a"): 1}], ids=repr
)
def test_a_subclass_is_not_its_base(value: object) -> None:
    """It would come back as the base, and on the way its own methods would be asked."""
    with pytest.raises(LossyValueError):
        encode(value)
    with pytest.raises(LossyValueError):
        encode([value])


@pytest.mark.parametrize("value", ["\ud83d\ude00", "a\ud83d\ude00b", "\ud800\ud83d\ude00\ude00"])
@pytest.mark.parametrize("levels", [0, 1, 500])
def test_two_surrogates_that_spell_a_character_are_refused(value: str, levels: int) -> None:
    """Checklist 95: they would come back as one character, of another length."""
    with pytest.raises(LossyValueError, match="a surrogate pair as two characters"):
        encode(nested(levels, value))


def test_a_pair_of_surrogates_in_a_key_is_refused() -> None:
    """As in a value."""
    with pytest.raises(LossyValueError, match="a key holds a surrogate pair"):
        encode([{"\ud83d\ude00": 1}])


def test_surrogates_of_two_texts_are_no_pair() -> None:
    """What stands between them is JSON's own."""
    value = ["\ud83d", "\ude00", {"\ud83d": "\ude00"}]

    assert value == decode(encode(value))


@pytest.mark.parametrize("levels", [99, 100, 101, 1_000, 10_000, MAX_DEPTH])
def test_deep_values_cross(levels: int) -> None:
    """Checklist 94: whatever the interpreter's own limit of recursion is."""
    encoded = encode(nested(levels, "a"))

    assert levels == encoded.count(b"[") + encoded.count(b"{")
    assert encoded == encode(decode(encoded))


def test_deeper_values_are_refused() -> None:
    """Whatever handled them next, a repr or a comparison, would recurse."""
    with pytest.raises(LossyValueError, match="nests more than 20000 levels deep; flatten it"):
        encode(nested(MAX_DEPTH + 1))
    with pytest.raises(LossyValueError, match="nests more than 20000 levels deep"):
        refuse_lossy(nested(MAX_DEPTH + 1))


def test_a_deep_value_crosses_when_most_of_the_stack_is_used() -> None:
    """A program may call a tool from deep within its own recursion."""
    value = nested(90)

    def deep(levels: int) -> bytes:
        return deep(levels - 1) if levels else encode(value)

    room = sys.getrecursionlimit() - 200

    assert encode(value) == deep(max(0, room - len_of_stack()))


def len_of_stack() -> int:
    """How many frames this call is under."""
    return len(inspect.stack(0))


def cycle() -> list[object]:
    """A value that holds itself, three steps down."""
    value: list[object] = [0]
    value.append({"a": [value]})
    return value


@pytest.mark.parametrize("max_bytes", [None, 1_000, 2**30])
def test_a_value_that_contains_itself_is_refused(max_bytes: int | None) -> None:
    """Checklist 93: with the path at which it comes back."""
    with pytest.raises(LossyValueError, match="the value contains itself") as caught:
        encode(cycle(), max_bytes=max_bytes)

    assert "$[1].a[0]" == caught.value.path


@contextmanager
def within_cpu_seconds(seconds: float) -> Iterator[None]:
    """Fail what uses more CPU time than that, in the middle of it."""

    def give_up(number: int, frame: object) -> None:
        pytest.fail(f"not done after {seconds} s of CPU time")

    before = signal.signal(signal.SIGPROF, give_up)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


@pytest.mark.parametrize("max_bytes", [None, 2**20, 2**40])
def test_a_wide_value_that_contains_itself_is_refused_after_one_look(
    max_bytes: int | None,
) -> None:
    """Going around it to the limit of depth would keep a host's loop busy for minutes."""
    value: list[object] = [0] * 100_000
    value.append(value)

    with within_cpu_seconds(5), pytest.raises(LossyValueError, match="the value contains itself"):
        encode(value, max_bytes=max_bytes)


def test_a_value_that_shares_its_parts_is_written_out() -> None:
    """Sharing is lost, and that is no loss of JSON's."""
    part = {"a": [1]}

    assert b'[{"a":[1]},{"a":[1]}]' == encode([part, part])


def test_a_value_that_doubles_itself_is_refused_by_its_size() -> None:
    """Forty lists could spell a terabyte; they are counted, not written."""
    value: object = 0
    for _ in range(40):
        value = [value, value]

    with within_cpu_seconds(20), pytest.raises(ValueTooLargeError) as caught:
        encode(value, max_bytes=2**30)

    assert (2**30, "bytes") == (caught.value.limit, caught.value.unit)


def test_a_value_of_a_million_parts_that_fits_is_written() -> None:
    """Being large is suspicious, not wrong."""
    value = [[0] * 1_000] * 1_100

    encoded = encode(value, max_bytes=2**22)

    assert 1_100 * len("[" + "0," * 999 + "0],") + 1 == len(encoded)
    assert value == decode(encoded)


@pytest.mark.parametrize("value", ["aé", [1, 22], {"k": "\ud800"}, [[[[]]]] * 50])
def test_the_limit_of_bytes_is_exact(value: object) -> None:
    """What is exactly as long still fits."""
    size = len(encode(value))

    assert size == len(encode(value, max_bytes=size))
    with pytest.raises(ValueTooLargeError, match=f"larger than {size - 1} bytes as JSON"):
        encode(value, max_bytes=size - 1)


@pytest.mark.parametrize("text", ["", "a", '"', "\ud800", "\ud83d\ude00", "é\n", "\x7f\u2028"])
def test_text_that_is_shown_is_always_written(text: str) -> None:
    """A pair of surrogates is shown as what it spells; here nothing is refused."""
    written = encoded_text(text)

    assert json.loads(json.dumps(text)) == decode(written)


@pytest.mark.parametrize("value", [None, [1, {"a": "b"}], (1,), [LARGEST]])
def test_checking_a_value_finds_nothing_in_a_good_one(value: object) -> None:
    """It says nothing, as nothing is wrong."""
    refuse_lossy(value)
    assert encode(value)


@pytest.mark.parametrize(
    "data",
    [
        b"nul",
        b"True",
        b"'a'",
        b"01",
        b"1.",
        b".5",
        b"+1",
        b"1e",
        b"0x1",
        b"[1,]",
        b"[,1]",
        b'{"a"}',
        b'{"a":}',
        b'{"a":1,}',
        b"{a:1}",
        b"{1:1}",
        b"[1]]",
        b"[1] 2",
        b'"a',
        b'"\\x"',
        b'"\\u12"',
        b'"a\nb"',
        b"NaN",
        b"Infinity",
        b"[-Infinity]",
        b"// comment\n1",
        b"\xff",
        b'"\xed\xa0\x80"',
        b'"\xc0\x80"',
        b"\xef\xbb\xbf1",
        b"[" * 50_000,
        b'{"a":' * 50_000,
    ],
)
@pytest.mark.parametrize("levels", [0, 5_000])
def test_what_is_no_json_is_refused_however_deep_it_is(data: bytes, levels: int) -> None:
    """Checklist 95: with one kind of exception, from both readers."""
    with pytest.raises(MalformedJsonError):
        decode(b"[" * levels + data + b"]" * levels)


@pytest.mark.parametrize("data", [b"", b" "])
def test_nothing_is_no_json(data: bytes) -> None:
    """Not even null."""
    with pytest.raises(MalformedJsonError):
        decode(data)


@pytest.mark.parametrize("number", ["1e999", "-1e999", "1" + "0" * 400 + ".0"])
def test_an_overflowing_number_is_read_and_found_afterwards(number: str) -> None:
    """It is JSON, and no lossless value."""
    value = decode(f"[{number}]".encode())

    with pytest.raises(LossyValueError, match="not a JSON number"):
        refuse_lossy(value)


@pytest.mark.parametrize("levels", [0, 5_000])
def test_white_space_and_repeated_keys_are_read_alike(levels: int) -> None:
    """Both readers take JSON's four kinds of space, and of equal keys the last."""
    data = b' \t\r\n{"a" : 1 ,\n"a":[ ] , "b": { } }\n'

    value = decode(b" [" * levels + data + b" ]" * levels)

    for _ in range(levels):
        assert isinstance(value, list)
        (value,) = value
    assert {"a": [], "b": {}} == value
    assert ["a", "b"] == list(value)
