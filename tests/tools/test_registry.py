"""A registry: one name, one tool; all of them one namespace of a program."""

from __future__ import annotations

import pytest

from codemode.runtime import CodeBindingErrorClass, refuse_bad_names
from codemode.tools import DuplicateToolError, ToolRegistry, ToolSignatureError


def double(n: int) -> int:
    """Twice as much."""
    return 2 * n


def test_a_registered_function_stays_what_it_was() -> None:
    """The decorator gives back the function itself, so the host can go on calling it."""
    registry = ToolRegistry()

    assert double is registry.tool(double)
    assert double is registry.tool(name="twice")(double)
    assert ["double", "twice"] == [tool.name for tool in registry.tools]


async def test_a_program_finds_the_tools_under_the_global_tools() -> None:
    """The namespace has each tool under its exact name, and passes the seam's own check."""
    registry = ToolRegistry()
    registry.tool(name="__class__")(double)

    namespace = registry.binding_namespace()

    refuse_bad_names([namespace])
    assert "tools" == namespace.global_name
    assert 6 == await namespace.functions["__class__"]({"n": 3})
    assert namespace.error_class == CodeBindingErrorClass(
        name="ToolCallError", member_name_property="tool_name"
    )


def test_a_duplicate_is_refused_and_the_first_stays() -> None:
    """Two tools of one name are a mistake of the host, said at once."""
    registry = ToolRegistry()
    registry.tool(double)
    first = registry.tools

    with pytest.raises(DuplicateToolError, match="'double' is already registered; "):
        registry.tool(name="double")(lambda: None)

    assert first == registry.tools


@pytest.mark.parametrize("name", ["", None])
def test_a_tool_without_a_name_is_refused_and_nothing_is_registered(name: str | None) -> None:
    """An empty name is no name; neither is that of a callable object."""
    registry = ToolRegistry()

    with pytest.raises(ToolSignatureError, match="it has no name"):
        registry.tool(name=name)(double if name == "" else Nameless())

    assert () == registry.tools


class Nameless:
    def __call__(self) -> None: ...


def test_tools_registered_later_do_not_change_a_namespace_already_taken() -> None:
    """A run keeps the tools that it was announced with."""
    registry = ToolRegistry()
    before = registry.binding_namespace()

    registry.tool(double)

    assert {} == dict(before.functions)
    assert ["double"] == list(registry.binding_namespace().functions)
