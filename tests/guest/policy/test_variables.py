"""Names of variables, wherever the syntax tree keeps them."""

from __future__ import annotations

import sys

import pytest

from codemode_guest.policy import compile_program
from tests.guest.policy.running import is_native, refusal, run, words

#: Every place of the grammar that binds or declares a name, with `{}` for it.
BINDING_PLACES = [
    "{} = 1",
    "{}: int = 1",
    "{}: int",
    "{} += 1",
    "a = {} = 1",
    "a, {} = 1, 2",
    "[a, *{}] = 1, 2",
    "a, (b, {}) = 1, (2, 3)",
    "del {}",
    "({} := 1)",
    "[{} := 1 for a in b]",
    "for {} in x: pass",
    "for a, {} in x: pass",
    "async for {} in x: pass",
    "[1 for {} in x]",
    "{{1 for a, {} in x}}",
    "{{1: 2 for {} in x}}",
    "(1 for {} in x)",
    "[1 async for {} in x]",
    "with x as {}: pass",
    "with x as (a, {}): pass",
    "async with x as {}: pass",
    "try: pass\nexcept E as {}: pass",
    "import {}",
    "import a as {}",
    "import a.b as {}",
    "from a import {}",
    "from a import b as {}",
    "def {}(): pass",
    "async def {}(): pass",
    "class {}: pass",
    "def f({}): pass",
    "def f({}, /): pass",
    "def f(*, {}): pass",
    "def f(*{}): pass",
    "def f(**{}): pass",
    "def f(a, b={}): pass",
    "async def f({}): pass",
    "async def f({}, /): pass",
    "async def f(*, {}): pass",
    "async def f(*{}): pass",
    "async def f(**{}): pass",
    "lambda {}: 1",
    "lambda {}, /: 1",
    "lambda *, {}: 1",
    "lambda *{}: 1",
    "lambda **{}: 1",
    "global {}",
    "def f():\n global {}",
    "def f():\n def g():\n  nonlocal {}",
    "match x:\n case {}: pass",
    "match x:\n case [a, {}]: pass",
    "match x:\n case [a, *{}]: pass",
    "match x:\n case {{'a': 1, **{}}}: pass",
    "match x:\n case {{'a': {}}}: pass",
    "match x:\n case 1 | 2 as {}: pass",
    "match x:\n case C({}): pass",
    "match x:\n case C(a={}): pass",
    "class A:\n def f({}): pass",
    "class A:\n {} = 1",
    "class A:\n {}: int",
    "class A:\n def {}(self): pass",
    "class A:\n for {} in x: pass",
]
if sys.version_info >= (3, 12):
    BINDING_PLACES += [
        "type {} = int",
        "type X[{}] = int",
        "type X[*{}] = int",
        "type X[**{}] = int",
        "def f[{}](): pass",
        "async def f[{}: int](): pass",
        "class A[{}]: pass",
    ]


@pytest.mark.parametrize("place", BINDING_PLACES)
@pytest.mark.parametrize("name", ["_private_", "_getattr_", "_x_", "__import__", "__builtins__"])
def test_reserved_names_are_bound_nowhere(place: str, name: str) -> None:
    """Names of the guards' form and Python's own are refused in every place that binds."""
    reasons = [finding.reason for finding in refusal(place.format(name)).findings]

    assert any(repr(name) in reason for reason in reasons)


#: A module's private names cannot be imported, and Python wants a name to be bound first.
_NOT_FREE = {"import {}", "from a import {}", "def f():\n def g():\n  nonlocal {}"}


@pytest.mark.parametrize("place", [place for place in BINDING_PLACES if place not in _NOT_FREE])
@pytest.mark.parametrize("name", ["x1", "__", "_helper", "total_", "größe", "tb_frame"])
def test_ordinary_names_are_bound_everywhere(place: str, name: str) -> None:
    """A leading or trailing underscore makes a name no less ordinary."""
    compile_program(place.format(name))


def test_the_name_of_what_is_thrown_away_is_ordinary() -> None:
    """`_` is a variable like any other, except in patterns."""
    assert run("for _ in (1, 2):\n    pass\na, _ = 3, 4\nreturn [_ for _ in (_, a)]") == [4, 3]


@pytest.mark.parametrize("name", ["_private_", "_format_", "_pattern_", "_group_", "_program_"])
def test_the_guards_cannot_be_read(name: str) -> None:
    """A program cannot lay its hands on a guard, to pass it on or to call it."""
    assert f"the name {name!r} has the form _x_, which is reserved" in words(f"x = {name}")


def test_names_are_checked_as_the_parser_folds_them() -> None:
    """Full-width letters and underscores are the plain ones to Python (NFKC)."""
    assert "'__import__'" in words("_\uff3fimport__('os')")
    assert "'_private_'" in words("_\uff50rivate_ = 1")


@pytest.mark.parametrize("name", ["__name__", "__doc__", "__debug__", "__all__", "__version__"])
def test_harmless_special_names_are_read(name: str) -> None:
    """`__name__` and its kin are read natively."""
    assert is_native(f"x = {name}")


def test_the_main_guard_holds() -> None:
    """`if __name__ == "__main__"` runs what it guards."""
    assert run('if __name__ == "__main__":\n    return "ran"') == "ran"


@pytest.mark.parametrize("name", ["__all__", "__version__", "__author__", "__doc__"])
def test_labels_of_a_module_are_bound_at_the_top_level_only(name: str) -> None:
    """They say something about a file, and have no effect."""
    assert run(f"{name} = 'x'\nreturn {name}") == "x"
    assert repr(name) in words(f"def f():\n    {name} = 1")


@pytest.mark.parametrize(
    "name, substitute",
    [
        ("__class__", "write type(x)"),
        ("__file__", "leave it out: a program has no file"),
        ("__import__", "write an import statement"),
        ("__builtins__", "write the name of the function itself"),
        ("__annotations__", "write dataclasses.fields(x) or a dict of your own"),
        ("__spec__", "leave it out: a program is in no package"),
        ("__never_heard_of__", "choose a name without the underscores"),
    ],
)
def test_other_special_names_are_refused_with_a_substitute(name: str, substitute: str) -> None:
    """What leads to the interpreter is named with what to write instead."""
    assert words(f"x = {name}") == f"the special name {name!r} belongs to Python; {substitute}"


@pytest.mark.parametrize(
    "name, reason",
    [
        ("eval", "eval() is not available: text is not run as code"),
        ("exec", "exec() is not available: text is not run as code"),
        ("compile", "compile() is not available: text is not run as code"),
        ("open", "open() is not available: a program has no files"),
        ("input", "input() is not available: nobody types while a program runs"),
        ("globals", "globals() is not available"),
        ("locals", "locals() is not available"),
        ("breakpoint", "breakpoint() is not available: there is no debugger"),
        ("exit", "exit() is not available"),
        ("quit", "quit() is not available"),
        ("help", "help() is not available: there is no pager"),
    ],
)
def test_absent_builtins_are_refused_however_they_are_used(name: str, reason: str) -> None:
    """A call and an alias alike are refused, with what to write instead."""
    for source in (f"{name}('x')", f"run = [{name}][0]", f"@{name}\ndef f(): pass"):
        found = words(source)
        assert found.startswith(reason)
        assert "; " in found


@pytest.mark.parametrize(
    "source, value",
    [
        ("def compile(x):\n    return x + 1\nreturn compile(1)", 2),
        ("def f():\n    return help()\ndef help():\n    return 3\nreturn f()", 3),
        ("return (lambda input: input * 2)(4)", 8),
        ("return [exit for exit in (1, 2)]", [1, 2]),
        ("for quit in (5,):\n    pass\nreturn quit", 5),
        ("class A:\n    open = 6\n    twice = open * 2\nreturn A.twice", 12),
        ("from math import pi as eval\nreturn int(eval)", 3),
    ],
)
def test_a_program_may_define_its_own_under_those_names(source: str, value: object) -> None:
    """The name is refused only where it would mean the built-in function."""
    assert run(source) == value


def test_a_binding_may_have_such_a_name() -> None:
    """What the host provides under it is what the program means."""
    compile_program("return await open.read()", provided={"open"})
    assert words("open.read()", provided={"help"}).startswith("open() is not available")


def test_a_method_does_not_define_the_function_of_that_name() -> None:
    """A method called `open` is reached through its object, so `open()` is still the built-in."""
    assert words("class A:\n    def open(self): pass\nopen('x')").startswith("open() is not")


def test_class_private_names_work_inside_their_class() -> None:
    """`__x` is mangled by Python; the names of the policy cannot be spelled by it."""
    source = """
class _:
    __plain = 1
    def get(self):
        return self.__plain
class Account:
    __rate = 2
    def __init__(self):
        self.__owner = "o"
    def __secret(self):
        return self.__owner
    def show(self, __x=3):
        __y = __x
        return [self.__secret(), self.__rate, __y]
return [_().get(), Account().show()]
"""
    assert run(source) == [1, ["o", 2, 3]]
    assert "'__private_'" in words("class _:\n    def f(self):\n        return __private_(1, 2)")
    assert "'__pattern_'" in words("class A:\n    __pattern_ = 1")
