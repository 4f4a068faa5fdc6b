"""Whatever the text, the policy answers with a program or with a refusal."""

from __future__ import annotations

import ast
import keyword
import sysconfig
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codemode_guest.policy import MAX_SOURCE_BYTES, Refusal, compile_program, forbidden_attribute
from codemode_guest.policy.transformer import Policy
from codemode_guest.policy.walk import Reading

_TOKENS = st.sampled_from(
    [
        *keyword.kwlist,
        *keyword.softkwlist,
        *"()[]{},:;.=+-*/@~",
        *(":=", "==", "**", "->", "...", "\n", "\n\t", "\n\t\t"),
        *("x", "y", "_x", "__x", "__x__", "_x_", "self", "1", "1.5", "'a'", "b'b'", "f'{x}'"),
        *("__class__", "__dict__", "super()", "format", "print", "open", "object.__setattr__"),
    ]
)
_STATEMENTS = st.sampled_from(
    [
        *("x = 1", "x._y = x._z", "def f(self, x): return self._x", "class A: x: int = 1"),
        *("return x", "yield x", "await x", "global x", "nonlocal x", "import a.b as c"),
        *("try: pass\nexcept* E: pass", "match x:\n case A(b): pass", "[x for x in y]"),
        *("'''doc'''", "from __future__ import annotations", "x: int", "return", "del x"),
        *("from a import *", "f = lambda self: self.__dict__", "'{}'.format(x)", "open(x)"),
        "class A:\n def f(self): super().__setattr__(a, b)",
    ]
)


def _refusal(source: str) -> Refusal | None:
    try:
        compile_program(source, public_names=lambda _: ["star"])
    except Refusal as refusal:
        return refusal
    return None


def _answered(source: str) -> None:
    refusal = _refusal(source)
    assert refusal is None or (refusal.findings and len(str(refusal)) < 10_000)


@given(st.text())
def test_any_text_is_compiled_or_refused(source: str) -> None:
    """No other exception, surrogates and control characters included."""
    _answered(source)


@given(st.lists(_TOKENS, max_size=40).map(" ".join))
@settings(max_examples=500)
def test_any_order_of_tokens_is_compiled_or_refused(source: str) -> None:
    """Most are no Python; the rest is odd Python."""
    _answered(source)


@given(st.lists(_STATEMENTS, max_size=12).map("\n".join))
@settings(max_examples=500)
def test_any_order_of_statements_is_compiled_or_refused(source: str) -> None:
    """What the policy rewrites fits together in every order."""
    _answered(source)


@given(st.from_regex(r"[a-z_]{1,12}", fullmatch=True))
def test_a_name_that_cannot_be_written_cannot_be_computed(name: str) -> None:
    """One rule, for text and for `getattr`, but for what the text alone can show."""
    if keyword.iskeyword(name):
        return
    written = _refusal(f"x = f().{name}") is None

    assert written is (forbidden_attribute(name) is None)


def _library() -> list[Path]:
    found = sorted(Path(sysconfig.get_path("stdlib")).glob("*.py"))
    return [path for path in found if path.stat().st_size < MAX_SOURCE_BYTES]


#: The guards, and what holds a class that a pattern takes apart.
_GUARDS = {"private", "format", "namespace", "own", "pattern", "group", "class"}

#: Calls of guards with what they are given; what a dropped annotation or `global` leaves; the
#: case that checks a class, and the `try` that checks a group.
_MADE = {
    *(ast.Call, ast.Name, ast.Constant, ast.Pass, ast.Assign, ast.Nonlocal, ast.Global),
    *(ast.match_case, ast.MatchAs, ast.UnaryOp, ast.List, ast.NamedExpr),
    *(ast.Try, ast.ExceptHandler, ast.Expr, ast.Raise, ast.Load, ast.Store, ast.Not),
}


@pytest.mark.slow
@pytest.mark.parametrize("path", _library(), ids=lambda path: path.stem)
def test_the_standard_library_is_compiled_or_refused_for_reasons(path: Path) -> None:
    """Real code of every style: what is refused is refused by the policy, at a line."""
    refusal = _refusal(path.read_text(encoding="utf-8"))
    findings = () if refusal is None else refusal.findings

    assert {finding.kind for finding in findings} <= {"policy"}
    assert [finding.reason for finding in findings if finding.line is None] == []


@pytest.mark.slow
@pytest.mark.parametrize("path", _library(), ids=lambda path: path.stem)
def test_only_guards_are_put_into_the_standard_library(path: Path) -> None:
    """The rest of the tree is the parser's own: no read, write or loop is done by a stand-in."""
    source = path.read_text(encoding="utf-8")
    tree = ast.parse(source)
    parsed = set(ast.walk(tree))
    policy = Policy(Reading(source_lines=tuple(source.split("\n"))))
    policy.visit(tree)
    made = [node for node in ast.walk(tree) if node not in parsed]

    assert {node.id.strip("_0123456789") for node in made if isinstance(node, ast.Name)} <= _GUARDS
    assert {type(node) for node in made} <= _MADE
