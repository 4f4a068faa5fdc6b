"""Positions: the model's own lines and columns, in findings, code and tracebacks."""

from __future__ import annotations

import traceback
from collections.abc import Iterator
from types import CodeType

import pytest

from codemode_guest.policy import FILENAME, MAIN, compile_program
from tests.guest.policy.running import codes, refusal, run

_PROGRAM = '''"""Docs."""
import json
def f(self, x=1, *a: int, k=2, **kw) -> "r":
    """Inner docs."""
    total = 0
    for i, (j, *l) in enumerate(a):
        total += i if i else j
        try:
            with x as y:
                total -= [m for m in l][0]
        except (A, B) as e:
            raise C(f"{e!r:>{k}}") from e
        finally:
            del total
    return lambda z: {z: total, **kw}
class D(Base, flag=1):
    x: int = 1
    @property
    def p(self):
        return self._x + self.__y
    async def q(self):
        async for i in self:
            yield await i
match f:
    case [1, *rest] | {"k": rest}:
        pass
'''


def _plain(source: str) -> Iterator[CodeType]:
    yield from codes(compile(source, FILENAME, "exec", dont_inherit=True))


def test_code_keeps_the_positions_of_the_text() -> None:
    """Every instruction of every function stands where Python alone would put it."""
    ours = {
        (code.co_name, code.co_firstlineno): list(code.co_positions())
        for code in codes(compile_program(_PROGRAM).code)
        if code.co_name != MAIN
    }
    plain = {
        (code.co_name, code.co_firstlineno): list(code.co_positions()) for code in _plain(_PROGRAM)
    }

    assert len(ours) >= 5
    assert ours == plain


def test_instructions_of_functions_are_pythons_own() -> None:
    """What needs no guard runs as it would without a policy."""
    ours = {
        code.co_qualname: code.co_code
        for code in codes(compile_program(_PROGRAM).code)
        if code.co_name != MAIN
    }

    assert ours == {code.co_qualname: code.co_code for code in _plain(_PROGRAM)}


@pytest.mark.parametrize(
    "source, line, marked",
    [
        ("\n\nx = 1\nx._y.z", 4, "x._y"),
        ("x = 1\n\ny = [\n  1,\n  x._y,\n]", 5, "x._y"),
        ("x = 1\n'é', x._y", 2, "x._y"),
        ("def f(x):\n\n    return 2 + x._y\nf(1)", 3, "x._y"),
        ("'{0.a}{0._b}'.format(1)", 1, "'{0.a}{0._b}'.format(1)"),
        ("class A: pass\nmatch 1:\n    case 2: pass\n    case A.b(x): pass", 4, "A.b"),
        ("try:\n    1 / 0\nexcept* ValueError:\n    pass", 2, "1 / 0"),
    ],
)
def test_tracebacks_point_at_the_text(source: str, line: int, marked: str) -> None:
    """At the whole expression, where a guard stands in its place, too."""
    with pytest.raises(Exception) as caught:  # noqa: PT011 - each raises its own
        run(source)
    error: BaseException = caught.value
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    frames = [f for f in traceback.extract_tb(error.__traceback__) if f.filename == FILENAME]
    text = source.split("\n")[line - 1].encode()

    assert frames[-1].lineno == line
    assert text[frames[-1].colno : frames[-1].end_colno].decode() == marked


def test_the_wrapper_adds_one_frame_of_a_known_name() -> None:
    """Its line is the one that was running."""
    with pytest.raises(ZeroDivisionError) as caught:
        run("x = 1\n\nx / 0")
    frames = [f for f in traceback.extract_tb(caught.tb) if f.filename == FILENAME]

    assert [(frame.name, frame.lineno) for frame in frames] == [(MAIN, 3)]


@pytest.mark.parametrize(
    "source, line, column",
    [
        ("x.__code__", 1, 1),
        ("a = 1\nif a:\n    b = f(x.__code__)", 3, 11),
        ("é = 'ü'; x.__code__", 1, 10),
        ("def f(a, _b_): pass", 1, 10),
        ("try: pass\nexcept E as _x_: pass", 2, 1),
        ("from a import b, _c as d", 1, 18),
        ("match x:\n case [a, *_b_]: pass", 2, 11),
        ("x = 1\n'é' + (yield)", 2, 8),
        ("x = 'é' + $", 1, 11),
        ("def f():\n  'é'; return 1; break", 2, 18),
        ("'é'; break", 1, 6),
        ("class A:\n    '🙂'; nonlocal x", 2, 10),
        ("x = 1\r\n\r\ny.__code__", 3, 1),
        ("x = 1\ry.__code__", 2, 1),
        ("x = '\x0c\u2028'\ny.__code__", 2, 1),
    ],
)
def test_findings_stand_where_the_fault_is(source: str, line: int, column: int) -> None:
    """Lines from 1, columns from 1 and in characters, whoever found it."""
    (finding,) = refusal(source).findings

    assert (finding.line, finding.column) == (line, column)


def test_lines_end_where_the_parser_ends_them() -> None:
    """Not at form feeds and other separators, which `str.splitlines` takes for ends."""
    program = compile_program("a = '''\x0b\x0c\x1c\u2028'''\r\nb = 1\rc = 2\nd = 3")

    assert program.source_lines == ("a = '''\x0b\x0c\x1c\u2028'''", "b = 1", "c = 2", "d = 3")
