"""What a model reads of a refusal."""

from __future__ import annotations

import pytest

from codemode_guest.policy import Refusal
from tests.guest.policy.running import refusal


def test_a_refusal_shows_every_finding_with_line_reason_and_substitute() -> None:
    """In the order of the text, on a line each."""
    found = refusal("import json\nx = ().__class__\nopen('f')\ny = x.__globals__")

    assert str(found) == (
        "PolicyError: not allowed, so nothing was run\n"
        "line 2: the attribute '__class__' leads into the interpreter; write type(x)\n"
        "line 3: open() is not available: a program has no files; write io.StringIO(text) for "
        "a file in memory, or call a tool that reads files\n"
        "line 4: the attribute '__globals__' leads into the interpreter; pass what is needed as "
        "an argument"
    )


@pytest.mark.parametrize(
    "source, shown",
    [
        (
            "value = [1, 2\nreturn value",
            "SyntaxError: line 1: '[' was never closed\n    value = [1, 2\n            ^",
        ),
        (
            "if x:\n\ty = (1 +\n\t\t* 2)",
            "SyntaxError: line 3: invalid syntax\n    \t\t* 2)\n    \t\t^",
        ),
        ("return 1\nbreak", "SyntaxError: line 2: 'break' outside loop\n    break\n    ^"),
        (
            "  x = 1",
            "IndentationError: line 1: unexpected indent\n      x = 1\n     ^",
        ),
    ],
)
def test_a_syntax_error_shows_its_line_and_a_caret(source: str, shown: str) -> None:
    """Under the fault, tabs or not."""
    assert str(refusal(source)) == shown


def test_syntax_and_policy_are_shown_together() -> None:
    """What the compiler finds is added to what the policy found."""
    found = refusal("x.__code__\nbreak\nopen('f')")

    assert [(finding.kind, finding.line) for finding in found.findings] == [
        ("policy", 1),
        ("syntax", 2),
        ("policy", 3),
    ]
    assert str(found).startswith("PolicyError: nothing was run\nline 1: the attribute")


def test_twenty_findings_are_shown_and_the_rest_counted() -> None:
    """All of them are in the record."""
    found = refusal("x.__code__\n" * 25)

    assert len(found.findings) == 25
    assert str(found).count("line ") == 20
    assert str(found).endswith("\nand 5 more")


@pytest.mark.parametrize(
    "source", [f"x.__{'a' * 100_000}__", f"import {'a' * 100_000}", f"x = {'(' * 5}{'a ' * 50_000}"]
)
def test_a_message_is_short_however_long_the_names(source: str) -> None:
    """Names and lines are cut."""
    found = refusal(source, explain_import=lambda module: f"not {module}")

    assert len(str(found)) < 1_000


def test_a_caret_far_to_the_right_has_its_text_with_it() -> None:
    """Of a long line, the part around the fault is shown."""
    text = str(refusal("x = [" + "1, " * 1_000 + "$]"))
    shown, caret = text.split("\n")[1:3]

    assert shown[caret.index("^")] == "$"
    assert len(shown) < 200


def test_a_finding_carries_the_parts_of_its_message() -> None:
    """So that a presenter parses no text."""
    (finding,) = refusal("a = 1\nb = a.__nonsense__").findings

    assert (finding.line, finding.column, finding.source_line) == (2, 5, "b = a.__nonsense__")
    assert (finding.kind, finding.type_name) == ("policy", "PolicyError")
    assert finding.substitute == "write a method or an attribute of your own"


def test_a_refusal_is_an_exception_with_its_findings() -> None:
    """Never without one."""
    found = refusal("break")

    assert isinstance(found, Refusal)
    assert len(found.findings) == 1
    assert found.args == (str(found),)
