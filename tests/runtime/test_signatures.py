"""Which signatures cross to a guest: those that its program may need."""

from __future__ import annotations

import pytest

from codemode.runtime import CodeBindingParameter, CodeBindingSignature, packed_signatures

_ANY = CodeBindingSignature(parameters={"x": CodeBindingParameter()})


def test_nothing_crosses_where_nothing_is_said() -> None:
    """Such a namespace is not checked, which is not the same as having no signatures."""
    assert packed_signatures("tools", None, "tools.a()") is None
    assert {} == packed_signatures("tools", {"a": _ANY}, "1")


@pytest.mark.parametrize(
    "member, program",
    [
        ("search", "await tools.search(x=1)"),
        ("search", 'await tools["search"](x=1)'),
        ("read-file", 'await tools["read-file"](x=1)'),
        ("with space", "await tools['with space'](x=1)"),
        ("café", "await tools.café(x=1)"),
        ("", 'await tools[""](x=1)'),
    ],
)
def test_what_a_program_names_crosses_and_nothing_else(member: str, program: str) -> None:
    """A thousand tools cost a small program nothing."""
    members = [member, "other", "not-named", *(f"tool_{n}" for n in range(1_000))]

    packed = packed_signatures("tools", dict.fromkeys(members, _ANY), program)

    assert packed == {member: ["unsaid", [("x", False, None, None, "")]]}


def test_a_signature_does_not_change_with_what_it_was_made_from() -> None:
    """A run must not change when the caller's mapping does."""
    parameters = {"x": CodeBindingParameter()}
    signature = CodeBindingSignature(parameters=parameters)

    parameters.clear()

    assert ["x"] == list(signature.parameters)
