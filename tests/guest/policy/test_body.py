"""The body of the wrapper: everything is as true as in a module."""

from __future__ import annotations

import contextlib

import pytest

from codemode_guest.policy import FILENAME, MAIN, NO_VALUE, compile_program
from tests.guest.policy.running import codes, refusal, run


@pytest.mark.parametrize(
    "source, value",
    [
        ("return 1", 1),
        ("return None", None),
        ("return", NO_VALUE),
        ("x = 1", NO_VALUE),
        ("", NO_VALUE),
        ("# nothing", NO_VALUE),
        ("if True:\n    return", NO_VALUE),
        ("for i in range(5):\n    if i == 3:\n        return i", 3),
        ("try:\n    return 'try'\nfinally:\n    x = 1", "try"),
        ("try:\n    1 / 0\nexcept ZeroDivisionError:\n    return 'except'", "except"),
        ("while True:\n    with open_:\n        return 'with'", "with"),
        ("def f():\n    return\nreturn f()", None),
        ("return 1, *[2]", (1, 2)),
    ],
)
def test_return_ends_the_program_with_its_value(source: str, value: object) -> None:
    """From inside any block; without a value there is none, which is not `None`."""
    assert run(source, open_=contextlib.nullcontext()) == value


def test_top_level_names_are_globals() -> None:
    """Of every kind, seen by functions, classes, lambdas and comprehensions."""
    source = """
import json
from math import pi as circle
a = b = 1
c, (d, *e) = 2, (3, 4)
for f in (5,): pass
with ctx as g: pass
def h(): return 7
class I: k = 8
if (j := 9): pass
try:
    1 / 0
except ZeroDivisionError as error:
    seen = repr(error)
match [10]:
    case [l, *m]: pass
def all_of_them():
    return [json.__name__, int(circle), a, b, c, d, e, f, g, h(), I.k, j, l, m, seen]
return all_of_them()
"""
    assert run(source, ctx=contextlib.nullcontext(6)) == [
        *("json", 3, 1, 1, 2, 3, [4], 5, 6, 7, 8, 9, 10, []),
        "ZeroDivisionError('division by zero')",
    ]


def test_a_name_is_what_it_was_until_it_is_bound() -> None:
    """A builtin, or a binding, may be read and then replaced."""
    assert run("list = list((1, 2))\ntools |= {'b': 2}\nreturn [list, tools]", tools={"a": 1}) == [
        [1, 2],
        {"a": 1, "b": 2},
    ]


def test_a_name_that_is_not_there_is_named() -> None:
    """As in a module: no word of local variables."""
    with pytest.raises(NameError, match=r"^name 'x' is not defined"):
        run("print(x)\nx = 1")


def test_functions_may_call_what_is_defined_after_them() -> None:
    """Before it is called."""
    assert run("def f():\n    return g()\ndef g():\n    return 1\nreturn f()") == 1


def test_qualified_names_show_nothing_of_the_wrapper() -> None:
    """Not for lambdas, generators or comprehensions of the top level, nor inside them."""
    source = """
x = lambda: (lambda: [i for i in (lambda: 1,)])
y = (j for j in (k for k in x()))
z = [lambda: m for m in (1,)]
def f(): return lambda: 1
async def g():
    async def h(): yield 1
class A:
    n = lambda: 1
    async def m(self):
        return [o async for o in self]
"""
    names = [code.co_qualname for code in codes(compile_program(source).code)[1:]]

    assert [name for name in names if MAIN in name] == []
    assert {"<lambda>", "<lambda>.<locals>.<lambda>", "f.<locals>.<lambda>"} <= set(names)
    assert {"<genexpr>", "g.<locals>.h", "A.<lambda>", "A.m"} <= set(names)


def test_generators_and_lambdas_are_named_at_run_time_too() -> None:
    """What a model prints is what it would see in a file."""
    source = "f = lambda: 1\ng = (x for x in ())\nreturn [f.__qualname__, repr(g).split(' at ')[0]]"
    assert run(source) == ["<lambda>", "<generator object <genexpr>"]


def test_the_docstring_is_the_programs() -> None:
    """And is no statement that does nothing."""
    assert run('"""What I do."""\nreturn __doc__') == "What I do."
    assert run('"""Doc."""\ndef f():\n    return __doc__\nreturn f()') == "Doc."


def test_future_annotations_are_in_force() -> None:
    """After a docstring and beside other features, at the beginning."""
    source = '''"""Doc."""
from __future__ import division
from __future__ import annotations, generator_stop
class A:
    x: NotDefined
def f(a: NotDefined) -> "str": ...
return [A, f]
'''
    cls, function = run(source)

    assert cls.__annotations__ == {"x": "NotDefined"}
    assert function.__annotations__ == {"a": "NotDefined", "return": "'str'"}


def test_annotations_are_evaluated_without_it() -> None:
    """The policy's own flags are not the program's."""
    with pytest.raises(NameError, match="NotDefined"):
        run("class A:\n    x: NotDefined\nA.__init__.__name__, A.x")


@pytest.mark.parametrize(
    "source, reason",
    [
        (
            "x = 1\nfrom __future__ import annotations",
            "from __future__ imports must occur at the beginning of the file",
        ),
        (
            "def f():\n    from __future__ import annotations",
            "from __future__ imports must occur at the beginning of the file",
        ),
        ("from __future__ import braces", "future feature braces is not defined"),
        ("from __future__ import nothing", "future feature nothing is not defined"),
    ],
)
def test_misplaced_future_imports_are_refused_in_pythons_words(source: str, reason: str) -> None:
    """As a module would be."""
    (finding,) = refusal(source).findings

    assert (finding.kind, finding.reason) == ("syntax", reason)


def test_the_code_defines_one_function_and_nothing_else() -> None:
    """Executing it runs nothing of the program."""
    namespace: dict[str, object] = {"__builtins__": {}}
    program = compile_program("1 / 0\nx = 1")
    exec(program.code, namespace)  # noqa: S102 - what is tested

    assert set(namespace) == {"__builtins__", MAIN}
    assert program.code.co_filename == FILENAME
    assert program.source_lines == ("1 / 0", "x = 1")


def test_a_text_that_looks_like_the_policys_own_is_a_text() -> None:
    """The marks that stand for objects while a program is compiled."""
    source = f"def f():\n    return {chr(0) + MAIN + ' has no value'!r}\nreturn f()"
    assert run(source) == f"\0{MAIN} has no value"


def test_compiling_leaves_nothing_behind() -> None:
    """The same program compiles to the same code, whatever was compiled before."""
    source = "def f(x):\n    return x._y\nreturn [f(i) for i in ()]"
    first = compile_program(source).code
    compile_program("class A:\n    def f(self): return self._x")

    assert compile_program(source).code == first
