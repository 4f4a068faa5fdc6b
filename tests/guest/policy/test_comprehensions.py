"""Comprehensions and generator expressions."""

from __future__ import annotations

import pytest

from tests.guest.policy.running import is_native, run


@pytest.mark.parametrize(
    "source",
    [
        "[x for x in y]",
        "[(a, b) for a, b in y if a if b]",
        "{x for x in y for z in x}",
        "{k: v for k, v in y}",
        "(x async for x in y)",
        "[await x async for x in y if await z]",
        "[[b for b in a] for a in x]",
        "[*a, *b], {**a, 'k': 1}, (*a,), {*a}",
        "[x[0] for x.y in z]",
    ],
)
def test_comprehensions_stay_native(source: str) -> None:
    """Every kind, every target, every nesting."""
    assert is_native(source)


def test_top_level_names_are_seen_inside() -> None:
    """By the result, the conditions, and nested comprehensions."""
    source = """
limit = 3
rows = [[1, 2], [3, 4]]
return [
    [v for row in rows for v in row if v < limit],
    {i: [j * limit for j in range(i)] for i in range(limit)},
    sum(v * limit for row in rows for v in row),
    sorted({x for x in range(10) if x > limit})[0],
]
"""
    assert run(source) == [[1, 2], {0: [], 1: [0], 2: [0, 3]}, 30, 4]


def test_the_loop_variable_stays_inside() -> None:
    """A top-level name that is spelled the same keeps its value."""
    source = """
x = "kept"
a = [x for x in range(3)]
b = {x: y for x, y in [(1, 2)]}
return [x, a, b, list(x for x in (7,)), x]
"""
    assert run(source) == ["kept", [0, 1, 2], {1: 2}, [7], "kept"]


def test_the_first_iterable_is_evaluated_at_once() -> None:
    """And the rest of a generator when it is asked."""
    source = """
items = [1, 2]
gen = (x * factor for x in items)
items = [9]
factor = 10
return list(gen)
"""
    assert run(source) == [10, 20]


def test_asynchronous_comprehensions_run_at_the_top_level() -> None:
    """Over async generators, with awaits in every part."""
    source = """
async def pages():
    for i in range(3):
        yield i
async def double(x):
    return x * 2
return [
    [await double(x) async for x in pages() if await double(x)],
    {x: 1 async for x in pages()},
    [x async for x in (await double(y) async for y in pages())],
]
"""
    assert run(source) == [[2, 4], {0: 1, 1: 1, 2: 1}, [0, 2, 4]]


def test_comprehensions_in_a_class_body_see_what_python_shows_them() -> None:
    """The first iterable comes from the class, the rest does not."""
    source = """
n = "top"
class A:
    n = "class"
    items = [1, 2]
    seen = [(n, i) for i in items]
return A.seen
"""
    assert run(source) == [("top", 1), ("top", 2)]


def test_lambdas_in_a_comprehension_close_over_its_variable() -> None:
    """As they do everywhere."""
    assert run("fs = [lambda: i for i in range(3)]\nreturn [f() for f in fs]") == [2, 2, 2]
