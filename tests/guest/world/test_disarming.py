"""The library's own uses of text as code, and of computed names, obey the rules."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from codemode_guest.world.disarming import run_checked
from tests.guest.world.disarmed import disarmed
from tests.guest.world.programs import run_natively

DATACLASSES = """
import dataclasses
from dataclasses import dataclass, field
@dataclass(order=True, frozen=True)
class Point:
    x: int
    format: int = 3
    self: list = field(default_factory=list)
    start: dataclasses.InitVar = 4
    def __post_init__(self, start):
        pass
@dataclass(unsafe_hash=True, slots=True, kw_only=True)
class Item:
    name: str
    _note: str = field(default="n", init=False, repr=True)
    kind: dataclasses.KW_ONLY = None
print(Point(1), Point(1) < Point(2), Point(1) == Point(1))
print(hash(Item(name="a")) == hash(Item(name="a")))
try:
    Point(1).x = 2
except dataclasses.FrozenInstanceError as error:
    print(error)
print(Item(name="x"), dataclasses.asdict(Point(1)), dataclasses.make_dataclass("M", ["a"])(a=1))
match Point(1, 2):
    case Point(x):
        print(x)
print(Item.__match_args__, Point.__dataclass_fields__["format"].default)
"""


def test_dataclasses_of_every_kind_work() -> None:
    """What the library writes passes the check."""
    printed = disarmed(DATACLASSES)
    assert printed.startswith("Point(x=1, format=3, self=[]) True True\nTrue\n")
    assert "cannot assign to field 'x'" in printed
    assert "Item(name='x', _note='n'" in printed
    assert printed.endswith("M(a=1)\n1\n() 3\n")


INJECTED = """
import dataclasses
class Meta(type):
    def __new__(mcs, name, bases, names):
        names[annotations] = {FIELD: int}
        return super().__new__(mcs, name, bases, names)
annotations = "__annotations__"
class Victim(metaclass=Meta):
    pass
try:
    made = dataclasses.dataclass(Victim, init=False, repr=False)
    one, other = made(), made()
    one.a = other.a = 1
    print("equal:", one == other)
except Exception as error:
    print(type(error).__name__, error)
"""


@pytest.mark.parametrize(
    "name",
    [
        "a, print.__self__",
        "a, (lambda: 0).__globals__",
        "a, [].__class__.__base__",
        "a, open('/etc/passwd')",
        "a, __import__('os')",
        "a, eval('1')",
        "a, print.__setattr__('x' + 'y', 1)",
    ],
)
def test_a_fields_name_reaches_nothing_that_a_program_may_not(name: str) -> None:
    """A metaclass can call a field anything, and the library makes source of it."""
    printed = disarmed(INJECTED.replace("FIELD", repr(name)))
    assert printed.startswith(("AttributeError", "NameError", "ModuleNotFoundError", "TypeError"))


def test_the_library_itself_runs_a_fields_name() -> None:
    """On plain CPython the same program is an escape, so the test above can fail."""
    source = INJECTED.replace("FIELD", repr("a, print.__self__"))
    assert run_natively(source).startswith("equal:")


def test_the_check_lets_through_what_dataclasses_writes_here() -> None:
    """On this Python, in this process: the texts as they are."""
    source = "def __create_fn__(x):\n def __init__(self,x=x):\n  self.x=x\n return __init__"
    namespace: dict[str, Any] = {}
    run_checked(source, {}, namespace)
    made = dataclasses.make_dataclass("Made", [])()
    namespace["__create_fn__"](7)(made)
    assert 7 == made.x


@pytest.mark.parametrize(
    "text",
    [
        "x.__globals__",
        "x.__setattr__(y, z, 1)",
        "x.__setattr__",
        "__dataclass_builtins_object__.__setattr__(y, '__class__', 1)",
        "__dataclass_builtins_object__.__setattr__(y, z, 1)",
        "x.__setattr__(y, 'a', 1)",
        "super(type, x).__setattr__('a', 1)",
        "x.gi_frame",
    ],
)
def test_an_attribute_that_leads_inside_is_refused(text: str) -> None:
    """Only the two calls that dataclasses writes may set attributes by name."""
    with pytest.raises(AttributeError, match=r"__|gi_frame"):
        run_checked(f"def f(x, y, z): return {text}", {}, {})


SINGLEDISPATCH = """
import functools
@functools.singledispatch
def kind(x):
    return "other"
@kind.register
def _(x: "int"):
    return "int"
@kind.register(list)
def _(x):
    return "list"
print(kind(1), kind([]), kind(""))
try:
    @kind.register
    def _(x: "print('evaluated')"):
        pass
except NameError as error:
    print(error)
"""


def test_singledispatch_works_with_names_and_evaluates_nothing() -> None:
    """With annotations that are text, as `from __future__ import annotations` makes them."""
    assert disarmed(SINGLEDISPATCH).startswith("int list other\nthe annotation \"print('ev")


LEAKED = """
import typing, copy
caught = []
class Spy:
    def __call__(self): pass
    def __eq__(self, other):
        caught.append(other)
        return True
    def __hash__(self): return 1
typing.List["1 + 1"] == typing.List[Spy()]
class Mine:
    def run(self, *args):
        return self._evaluate(*args)
for reference in caught:
    try:
        print("evaluated", Mine.run(reference, {}, {}, frozenset()))
    except Exception as error:
        print(type(error).__name__)
memo = {}
copy.deepcopy([typing.List["x"], {"a": caught}], memo)
parts = [part for part in memo.values() if isinstance(part, dict)]
print([part for part in parts if "__forward_code__" in part])
"""


def test_a_forward_reference_that_leaks_evaluates_nothing() -> None:
    """A comparison hands it to the program; neither it nor a copy of it shows code."""
    printed = disarmed(LEAKED)
    assert "evaluated" not in printed
    assert printed.endswith("[]\n")


def test_copy_sets_no_attribute_that_leads_inside() -> None:
    """An object's own `__reduce_ex__` names what is set on whatever it makes."""
    source = """
import copy
class Mine:
    pass
def reduce(self, protocol):
    return (lambda: getattr), (), (None, {"__kwdefaults__": {}})
class Meta(type):
    def __new__(mcs, name, bases, names):
        names["__reduce_ex__"] = reduce
        return super().__new__(mcs, name, bases, names)
class Evil(metaclass=Meta):
    pass
try:
    copy.copy(Evil())
    print("set")
except AttributeError as error:
    print(error)
"""
    assert "'__kwdefaults__' may not be changed" in disarmed(source)


def test_what_the_library_prints_is_in_the_log() -> None:
    """`pprint`, `calendar` and a pattern's debug output write where `print` does."""
    printed = disarmed(
        "import pprint, calendar\npprint.pprint({'a': 1})\ncalendar.prmonth(2024, 2)"
    )
    assert printed.startswith("{'a': 1}\n")
    assert "February 2024" in printed


def test_a_signature_shows_no_default_of_the_librarys() -> None:
    """Not of a function, a method, what wraps one, or by way of a class of signatures."""
    source = """
import inspect, functools, statistics, random, textwrap
def mine(): pass
def wraps(): pass
for found in (random.choice, random.Random.sample, textwrap.fill, functools.wraps,
              functools.partial(random.Random.sample, None), functools.wraps(textwrap.fill)(wraps)):
    for ask in (inspect.signature, inspect.Signature.from_callable):
        try:
            print(ask(found))
        except ValueError as error:
            print("ValueError")
print(inspect.signature(int.to_bytes), inspect.signature(mine, follow_wrapped=False))
"""
    *refused, shown = disarmed(source).splitlines()
    assert ["ValueError"] * 12 == refused
    assert shown.endswith(" ()")


def test_a_signature_that_is_text_is_not_evaluated() -> None:
    """A class may claim any text as its signature; a name in it is looked up nowhere."""
    source = """
import inspect
made = type("Made", (int,), {"__text_signature__": "(x=sys.executable)", "__module__": "os"})
made.__doc__ = "x"
try:
    print(inspect.signature(made))
except ValueError as error:
    print("refused")
"""
    assert "refused\n" == disarmed(source)


def test_a_field_that_was_renamed_sets_no_class() -> None:
    """A frozen dataclass with slots sets its state by the names of its fields."""
    source = """
import copy, dataclasses
@dataclasses.dataclass(frozen=True, slots=True)
class Kept:
    x: int
    def __getstate__(self):
        return [asyncio.Future]
kept = Kept(1)
dataclasses.fields(Kept)[0].name = "__class__"
try:
    print(type(copy.copy(kept)))
except (AttributeError, TypeError) as error:
    print(error)
"""
    assert "'__class__' may not be changed" in disarmed(source)


def test_a_field_that_was_renamed_is_not_shown_by_pprint() -> None:
    """A printer of the program's own would be given the value itself."""
    source = """
import dataclasses, pprint
@dataclasses.dataclass
class Wide:
    x: str = "y" * 99
dataclasses.fields(Wide)[0].name = "__reduce_ex__"
try:
    pprint.pprint(Wide())
except AttributeError as error:
    print(error)
"""
    assert "'__reduce_ex__' leads into the interpreter" in disarmed(source)
