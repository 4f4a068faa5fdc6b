"""The builtins are Python's own, but for those that reach files, frames or code."""

from __future__ import annotations

import builtins

import pytest

from codemode_guest import world
from codemode_guest.policy.advice import ABSENT_BUILTINS
from codemode_guest.world.builtin import GUARDED, OFFERED, program_builtins
from tests.guest.world.programs import run, run_natively

#: Left out without a word: they are for the interactive prompt, or belong to the machinery.
SILENT = {"copyright", "credits", "license", "__debug__", "__doc__", "__import__", "__loader__"}
SILENT |= {"__build_class__", "__name__", "__package__", "__spec__", "_", "PythonFinalizationError"}


def test_every_builtin_of_this_python_is_decided() -> None:
    """A builtin that a new Python brings is a decision; exceptions are all offered."""
    guarded = {name for names in GUARDED for name in names.split()}
    decided = {*OFFERED.split(), *guarded, *ABSENT_BUILTINS, *SILENT}
    undecided = {
        name
        for name, value in vars(builtins).items()
        if not (isinstance(value, type) and issubclass(value, BaseException))
    } - decided
    assert set() == undecided


@pytest.mark.parametrize("name", OFFERED.split())
def test_what_is_offered_is_pythons_own(name: str) -> None:
    """`type(5) is int`, `except ValueError`, `isinstance(x, type)`: no wrappers."""
    assert getattr(builtins, name) is program_builtins()[name]


@pytest.mark.parametrize("name", sorted(ABSENT_BUILTINS))
def test_what_is_absent_says_what_to_write(name: str) -> None:
    """A call is a NameError with the policy's own words."""
    rejection = ABSENT_BUILTINS[name]
    source = f"try:\n    {name}('x')\nexcept NameError as error:\n    print(error)"
    assert f"{rejection.reason}; {rejection.substitute}\n" == run(source)


@pytest.mark.parametrize("name", ["vars", "dir"])
def test_a_look_at_local_variables_is_refused(name: str) -> None:
    """Without an object the two mean `locals()`."""
    source = f"try:\n    {name}()\nexcept NameError as error:\n    print(error)"
    assert run(source).endswith("use a dict of your own\n")


def test_dir_lists_names() -> None:
    """Of any object."""
    assert "['append', 'clear']\n" == run("print([n for n in dir([]) if n[0] != '_'][:2])")


@pytest.mark.parametrize(
    "call,printed",
    [
        ("print()", "\n"),
        ("print('a', 1, None)", "a 1 None\n"),
        ("print('a', 'b', sep='-', end='!')", "a-b!"),
        ("print(*range(3), sep='')", "012\n"),
        ("print('x', flush=True, sep=None, end=None)", "x\n"),
        ("print('\\ud800')", "\ud800\n"),
    ],
)
def test_print_writes_what_python_prints(call: str, printed: str) -> None:
    """All its options."""
    assert printed == run(call)


def test_print_is_one_write() -> None:
    """A line is not torn apart where the log is shared."""
    pieces: list[str] = []
    names = world.new_globals(output=pieces.append)
    exec("print('a', 'b')", names)  # noqa: S102
    assert ["a b\n"] == pieces


def test_print_to_a_file_of_the_programs_own() -> None:
    """A `StringIO`, or any object with `write`."""
    source = """
import io
class Mine:
    def write(self, text):
        kept.append(text)
kept, file = [], io.StringIO()
print("a", "b", file=file)
print("c", file=Mine())
print([file.getvalue()], kept)
"""
    assert "['a b\\n'] ['c', '\\n']\n" == run(source)


@pytest.mark.parametrize("option", ["sep", "end"])
def test_print_refuses_what_is_no_text(option: str) -> None:
    """In Python's words."""
    source = f"try:\n    print(1, {option}=5)\nexcept TypeError as error:\n    print(error)"
    assert f"{option} must be None or a string, not int\n" == run(source)


def test_what_is_redirected_is_not_in_the_log() -> None:
    """`redirect_stdout` nests and ends, also by an exception."""
    source = """
import contextlib, io
outer, inner = io.StringIO(), io.StringIO()
with contextlib.suppress(ValueError), contextlib.redirect_stdout(outer) as same:
    print("outer")
    with contextlib.redirect_stdout(inner):
        print("inner")
    int("x")
print([outer.getvalue(), inner.getvalue(), same is outer])
"""
    assert "['outer\\n', 'inner\\n', True]\n" == run(source)


def test_each_run_has_globals_of_its_own() -> None:
    """What one program binds, in its builtins too, no other sees."""
    first = world.new_globals(output=lambda _text: None)
    second = world.new_globals(output=lambda _text: None)
    first["x"] = 1
    assert isinstance(first["__builtins__"], dict)
    first["__builtins__"]["len"] = None
    assert "x" not in second
    assert isinstance(second["__builtins__"], dict)
    assert len is second["__builtins__"]["len"]


def test_a_seed_makes_random_repeatable() -> None:
    """The functions of the module share one generator."""
    source = "import random\nprint(random.random(), random.randint(1, 99), random.choice('abc'))"
    world.seed(5)
    first = run(source)
    world.seed(5)
    assert first == run(source)


CLASSES = """
class Meta(type):
    def __new__(mcs, name, bases, names, flag=0):
        made = super().__new__(mcs, name, bases, names)
        made.flag = flag
        return made
class A(metaclass=Meta, flag=3):
    def __init__(self):
        self._x = 1
    @property
    def x(self):
        return self._x
    @x.setter
    def x(self, value):
        self._x = value
class B(A):
    def __init__(self):
        super().__init__()
        self.x += 1
b = B()
print(b.x, B.flag, isinstance(b, A), issubclass(B, A))
print(type(b) is B, isinstance(B, Meta), isinstance(B, type))
print(type("C", (A,), {"y": 5}).y, type(5) is int, type(int) is type)
print([type(x).__name__ for x in (1, "", None)])
match 5:
    case int(n):
        print(n)
def gen():
    try:
        got = yield 1
        print("got", got)
    except GeneratorExit:
        print("closed")
g = gen()
print(next(g))
g.close()
try:
    raise ExceptionGroup("group", [ValueError(1), KeyError(2)])
except ExceptionGroup as group:
    print(group.split(ValueError))
print(sorted({3, 1}, reverse=True), {**{"a": 1}}, [*"ab"], f"{3.14159:.2f}", b"x".hex(), 2 ** 0.5)
"""


def test_classes_and_types_work_as_in_python() -> None:
    """Metaclasses, properties, super, three-argument type, groups: the same as plain CPython."""
    assert run_natively(CLASSES) == run(CLASSES)
