"""`match`: captures, class patterns, and what Python reads on their behalf."""

from __future__ import annotations

import pytest

from codemode_guest.policy import compile_program
from tests.guest.policy.running import asked, codes, is_native, refusal, run, words


@pytest.mark.parametrize(
    "pattern",
    [
        "1",
        "-1.5",
        "1+2j",
        "'a' 'b'",
        "b'x'",
        "None",
        "True",
        "x",
        "_",
        "Color.RED",
        "self.limit",
        "[a, b, *rest]",
        "(a, (b, c))",
        "[1, *_]",
        "{'a': 1, 'b': [x], **rest}",
        "{Color.RED: x}",
        "1 | 2 | None",
        "(1 | 2) as x",
        "C()",
        "a.b.C()",
        "C(x=1, y=[z])",
        "str()",
        "str(x) | int(x)",
        "{'n': float(n)}",
        "bool(b)",
        "list([a, b])",
        "1 if guard",
    ],
)
def test_patterns_stay_native(pattern: str) -> None:
    """Of every kind that reads nothing, or reads by an ordinary name."""
    assert is_native(f"match subject:\n case {pattern}: pass")


def test_a_class_that_is_taken_apart_by_position_is_checked_first() -> None:
    """Python reads what its `__match_args__` names, so the guard looks at the class."""
    source = """
class P:
    __match_args__ = ("x", "y")
    def __init__(self, x, y):
        self.x, self.y = x, y
match P(1, P(2, 3)):
    case P(1, P(a, b)):
        pass
return [a, b]
"""
    assert run(source) == [2, 3]
    assert asked(source) == [("pattern", "P"), ("pattern", "P")]


def test_the_class_that_was_checked_is_the_one_that_is_used() -> None:
    """A name that means another class at each look is looked at once."""
    source = """
class Safe:
    __match_args__ = ("x",)
    x = "safe"
class Other:
    __match_args__ = ("y",)
    y = "other"
class Box:
    looks = 0
    @property
    def kind(self):
        self.looks += 1
        return Safe if self.looks == 1 else Other
box = Box()
match Safe():
    case box.kind(value):
        return [value, box.looks]
"""
    assert run(source) == ["safe", 1]


def test_a_check_that_raises_ends_the_statement() -> None:
    """No later case is tried, and nothing has been read."""
    source = "match 1:\n case C(x):\n  return 'matched'\n case _:\n  return 'other'"

    class Unreadable(Exception):
        pass

    def refuse(*_: object) -> object:
        raise Unreadable

    with pytest.raises(Unreadable):
        run(source, C=int, _pattern_=refuse)


@pytest.mark.parametrize("answer", [None, 0, int])
def test_the_check_itself_never_matches(answer: object) -> None:
    """Whatever the guard answers, the case of the program is what is tried."""
    source = "match 'text':\n case C(x):\n  return 'matched'\n case _:\n  return 'other'"

    if answer is int:
        assert run(source, C=int, _pattern_=lambda *_: answer) == "other"
    else:
        with pytest.raises(TypeError, match="called match pattern must be a"):
            run(source, C=int, _pattern_=lambda *_: answer)


def test_cases_are_tried_in_order_and_guards_seen() -> None:
    """The check before a case does not change which case is taken."""
    source = """
from dataclasses import dataclass
@dataclass
class P:
    x: int
    y: int
def kind(value):
    match value:
        case P(0, 0):
            return "origin"
        case P(x, 0) | P(0, x) if x > 10:
            return f"far {x}"
        case P(x, y) as p if x == y:
            return f"diagonal {p.x}"
        case P():
            return "point"
        case [P(x, _), *_] | {"at": P(x, _)}:
            return f"in {x}"
        case str(text) | bytes(text):
            return f"text {len(text)}"
        case _:
            return "other"
points = [P(0, 0), P(11, 0), P(0, 12), P(3, 3), P(1, 2)]
return [kind(v) for v in (*points, [P(9, 1)], {"at": P(8, 1)}, "abc", b"z", 5)]
"""
    assert run(source) == [
        "origin",
        "far 11",
        "far 12",
        "diagonal 3",
        "point",
        "in 9",
        "in 8",
        "text 3",
        "text 1",
        "other",
    ]


def test_a_name_that_is_no_longer_the_builtin_class_is_checked() -> None:
    """`str(x)` is free only while `str` is Python's own."""
    source = """
class str:
    __match_args__ = ("x",)
    x = 1
match str():
    case str(v):
        return v
"""
    assert asked(source) == [("pattern", "str")]
    matched = "match 'x':\n case str(v):\n  pass"
    compiled = compile_program(matched, provided={"str"})
    assert "_pattern_" in codes(compiled.code)[0].co_names
    assert "_pattern_" not in codes(compile_program(matched).code)[0].co_names


def test_the_subject_is_evaluated_once() -> None:
    """With a check before its cases, too."""
    source = """
calls = []
async def tool():
    calls.append(1)
    return 5
class C:
    pass
match await tool():
    case C():
        pass
    case int(n):
        return [n, len(calls)]
"""
    assert run(source) == [5, 1]


@pytest.mark.parametrize(
    "name", ["gi_frame", "__traceback__", "__class__", "_private", "format", "format_map", "_x_"]
)
def test_keyword_patterns_read_ordinary_names_only(name: str) -> None:
    """Python reads them itself, so none can be guarded."""
    assert repr(name) in words(f"match x:\n case object({name}=y): pass")


@pytest.mark.parametrize(
    "pattern", ["x._y", "x.format", "x._y()", "x._y.C()", "{x._y: 1}", "[x._y, 1]", "C(a=x._y)"]
)
def test_names_with_dots_in_patterns_need_no_guard(pattern: str) -> None:
    """A pattern cannot hold a call, so what would need one is refused."""
    assert "cannot be read inside a pattern; compare it in an if" in words(
        f"match y:\n case {pattern}: pass"
    )


@pytest.mark.parametrize("pattern", ["x.__class__", "x.gi_frame()", "x.__code__.C()"])
def test_names_with_dots_in_patterns_obey_the_rule(pattern: str) -> None:
    """They are attribute reads like any other."""
    assert "leads into the interpreter" in words(f"match y:\n case {pattern}: pass")


def test_a_class_body_does_not_take_apart_by_position() -> None:
    """What the check holds would become an attribute of the class."""
    assert words("class A:\n match x:\n  case P(y): pass") == (
        "a class body cannot take objects apart by position in a match statement; "
        "do it in a method, or match by keyword"
    )
    assert len(refusal("class A:\n match x:\n  case int(y): pass").findings) == 1
    assert is_native("class A:\n match x:\n  case P(a=y): pass")


def test_each_capture_is_checked() -> None:
    """Captures, stars, rests and `as` are plain strings in the tree."""
    source = (
        "match x:\n case [_a_, *_b_]: pass\n case {'k': _c_, **_d_}: pass\n case 1 as _e_: pass"
    )
    findings = refusal(source).findings

    assert [finding.reason.split("'")[1] for finding in findings] == [
        "_a_",
        "_b_",
        "_d_",
        "_c_",
        "_e_",
    ]
