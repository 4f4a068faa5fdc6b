"""Assignments of every form: native, so evaluated once and in Python's order."""

from __future__ import annotations

import pytest

from tests.guest.policy.running import is_native, run


@pytest.mark.parametrize(
    "source",
    [
        "x = y = z = f()",
        "a, b = b, a",
        "a, *b, (c, [d, e]) = f()",
        "[a, b] = f()",
        "x[0], y.z, w[1:2] = f()",
        "x[i] += 1",
        "x[i:j] += f()",
        "x.y -= 1",
        "x **= 2",
        "x @= y",
        "x //= 2; x %= 3; x <<= 1; x >>= 1; x &= 1; x |= 1; x ^= 1; x /= 1",
        "(y := f(x))",
        "if (n := len(a)) > 10: pass",
        "del x, y[0], z[1:2], w.v",
        "self.x: int = 3",
        "x[0]: int = 3",
        "def f():\n x: int = 1\n y: str",
        "class A:\n x: int\n y: 'list[int]' = []",
        "for x[0] in y: pass",
        "for a, (b, *c) in d: pass",
        "with a as (b, c), d as e[0]: pass",
    ],
)
def test_assignments_stay_native(source: str) -> None:
    """No guard writes, unpacks or adds in their place."""
    assert is_native(source)


def test_a_chained_assignment_evaluates_once_and_left_to_right() -> None:
    """One call, and the leftmost target first."""
    source = """
seen = []
class Target:
    def __setattr__(self, name, value):
        seen.append(name)
async def tool():
    seen.append("call")
    return [1, 2]
t = Target()
t.first = (t.second, b) = t.third = await tool()
return seen
"""
    assert run(source) == ["call", "first", "second", "third"]


def test_an_assignment_in_place_evaluates_its_target_once() -> None:
    """With an await on the right, too."""
    source = """
seen = []
async def tool():
    seen.append("tool")
    return 3
def d():
    seen.append("d")
    return table
def k():
    seen.append("k")
    return "k"
table = {"k": 1}
d()[k()] += await tool()
class A:
    n = 1
    items = [1]
A.n += 1
A.items += [2]
return [seen, table, A.n, A.items]
"""
    assert run(source) == [["d", "k", "tool"], {"k": 4}, 2, [1, 2]]


def test_annotated_names_of_the_top_level_are_ordinary_globals() -> None:
    """The annotation is dropped, unevaluated; the value is assigned."""
    source = """
count: int = 0
later: "anything at all"
unknown: NotDefined = 1
if True:
    (inner): int = 5
def f():
    global count
    count += 1
f()
return [count, unknown, inner]
"""
    assert run(source) == [1, 1, 5]


def test_a_bare_annotation_binds_nothing() -> None:
    """As in a module, reading the name raises."""
    with pytest.raises(NameError, match="'later'"):
        run("later: int\nreturn later")


def test_annotations_of_classes_and_functions_are_kept() -> None:
    """Dataclasses and their like read them."""
    source = """
from dataclasses import dataclass, fields
@dataclass
class A:
    x: int
    y: list = None
def f(a: int, *, b: "str" = 1) -> None: ...
return [[(f.name, f.type) for f in fields(A)], f]
"""
    found, function = run(source)

    assert found == [("x", int), ("y", list)]
    assert function.__annotations__ == {"a": int, "b": "str", "return": None}


def test_a_walrus_at_the_top_level_binds_a_global() -> None:
    """Out of a comprehension, too."""
    source = """
def seen():
    return [last, n]
if (n := 3) and [last := i for i in range(n)]:
    return seen()
"""
    assert run(source) == [2, 3]
