"""Attributes: free by name, guarded at run time, or refused."""

from __future__ import annotations

import types

import pytest

from codemode_guest.policy import forbidden_assignment, forbidden_attribute
from tests.guest.policy.running import asked, is_native, refusal, run, words


@pytest.mark.parametrize(
    "source",
    [
        "x.y",
        "x.y.z = 1",
        "x.y, x.z = 1, 2",
        "del x.y",
        "x.y += 1",
        "x._y = 1",
        "x._y += 1",
        "del x._y",
        "for x.y in z: pass",
        "with x as y.z: pass",
        "x.obj, x.name, x.args, x.format_spec",
        "type(e).__name__",
        "e.__class__.__name__",
        "f().__class__.__qualname__",
        "f.__doc__",
        "type(e).__module__",
        "type(e).__mro__",
        "Color.__members__",
        "e.__cause__, e.__context__, e.__suppress_context__, e.__notes__",
        "x.__len__()",
        "sorted(words, key=counts.__getitem__)",
        "x.__eq__(y)",
        "Base.__init__(self, 1)",
        "tuple.__new__(cls, (1, 2))",
        "wrapper.__name__ = f.__name__",
        "wrapper.__doc__ = f.__doc__",
        "e.__cause__ = None",
        "x.__slots__",
        "raise e.with_traceback(None)",
        "raise e.with_traceback(e.__traceback__)",
        "traceback.format_exception(type(e), e, e.__traceback__)",
        "print_tb(e.__traceback__)",
        "e.__traceback__ is not None",
        "None is e.__traceback__",
        "e.__traceback__.tb_lineno",
        "g.throw(type(e), e, e.__traceback__)",
        "a.__class__ is b.__class__",
        "a.__class__ == int or a.__class__ in (int, str)",
        "a.__class__(1)",
        "a.__class__.limit",
        "a.__class__.count = 1",
        "a.__class__.count += 1",
        "w.__wrapped__ = f",
        "e.__traceback__ = None",
        "isinstance(a, b.__class__)",
        "A.__match_args__",
        "A.__orig_bases__",
        "class A:\n def f(self): return __class__.__name__",
        "list[int].__origin__, list[int].__args__",
        "'{} {:>5}'.format(1, 2)",
        "'{0.name} {0.address.street}'.format(p)",
        "'{0[key]}'.format(p)",
        "'{:{width}}'.format(1, width=3)",
        "'{a}'.format_map(d)",
        "object.__setattr__(self, 'x', 1)",
        "object.__setattr__(self, '_x', 1)",
        "object.__getattribute__(self, 'x')",
        "x.__getattribute__('y')",
        "object.__delattr__(self, 'x')",
        "x.format = 1",
        "class A:\n def f(self): return self._x",
        "class A:\n def f(self): return self.__x",
        "class A:\n @classmethod\n def f(cls): return cls._x",
        "class A:\n def f(me): return me._x",
        "class A:\n def f(self, /): return self._x",
        "class A:\n async def f(self): return self._x",
        "class A:\n f = lambda self: self._x",
        "class A:\n def f(self):\n  def g(): return self._x\n  return g",
        "class A:\n def f(self): return [self._x for _ in y]",
        "class A:\n def f(self): return sorted(y, key=lambda z: self._x)",
        "class A:\n def f(self): self._x += 1",
        "class A:\n def __init__(self): super().__init__()",
        "class A:\n def __setattr__(self, n, v): super().__setattr__(n, v)",
        "class A:\n def __delattr__(self, n): super().__delattr__(n)",
        "class A:\n def f(self): return super()._x() + super().__y",
        "class A:\n def __dir__(self): return super().__dir__()",
        "class A:\n def f(self): return self._value_, self._name_",
    ],
)
def test_harmless_attributes_stay_native(source: str) -> None:
    """Python reads and writes them itself, at its own speed."""
    assert is_native(source)


@pytest.mark.parametrize(
    "source, guarded",
    [
        ("x._y", [("private", "_y")]),
        ("x._y._z", [("private", "_y"), ("private", "_z")]),
        ("x._asdict()", [("private", "_asdict")]),
        ("x._replace(a=1)", [("private", "_replace")]),
        ("x._fields", [("private", "_fields")]),
        ("x._value_", [("private", "_value_")]),
        ("x._", [("private", "_")]),
        ("x._y.z = 1", [("private", "_y")]),
        ("x.__y", [("private", "__y")]),
        ("class A:\n def f(self, o): return o._x\nA().f(x)", [("private", "_x")]),
        ("class A:\n def f(self, o): return o.__x\nA().f(x)", [("private", "_A__x")]),
        ("class _A:\n def f(self, o): return o.__x\n_A().f(x)", [("private", "_A__x")]),
        ("class __:\n def f(self, o): return o.__x\n__().f(x)", [("private", "__x")]),
        (
            "class A:\n def f(self):\n  return [self._x for self in (x,)]\nA().f()",
            [("private", "_x")],
        ),
        ("class A:\n def f(self, o): return o.__class__\nA().f(x)", [("private", "__class__")]),
        ("class A:\n def f(self): return self.__class__\nA().f()", [("private", "__class__")]),
        ("class A:\n def f(self): return self.__dict__\nA().f()", [("private", "__dict__")]),
        ("(lambda o: o.__dict__)(x)", [("private", "__dict__")]),
        ("y = x\ny.a.__dict__", [("private", "__dict__")]),
        ("(lambda: x)().__dict__", [("private", "__dict__")]),
        ("class B: pass\nB.__subclasses__()", [("private", "__subclasses__")]),
        (
            "class B: pass\nB.__bases__, B.__base__",
            [("private", "__bases__"), ("private", "__base__")],
        ),
        ("def f(): pass\nf.__annotations__", [("private", "__annotations__")]),
        ("def f(): pass\nf.__defaults__", [("private", "__defaults__")]),
        ("y = x\ny._member_map_", [("private", "_member_map_")]),
        ("[o.__dict__ for o in (x,)]", [("private", "__dict__")]),
        (
            "class A:\n def f(self): self.__dict__ = {}\nA().f()",
            [("own", "A")],
        ),
        (
            "class A:\n def f(self): self.__class__, self.a = B, 1\nclass B: pass\nA().f()",
            [("own", "A")],
        ),
        ("n = 'c'\ndef f(o): o.__setattr__(n, 1)\nf(x)", [("private", "__setattr__")]),
        ("n = 'a'\nx.__getattribute__(n)", [("private", "__getattribute__")]),
        (
            "class A:\n def f(self, n): super().__getattribute__(n)\nA().f('f')",
            [("private", "__getattribute__")],
        ),
        ("'{0._y}'.format(x)", [("format", "format")]),
        ("t = '{}'\nt.format(1)", [("format", "format")]),
        ("str.format('{}', 1)", [("format", "format")]),
        ("f = 'a{}'.format_map\nt = 'b'\nt.format_map({})", [("format", "format_map")]),
    ],
)
def test_what_depends_on_the_object_is_guarded(source: str, guarded: list[tuple[str, str]]) -> None:
    """The guard is asked once, with the object and the name as the compiler spells it."""

    class Everything:
        def __getattr__(self, name: str) -> object:
            return lambda **_: Everything() if name != "_y" else self

        a = b = property(lambda self: self)

    x = Everything()
    x.__dict__.update(_y=x, _z=1, __y=1, _x=1, _A__x=1, __x=1, _=1, _value_=1, _fields=())
    x.__dict__["_member_map_"] = {}

    assert asked(f"a = 1\n{source}", x=x) == guarded


@pytest.mark.parametrize(
    "name",
    [
        "__globals__",
        "__code__",
        "__closure__",
        "__self__",
        "__func__",
        "__builtins__",
        "__loader__",
        "__spec__",
        "__traceback__",
        "__reduce__",
        "__reduce_ex__",
        "__getattribute__",
        "__setattr__",
        "__dir__",
        "__weakref__",
        "__never_heard_of__",
        "tb_frame",
        "tb_next",
        "tb_lasti",
        "tb_lineno",
        "f_back",
        "f_builtins",
        "f_code",
        "f_globals",
        "f_locals",
        "f_lasti",
        "f_lineno",
        "f_trace",
        "gi_frame",
        "gi_code",
        "gi_yieldfrom",
        "cr_frame",
        "cr_code",
        "cr_await",
        "cr_origin",
        "ag_frame",
        "ag_code",
        "ag_await",
        "co_code",
        "co_consts",
        "get_loop",
        "get_stack",
        "print_stack",
        "get_coro",
        "cell_contents",
    ],
)
@pytest.mark.parametrize(
    "source", ["x = y.{}", "f(y).{}.z = 1", "class A:\n def f(self): return self.{}"]
)
def test_ways_into_the_interpreter_are_refused(source: str, name: str) -> None:
    """Whatever object it is asked of, the object itself included."""
    reason = words(source.format(name))

    assert reason.startswith(f"the attribute {name!r} leads into the interpreter")
    assert forbidden_attribute(name) is not None


@pytest.mark.parametrize(
    "kind, prefix",
    [
        (types.TracebackType, "tb_"),
        (types.FrameType, "f_"),
        (types.CodeType, "co_"),
        (types.GeneratorType, "gi_"),
        (types.CoroutineType, "cr_"),
        (types.AsyncGeneratorType, "ag_"),
    ],
)
def test_every_inspection_attribute_of_this_python_is_refused(kind: type, prefix: str) -> None:
    """The list is the interpreter's own, so that it grows with it."""
    found = [name for name in dir(kind) if name.startswith(prefix)]

    assert found
    assert [name for name in found if forbidden_attribute(name) is None] == []


@pytest.mark.parametrize(
    "source, attribute",
    [
        ("().__class__", "__class__"),
        ("x = 1\nx.__class__", "__class__"),
        ("().__class__.__mro__", "__class__"),
        ("e.__class__.__init__", "__class__"),
        ("e.__class__[0]", "__class__"),
        ("e.__class__._x", "__class__"),
        ("int.__dict__", "__dict__"),
        ("import json\njson.__dict__", "__dict__"),
        ("import json as j\nj.__dict__", "__dict__"),
        ("[].__dict__", "__dict__"),
        ("int.__subclasses__()", "__subclasses__"),
        ("f().__subclasses__()", "__subclasses__"),
        ("x = 1\nx.y.__subclasses__()", "__subclasses__"),
        ("x = 1\nx[0].__bases__", "__bases__"),
        ("Exception.__base__", "__base__"),
        ("import json\njson.loads.__wrapped__", "__wrapped__"),
        ("print.__defaults__", "__defaults__"),
        ("tools.a.__annotations__", "__annotations__"),
        ("x = e.__traceback__", "__traceback__"),
        ("e.__context__.__traceback__", "__traceback__"),
        ("e.__traceback__ == x", "__traceback__"),
        ("tb.tb_lineno", "tb_lineno"),
        ("tools.__dict__", "__dict__"),
        ("def f(e):\n g(e.__traceback__)", "__traceback__"),
        ("object.__setattr__(x, *names)", "__setattr__"),
        ("object.__setattr__(x, '__class__', 1)", "__setattr__"),
        ("object.__getattribute__(x, 'gi_frame')", "__getattribute__"),
        ("object.__getattribute__(x, '_y')", "__getattribute__"),
        ("''.__getattribute__('format')", "__getattribute__"),
        ("x.__getattr__('y', 'z')", "__getattr__"),
        ("f = object.__setattr__", "__setattr__"),
        ("class A:\n x = super().__setattr__", "__setattr__"),
        ("''.__getstate__()", "__getstate__"),
        ("class A:\n def f(self): super().__reduce_ex__(2)", "__reduce_ex__"),
    ],
)
def test_what_is_free_in_one_place_is_refused_in_others(source: str, attribute: str) -> None:
    """An approval belongs to one place, and goes no further."""
    assert words(source).startswith(f"the attribute {attribute!r} leads into the interpreter")


@pytest.mark.parametrize("read", ["super().__setattr__('x' + 'y', 1)", "super()._x"])
@pytest.mark.parametrize("bound", ["super = f", "import super", "def super(): pass"])
def test_only_pythons_own_super_is_trusted(bound: str, read: str) -> None:
    """A program that calls something else by that name could hand over any object."""
    source = f"{bound}\nclass A:\n def f(self): {read}"

    assert words(source).startswith("super() is not Python's own in this program")


@pytest.mark.parametrize(
    "name", ["__class__", "__dict__", "__code__", "__slots__", "__match_args__", "__init__"]
)
@pytest.mark.parametrize(
    "source", ["x.{} = 1", "del x.{}", "x.{}, y = 1, 2", "for x.{} in y: pass"]
)
def test_special_attributes_are_not_changed(source: str, name: str) -> None:
    """Except labels and the links between errors."""
    assert words(source.format(name)).startswith(f"the attribute {name!r} may not be changed")
    assert forbidden_assignment(name) is not None


@pytest.mark.parametrize("source", ["x.__class__ += 1", "x.__init__ += 1", "x.format += 1"])
def test_in_place_changes_do_not_read_what_cannot_be_read(source: str) -> None:
    """`+=` reads an attribute natively and hands it to the right-hand side."""
    assert len(refusal(source).findings) == 1


@pytest.mark.parametrize("name", ["_x_", "_missing_", "_ignore_"])
def test_reserved_attributes_are_refused(name: str) -> None:
    """Names of the guards' form are no attributes either, but for two of `enum`."""
    assert words(f"x.{name}").startswith(f"the name {name!r} has the form _x_, which is reserved")
    assert words(f"x.{name} = 1").startswith(f"the name {name!r}")


def test_attributes_are_checked_as_the_parser_folds_them() -> None:
    """A full-width underscore is an underscore."""
    assert "'__class__'" in words("()._\uff3fclass_\uff3f")


@pytest.mark.parametrize(
    "template",
    ["{0.__class__}", "{0._x}", "{0.gi_frame}", "{0.format}", "{:{0.__class__}}", "{0.x"],
)
def test_a_literal_template_that_reads_more_is_guarded(template: str) -> None:
    """What the template reads is known, and it is the guard's to refuse."""
    assert not is_native(f"{template!r}.format(x)")


def test_a_missing_attribute_raises() -> None:
    """Nothing reads as None because it is not there."""
    source = (
        "class A:\n    pass\ntry:\n    A().missing\nexcept AttributeError:\n    return 'raised'"
    )
    assert run(source) == "raised"


def test_frozen_dataclasses_set_their_own_attributes() -> None:
    """`object.__setattr__` with a literal name is how a frozen class initialises itself."""
    source = """
from dataclasses import dataclass
@dataclass(frozen=True)
class P:
    x: int
    def __post_init__(self):
        object.__setattr__(self, "twice", self.x * 2)
return P(2).twice
"""
    assert run(source) == 4


@pytest.mark.parametrize("name", ["x", "_x", "format", "__name__", "__len__", "_value_", "__mro__"])
def test_computed_names_obey_the_same_rule(name: str) -> None:
    """`forbidden_attribute` has no objection to what a program could write."""
    assert forbidden_attribute(name) is None


def test_the_rule_for_computed_names_says_what_to_write() -> None:
    """The sentence is the one that a refusal shows."""
    assert forbidden_attribute("__class__") == (
        "the attribute '__class__' leads into the interpreter; write type(x)"
    )
    assert forbidden_assignment("__init__") == (
        "the attribute '__init__' may not be changed; define it in the body of the class"
    )
    assert forbidden_assignment("__doc__") is None
    assert forbidden_assignment("_x") is None


def test_what_leads_from_a_future_to_its_loop_is_guarded_even_on_self() -> None:
    """A method can be called with any object as its first argument."""
    source = "class A:\n    def peek(self):\n        return self._loop\nA.peek(given)"

    assert [("private", "_loop")] == asked(source, given=type("G", (), {"_loop": 1}))


@pytest.mark.parametrize("name", ["__getattr__", "__get__", "__set__", "__delete__"])
def test_methods_that_a_class_of_the_librarys_may_forward_are_guarded(name: str) -> None:
    """Such a class stands for another object, and reads what it is asked for."""
    source = (
        f"class B:\n def {name}(self, *a): return len(a)\n"
        f"class A(B):\n def f(self): return super().{name}('a')\nreturn A().f()"
    )

    assert run(source) == 1
    assert asked(source) == [("private", name)]
