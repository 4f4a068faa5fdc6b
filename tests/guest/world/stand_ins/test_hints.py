"""Annotations that are text are read as types, and nothing in them is run."""

from __future__ import annotations

import pytest

from tests.guest.world.disarmed import disarmed
from tests.guest.world.programs import run

READ = """
import typing, collections.abc, dataclasses
from typing import Optional, List, Annotated
class Mine:
    a: int
    b: "str"
    c: "Optional[Mine]" = None
class Below(Mine):
    d: List["Mine"]
    e: "dict[str, list[int] | None]"
    f: Annotated[int, "words"]
def function(x: "collections.abc.Sequence[int]", y: "int | str" = 1, *z: None) -> "typing.Any":
    pass
hints = typing.get_type_hints(Below)
assert hints == {
    "a": int, "b": str, "c": Optional[Mine], "d": List[Mine],
    "e": dict[str, list[int] | None], "f": int,
}
assert typing.get_type_hints(Below, include_extras=True)["f"] == Annotated[int, "words"]
assert typing.get_type_hints(function) == {
    "x": collections.abc.Sequence[int], "y": int | str, "z": type(None), "return": typing.Any,
}
@dataclasses.dataclass
class Point:
    x: "float"
    tags: "typing.Literal['a', 'b']"
assert typing.get_type_hints(Point) == {"x": float, "tags": typing.Literal["a", "b"]}
print("read")
"""


def test_a_text_that_is_a_type_is_read() -> None:
    """Names, dotted ones, items, `|`, and texts within types; of functions and classes."""
    assert "read\n" == disarmed(READ)


@pytest.mark.parametrize(
    "text",
    [
        "().x()",
        "f()",
        "print(1)",
        "_getattr_",
        "_private_",
        "__builtins__",
        "x.__globals__",
        "[x for x in ()]",
        "lambda: 0",
        "no_such_name",
        "(",
        "(" * 300 + ")" * 300,
    ],
)
def test_a_text_that_is_more_than_a_type_is_not_evaluated(text: str) -> None:
    """Calls, guards and names that lead inside."""
    source = f"""
import typing
def x(): pass
class Mine:
    a: {text!r}
try:
    print(typing.get_type_hints(Mine))
except (NameError, AttributeError) as error:
    print("refused")"""
    assert "refused\n" == run(source)


def test_only_what_the_program_made_has_hints() -> None:
    """A function of the library's may be annotated with what leads on."""
    source = """
import typing, random
for each in (random.choice, int, random.Random):
    try:
        print(typing.get_type_hints(each))
    except TypeError as error:
        print("refused")"""
    assert 3 * "refused\n" == run(source)
