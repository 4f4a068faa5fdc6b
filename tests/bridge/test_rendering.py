"""What a model reads of a failure with many calls, and of odd values."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from codemode import CodeRunFailure
from codemode.bridge.rendering import rendered_failure
from codemode.bridge.shown_values import shown_value
from codemode.tools import SubCall, ToolCall, ToolFailure, ToolResult
from codemode.tools.errors import Effect
from codemode_guest.values import encode

FAILED = CodeRunFailure(kind="exception", message="ValueError: x", phase="run", line=3)


def sub_call(number: int, name: str = "read", effect: Effect | None = None) -> SubCall:
    call = ToolCall(
        id=f"c1:code:{number}",
        root_id="c1",
        parent_id="c1",
        name=name,
        definition=None,
        arguments_json=encode({"n": number}),
    )
    failure = None
    if effect is not None:
        failure = ToolFailure(code="TOOL_FAILED", message="no\n luck", effect=effect)
    return SubCall(call=call, result=ToolResult(content=(), failure=failure))


def test_of_many_calls_the_last_are_listed_and_the_rest_counted() -> None:
    """The text stays short (checklist 58)."""
    calls = [sub_call(n) for n in range(1, 1_001)]

    text = rendered_failure(FAILED, [], [*calls, sub_call(1_001, "write")], 0)

    assert "  989 times read: done\n  then:\n  read(n=990): done\n" in text
    assert "  write(n=1001): done\n" in text
    assert text.count("\n") < 25


@pytest.mark.parametrize(
    "effect,said",
    [
        ("not-started", "read(n=1): refused, nothing was done (no luck)"),
        ("committed", "read(n=1): failed after it was done (no luck)"),
        ("unknown", "read(n=1): failed, outcome unknown (no luck)"),
    ],
)
def test_a_failed_call_says_what_is_known_of_its_effect(effect: Effect, said: str) -> None:
    """In words, with the reason on one line (checklist 58)."""
    text = rendered_failure(FAILED, [], [sub_call(1, effect=effect)], 0)

    assert said in text
    assert ("find out first" in text) == (effect == "unknown")


def test_calls_that_never_began_are_counted() -> None:
    """They did nothing (checklist 69)."""
    text = rendered_failure(FAILED, ["out"], [], 7)

    assert "  7 more had not begun and did nothing" in text
    assert "Printed until then:\nout\n" in text


@pytest.mark.parametrize(
    "value",
    [
        None,
        True,
        -0.0,
        [],
        {},
        [[], {}],
        {"a": [1, {"b": "é\n"}]},
        {"x\ud800": "\udfff"},
        [[[[[[{"a": [1]}]]]]]],
        2**200,
    ],
)
def test_a_value_is_shown_as_json_that_says_the_same(value: object) -> None:
    """Whatever the indent (checklist 57)."""
    assert repr(value) == repr(json.loads(shown_value(value)))


def test_a_value_of_thousands_of_levels_is_shown() -> None:
    """From the sixth level on, in one line (checklist 18, 57)."""
    value: object = 1
    for _ in range(10_000):
        value = [value]

    assert 11 == shown_value(value).count("\n") + 1


def test_a_program_in_markdown_is_asked_for_without_it() -> None:
    """What SyntaxError says of a fence does not tell a model what to do."""
    message = "SyntaxError: line 1: invalid syntax\n    ```python\n    ^"
    failure = CodeRunFailure(kind="exception", message=message, phase="compile", line=1)

    assert "Send the program alone, without ``` before and after it." in rendered_failure(
        failure, [], [], 0
    )
    assert "Send" not in rendered_failure(replace(failure, message="SyntaxError: x"), [], [], 0)
