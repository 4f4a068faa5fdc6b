"""A failure is told as what, where and what led there, and is always bounded."""

from __future__ import annotations

import pytest

from codemode_guest.failure import Described, described
from codemode_guest.policy import FILENAME, Refusal, compile_program
from codemode_guest.values import encode
from tests.guest.failing import fail, failure


def refused(source: str) -> Described:
    """How a program that does not compile is described."""
    with pytest.raises(Refusal) as caught:
        compile_program(source)
    return described(caught.value, None)


def test_what_was_raised_and_where_is_told_in_words_and_in_fields() -> None:
    """Checklist 90: the line is the model's own, and so is its text."""
    found = failure('x = 1\n\nraise ValueError("no")')

    assert found == {
        "kind": "exception",
        "message": 'ValueError: no\n  line 3\n    raise ValueError("no")',
        "phase": "run",
        "line": 3,
        "column": 1,
        "source_line": 'raise ValueError("no")',
        "exception_type": "ValueError",
    }


def test_the_stack_shows_the_programs_own_frames_by_their_names() -> None:
    """Checklist 90: outermost first; nothing of ours and nothing of the library's."""
    found = failure(
        """import json
class Reader:
    def read(self, text):
        return json.loads(text)
async def main():
    for text in ["1", "{"]:
        Reader().read(text)
await main()"""
    )

    assert [
        "  line 8",
        "    await main()",
        "  line 7, in main",
        "    Reader().read(text)",
        "  line 4, in Reader.read",
        "    return json.loads(text)",
    ] == found["message"].split("\n")[1:]
    assert ("JSONDecodeError", 4) == (found["exception_type"], found["line"])
    assert FILENAME not in found["message"]
    assert "_program_" not in found["message"]


def test_an_exception_without_words_is_its_name() -> None:
    """There is no colon before nothing."""
    assert (
        "KeyboardInterrupt\n  line 1\n    raise KeyboardInterrupt"
        == failure("raise KeyboardInterrupt")["message"]
    )


@pytest.mark.parametrize(
    "source,at",
    [
        ('if True:\n    x = 1, "é", nope', "nope"),
        ('if True:\n\tx = "😀", nope', "nope"),
        ("    \nasync def f():\n        return 1 / 0\nawait f()", "1 / 0"),
        ("x = [1]\ny = x[0] + x[5]", "x[5]"),
    ],
)
def test_column_and_source_line_lead_to_the_expression(source: str, at: str) -> None:
    """Checklist 90: the column counts characters, in the line as it is told, from 1."""
    found = failure(source)
    line, column = found["source_line"], found["column"]

    assert line is not None
    assert column is not None
    assert line[column - 1 :].startswith(at)


def test_a_syntax_error_is_told_as_python_tells_it() -> None:
    """Checklist 91: line, text and caret; the phase is that of compiling."""
    found = refused("x = 1\ny = = 2\n")

    assert ("exception", "compile", "SyntaxError") == (
        found["kind"],
        found["phase"],
        found["exception_type"],
    )
    assert (2, "y = = 2") == (found["line"], found["source_line"])
    assert found["column"] == 5
    assert "y = = 2\n        ^" in found["message"]


def test_a_refusal_by_the_policy_is_told_with_its_line() -> None:
    """Checklist 91: nothing has run."""
    found = refused("x = 1\nx.__globals__")

    assert ("exception", "compile", 2) == (found["kind"], found["phase"], found["line"])
    assert "line 2" in found["message"]
    assert "__globals__" in found["message"]


def test_a_program_of_faults_is_told_in_bounded_words() -> None:
    """A thousand refused lines are a message of some thousand characters."""
    found = refused("\n".join(f"x{number}.__class__.__bases__" for number in range(1_000)))

    assert 10_000 > len(found["message"])


def test_a_deep_recursion_is_told_by_its_ends() -> None:
    """Checklist 90: three calls from the outside, seven from the inside."""
    found = failure("def f(n):\n    return f(n + 1)\nf(0)")

    lines = found["message"].split("\n")
    assert "RecursionError" == found["exception_type"]
    assert 1 == sum("more calls" in line for line in lines)
    assert 10 == sum(line.startswith("  line ") for line in lines)
    assert 2_000 > len(found["message"])


def test_a_huge_message_is_cut_in_the_middle() -> None:
    """Both ends are kept, and how much was left out is told."""
    found = failure('raise ValueError("a" * 10**7 + "z")')

    assert found["message"].startswith("ValueError: aaa")
    assert "… (9998001 characters left out) …" in found["message"]
    assert "az\n" in found["message"]
    assert 3_000 > len(found["message"])


def test_a_generated_line_is_cut() -> None:
    """A program may be one line of a megabyte."""
    found = failure("x = '" + "a" * 100_000 + "'; raise ValueError('no')")

    assert 1_000 > len(found["message"])
    assert found["source_line"] is not None
    assert 1_000 > len(found["source_line"])


def test_a_cause_is_told_after_what_it_caused() -> None:
    """Checklist 90."""
    found = failure(
        """try:
    int("x")
except ValueError as error:
    raise LookupError("outer") from error"""
    )

    assert (
        "LookupError: outer\n"
        "  line 4\n"
        '    raise LookupError("outer") from error\n'
        "caused by ValueError: invalid literal for int() with base 10: 'x'\n"
        "  line 2\n"
        '    int("x")'
    ) == found["message"]


def test_an_exception_in_a_handler_tells_what_was_handled() -> None:
    """Checklist 90: unless it was suppressed."""
    told = failure("try:\n    int('x')\nexcept ValueError:\n    nope")["message"]
    suppressed = failure("try:\n    int('x')\nexcept ValueError:\n    raise LookupError from None")

    assert "NameError: name 'nope' is not defined" in told
    assert "raised while handling ValueError: invalid literal" in told
    assert "ValueError" not in suppressed["message"]


def test_a_long_chain_of_causes_is_told_in_part() -> None:
    """Checklist 90: the first three."""
    found = failure(
        """error = None
for n in range(100):
    try:
        raise ValueError(f"number {n}") from error
    except ValueError as caught:
        error = caught
raise error"""
    )

    assert 3 == found["message"].count("caused by ")
    assert "number 99" in found["message"]
    assert "number 95" not in found["message"]


def test_a_chain_of_causes_without_an_end_ends() -> None:
    """Two exceptions may be each other's cause."""
    found = failure(
        """a, b = ValueError("a"), ValueError("b")
try:
    raise a from b
except ValueError:
    pass
try:
    raise b from a
except ValueError:
    pass
raise a"""
    )

    assert 1 == found["message"].count("caused by ")


def test_a_group_tells_its_exceptions_each_with_its_place() -> None:
    """As a TaskGroup raises it; five of them, and how many more."""
    found = failure(
        """import asyncio
async def work(n):
    raise ValueError(f"number {n}")
async with asyncio.TaskGroup() as group:
    for n in range(7):
        group.create_task(work(n))"""
    )

    assert "ExceptionGroup" == found["exception_type"]
    for number in range(5):
        told = f"  {number + 1}. ValueError: number {number}\n  line 3, in work\n"
        assert told in found["message"]
    assert found["message"].endswith("  and 2 more")


@pytest.mark.parametrize(
    "body",
    [
        "def __str__(self): raise KeyError('mine')",
        "def __str__(self): return 1",
        "def __str__(self): return str(self)",
        "def __str__(self): raise KeyboardInterrupt",
    ],
)
def test_an_exception_that_cannot_say_what_it_is_is_told_by_its_name(body: str) -> None:
    """Checklist 89: its own `__str__` is the program's code."""
    found = failure(f"class Mine(Exception):\n    {body}\nraise Mine")

    assert found["message"].startswith("Mine: (its message could not be shown: ")
    assert "Mine" == found["exception_type"]
    assert 3 == found["line"]


def test_the_words_of_an_exception_may_be_a_text_of_the_programs() -> None:
    """Checklist 89: a subclass of str is not asked to format, slice or join itself."""
    found = failure(
        """class Text(str):
    def __format__(self, spec): raise KeyError("format")
    def __getitem__(self, key): raise KeyError("item")
    def __len__(self): raise KeyError("length")
    def __add__(self, other): raise KeyError("sum")
class Mine(Exception):
    def __str__(self): return Text("said")
raise Mine"""
    )

    assert found["message"].startswith("Mine: said\n")


def test_a_group_that_hides_its_exceptions_is_told_nevertheless() -> None:
    """Checklist 89: `exceptions` is an attribute that a subclass may define."""
    found = failure(
        """class Group(ExceptionGroup):
    @property
    def exceptions(self): raise KeyError("mine")
raise Group("group", [ValueError("inner")])"""
    )

    assert found["message"].startswith("Group: group (1 sub-exception)")


@pytest.mark.parametrize(
    "source",
    [
        'raise ValueError("\\ud83d" + "\\ude00")',
        'raise ValueError("\\ud800")',
        'd = {}\nd["\\ud83d" + "\\ude00"]',
        'd = {"\\ud83d" + "\\ude00": 1}\nd["x"]',
        'raise ValueError("x" * 999 + "\\ud83d" + "\\ude00" * 5000)',
    ],
)
def test_any_words_of_a_failure_can_be_sent(source: str) -> None:
    """Checklist 95: a pair of surrogates is no lossless value; its failure must cross."""
    found = failure(source)

    assert encode(dict(found))
    assert found["exception_type"] in ("ValueError", "KeyError")


def test_running_out_of_one_absurd_request_is_an_exception() -> None:
    """Checklist 83: there is plenty left, so it is no end of the memory."""
    found = failure("x = 'a' * 10**15")

    assert ("exception", "MemoryError") == (found["kind"], found["exception_type"])


def test_raising_a_memory_error_is_an_exception() -> None:
    """Checklist 83: a program may raise what it likes."""
    assert "exception" == failure("raise MemoryError('mine')")["kind"]


@pytest.mark.parametrize("name", ["SystemExit", "KeyboardInterrupt", "GeneratorExit"])
def test_what_is_no_ordinary_exception_is_told_like_one(name: str) -> None:
    """Checklist 88: `exit()` ends a program, and is told as what it is."""
    error, program = fail(f"raise {name}('bye')")

    assert f"{name}: bye\n  line 1" in described(error, program)["message"]


def test_a_failure_without_a_place_in_the_program_has_none() -> None:
    """It may have come out of a task that is not the program's own."""
    found = described(ValueError("no"), compile_program("pass"))

    assert ("ValueError: no", None, None, None) == (
        found["message"],
        found["line"],
        found["column"],
        found["source_line"],
    )


def test_a_class_may_have_a_very_long_name() -> None:
    """It is cut like anything else."""
    found = failure(f"class {'E' * 10_000}(Exception): pass\nraise {'E' * 10_000}")

    assert 300 > len(found["exception_type"])
    assert 1_500 > len(found["message"])
