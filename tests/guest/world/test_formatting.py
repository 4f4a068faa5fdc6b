"""`str.format` formats as Python does, and walks to what a program may name."""

from __future__ import annotations

from collections import UserString
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codemode_guest.world.formatting import read_format


class Text(str):
    """A program's own kind of text."""

    __slots__ = ()


ARGS = (7, 2.5, "text", [1, {"k": "v"}], SimpleNamespace(a=SimpleNamespace(b=5), w=6))
TEMPLATES = (
    "{} {0} {1:.2f} {2!r:>8} {3[1][k]} {4.a.b} {4.a} {0:{4.w}} {2:{0}} {x} {{}} }} { {5} {0.nope} "
    "{3[9]} {!z} {0:{1:{2}}} {4.a.} {.real} {a.b[c].d} {0:x} {1:%}"
)
FIELDS = st.sampled_from(TEMPLATES.split())


@given(st.lists(FIELDS, max_size=5), st.sampled_from([str, Text]))
def test_it_gives_what_python_gives(fields: list[str], kind: type[str]) -> None:
    """The same text or the same exception, bound or unbound."""
    template = kind(" ".join(fields))

    def outcome(function: Any, *args: object) -> object:
        try:
            return function(*args, x="kw")
        except (IndexError, KeyError, ValueError, AttributeError) as error:
            return repr(error)

    expected = outcome(template.format, *ARGS)
    assert expected == outcome(read_format(template, "format"), *ARGS)
    assert expected == outcome(read_format(str, "format"), template, *ARGS)
    assert expected == outcome(read_format(kind, "format"), template, *ARGS)


def test_format_map_takes_any_mapping() -> None:
    """One with `__missing__` too."""

    class Defaults(dict[str, str]):
        def __missing__(self, key: str) -> str:
            return f"<{key}>"

    assert "a <b>" == read_format("a {b}", "format_map")(Defaults())
    assert "a <b>" == read_format(str, "format_map")("a {b}", Defaults())


def test_an_unbound_format_can_be_passed_on() -> None:
    """`map("{:>3}".format, xs)` and `map(str.format, templates, xs)` work."""
    assert ["  1", " 22"] == [*map(read_format("{:>3}", "format"), (1, 22))]
    assert ["a1", "b2"] == [*map(read_format(str, "format"), ("a{}", "b{}"), (1, 2))]


INSIDE = [
    "{0.__class__}",
    "{.__class__}",
    "{0.real.__class__}",
    "{0[1].__class__}",
    "{x.__globals__}",
    "{0:{0.__class__}}",
    "ok {0.real} then {0.gi_frame}",
]


@pytest.mark.parametrize("template", INSIDE)
@pytest.mark.parametrize("kind", [str, Text, UserString])
def test_a_walk_inside_is_refused(template: str, kind: Any) -> None:
    """Bound, unbound, by a subclass, by `UserString`."""
    calls: list[Callable[[], object]] = [
        lambda: read_format(kind(template), "format")(1, 2, x=print),
        lambda: read_format(kind, "format")(kind(template), 1, 2, x=print),
        lambda: read_format(kind(template), "format_map")({"x": print}),
    ]
    for call in calls:
        with pytest.raises(AttributeError, match="leads into the interpreter"):
            call()


def test_a_user_string_cannot_change_after_the_check() -> None:
    """What was checked is what is formatted."""
    texts = ["{0}", "{0.__class__}"]

    class Shifty(UserString):
        @property
        def data(self) -> str:
            return texts.pop(0)

        @data.setter
        def data(self, value: str) -> None:
            pass

    assert "1" == read_format(Shifty("ignored"), "format")(1)


def test_a_format_of_the_programs_own_is_left_alone() -> None:
    """An object may have a method, or a field, of that name."""
    assert "mine" == read_format(SimpleNamespace(format=lambda: "mine"), "format")()
    assert 5 == read_format(SimpleNamespace(format=5), "format")


def test_a_template_is_text() -> None:
    """Another first argument fails."""
    with pytest.raises(TypeError, match="'int'"):
        read_format(str, "format")(5)
