"""Functions, lambdas, generators, and `global` and `nonlocal`."""

from __future__ import annotations

import pytest

from tests.guest.policy.running import is_native, refusal, run


@pytest.mark.parametrize(
    "source",
    [
        "def f(a, b=1, /, c=2, *args, d, e=3, **kw): return a",
        "def f(a: int, *args: str, **kw: float) -> list[int]: ...",
        "@decorate\n@decorate(1)\ndef f(): pass",
        "@x.y[0](1)\ndef f(): pass",
        "lambda a, b=1, /, *args, c, **kw: (a, b)",
        "def f():\n yield 1\n x = yield\n yield from g()",
        "def f():\n global a, b\n a = 1",
        "def f():\n def g():\n  def h():\n   pass",
        "f(1, *a, k=2, **kw, **kw2)",
        "f(__class__=1, _private_=2)",
    ],
)
def test_functions_stay_native(source: str) -> None:
    """Parameters of every kind, decorators, annotations, and calls of every form."""
    assert is_native(source)


def test_defaults_and_decorators_are_evaluated_in_order() -> None:
    """Decorators first, then defaults, then annotations, each once."""
    source = """
seen = []
def note(x):
    seen.append(x)
    return x
def decorate(f):
    seen.append("applied")
    return f
@note(decorate)
def f(a: note("A") = note(1), *, b: note("B") = note(2)) -> note("R"):
    "Docs."
    return [a, b]
return [seen[1:], f(), f.__doc__, f.__name__]
"""
    assert run(source) == [[1, 2, "A", "B", "R", "applied"], [1, 2], "Docs.", "f"]


def test_keyword_names_in_a_call_are_keys() -> None:
    """They shadow nothing, whatever they spell."""
    assert run(
        "def f(**kw):\n    return sorted(kw)\nreturn f(_private_=1, **{'__class__': 2})"
    ) == [
        "__class__",
        "_private_",
    ]


def test_generators_send_throw_and_close() -> None:
    """`yield` as an expression, and `yield from` with its value."""
    source = """
def inner():
    got = yield 1
    return got * 2
def outer():
    try:
        result = yield from inner()
        yield result
    finally:
        closed.append(True)
closed = []
it = outer()
first = next(it)
second = it.send(21)
it.close()
return [first, second, closed]
"""
    assert run(source) == [1, 42, [True]]


def test_global_in_nested_functions_means_the_top_level() -> None:
    """As it does in a module."""
    source = """
count = 0
def outer():
    def inner():
        global count, made_there
        count += 1
        made_there = "yes"
    inner()
outer()
return [count, made_there]
"""
    assert run(source) == [1, "yes"]


def test_global_at_the_top_level_says_nothing() -> None:
    """It is allowed there, before and after the name is used."""
    assert run("global a\na = 1\nif a:\n    global b\n    b = 2\nglobal a\nreturn a + b") == 3


def test_nonlocal_means_the_function_around() -> None:
    """Also where that function binds the name further down."""
    source = """
n = "top"
def outer():
    def inner():
        nonlocal n
        n += 1
    n = 0
    inner()
    return n
return [outer(), n]
"""
    assert run(source) == [1, "top"]


def test_nonlocal_may_mean_the_top_level() -> None:
    """A program is the body of a function, and models write it as one."""
    source = """
count = total = 0
def add(x):
    nonlocal count, total
    count += 1
    total += x
def outer():
    local = 0
    def inner():
        nonlocal local, count
        local += 1
        count += 1
    inner()
    return local
add(5)
return [outer(), count, total]
"""
    assert run(source) == [1, 2, 5]


@pytest.mark.parametrize(
    "source, reason",
    [
        ("def f():\n nonlocal nowhere", "no binding for nonlocal 'nowhere' found"),
        ("nonlocal x", "no binding for nonlocal 'x' found"),
        ("def f(x):\n global x", "name 'x' is parameter and global"),
        ("def f():\n x = 1\n global x", "name 'x' is assigned to before global declaration"),
        ("def f(a, a): pass", "duplicate argument 'a' in function definition"),
    ],
)
def test_what_python_refuses_is_refused_in_its_words(source: str, reason: str) -> None:
    """The compiler's own checks are reported as findings."""
    (finding,) = refusal(source).findings

    assert (finding.kind, finding.type_name, finding.reason) == ("syntax", "SyntaxError", reason)
