"""What is not lossless is told with its path, its fault and what to write instead."""

from __future__ import annotations

import dataclasses
import datetime
import decimal
import enum
from collections import Counter, OrderedDict, UserDict, deque, namedtuple
from collections.abc import Callable, Iterator

import pytest

from codemode_guest.lossy import LossyValueError, count_parts, explain
from codemode_guest.values import encode


class Color(enum.Enum):
    RED = "red"


class Level(enum.IntEnum):
    LOW = 1


@dataclasses.dataclass
class Point:
    x: int


Pair = namedtuple("Pair", "a b")  # noqa: PYI024 - as programs write it


class Text(str):
    __slots__ = ()


class Plain:
    pass


async def coroutine_function() -> None:
    """Something to forget an `await` before."""


@pytest.mark.parametrize(
    "value,path",
    [
        ({1}, "$"),
        ([{1}], "$[0]"),
        ({"items": [0, 1, 2, {"price": {1}}]}, "$.items[3].price"),
        ({"a b": {1}}, "$['a b']"),
        ({"": {1}}, "$['']"),
        ({"it's": {1}}, '$["it\'s"]'),
        ({"naïve": {1}}, "$['naïve']"),
        ({"1": {1}}, "$['1']"),
        ({"\ud800": {1}}, "$['\\ud800']"),
        ({"x" * 100: {1}}, "$." + "x" * 100),
        ((0, ({1},)), "$[1][0]"),
        ({"a": {1: 2}}, "$.a"),
        ([1, {"ok": 1, "bad": float("nan")}, {2}], "$[1].bad"),
    ],
)
def test_the_path_of_the_first_fault_is_told(value: object, path: str) -> None:
    """Checklist 93: as a model would write it after the name of the value."""
    error = explain(value)

    assert path == error.path
    assert str(error).startswith(f"{path}: ")


@pytest.mark.parametrize(
    "value,reason,hint",
    [
        ({1}, "a set is not JSON", "use sorted(x) or list(x)"),
        (frozenset(), "a frozenset is not JSON", "use sorted(x) or list(x)"),
        (b"", "a bytes is not JSON", "use x.decode() or base64.b64encode(x).decode()"),
        (bytearray(), "a bytearray is not JSON", "use x.decode() or"),
        (Color.RED, "a Color is not JSON", "use x.value"),
        (Level.LOW, "a Level is not JSON", "use x.value"),
        (Text("a"), "a Text is not JSON", "use str(x)"),
        (Pair(1, 2), "a Pair is not JSON", "use list(x), or x._asdict()"),
        (Point(1), "a Point is not JSON", "use dataclasses.asdict(x)"),
        (Counter("a"), "a Counter is not JSON", "use dict(x)"),
        (OrderedDict(), "an OrderedDict is not JSON", "use dict(x)"),
        (datetime.datetime.now(tz=datetime.UTC), "a datetime is not JSON", "use x.isoformat()"),
        (datetime.date.min, "a date is not JSON", "use x.isoformat()"),
        (datetime.timedelta(1), "a timedelta is not JSON", "use x.total_seconds()"),
        (decimal.Decimal(1), "a Decimal is not JSON", "use float(x) or str(x)"),
        (1j, "a complex is not JSON", "use [x.real, x.imag]"),
        (ValueError("no"), "a ValueError is not JSON", "use str(x)"),
        (Plain, "a type is not JSON", "use x.__name__"),
        (coroutine_function, "a function is not JSON", "call it and return its result"),
        (range(3), "a range is not JSON", "use list(x)"),
        ({}.keys(), "a dict_keys is not JSON", "use list(x)"),
        (iter([]), "a list_iterator is not JSON", "use list(x)"),
        (map(str, []), "a map is not JSON", "use list(x)"),
        (Plain(), "a Plain is not JSON", "use a dict, list, str, number, bool or None"),
        (deque(), "a deque is not JSON", "use a dict, list, str, number, bool or None"),
        (UserDict(), "an UserDict is not JSON", "use a dict"),
        (float("nan"), "nan is not a JSON number", "use None, or leave it out"),
        (-float("inf"), "-inf is not a JSON number", "use None, or leave it out"),
        (10**4300, "an integer has more than 4300 digits", "send it in parts, or as a float"),
        ("\ud83d\ude00", "the text holds a surrogate pair as two characters", "use s.encode("),
        ({"\ud83d\ude00": 1}, "a key holds a surrogate pair as two characters", "use s.encode("),
        ({1: 2}, "the key 1 is of type int; JSON keys are text", "use {str(key): value for"),
        ({None: 2}, "the key None is of type NoneType; JSON keys are text", "use {str(key)"),
        ({Plain(): 2}, "the key a Plain is of type Plain; JSON keys are text", "use {str(key)"),
        ({Text("a"): 2}, "the key 'a' is a Text, not a plain str", "use str(key)"),
    ],
    ids=lambda given: ascii(given)[:30] if isinstance(given, str) else type(given).__name__,
)
def test_the_fault_is_named_and_what_to_write_instead(
    value: object, reason: str, hint: str
) -> None:
    """Checklist 93: a hint for every type that a model comes by."""
    error = explain([value])

    assert reason == error.reason
    assert error.hint is not None
    assert error.hint.startswith(hint)
    assert str(error) == f"{error.path}: {error.reason}; {error.hint}"


def test_a_forgotten_await_is_told_as_such() -> None:
    """The most common of all."""
    forgotten = coroutine_function()
    try:
        error = explain({"answer": forgotten})
    finally:
        forgotten.close()

    assert "$.answer: a coroutine is not JSON; write `await` before the call" == str(error)


def test_the_hint_for_a_pair_of_surrogates_works() -> None:
    """What it says to write gives a text that crosses."""
    text = "\ud83d\ude00"
    hint = explain(text).hint

    assert "use s.encode('utf-16', 'surrogatepass').decode('utf-16')" == hint
    assert "😀" == text.encode("utf-16", "surrogatepass").decode("utf-16")


def test_a_very_long_path_is_cut_in_the_middle() -> None:
    """Both ends tell something; ten thousand steps between them do not."""
    value: object = {1}
    for _ in range(10_000):
        value = {"step": value}

    path = explain(["first", value]).path

    assert path.startswith("$[1].step.step")
    assert path.endswith(".step.step")
    assert "…" in path
    assert 310 > len(path)


@pytest.mark.parametrize("key", ["k" * 10**6, ("k" * 10**6,), b"k" * 10**6, 10**4299], ids=type)
def test_a_very_long_key_is_cut(key: object) -> None:
    """As in a path."""
    assert 400 > len(str(explain({key: {1}})))


class Hostile:
    """Raises whatever is asked of it."""

    def __str__(self) -> str:
        raise LookupError("asked for its words")

    __repr__ = __str__


@pytest.mark.parametrize(
    "make",
    [
        Hostile,
        lambda: {Hostile(): 1},
        lambda: {(Hostile(),): 1},
        lambda: {frozenset([Hostile()]): 1},
        lambda: {(1, (2, Hostile())): 1},
    ],
    ids=["value", "key", "in a tuple", "in a set", "deeper"],
)
def test_no_object_of_the_programs_is_asked_for_its_own_words(make: Callable[[], object]) -> None:
    """They may be long, slow, or an exception."""
    assert isinstance(explain(make()), LossyValueError)


@pytest.mark.parametrize("key", [10**5000, (10**5000,), frozenset([10**5000])], ids=type)
def test_a_key_that_cannot_be_shown_is_told_nevertheless(key: object) -> None:
    """CPython refuses to write integers of more than 4,300 digits."""
    assert isinstance(explain({key: 1}), LossyValueError)


def test_counting_asks_no_key_for_its_words() -> None:
    """Parts are counted before every key has been looked at."""
    value = [*[0] * 2**20, 0, {Hostile(): 1}]

    with pytest.raises(LossyValueError, match="JSON keys are text"):
        encode(value, max_bytes=2**30)


def test_a_fault_in_a_value_that_contains_itself_is_found() -> None:
    """Each container is looked at once."""
    value: list[object] = [0]
    value += [value, {"a": {1}}]

    assert "$[2].a" == explain(value).path


def test_when_every_part_is_lossless_the_whole_is_a_cycle() -> None:
    """Nothing else is left that could be wrong."""
    value: list[object] = []
    value.append(value)

    assert "$: the value contains itself; build a tree without cycles" == str(explain(value))


@pytest.mark.parametrize(
    "value,parts",
    [
        ([], 0),
        ([1, 2, 3], 3),
        ({"a": 1, "b": [1, 2]}, 4),
        ([[[]]], 2),
        ((1, (2,)), 3),
        ([[1, 2]] * 3, 9),
    ],
)
def test_parts_are_counted_as_when_written_out(value: object, parts: int) -> None:
    """A shared part counts each time that it would be written."""
    assert parts == count_parts(value, max_depth=1_000)


def test_a_value_that_doubles_itself_is_counted_without_being_walked() -> None:
    """Two to the power of 201, less 2, of which forty containers are looked at."""
    value: object = 0
    for _ in range(200):
        value = [value, value]

    assert 2**201 - 2 == count_parts(value, max_depth=1_000)


def test_counting_a_value_that_contains_itself_tells_where_it_comes_back() -> None:
    """The path leads to the second appearance."""
    inner: dict[str, object] = {}
    inner["again"] = [1, inner]

    with pytest.raises(LossyValueError) as caught:
        count_parts([{"a": inner}], max_depth=1_000)

    assert "$[0].a.again[1]" == caught.value.path


def test_a_subclass_is_not_walked_into() -> None:
    """Its own iteration would be the program's code."""

    class Items(list[object]):
        def __iter__(self) -> Iterator[object]:
            raise LookupError("asked for its items")

    assert "$.a: an Items is not JSON; use list(x)" == str(explain({"a": Items([1])}))
    assert 1 == count_parts([Items([1])], max_depth=1_000)
