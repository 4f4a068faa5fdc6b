"""What cannot be decided by reading a program is decided by the same rule while it runs."""

from __future__ import annotations

import abc
import collections
import datetime
import functools
import json
import operator
import urllib.parse
import warnings
from types import GenericAlias
from typing import Any

import pytest

from codemode_guest.frames import FILENAME
from codemode_guest.world import guards
from codemode_guest.world.imports import facades


def program_class(name: str = "Mine", **members: object) -> Any:
    """Make a class as a program would have made it."""
    return type(name, (), {"__module__": guards.PROGRAM_MODULE, **members})


class Name(str):
    """A string that is not exactly one, and shows some readers another text."""

    __slots__ = ()

    def startswith(self, *_args: object) -> bool:
        """Lie."""
        return False


INSIDE = ["__class__", "__globals__", "__code__", "gi_frame", "tb_frame", "get_loop", "_x_"]


@pytest.mark.parametrize("name", INSIDE)
def test_a_computed_name_that_leads_inside_is_refused(name: str) -> None:
    """For reading, asking, writing and deleting, and a default does not hide it."""
    mine = program_class()()
    for attempt in (
        lambda: guards.read(mine, name),
        lambda: guards.read(mine, name, None),
        lambda: guards.has(mine, name),
        lambda: guards.write(mine, name, 1),
        lambda: guards.delete(mine, name),
    ):
        with pytest.raises(AttributeError) as caught:
            attempt()
        assert name in str(caught.value)
        assert caught.value.obj is None


@pytest.mark.parametrize("name", [Name("__class__"), Name("x"), 5, b"x", None])
def test_a_name_is_exactly_a_string(name: str) -> None:
    """A subclass of str could be another name for each reader; the words are Python's."""
    for attempt in (
        lambda: guards.read(5, name),
        lambda: guards.has(5, name),
        lambda: guards.write(5, name, 1),
        lambda: guards.delete(5, name),
    ):
        with pytest.raises(TypeError, match="attribute name must be string"):
            attempt()


def test_ordinary_names_work_as_in_python() -> None:
    """Reading with and without default, asking, writing, deleting, and labels."""
    mine = program_class(x=1)()
    guards.write(mine, "y", 2)
    assert (1, 2, 3) == (guards.read(mine, "x"), guards.read(mine, "y"), guards.read(mine, "z", 3))
    guards.delete(mine, "y")
    assert (True, False) == (guards.has(mine, "x"), guards.has(mine, "y"))
    assert "Mine" == guards.read(type(mine), "__name__")
    with pytest.raises(AttributeError, match="no attribute 'nope'"):
        guards.read(mine, "nope")


def test_a_property_is_read_once() -> None:
    """A guard does not ask twice."""
    asked: list[object] = []
    mine = program_class(x=property(asked.append), _y=property(asked.append))()
    guards.read(mine, "x")
    guards.read_private(mine, "_y")
    guards.read(mine, "_y")
    assert 3 == len(asked)


@pytest.mark.parametrize(
    "obj,name,answer",
    [
        ([], "__iter__", True),
        (5, "__iter__", False),
        (len, "__call__", True),
        (program_class()(), "__dict__", True),
        (5, "__dict__", False),
        (len, "__name__", True),
    ],
)
def test_hasattr_says_whether_a_protocol_is_followed(
    obj: object,
    name: str,
    answer: bool,  # noqa: FBT001
) -> None:
    """What models ask; a yes gives nothing away."""
    assert answer is guards.has(obj, name)


def test_private_names_of_the_programs_own_are_read() -> None:
    """Instances, classes, functions, namespaces, enumerations' members, named tuples."""
    cls = program_class(_x=1)
    function: Any = lambda: None  # noqa: E731
    function.__code__ = function.__code__.replace(co_filename=FILENAME)
    function._cache = {}  # noqa: SLF001
    assert 1 == guards.read_private(cls(), "_x") == guards.read_private(cls, "_x")
    assert {} == guards.read_private(function, "_cache")
    point = collections.namedtuple("point", "x y")  # noqa: PYI024
    assert {"x": 1, "y": 2} == guards.read_private(point(1, 2), "_asdict")()
    assert ("x", "y") == guards.read_private(point, "_fields")


def test_the_public_part_of_a_foreign_named_tuple_is_read() -> None:
    """`urlparse(...)._replace(query="")` is everyday Python."""
    url = urllib.parse.urlparse("http://host/path?q=1")
    assert "http://host/path" == guards.read_private(url, "_replace")(query="").geturl()


@pytest.mark.parametrize(
    "obj,name",
    [
        (warnings.catch_warnings(), "_module"),
        (json.JSONEncoder(), "_x"),
        (json.JSONEncoder, "_x"),
        (json.dumps, "_x"),
        (facades()["json"], "_dumps"),
        (functools.partial(len), "_x"),
        (datetime.date(2024, 1, 2), "_replace"),
        ({}, "_fields"),
    ],
)
def test_private_names_of_foreign_objects_are_refused(obj: object, name: str) -> None:
    """By the guard for literal names always, by `getattr` when the name is there."""
    with pytest.raises(AttributeError, match="is private to") as caught:
        guards.read_private(obj, name)
    assert caught.value.obj is None
    assert 7 == guards.read(obj, "_not_there", 7)


def test_a_class_cannot_pass_for_the_programs_own_by_lying() -> None:
    """`__class__` and a metaclass's `__module__` are not asked."""
    meta = type("Meta", (type,), {"__module__": "elsewhere"})
    foreign = meta("Foreign", (), {"__module__": "elsewhere", "_x": 1})
    with pytest.raises(AttributeError, match="is private to"):
        guards.read_private(foreign(), "_x")


def test_class_and_dict_are_what_type_and_vars_say() -> None:
    """Where the policy lets a program write them."""
    mine = program_class()()
    mine.x = 1
    assert type(mine) is guards.read_private(mine, "__class__")
    assert {"x": 1} == guards.read_private(mine, "__dict__")
    assert int is guards.read_private(5, "__class__")
    with pytest.raises(TypeError, match="vars"):
        guards.read_private(json.JSONEncoder(), "__dict__")


def test_vars_of_an_object_is_its_own_dict() -> None:
    """A change of it is a change of the object, as in Python."""
    mine = program_class()()
    guards.vars_of(mine)["x"] = 5
    assert 5 == mine.x


def test_vars_of_a_class_is_a_copy_without_special_names() -> None:
    """Descriptors of the interpreter's own are not in it."""
    cls = program_class(x=1)
    assert {"x": 1} == guards.vars_of(cls)
    guards.vars_of(cls)["x"] = 2
    assert 1 == cls.x


@pytest.mark.parametrize(
    "obj", [json.JSONEncoder(), json.JSONEncoder, json.dumps, facades()["json"]]
)
def test_vars_of_a_foreign_object_is_refused(obj: object) -> None:
    """What it holds is its own business."""
    with pytest.raises(TypeError, match="that the program made"):
        guards.vars_of(obj)


def test_a_pattern_may_take_apart_what_names_ordinary_attributes() -> None:
    """Named tuples, dataclasses and built-in classes pass; so does what is no class.

    What further positions would read does not matter.
    """
    cls = program_class(__match_args__=("x", "_y", "format"))
    for passed in (cls, int, datetime.date, 5):
        assert passed is guards.check_pattern(passed, 2)
    with pytest.raises(AttributeError, match="'format' cannot be read by a pattern"):
        guards.check_pattern(cls, 3)


@pytest.mark.parametrize("names", [("__class__",), ("x", "gi_frame"), (Name("x"),), ("_x_",)])
def test_a_pattern_may_not_read_what_leads_inside(names: tuple[str, ...]) -> None:
    """Whatever way the names came into the class."""
    with pytest.raises((AttributeError, TypeError)):
        guards.check_pattern(program_class(__match_args__=names), 2)


def test_a_pattern_finds_inherited_names() -> None:
    """A base class's names count."""
    base = program_class(__match_args__=("__class__",))
    with pytest.raises(AttributeError):
        guards.check_pattern(type("Derived", (base,), {}), 1)


def test_a_pattern_reads_what_is_private_of_own_instances_only() -> None:
    """An abstract class may have any foreign object register, and an alias forwards."""
    names = {"__match_args__": ("_x",), "__module__": guards.PROGRAM_MODULE}
    assert guards.check_pattern(type("Own", (), names), 1)
    for foreign in (
        type("Text", (str,), names),
        type("Alias", (GenericAlias,), names),
        abc.ABCMeta("Abstract", (), names),
    ):
        with pytest.raises(AttributeError, match="'_x' cannot be read by a pattern"):
            guards.check_pattern(foreign, 1)


@pytest.mark.parametrize("name", ["format", "_loop"])
def test_a_pattern_reads_no_way_out_of_anything(name: str) -> None:
    """A text may say that it is of any class."""
    own = type("Own", (), {"__match_args__": (name,), "__module__": guards.PROGRAM_MODULE})
    with pytest.raises(AttributeError, match=f"'{name}' cannot be read by a pattern"):
        guards.check_pattern(own, 1)


@pytest.mark.parametrize(
    "hook", ["__getattribute__", "__match_args__", "__getattr__", "__instancecheck__"]
)
def test_a_class_may_not_choose_its_match_args_as_it_is_asked(hook: str) -> None:
    """The statement asks again, after the check, and after it has asked about the instance."""
    meta = type("Meta", (type,), {"__module__": guards.PROGRAM_MODULE, hook: ("x",)})
    made: type = type.__new__(meta, "Cls", (), {})
    with pytest.raises(TypeError, match="a metaclass of the program's own"):
        guards.check_pattern(made, 1)


def test_a_metaclass_is_not_the_librarys_because_it_says_so() -> None:
    """Its own class may answer every comparison."""
    answers = {"__eq__": lambda *_: True, "__hash__": lambda _: hash(type)}
    says_so = type("SaysSo", (type,), answers)
    meta = type.__call__(says_so, "Meta", (type,), {})
    made = type.__call__(meta, "Made", (), {})
    assert operator.eq(meta, type)
    assert not guards.behaves(made)


@pytest.mark.parametrize("name", ["__call__", "__reduce__", "_x_", "__class__"])
def test_a_class_made_by_type_has_no_special_names(name: str) -> None:
    """Those are defined in the body of a class, where the policy sees them."""
    with pytest.raises(AttributeError):
        guards.check_namespace({"x": 1, name: None})


def test_a_class_made_by_type_has_ordinary_and_private_names() -> None:
    """The namespace is given back as it is."""
    namespace = {"x": 1, "_y": 2}

    assert namespace is guards.check_namespace(namespace)


OF_OWN_CLASSES = ["__bases__", "__base__", "__subclasses__"]


def test_a_class_of_the_programs_says_what_it_comes_from_and_what_comes_of_it() -> None:
    """As Python says it, by guard and by computed name."""
    mine = program_class()
    child = type("Child", (mine,), {"__module__": guards.PROGRAM_MODULE})
    for read in (guards.read_private, guards.read):
        assert (mine,) == read(child, "__bases__")
        assert mine is read(child, "__base__")
        assert [child] == read(mine, "__subclasses__")()


@pytest.mark.parametrize("name", OF_OWN_CLASSES)
def test_what_leads_to_all_classes_is_of_own_classes_only(name: str) -> None:
    """Not of a class of the library's, of an object, or of what answers for another."""
    mine = program_class()
    for obj in (object, int, collections.OrderedDict, mine(), super(mine, mine())):
        with pytest.raises(AttributeError, match=name):
            guards.read_private(obj, name)


def test_a_metaclass_gives_its_own_subclasses_and_no_others() -> None:
    """Read of it natively, the method would take any class."""
    meta = type("Meta", (type,), {"__module__": guards.PROGRAM_MODULE})

    assert [] == guards.read_private(meta, "__subclasses__")()
    with pytest.raises(TypeError):
        guards.read_private(meta, "__subclasses__")(object)


def test_functions_of_the_programs_own_say_what_they_are_made_with() -> None:
    """Annotations, defaults, and what they wrap."""

    def mine(x: int = 1, *, y: int = 2) -> None:
        pass

    mine.__code__ = mine.__code__.replace(co_filename=FILENAME)
    cached = functools.cache(mine)

    assert ((1,), {"y": 2}) == (
        guards.read_private(mine, "__defaults__"),
        guards.read_private(mine, "__kwdefaults__"),
    )
    assert mine.__annotations__ is guards.read_private(mine, "__annotations__")
    assert mine is guards.read_private(cached, "__wrapped__")
    assert mine is guards.read(cached, "__wrapped__", None)


@pytest.mark.parametrize(
    "name", ["__defaults__", "__kwdefaults__", "__annotations__", "__wrapped__"]
)
def test_functions_of_the_library_keep_that_to_themselves(name: str) -> None:
    """They hold what the library needs; a default does not hide the refusal."""
    foreign = functools.cache(json.dumps) if name == "__wrapped__" else json.dumps
    with pytest.raises(AttributeError, match=name):
        guards.read_private(foreign, name)
    with pytest.raises(AttributeError, match=name):
        guards.read(foreign, name, None)


def test_a_default_stands_for_what_is_not_there() -> None:
    """`getattr(f, "__wrapped__", f)` is how a decorator is looked through."""
    mine = program_class()
    assert len is guards.read(len, "__wrapped__", len)
    assert {} == guards.read(mine, "__dataclass_fields__", {})


@pytest.mark.parametrize("how", ["__getattribute__", "__match_args__"])
def test_a_metaclass_that_shows_other_names_is_refused_whatever_its_module(how: str) -> None:
    """A class made of a mapping names any module as its own."""
    meta = type("Meta", (type,), {"__module__": "x", how: lambda *_: ("__globals__",)})
    made = type.__call__(meta, "Made", (), {})
    with pytest.raises(TypeError, match="a metaclass of the program's own"):
        guards.check_pattern(made, 1)


def test_the_namespace_of_a_class_made_by_type_holds_what_is_listed() -> None:
    """How its objects begin and show themselves; what makes them act is for a class body."""
    harmless: dict[str, object] = {"x": 1, "_y": 2, "__init__": len, "__repr__": len, "__doc__": ""}

    assert guards.check_namespace(harmless) is harmless
    for name in ("__call__", "__class__", "__reduce_ex__", "__slots__", "_x_"):
        with pytest.raises(AttributeError, match=name):
            guards.check_namespace({name: 1})
