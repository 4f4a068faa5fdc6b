"""Type parameters and aliases (PEP 695, 3.12)."""

from __future__ import annotations

import sys

import pytest

from tests.guest.policy.running import is_native, refusal, run

pytestmark = pytest.mark.skipif(
    sys.version_info < (3, 12), reason="type parameters came with 3.12 (PEP 695)"
)


@pytest.mark.parametrize(
    "source",
    [
        "type X = int",
        "type X[T, *Ts, **P] = tuple[T]",
        "def f[T: int](x: T) -> T: return x",
        "def f[T: (int, str)](x: T): pass",
        "async def f[T](x: T): pass",
        "class A[T, U: list[T]](Base[T]): x: T",
        "def f():\n type X = int",
        "class A:\n type X = int",
    ],
)
def test_type_parameters_stay_native(source: str) -> None:
    """Aliases, bounds, constraints, and parameters of every kind."""
    assert is_native(source)


@pytest.mark.skipif(sys.version_info < (3, 13), reason="defaults came with 3.13 (PEP 696)")
def test_defaults_of_type_parameters_stay_native() -> None:
    """They are expressions like any other."""
    assert is_native("class A[T = int, *Ts = *tuple[int]]: pass")
    assert len(refusal("class A[T = x.__class__]: pass").findings) == 1


def test_generic_definitions_are_named_as_in_a_module() -> None:
    """And an alias of the top level is a global that functions see."""
    source = """
type Pair[T] = tuple[T, T]
def first[T](pair: Pair[T]) -> T:
    def inner[U](): pass
    return [pair[0], inner.__qualname__]
class Box[T]:
    def __init__(self, item: T):
        self._item = item
    def get(self) -> T:
        return self._item
    class Lid[U]: pass
def alias():
    return Pair.__value__
return [first((1, 2)), Box[int](3).get(), Box.__qualname__, Box.get.__qualname__,
        Box.Lid.__qualname__, str(alias())]
"""
    assert run(source) == [
        [1, "first.<locals>.inner"],
        3,
        "Box",
        "Box.get",
        "Box.Lid",
        "tuple[T, T]",
    ]


def test_bounds_are_read_under_the_rule() -> None:
    """They are evaluated later, by Python, but are written in the program."""
    assert len(refusal("def f[T: x.__class__](a: T): pass").findings) == 1
    assert len(refusal("type X = y.__code__").findings) == 1
