"""An outcome on paper: as JSON for programs, as text for people."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest

from codemode.cli.outcome import print_json, print_text
from codemode.runtime import ABSENT, CodeRunFailure, CodeRunResult

FAILURE = CodeRunFailure(kind="exception", message="ValueError: x\n  line 3: boom()", line=3)


def as_json(result: CodeRunResult) -> dict[str, Any]:
    stream = io.BytesIO()
    print_json(result, stream)
    assert 1 == stream.getvalue().count(b"\n")
    printed: dict[str, Any] = json.loads(stream.getvalue())
    return printed


def as_text(result: CodeRunResult) -> tuple[str, str]:
    stdout, stderr = io.StringIO(), io.StringIO()
    print_text(result, stdout, stderr)
    return stdout.getvalue(), stderr.getvalue()


def test_json_has_a_value_only_if_there_is_one() -> None:
    """`null` is what a program returned, a missing key that it returned nothing."""
    assert {"value": None, "logs": [], "error": None} == as_json(CodeRunResult(value=None))
    assert {"logs": ["a"], "error": None} == as_json(CodeRunResult(logs=("a",)))


def test_json_tells_of_a_failure_what_is_known() -> None:
    """Kind and message always; a line, a budget, a type where there is one."""
    told = {"kind": "exception", "message": FAILURE.message, "line": 3}

    assert {"logs": ["a"], "error": told} == as_json(CodeRunResult(logs=("a",), error=FAILURE))


@pytest.mark.parametrize("value", ["\udc80é\u2028", 10**400, -0.0])
def test_json_keeps_every_value_that_the_seam_lets_through(value: object) -> None:
    """Reading the line back gives the same value."""
    assert repr(value) == repr(as_json(CodeRunResult(value=value))["value"])


def test_a_value_of_many_levels_is_printed_either_way() -> None:
    """Ten thousand levels crash neither form."""
    value: list[Any] = []
    for _ in range(10_000):
        value = [value]
    stream = io.BytesIO()

    print_json(CodeRunResult(value=value), stream)

    assert b"[" * 10_000 in stream.getvalue()
    assert "[" * 10_000 in as_text(CodeRunResult(value=value))[0]


@pytest.mark.parametrize(
    "value,printed",
    [
        ("as it is", "line\nas it is\n"),
        (None, "line\nnull\n"),
        ({"é": [1]}, 'line\n{\n  "é": [\n    1\n  ]\n}\n'),
        (ABSENT, "line\n"),
    ],
)
def test_text_is_the_printed_lines_and_then_the_value(value: object, printed: str) -> None:
    """A string stands raw, anything else as indented JSON, no value as nothing."""
    assert (printed, "") == as_text(CodeRunResult(value=value, logs=("line",)))


def test_a_failure_goes_to_standard_error_after_what_was_printed() -> None:
    """Whoever pipes the output on gets only output."""
    assert ("line\n", f"exception: {FAILURE.message}\n") == as_text(
        CodeRunResult(logs=("line",), error=FAILURE)
    )
