"""Whoever asks for a key that is not there is told which are."""

from __future__ import annotations

import pytest

from codemode_guest.missing import keys_that_are_there
from tests.guest.failing import fail


def hint(source: str) -> str | None:
    """What is told of the failure of a program."""
    error, program = fail(source)
    return keys_that_are_there(error, program.source_lines)


@pytest.mark.parametrize(
    "source",
    [
        'd = {"id": 1, "name": 2}\nd["nmae"]',
        'd = {"id": 1, "name": 2}\nx = 1 + d["nmae"] * 2',
        'd = [{"id": 1, "name": 2}]\nd[0]["nmae"]',
        'd = {"rows": [{"id": 1, "name": 2}]}\nx = [d["rows"][-1]["nmae"]]',
        'def f(row):\n    return row["nmae"]\nf({"id": 1, "name": 2})',
        'key = "nmae"\nd = {"id": 1, "name": 2}\nd[key]',
        'é = {"id": 1, "name": 2}\n"é😀"; é["nmae"]',
        'd = {"id": 1, "name": 2}\ndel d["nmae"]',
    ],
)
def test_the_keys_of_the_dict_that_was_asked_are_told(source: str) -> None:
    """Whatever expression it is that leads to it."""
    assert "its keys: 'id', 'name'" == hint(source)


def test_a_dict_that_is_empty_is_told_so() -> None:
    """There is no list of nothing."""
    assert "it is empty" == hint('d = {}\nd["a"]')


def test_of_many_keys_the_first_twenty_are_told() -> None:
    """And how many there are beside them."""
    told = hint('d = {f"k{n:02}": n for n in range(25)}\nd["x"]')

    assert told is not None
    assert told.startswith("its keys: 'k00', 'k01',")
    assert told.endswith("'k19' and 5 more")


def test_a_long_key_is_cut() -> None:
    """Keys may be texts."""
    told = hint('d = {"k" * 10_000: 1}\nd["x"]')

    assert f"its keys: '{'k' * 40}…'" == told


def test_keys_of_other_types_are_told_as_what_they_are() -> None:
    """Plain ones as written, others by their type."""
    told = hint("d = {1: 0, True: 0, None: 0, (1, 2): 0, 2.5: 0}\nd['x']")

    assert "its keys: 1, None, a tuple, a float" == told


def test_a_key_that_cannot_be_shown_is_told_nevertheless() -> None:
    """CPython refuses to write integers of more than 4,300 digits."""
    told = hint("d = {10**5000: 1, 'a': 2}\nd['x']")

    assert told is not None
    assert told.endswith(", 'a'")


def test_an_attribute_of_a_dict_is_told_how_to_be_asked() -> None:
    """A model that writes `row.name` meant `row["name"]`."""
    assert "this is a dict: write ['name']" == hint('d = {"name": 1}\nd.name')


def test_an_attribute_that_is_no_key_either_is_told_the_keys() -> None:
    """Both mistakes at once."""
    assert "this is a dict, its keys: 'name'" == hint('d = {"name": 1}\nd.nmae')


@pytest.mark.parametrize(
    "source",
    [
        "raise ValueError",
        "raise KeyError('mine')",
        "x = 1\nx.nope",
        "class D(dict): pass\nd = D(a=1)\nd['x']",
        "class D(dict): pass\nd = D(a=1)\nd.nope",
        "{'a': 1}.pop('x')",
        "def f():\n    return {'a': 1}\nf()['x']",
        "d = {'a': {}}\nk = 'a'\nd[k]['x']",
        "class Mine(KeyError): pass\nraise Mine('a')",
        "d = {'a': 1}\nd[\n    'x'\n]",
        "from collections import Counter, OrderedDict\nOrderedDict(a=1)['x']",
    ],
)
def test_where_it_cannot_be_known_nothing_is_told(source: str) -> None:
    """Nothing is run to find out: no call, no attribute, no item by a computed key."""
    assert hint(source) is None


def test_without_the_source_nothing_is_told() -> None:
    """The expression is read in it."""
    error, _ = fail('d = {"a": 1}\nd["x"]')

    assert keys_that_are_there(error) is None


def test_an_exception_that_was_never_raised_has_no_hint() -> None:
    """It has no place."""
    assert keys_that_are_there(KeyError("a"), ("d['a']",)) is None


RECORDING = """
asked = []
class Key:
    def __hash__(self):
        return hash("a")
    def __eq__(self, other):
        asked.append(other)
        if len(asked) > 1:
            raise ValueError("asked again")
        return True
"""


@pytest.mark.parametrize(
    "source",
    [
        'd = {Key(): {}}\nd["a"]["b"]',
        'd = {Key(): 1}\nd.pop("a")\nd = {Key(): 1}\nd.a',
        'd = {Key(): {}}\nx = [d["a"]["b"]]',
    ],
)
def test_nothing_of_the_programs_is_run_to_find_out(source: str) -> None:
    """Checklist 89: looking up a key would ask the program's own `__eq__`."""
    hint(RECORDING + source)
