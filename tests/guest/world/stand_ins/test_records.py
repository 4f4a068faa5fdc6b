"""`make_dataclass` makes what a class statement would."""

from __future__ import annotations

from dataclasses import asdict

import pytest

from codemode_guest.world.guards import made_here
from codemode_guest.world.stand_ins.records import make_dataclass


def test_a_made_dataclass_is_the_programs_own() -> None:
    """It has its fields and methods, and its private names can be read."""
    point = make_dataclass("Point", [("x", int), "y"], namespace={"total": lambda p: p.x + p.y})
    made = point(1, y=2)
    assert {"x": 1, "y": 2} == asdict(made)
    assert 3 == made.total()
    assert made_here(made)


def test_options_are_passed_on() -> None:
    """Frozen, ordered, with a base."""
    point = make_dataclass("Point", ["x"], bases=(ValueError,), order=True, frozen=True)
    assert point(1) < point(2)
    assert issubclass(point, ValueError)


@pytest.mark.parametrize("name", ["__getattr__", "__reduce_ex__", "_x_", "gi_frame"])
def test_a_namespace_has_ordinary_names(name: str) -> None:
    """Special methods belong into a class statement, where the policy sees them."""
    with pytest.raises(AttributeError):
        make_dataclass("K", ["a"], namespace={name: 1})


def test_a_field_has_the_name_of_an_identifier() -> None:
    """The library's own check: a name becomes source."""
    with pytest.raises(TypeError, match="identifiers"):
        make_dataclass("K", ["a=print()"])
