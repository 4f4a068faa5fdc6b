"""Classes, and the special names that their bodies may define."""

from __future__ import annotations

import pytest

from codemode_guest.policy.names import DEFINABLE
from tests.guest.policy.running import asked, is_native, refusal, run, words


@pytest.mark.parametrize(
    "source",
    [
        "class A: pass",
        "class A(B, C, flag=1, metaclass=M): pass",
        "class A(*bases, **kw): pass",
        "@decorate\nclass A: x: int = 1",
        "class A:\n __slots__ = ('x', '_y', '__dict__', '__weakref__')",
        "class A:\n __slots__ = ['x']",
        "class A:\n __slots__ = 'x'",
        "class A:\n __slots__: tuple = ()",
        "class A:\n __match_args__ = ('x', 'y')",
        "class A:\n __hash__ = None",
        "class A:\n def __add__(self, o): pass\n __radd__ = __add__",
        "class A:\n if x:\n  def __len__(self): return 1",
        "class A:\n async def __aenter__(self): return self",
        "class A:\n __doc__ = 'x'",
        "class A:\n name = __qualname__, __module__, __name__",
        "class A:\n def _missing_(cls, v): pass",
        "class A:\n _ignore_ = ['x']\n _order_ = 'A B'",
        "class A:\n def _generate_next_value_(name, start, count, last): return name",
        "class A:\n @property\n def x(self): return self._x\n @x.setter\n def x(self, v): pass",
        "class A:\n class B:\n  class C: pass",
    ],
)
def test_classes_stay_native(source: str) -> None:
    """Bases, keywords, decorators and special methods are kept as they are."""
    assert is_native(source)


@pytest.mark.parametrize("name", sorted(DEFINABLE))
def test_each_listed_special_method_may_be_defined(name: str) -> None:
    """By `def`, by assignment, and it may be read in the body."""
    assert is_native(f"class A:\n def {name}(self): pass\n {name} = {name}")


def test_the_list_of_special_methods_is_that_of_the_data_model() -> None:
    """Every special method that a built-in type has may be defined, but for these."""
    kinds = (int, float, str, bytes, list, dict, set, type, property, BaseException, range, slice)
    special = {
        name
        for kind in kinds
        for name in dir(kind)
        if name.startswith("__") and callable(getattr(kind, name, None))
    } - {"__getformat__"}  # how floats are stored

    assert {"__len__", "__radd__", "__instancecheck__", "__set_name__"} <= special | DEFINABLE
    assert special - DEFINABLE - {"__buffer__", "__release_buffer__"} == {
        "__base__",
        "__class__",
        "__reduce__",
        "__reduce_ex__",
        "__subclasses__",
    }


@pytest.mark.parametrize(
    "name", ["__class__", "__reduce__", "__reduce_ex__", "__dict__", "__buffer__", "__getframe__"]
)
@pytest.mark.parametrize(
    "body", ["def {}(self): pass", "{} = 1", "{}: int = 1", "class {}: pass", "import a as {}"]
)
def test_other_special_names_are_not_defined(name: str, body: str) -> None:
    """A class says what it is in the ways that are listed."""
    assert words(f"class A:\n {body.format(name)}").startswith(f"a class may not define {name!r}")


def test_special_methods_belong_to_a_class_body() -> None:
    """Elsewhere their names are Python's own."""
    assert words("def __len__(): pass").startswith("the special name '__len__' belongs to Python")
    assert words("class A:\n def f(self):\n  def __len__(): pass").startswith("the special name")
    assert words("class A:\n global __len__").startswith("the special name '__len__'")


@pytest.mark.parametrize("name", ["__slots__", "__match_args__"])
@pytest.mark.parametrize(
    "body",
    [
        "{} = names",
        "{} = ('x', y)",
        "{} = ('x',) + more",
        "{} = f('x')",
        "{}, y = ('x',), 1",
        "{} += ('x',)",
        "for {} in y: pass",
        "def {}(self): pass",
        "{} = {{'x': 'doc'}}",
    ],
)
def test_lists_of_names_are_literals(name: str, body: str) -> None:
    """What Python reads as names must be there to be read."""
    assert words(f"class A:\n {body.format(name)}").startswith(
        f"{name!r} may only be assigned a literal string or tuple of strings"
    )


@pytest.mark.parametrize(
    "source, name",
    [
        ("class A:\n __match_args__ = ('__class__',)", "__class__"),
        ("class A:\n __match_args__ = ('x', 'gi_frame')", "gi_frame"),
        ("class A:\n __match_args__ = ('__dict__',)", "__dict__"),
        ("class A:\n __slots__ = ('__class__',)", "__class__"),
        ("class A:\n __slots__ = '_private_'", "_private_"),
    ],
)
def test_lists_of_names_hold_ordinary_names(source: str, name: str) -> None:
    """They become attributes, which obey the rule for names."""
    assert repr(name) in words(source)


def test_class_keywords_reach_init_subclass_and_the_metaclass() -> None:
    """None is dropped and none is added."""
    source = """
from abc import ABCMeta
class Base:
    def __init_subclass__(cls, *, key, **rest):
        super().__init_subclass__(**rest)
        cls.key = key
class Child(Base, key="k"):
    pass
class Meta(type):
    def __new__(mcls, name, bases, ns, **kw):
        cls = super().__new__(mcls, name, bases, ns)
        cls.kw = kw
        return cls
    def __init__(cls, name, bases, ns, **kw):
        super().__init__(name, bases, ns)
class Made(metaclass=Meta, a=1):
    pass
class Abstract(metaclass=ABCMeta):
    pass
return [Child.key, Made.kw, type(Abstract).__name__]
"""
    assert run(source) == ["k", {"a": 1}, "ABCMeta"]


def test_classes_are_named_as_in_a_module() -> None:
    """In reprs, in enums, in errors of dataclasses: nothing of the wrapper."""
    source = """
from dataclasses import dataclass
from enum import Enum
@dataclass
class Item:
    x: int
    class Inner:
        def method(self): pass
class Color(Enum):
    RED = 1
    @classmethod
    def _missing_(cls, value):
        return cls.RED
def make():
    class Local: pass
    return Local
try:
    Item()
except TypeError as e:
    error = str(e).partition("(")[0]
return [repr(Item(1)), repr(Color(7)), error, Item.Inner.method.__qualname__, make().__qualname__]
"""
    assert run(source) == [
        "Item(x=1)",
        "<Color.RED: 1>",
        "Item.__init__",
        "Item.Inner.method",
        "make.<locals>.Local",
    ]


def test_named_tuples_keep_their_methods() -> None:
    """`_replace` and its kin are public, and the guard lets them pass."""
    source = """
from typing import NamedTuple
class P(NamedTuple):
    x: int
    y: int = 2
p = P(1)
return [p._replace(x=5)._asdict(), P._fields, P._make([3, 4]), P._field_defaults]
"""
    assert run(source) == [{"x": 5, "y": 2}, ("x", "y"), (3, 4), {"y": 2}]


def test_private_attributes_work_between_objects_of_a_class() -> None:
    """Reads of another object's go through the guard, writes and `self` do not."""
    source = """
class Node:
    _made = 0
    def __init__(self, value, next=None):
        self._value, self._next = value, next
        Node._made += 1
    def __eq__(self, other):
        return self._value == other._value
    @classmethod
    def count(cls):
        return cls._made
head = Node(1, Node(2))
node = head
while node._next:
    node = node._next
node._next = Node(3)
return [node._value, head == Node(1), head._next._next._value, Node.count()]
"""
    assert run(source) == [2, True, 3, 4]


def test_every_fault_of_a_class_is_found_at_once() -> None:
    """A class with three faults is mended in one turn."""
    source = (
        "class A:\n __class__ = 1\n def __reduce__(self): pass\n def f(self): return self.__code__"
    )

    assert [finding.line for finding in refusal(source).findings] == [2, 3, 4]


def test_the_namespace_of_a_class_made_by_type_is_checked() -> None:
    """It is no class body, so its names are seen when it is there."""
    source = "return type('A', (), {'x': 1} | given)().y"

    assert 2 == run(source, given={"y": 2})
    assert [("namespace", "x"), ("namespace", "y")] == asked(source, given={"y": 2})


@pytest.mark.parametrize(
    "source", ["type(x)", "type('A', (), **kw)", "type(*given)", "a.type(1, 2, 3)"]
)
def test_other_calls_of_that_name_stay_native(source: str) -> None:
    """Only three plain arguments make a class."""
    assert is_native(source)
