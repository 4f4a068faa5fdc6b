"""`raise`, `try` in all its forms, and what `except*` may take apart."""

from __future__ import annotations

import pytest

from codemode_guest.policy import groups
from codemode_guest.policy.groups import except_star_is_sound
from tests.guest.policy.running import is_native, refusal, run, words


@pytest.mark.parametrize(
    "source",
    [
        "raise",
        "raise E",
        "raise E('x') from e",
        "raise E from None",
        "assert x, 'message'",
        "try: pass\nexcept: pass",
        "try: pass\nexcept (A, B) as e: pass\nexcept C: raise\nelse: pass\nfinally: pass",
        "try: pass\nfinally: pass",
        "try: pass\nexcept x.y[0] as e: pass",
    ],
)
def test_exception_handling_stays_native(source: str) -> None:
    """`except*` is the only form that is not."""
    assert is_native(source)


def test_try_runs_its_parts_in_order() -> None:
    """Body, handler, else and finally, with returns through them."""
    source = """
log = []
def f(fail):
    try:
        log.append("body")
        if fail:
            raise ValueError("x")
    except ValueError as e:
        log.append(str(e))
        return "handled"
    else:
        log.append("else")
    finally:
        log.append("finally")
    return "done"
return [f(True), f(False), log]
"""
    assert run(source) == [
        "handled",
        "done",
        ["body", "x", "finally", "body", "else", "finally"],
    ]


def test_causes_and_contexts_are_readable() -> None:
    """They are exceptions, as the program could catch them."""
    source = """
try:
    try:
        {}["k"]
    except KeyError as e:
        raise RuntimeError("r") from e
except RuntimeError as e:
    return [repr(e.__cause__), e.__context__ is e.__cause__, e.__suppress_context__]
"""
    assert run(source) == ["KeyError('k')", True, True]


def test_the_name_of_a_handler_is_gone_after_it() -> None:
    """At the top level, where it is a global, too."""
    source = "try:\n    1 / 0\nexcept ZeroDivisionError as e:\n    pass\nreturn e"
    with pytest.raises(NameError, match="'e'"):
        run(source)


@pytest.mark.parametrize(
    "version, sound",
    [
        ((3, 11, 7), False),
        ((3, 11, 99), False),
        ((3, 12, 8), False),
        ((3, 12, 9), True),
        ((3, 13, 1), False),
        ((3, 13, 2), True),
        ((3, 14, 0), True),
        ((3, 15, 0), True),
    ],
)
def test_releases_without_the_fix_are_known(
    version: tuple[int, int, int],
    sound: bool,  # noqa: FBT001 - a parameter of the test
) -> None:
    """CVE-2025-22153 was mended in 3.12.9, 3.13.2 and 3.14."""
    assert except_star_is_sound(version) is sound


_GROUPS = """
def handled(error):
    seen = []
    try:
        try:
            raise error
        except* ValueError as group:
            seen.append([str(e) for e in group.exceptions])
        except* (TypeError, KeyError) as group:
            seen.append(len(group.exceptions))
        else:
            seen.append("else")
        finally:
            seen.append("finally")
    except BaseException as rest:
        seen.append(repr(rest))
    return seen
return handled(error)
"""


@pytest.mark.parametrize(
    "error, seen",
    [
        (ValueError("v"), [["v"], "finally"]),
        (ExceptionGroup("g", [ValueError("a"), ValueError("b")]), [["a", "b"], "finally"]),
        (ExceptionGroup("g", [ValueError("a"), KeyError("k")]), [["a"], 1, "finally"]),
        (
            ExceptionGroup("g", [ValueError("a"), OSError("o")]),
            [["a"], "finally", "ExceptionGroup('g', [OSError('o')])"],
        ),
        (OSError("o"), ["finally", "OSError('o')"]),
    ],
)
def test_except_star_takes_groups_apart(error: BaseException, seen: list[object]) -> None:
    """On every interpreter, sound or guarded."""
    assert run(_GROUPS, error=error) == seen


@pytest.mark.skipif(groups.SOUND, reason="this interpreter checks what split returns")
@pytest.mark.parametrize("where", ["class", "instance", "derive"])
def test_groups_that_answer_for_themselves_are_not_taken_apart(where: str) -> None:
    """Where the interpreter would believe whatever they answer."""

    class Lying(ExceptionGroup[Exception]):
        def split(self, _: object) -> object:  # type: ignore[override]  # that is the point
            return "not a tuple of two"

    error: ExceptionGroup[Exception] = ExceptionGroup("g", [ValueError("v")])
    if where == "class":
        error = Lying("g", [ValueError("v")])
    else:
        vars(error)["split" if where == "instance" else "derive"] = lambda _: "nonsense"

    with pytest.raises(TypeError, match=r"except\* cannot take a \w+ apart on this version"):
        run("try:\n    raise error\nexcept* ValueError:\n    pass", error=error)


@pytest.mark.skipif(groups.SOUND, reason="this interpreter checks what split returns")
@pytest.mark.parametrize(
    "source, reason",
    [
        ("try: pass\nexcept* f(): pass", "except* takes plain names on this version of Python"),
        ("try: pass\nexcept* (A, b.C): pass", "except* takes plain names"),
        ("class A:\n try: pass\n except* E: pass", "except* cannot stand in the body of a class"),
    ],
)
def test_nothing_runs_between_the_guard_and_the_split(source: str, reason: str) -> None:
    """What could change the group after it was looked at is refused."""
    assert words(source).startswith(reason)


def test_a_class_with_a_split_of_its_own_keeps_except_star_out() -> None:
    """Whatever the class is, since what it is cannot be read from the text."""
    source = "class Fake(Exception):\n def split(self, t): pass\ntry: pass\nexcept* Fake: pass"

    assert words(source) == (
        "except* calls split() of exception groups, and a class of the program defines it; "
        "rename that method, or write except ExceptionGroup as group"
    )


def test_groups_are_handled_without_except_star() -> None:
    """The substitute works."""
    source = """
try:
    raise ExceptionGroup("g", [ValueError("a"), TypeError("b")])
except ExceptionGroup as group:
    matched, rest = group.split(ValueError)
    return [len(matched.exceptions), repr(rest.exceptions[0])]
"""
    assert run(source) == [1, "TypeError('b')"]


def test_names_of_handlers_are_checked() -> None:
    """A handler binds a plain string."""
    assert "'_x_'" in words("try: pass\nexcept E as _x_: pass")
    assert len(refusal("try: pass\nexcept* E as _x_: pass").findings) == 1
