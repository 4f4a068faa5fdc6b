"""Control flow, contexts, and the expressions that are free."""

from __future__ import annotations

import pytest

from tests.guest.policy.running import is_native, refusal, run


@pytest.mark.parametrize(
    "source",
    [
        "pass",
        "if a: pass\nelif b: pass\nelse: pass",
        "while a:\n if b: break\n continue\nelse: pass",
        "for a in b:\n pass\nelse: pass",
        "for _ in range(3): pass",
        "with a, b as c, (d) as e: pass",
        "with (a as b, c as d): pass",
        "a if b else c",
        "a and b or not c",
        "a < b <= c != d == e is not f in g not in h",
        "-a + +b - ~c * d / e // f % g ** h @ i << j >> k & l | m ^ n",
        "a[0], a[1:2], a[::2], a[1, 2], a[...], a[b:c, d]",
        "a[*b]",
        "f(a)(b)[c].d",
        "x = (1, 2); y = [*x]; z = {1: 2, **y}",
        "print('a', sep='', end='', file=None)",
        "del a; a = 1",
    ],
)
def test_statements_and_operators_stay_native(source: str) -> None:
    """There is nothing to guard in them."""
    assert is_native(source)


def test_loops_break_continue_and_finish() -> None:
    """`else` of a loop runs unless it was broken out of."""
    source = """
log = []
for i in range(5):
    if i == 1:
        continue
    if i == 3:
        break
    log.append(i)
else:
    log.append("never")
while log and log[-1] < 5:
    log.append(log[-1] + 2)
else:
    log.append("done")
return log
"""
    assert run(source) == [0, 2, 4, 6, "done"]


def test_contexts_see_how_their_block_ended() -> None:
    """A return is no exception; an exception may be swallowed."""
    source = """
log = []
class Room:
    def __enter__(self):
        return self
    def __exit__(self, kind, value, tb):
        log.append(kind and kind.__name__)
        return kind is KeyError
def leave():
    with Room():
        return "left"
with Room():
    {}["k"]
return [leave(), log]
"""
    assert run(source) == ["left", ["KeyError", None]]


def test_operands_are_evaluated_in_pythons_order() -> None:
    """Left to right, and the right-hand side of an assignment first."""
    source = """
log = []
def n(x):
    log.append(x)
    return x
d = {}
d[n("key")] = n("value")
n(1) + n(2) * n(3)
f = lambda *a, **k: None
f(n("a"), *[n("b")], k=n("c"), **{"d": n("d")})
{n("k"): n("v")}
n(5) < n(4) < n(6)
return log
"""
    assert run(source) == ["value", "key", 1, 2, 3, "a", "b", "c", "d", "k", "v", 5, 4]


@pytest.mark.parametrize(
    "source, reason",
    [
        ("break", "'break' outside loop"),
        ("if x:\n continue", "'continue' not properly in loop"),
        ("class A:\n return 1", "'return' outside function"),
        ("f() = 1", "cannot assign to function call here. Maybe you meant '==' instead of '='?"),
        ("x = 1 +", "invalid syntax"),
        ("for", "invalid syntax"),
    ],
)
def test_what_is_no_python_is_refused_in_pythons_words(source: str, reason: str) -> None:
    """The parser's and the compiler's own."""
    (finding,) = refusal(source).findings

    assert (finding.kind, finding.reason) == ("syntax", reason)


@pytest.mark.parametrize(
    "source, type_name",
    [
        ("if x:\n\ty = 1\n        z = 2", "TabError"),
        ("  x = 1", "IndentationError"),
        ("if x:\npass", "IndentationError"),
        ("x = (1", "SyntaxError"),
    ],
)
def test_a_fault_is_called_what_python_calls_it(source: str, type_name: str) -> None:
    """`IndentationError` and `TabError` say more than `SyntaxError`."""
    assert refusal(source).findings[0].type_name == type_name
