"""One rule for every name that a request brings, checked before anything is started."""

from __future__ import annotations

import keyword

import pytest

from codemode.errors import UsageError
from codemode.runtime import (
    RESERVED_BINDING_GLOBALS,
    RESERVED_ERROR_MEMBERS,
    CodeBindingErrorClass,
    CodeBindingNamespace,
    DuplicateGlobalError,
    InvalidNameError,
    refuse_bad_names,
)
from codemode_guest.policy import MAIN


def namespace(global_name: str, error: tuple[str, str] | None = None) -> CodeBindingNamespace:
    """A namespace without functions; its error class is (name, member)."""
    return CodeBindingNamespace(
        global_name=global_name,
        functions={},
        error_class=error and CodeBindingErrorClass(name=error[0], member_name_property=error[1]),
    )


@pytest.mark.parametrize("name", ["tools", "_tools", "T", "a1", "__private", "trailing_", "print"])
def test_a_portable_identifier_is_a_global_and_an_error_class(name: str) -> None:
    """ASCII letters, digits and underscores, not beginning with a digit."""
    refuse_bad_names([namespace(name)])
    refuse_bad_names([namespace("other", (name, "member"))])


@pytest.mark.parametrize(
    "name",
    ["", "1a", "my-tool", "a b", "a.b", "naïve", "\uff41", "tools\n", "tools\0", "\ud800"],
)
def test_what_is_no_portable_identifier_is_refused(name: str) -> None:
    """Checklist 74: what Python would fold or another language would not read is no name."""
    with pytest.raises(InvalidNameError, match="is not a portable identifier") as caught:
        refuse_bad_names([namespace(name)])

    assert name == caught.value.name
    assert repr(name) in str(caught.value)


@pytest.mark.parametrize("name", [*keyword.kwlist, *keyword.softkwlist])
def test_every_keyword_of_this_python_is_reserved(name: str) -> None:
    """Checklist 74: the written list has what the running interpreter has."""
    with pytest.raises(InvalidNameError, match="reserved word"):
        refuse_bad_names([namespace(name)])


@pytest.mark.parametrize(
    "name",
    [
        "function",
        "var",
        "let",
        "const",
        "new",
        "this",
        "typeof",
        "null",
        "undefined",
        "enum",
        "await",
        "arguments",
        "eval",
        "implements",
        "interface",
        "package",
        "static",
        "yield",
    ],
)
def test_the_words_of_ecmascript_are_reserved_too(name: str) -> None:
    """Checklist 74: a request is portable to a backend of another language."""
    with pytest.raises(InvalidNameError, match="reserved word of Python or ECMAScript"):
        refuse_bad_names([namespace(name)])


@pytest.mark.parametrize("name", sorted(RESERVED_BINDING_GLOBALS))
def test_a_global_that_a_backend_owns_is_reserved_for_both_uses(name: str) -> None:
    """Checklist 74: neither a namespace nor an error class can take its place."""
    with pytest.raises(InvalidNameError, match=r"the namespace .* a global that the runtime owns"):
        refuse_bad_names([namespace(name)])
    with pytest.raises(
        InvalidNameError, match=r"the error class .* a global that the runtime owns"
    ):
        refuse_bad_names([namespace("tools", (name, "member"))])


def test_the_name_of_the_programs_wrapper_is_public_as_reserved() -> None:
    """A host can tell from the set alone, without knowing the policy's forms."""
    assert MAIN in RESERVED_BINDING_GLOBALS
    assert {"console", "__builtins__", "__name__", "__debug__"} <= RESERVED_BINDING_GLOBALS


@pytest.mark.parametrize("name", ["__", "_x_", "__x__", "_private_", "___"])
def test_a_form_that_programs_may_not_write_is_refused(name: str) -> None:
    """A global that the policy keeps the program from reading would be of no use."""
    with pytest.raises(InvalidNameError, match="underscores at both ends"):
        refuse_bad_names([namespace(name)])


@pytest.mark.parametrize("member", ["tool_name", "my-tool", "x y", "_", "__", "__x", "名"])
def test_an_error_member_may_be_almost_any_name(member: str) -> None:
    """It is set as an attribute, so it need not be an identifier."""
    refuse_bad_names([namespace("tools", ("ToolCallError", member))])


@pytest.mark.parametrize(
    "member,why",
    [
        ("", "is empty"),
        ("__cause__", "special method"),
        *((member, "every exception has already") for member in sorted(RESERVED_ERROR_MEMBERS)),
    ],
)
def test_an_error_member_that_exceptions_have_is_refused(member: str, why: str) -> None:
    """Checklist 74: setting it would change what the exception is."""
    bindings = [namespace("tools", ("ToolCallError", member))]
    with pytest.raises(InvalidNameError, match=why) as caught:
        refuse_bad_names(bindings)

    assert member == caught.value.name
    assert "the error member" in str(caught.value)


def test_the_reserved_error_members_are_those_of_both_languages() -> None:
    """Python's `args`, `with_traceback` and `add_note`; ECMAScript's `name`, `message`, `stack`."""
    public = {name for name in dir(Exception()) if not name.startswith("_")}

    assert public | {"name", "message", "stack"} == RESERVED_ERROR_MEMBERS


@pytest.mark.parametrize(
    "bindings",
    [
        [namespace("tools"), namespace("tools")],
        [namespace("tools", ("tools", "m"))],
        [namespace("a", ("b", "m")), namespace("b")],
        [namespace("a", ("E", "one")), namespace("b", ("E", "two"))],
    ],
    ids=["namespaces", "its own error class", "another's error class", "unequal error classes"],
)
def test_one_global_claimed_twice_is_refused(bindings: list[CodeBindingNamespace]) -> None:
    """Checklist 74: nothing silently shadows."""
    with pytest.raises(DuplicateGlobalError, match="is claimed twice in one request; give each"):
        refuse_bad_names(bindings)


def test_namespaces_may_share_an_equal_error_class() -> None:
    """Equal, not identical: a caller may build one for each."""
    refuse_bad_names([namespace("a", ("E", "member")), namespace("b", ("E", "member"))])


def test_a_bad_name_is_a_usage_error() -> None:
    """The host's programmer mends it; no program can."""
    assert issubclass(InvalidNameError, UsageError)
    assert issubclass(DuplicateGlobalError, UsageError)
