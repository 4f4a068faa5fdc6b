"""`sys` and `inspect` for programs: what everybody writes works, and shows nothing inside."""

from __future__ import annotations

import sys

import pytest

from tests.guest.world.disarmed import disarmed
from tests.guest.world.programs import run, run_natively

SAME = {
    "facts": """
import sys
print(sys.maxsize, sys.version_info[:2], sys.version_info >= (3, 8), sys.float_info.epsilon)
print(sys.byteorder, sys.getsizeof([]) > 0, sys.maxunicode, sys.intern("a") == "a")""",
    "the error that is handled": """
import sys
try:
    1 / 0
except ZeroDivisionError as error:
    kind, value, *_ = sys.exc_info()
    print(kind is ZeroDivisionError, value is error, sys.exception() is error)
print(sys.exc_info())""",
    "signatures": """
import inspect, functools
def f(a, /, b: int = 2, *rest, c, **more) -> str:
    "Says f.

    More."
def wrapped(function):
    @functools.wraps(function)
    def inner(*args, **kwargs):
        return function(*args, **kwargs)
    return inner
class C:
    def __init__(self, x, y=1): pass
    def method(self, z): pass
    async def later(self): yield 1
print(inspect.signature(f), inspect.signature(wrapped(f)), inspect.signature(C))
print(inspect.signature(C(1).method), inspect.signature(functools.partial(f, 1, c=2)))
print(inspect.signature(len), inspect.signature(lambda q=[]: q), inspect.getdoc(f))
bound = inspect.signature(f).bind(1, 2, 3, c=4)
bound.apply_defaults()
print(bound.arguments, inspect.signature(f).parameters["c"].kind.name)
try:
    inspect.signature(f).bind()
except TypeError as error:
    print(error)
print(inspect.isclass(C), inspect.isfunction(f), inspect.iscoroutinefunction(f))
print(inspect.isasyncgenfunction(C.later), inspect.isawaitable(1), inspect.cleandoc("  a\\n  b"))
print([name for name, _ in inspect.getmembers(C(1), inspect.ismethod)])""".replace(
        '"Says f.\n\n    More."', '"""Says f.\n\n    More."""'
    ),
}


@pytest.mark.parametrize("case", SAME)
def test_what_a_program_sees_is_what_the_library_does(case: str) -> None:
    """The same text prints the same on plain CPython, but for methods that are hidden."""
    expected = run_natively(SAME[case])
    assert expected.replace("['__init__', ", "[") == disarmed(SAME[case]).replace(
        "['__init__', ", "["
    )


def test_the_streams_are_the_runs_log() -> None:
    """`print(file=sys.stderr)` and `sys.stdout.write` are what programs write."""
    source = """
import sys, contextlib, io
print("a", file=sys.stderr)
sys.stdout.write("b\\n")
sys.stdout.writelines(["c\\n", "d\\n"])
sys.stdout.flush()
with contextlib.redirect_stderr(io.StringIO()) as file:
    print("e", file=sys.stderr)
print(repr(file.getvalue()), sys.stdout.isatty())"""
    assert "a\nb\nc\nd\n'e\\n' False\n" == run(source)


def test_the_depth_of_calls_is_set_as_far_as_is_safe() -> None:
    """Beyond it the interpreter would run out of stack and end the process."""
    before = sys.getrecursionlimit()
    source = "import sys\nsys.setrecursionlimit(10**9)\nprint(sys.getrecursionlimit())"
    try:
        assert "3000\n" == run(source)
    finally:
        sys.setrecursionlimit(before)


@pytest.mark.parametrize(
    "name", ["argv", "exit", "modules", "stdin", "settrace", "exc_clear", "_getframe"]
)
def test_what_leads_inside_is_not_there(name: str) -> None:
    """Each says so, under its name."""
    source = f"import sys\ntry:\n    sys.{name}\nexcept AttributeError as error:\n    print(error)"
    assert name in run(source)


def test_members_are_those_that_can_be_read() -> None:
    """Neither `__globals__` of a function nor what another object keeps private."""
    source = """
import inspect, random, json
found = [inspect.getmembers(each) for each in (random.choice, json, len, print)]
names = [name for members in found for name, _ in members]
print([name for name in names if name in ("__globals__", "__self__", "__code__", "__reduce__")])
class Mine:
    _kept = 1
print(("_kept", 1) in inspect.getmembers(Mine()))"""
    assert "[]\nTrue\n" == run(source)
