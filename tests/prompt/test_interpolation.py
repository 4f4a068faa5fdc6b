"""Variables in the host's sections are filled in strictly."""

from __future__ import annotations

import pytest

from codemode.prompt import InterpolationError
from codemode.prompt.interpolation import interpolate, named_in

VARIABLES = {"name": "Ada", "project.root": "/srv", "tricky": "{{name}} }} {{"}


@pytest.mark.parametrize(
    "text,expected",
    [
        ("", ""),
        ("no groups, { one brace }", "no groups, { one brace }"),
        ("{{name}} in {{ project.root }}", "Ada in /srv"),
        ("{{tricky}}", "{{name}} }} {{"),
    ],
)
def test_each_group_is_filled_in_once(text: str, expected: str) -> None:
    """What is put in is not looked at again (checklist 40)."""
    assert expected == interpolate("s", text, VARIABLES)


@pytest.mark.parametrize(
    "text,said",
    [
        ("{{nmae}}", "'s': no variable 'nmae'; did you mean 'name'?"),
        ("{{zzz}}", "no variable 'zzz'; there are name, project.root, tricky"),
        ("a\n{{", "line 2 has '{{', which is no {{name}}"),
        ("}} {{name}}", "line 1 has '}}'"),
        ("{{}}", "line 1 has '{{}}'"),
        ("{{two words}}", "'{{two words}}'"),
        ("{{{name}}}", "which is no {{name}}"),
    ],
)
def test_what_is_no_known_group_is_refused_by_section_and_line(text: str, said: str) -> None:
    """The error names the section, the place, and the way out (checklist 40)."""
    with pytest.raises(InterpolationError) as caught:
        interpolate("s", text, VARIABLES)

    assert said in str(caught.value)
    assert "interpolate=False" in str(caught.value)


def test_without_variables_the_error_says_so() -> None:
    """Nothing is suggested that is not there (checklist 40)."""
    with pytest.raises(InterpolationError, match="no variable 'a'; there are none"):
        interpolate("s", "{{a}}", {})


def test_variables_are_named_in_order_each_once() -> None:
    """So that only those are asked for."""
    assert ("b", "a") == named_in("s", "{{b}} {{a}} {{ b }}")
