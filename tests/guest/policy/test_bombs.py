"""Programs that are made to exhaust or to crash the compiler."""

from __future__ import annotations

import contextlib
import subprocess
import sys
import time

import pytest

from codemode_guest.policy import MAX_SOURCE_BYTES, Refusal, compile_program
from tests.guest.policy.running import refusal, run

#: More of each than any Python compiles, within the size that is allowed.
DEEP = {
    "unary": "return " + "-" * 100_000 + "1",
    "not": "return " + "not " * 50_000 + "1",
    "parentheses": "return " + "(" * 50_000 + ")" * 50_000,
    "lists": "return " + "[" * 50_000 + "]" * 50_000,
    "attributes": "return x" + ".a" * 100_000,
    "guarded attributes": "return x" + "._a" * 50_000,
    "calls": "return x" + "()" * 100_000,
    "method calls": "return x" + ".a()" * 50_000,
    "items": "return x" + "[0]" * 50_000,
    "sums": "return " + "+".join("1" * 100_000),
    "powers": "return " + "**".join("1" * 80_000),
    "conditions": "return " + "1 if x else " * 20_000 + "1",
    "lambdas": "return " + "lambda: " * 30_000 + "1",
    "functions": "".join(" " * depth + "def f():\n" for depth in range(300)) + " " * 300 + "pass",
    "branches": "if x: pass\n" + "elif x: pass\n" * 18_000,
    "targets": "x" + ", (x" * 30_000 + ")" * 30_000 + " = 1",
    "patterns": "match x:\n case " + "[" * 30_000 + "]" * 30_000 + ": pass",
    "f-strings": "return " + "f'{" * 10_000 + "1" + "}'" * 10_000,
    "comprehensions": "return " + "[" * 100 + "1" + " for x in y]" * 100,
    "asynchronous comprehensions": "return " + "[" * 60 + "1" + " async for x in y]" * 60,
    "contexts": "".join(" " * depth + "with x:\n" for depth in range(30)) + " " * 30 + "pass",
    "context items": "with " + ", ".join("x" * 30) + ": pass",
    "handlers": "".join(" " * d + f"try: pass\n{' ' * d}except E as e:\n" for d in range(15))
    + " " * 15
    + "pass",
    "finals": "".join(" " * d + f"try: pass\n{' ' * d}finally:\n" for d in range(30))
    + " " * 30
    + "pass",
}

_REFUSED_IN_A_PROCESS = """
import sys
from codemode_guest.policy import Refusal, compile_program
try:
    compile_program(sys.stdin.read())
except Refusal as refusal:
    print(len(str(refusal)))
"""


@pytest.mark.parametrize("name", DEEP)
def test_what_is_nested_too_deeply_is_refused(name: str) -> None:
    """As a finding, in a process that survives it; some of these crash Python alone."""
    done = subprocess.run(
        [sys.executable, "-c", _REFUSED_IN_A_PROCESS],
        input=DEEP[name],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )

    assert (done.returncode, done.stderr) == (0, "")
    assert 0 < int(done.stdout) < 2_000


@pytest.mark.parametrize(
    "source",
    [
        "return " + "+".join("1" * 900),
        "return " + " + ".join(["'a'"] * 900),
        "x = 1\nreturn x" + ".real" * 900,
        "x = 1\nif x == 0: pass\n" + "elif x == 2: pass\n" * 900 + "return x",
        "return " + "not " * 900 + "1",
    ],
)
def test_what_generated_programs_reach_is_compiled(source: str) -> None:
    """A thousand levels are no bomb: Python compiles them, and so does the policy."""
    run(source)


def test_blocks_may_be_nested_as_deep_as_people_nest_them() -> None:
    """Eight of the kinds that catch exceptions, around a comprehension in another."""
    source = "".join(" " * depth + "with c:\n" for depth in range(8)) + " " * 8
    run(
        source + "x = [[i for i in range(j)] for j in range(3)]",
        c=contextlib.nullcontext(),
    )


def test_a_program_is_no_longer_than_allowed() -> None:
    """In bytes, counted before it is parsed."""
    fits = "#" * (MAX_SOURCE_BYTES - 1) + "\n"
    compile_program(fits)
    (finding,) = refusal(fits + "#").findings

    assert finding.reason == (
        f"the program has {MAX_SOURCE_BYTES + 1} characters; at most {MAX_SOURCE_BYTES} bytes run"
    )
    assert finding.substitute is not None
    assert len(refusal("ü" * (MAX_SOURCE_BYTES // 2 + 1)).findings) == 1


@pytest.mark.parametrize(
    "source, line, reason",
    [
        ("x = 1\ny = '\ud800'", 2, "a lone surrogate is no character"),
        ("\udfff", 1, "a lone surrogate is no character"),
        ("x = 1\0", None, "source code string cannot contain null bytes"),
    ],
)
def test_what_is_no_text_is_refused(source: str, line: int | None, reason: str) -> None:
    """With the place where it can be known."""
    (finding,) = refusal(source).findings

    assert finding.kind == "syntax"
    assert finding.reason == reason
    assert finding.line in (line, None) or sys.version_info >= (3, 12)


def test_a_thousand_faults_are_a_short_message() -> None:
    """And as many findings as anybody will read."""
    found = refusal("x.__code__\n" * 20_000)

    assert len(found.findings) == 1_000
    assert len(str(found)) < 5_000
    assert str(found).endswith("and 980 more")


def test_one_long_line_of_faults_is_refused_in_reasonable_time() -> None:
    """Columns are counted in characters, of a line that is counted once."""
    start = time.process_time()
    with pytest.raises(Refusal):
        compile_program("é.__code__;" * 15_000)

    # Some 0.2 s here; quadratic work over the line would be minutes.
    assert time.process_time() - start < 10
