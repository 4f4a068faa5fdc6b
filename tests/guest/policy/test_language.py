"""Each construct of the language reference: allowed as it is, with a guard, or refused.

The sections are those of the reference of 3.13. What other files of this folder show in depth is
here once, so that a section without a line would be seen.
"""

from __future__ import annotations

import sys
from typing import Final

import pytest

from tests.guest.policy.running import asked, is_native, refusal, words

#: By section: what Python runs exactly as it was written.
NATIVE: Final = {
    # 2. Lexical analysis
    "2.1.5 explicit line joining": "x = 1 + \\\n    2",
    "2.1.6 implicit line joining": "x = (1,\n\n     2)",
    "2.3 identifiers": "naïve = données = _x = __y = x_ = 1",
    "2.4.1 string literals": r"""'a', "b", '''c''', r'\d', b'\xff', rb'\d', u'x', '\N{BULLET}'""",
    "2.4.2 concatenation": "'a' 'b' f'{c}'",
    "2.4.3 f-strings": "f'{x!r:>{width}} {x=} {{}} {y:%Y-%m}'",
    "2.4.4 numeric literals": "1_000, 0xff, 0o7, 0b1, 1e-3, 2.5j",
    # 6. Expressions
    "6.2.1.1 private names": "class A:\n def f(self): self.__x = self.__x",
    "6.2.3 parenthesised forms": "(), (1,), (x)",
    "6.2.5 list displays": "[], [1, *x], [y for y in x if y if not y]",
    "6.2.6 set displays": "{1, *x}, {y for y in x}",
    "6.2.7 dict displays": "{}, {1: 2, **x}, {k: v for k, v in x}",
    "6.2.8 generator expressions": "(y for z in x for y in z)",
    "6.2.9 yield": "def f():\n x = yield\n yield x\n return (yield from x)",
    "6.2.9.4 asynchronous generators": "async def f():\n async for x in y: yield x",
    "6.3.1 attribute references": "x.y.z",
    "6.3.2 subscriptions": "x[0][1:2, ...][*y] if z else x['a']",
    "6.3.3 slicings": "x[:], x[1:], x[::-1], x[1:2:3, 4]",
    "6.3.4 calls": "f(1, *a, b=2, **c), f(x for x in y), f()()",
    "6.4 await": "await x",
    "6.5 power": "-x ** -y",
    "6.6 unary": "+x, -x, ~x",
    "6.7 binary arithmetic": "a + b - c * d / e // f % g @ h",
    "6.8 shifting": "a << b >> c",
    "6.9 binary bitwise": "a & b | c ^ d",
    "6.10 comparisons": "a < b <= c != d == e is not f not in g in h is i > j >= k",
    "6.11 boolean operations": "a and b or not c",
    "6.12 assignment expressions": "[y := 1, y]\nif (z := f()) > 1: pass",
    "6.13 conditional expressions": "a if b else c if d else e",
    "6.14 lambdas": "lambda a, /, b=1, *c, d, e=2, **f: a",
    "6.15 expression lists": "x = 1, *y, *z",
    # 7. Simple statements
    "7.1 expression statements": "x\nf()",
    "7.2 assignments": "a = b = c, *d = [e.f, g[h], *i] = x",
    "7.2.1 augmented assignments": (
        "x += 1; x -= 1; x *= 1; x @= 1; x /= 1; x //= 1; x %= 1; x **= 1; x >>= 1; x <<= 1\n"
        "x &= 1; x ^= 1; x |= 1; x.y += 1; x[0] += 1; x[1:2] += [3]"
    ),
    "7.2.2 annotated assignments": "def f():\n a: int = 1\n b: str\n c.d: int = 1\n e[0]: int",
    "7.3 assert": "assert x\nassert x, 'message'",
    "7.4 pass": "pass",
    "7.5 del": "del a, b.c, d[0], e[1:2], (f, g)",
    "7.6 return": "return 1, 2",
    "7.8 raise": "raise\nraise E\nraise E from None",
    "7.9 break, 7.10 continue": "while x:\n if y: break\n continue",
    "7.11 import": "import json as j, urllib.parse\nfrom math import pi as p, e",
    "7.12 global": "def f():\n global x\n x = 1",
    "7.13 nonlocal": "def f():\n x = 1\n def g():\n  nonlocal x\n  x = 2",
    # 8. Compound statements
    "8.1 if": "if a: pass\nelif b: pass\nelse: pass",
    "8.2 while": "while a: pass\nelse: pass",
    "8.3 for": "for a, (b, *c) in d: pass\nelse: pass\nfor x in *y, *z: pass",
    "8.4 try": "try: pass\nexcept A as e: pass\nexcept (B, C): pass\nexcept: pass\nelse: pass",
    "8.4.4 finally": "try: pass\nfinally: pass",
    "8.5 with": "with a as b, c as (d, e): pass\nwith (a as b, c): pass",
    "8.6.4.1 or patterns": "match x:\n case 1 | 2: pass",
    "8.6.4.2 as patterns": "match x:\n case [_] as y: pass",
    "8.6.4.3 literal patterns": "match x:\n case 1 | -1.5 | 'a' | b'c' | 1+2j | None: pass",
    "8.6.4.4 capture and wildcard": "match x:\n case y if y: pass\n case _: pass",
    "8.6.4.6 value patterns": "match x:\n case a.b.c: pass",
    "8.6.4.7 group patterns": "match x:\n case (1): pass",
    "8.6.4.8 sequence patterns": "match x, y:\n case [a, *_, (b, c)]: pass\n case (): pass",
    "8.6.4.9 mapping patterns": "match x:\n case {'a': 1, 'b': b, **rest}: pass",
    "8.6.4.10 class patterns, by keyword": "match x:\n case A(b=1, c=C()): pass",
    "8.6.4.10 class patterns, of the object itself": "match x:\n case int(n) | str(n): pass",
    "8.7 functions": (
        "@d(1)\n@e.f\ndef f(a: int, /, b=1, *c: str, d, e: x = 2, **g) -> y:\n 'doc'\n return a"
    ),
    "8.8 classes": "@d\nclass A(B, *c, metaclass=M, **k):\n 'doc'\n x: int = 1\n def f(self): pass",
    "8.9.1 coroutines": "async def f(): await g()",
    "8.9.2 async for": "async for x in y: pass\nelse: pass",
    "8.9.3 async with": "async with a as b, c: pass",
    "6.2.4 asynchronous comprehensions": "[await x async for x in y if await x]",
}

#: What is native, and parses only from this version on.
LATER: Final = {
    "8.10 type parameters of functions (PEP 695)": ((3, 12), "def f[T: int, *Ts, **P](x: T): pass"),
    "8.10 type parameters of classes (PEP 695)": ((3, 12), "class A[T: (int, str)]: pass"),
    "7.14 type (PEP 695)": ((3, 12), "type X[T] = list[T] | None"),
    "2.4.3 nested f-strings (PEP 701)": ((3, 12), "f'{x['a']} {f'{f'{1}'}'} {'\\n'.join(y)}'"),
    "8.10 defaults of type parameters (PEP 696)": (
        (3, 13),
        "class A[T = int, *U = *tuple[int]]: pass",
    ),
    "8.4 except without parentheses (PEP 758)": ((3, 14), "try: pass\nexcept A, B: pass"),
    "2.4.4 t-strings (PEP 750)": ((3, 14), "t'{x!r:>10} {{}}'"),
}

#: What a guard looks at while the program runs.
GUARDED: Final = {
    "6.3.1 private attributes of others": ("x._y", ("private", "_y")),
    "6.3.1 str.format": ("t = '{}'\nt.format(1)", ("format", "format")),
    "8.6.4.10 class patterns, by position": (
        "class A: __match_args__ = ('y',)\nmatch x:\n case A(1): pass",
        ("pattern", "A"),
    ),
    "builtin type, with three arguments": ("type('A', (), {'y': 1})", ("namespace", "y")),
}

#: What is refused, with its words.
REFUSED: Final = {
    "2.3 the reserved form": ("_x_ = 1", "the name '_x_' has the form _x_, which is reserved"),
    "2.3 special names": ("__x__ = 1", "the special name '__x__' belongs to Python"),
    "4.2.2 names of the interpreter": (
        "x = __builtins__",
        "the special name '__builtins__' belongs to Python",
    ),
    "6.3.1 ways into the interpreter": (
        "f.__code__",
        "the attribute '__code__' leads into the interpreter",
    ),
    "7.11 relative imports": (
        "from . import x",
        "a program is in no package, so nothing can be imported relative to it",
    ),
    "7.11 private modules": ("import _io", "the module '_io' is private"),
    "8.6.4.10 private names in patterns": (
        "match x:\n case A(_y=1): pass",
        "the attribute '_y' cannot be read by a pattern",
    ),
    "3.3 special methods that are not listed": (
        "class A:\n def __reduce__(self): pass",
        "a class may not define '__reduce__'",
    ),
    "builtin eval": ("eval('1')", "eval() is not available: text is not run as code"),
}

#: What CPython refuses in a module, in its own words.
NO_PYTHON: Final = {
    "6.2.9 yield at the top level": ("yield 1", "'yield' outside function"),
    "6.4 await in a plain function": ("def f(): await x", "'await' outside async function"),
    "7.9 break outside a loop": ("break", "'break' outside loop"),
    "7.10 continue outside a loop": ("continue", "'continue' not properly in loop"),
    "7.11 star import in a function": (
        "def f():\n from math import *",
        "import * only allowed at module level",
    ),
    "7.12 global after use": (
        "def f():\n x = 1\n global x",
        "name 'x' is assigned to before global declaration",
    ),
    "7.13 nonlocal of nothing": (
        "def f():\n nonlocal nothing",
        "no binding for nonlocal 'nothing' found",
    ),
    "7.11.1 unknown future": (
        "from __future__ import braces_",
        "future feature braces_ is not defined",
    ),
    "8.7 a parameter twice": ("def f(a, a): pass", "duplicate argument 'a' in function definition"),
}


@pytest.mark.parametrize("section", NATIVE)
def test_what_is_allowed_is_left_as_it_was_written(section: str) -> None:
    """The syntax tree that Python compiles is the program's own."""
    assert is_native(NATIVE[section])


@pytest.mark.parametrize("section", LATER)
def test_what_later_pythons_brought_is_allowed_where_it_parses(section: str) -> None:
    """Before that it is a syntax error like any other."""
    version, source = LATER[section]
    if sys.version_info >= version:
        assert is_native(source)
    else:
        assert {finding.kind for finding in refusal(source).findings} == {"syntax"}


@pytest.mark.parametrize("section", GUARDED)
def test_what_is_guarded_asks_once(section: str) -> None:
    """The guard, and nothing else, stands in the way."""
    source, question = GUARDED[section]

    class Given:
        _y = 1

    assert asked(source, x=Given()) == [question]


@pytest.mark.parametrize("section", REFUSED)
def test_what_is_refused_says_so(section: str) -> None:
    """Before anything runs."""
    source, reason = REFUSED[section]

    assert words(source).startswith(reason)


@pytest.mark.parametrize("section", NO_PYTHON)
def test_what_is_no_python_is_refused_in_pythons_words(section: str) -> None:
    """As in a module, although a program is the body of a function."""
    source, reason = NO_PYTHON[section]
    (finding,) = refusal(source).findings

    assert (finding.kind, finding.type_name) == ("syntax", "SyntaxError")
    assert reason in finding.reason


@pytest.mark.parametrize("clause", ["except* E: pass", "except* (A, B) as g: pass"])
def test_except_star_is_allowed(clause: str) -> None:
    """8.4.2: with a guard on interpreters that need one, which `test_exceptions` shows."""
    compiled = f"try: pass\n{clause}\nreturn 1"

    assert asked(compiled, E=ValueError, A=ValueError, B=KeyError) == []
