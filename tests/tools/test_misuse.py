"""Slips of whoever writes tools: refused at once, saying what is wrong and what to write."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from codemode.errors import UsageError
from codemode.tools import ToolDefinition, ToolRegistry


class Opaque:
    """What pydantic has no schema for."""


async def greet(name: str) -> str:
    return name


def takes_opaque(it: Opaque) -> None: ...


async def body(*_: object) -> None: ...


SLIPS: dict[str, tuple[Callable[[Any], object], str]] = {
    "a function": (
        lambda registry: registry.register(greet),
        "'greet' cannot be a tool: it is no ToolDefinition; for a function, say @registry.tool",
    ),
    "no body": (
        lambda _: ToolDefinition(name="x", body=None),  # type: ignore[arg-type]
        "'x' cannot be a tool: its body must be a function of arguments and context, best async",
    ),
    "a presentation": (
        lambda _: ToolDefinition(name="x", body=body, present_as="codes"),  # type: ignore[arg-type]
        "'x' cannot be a tool: present_as is 'codes'; give one of native, code, both",
    ),
    "an option": (
        lambda registry: registry.tool(greet, timeout=5),
        "'greet' cannot be a tool: there is no option 'timeout' (did you mean 'timeout_ms'?)",
    ),
    "a builtin": (
        lambda registry: registry.tool(dict),
        "'dict' cannot be a tool: no signature found for builtin type <class 'dict'>",
    ),
    "a type": (
        lambda registry: registry.tool(takes_opaque),
        "annotate with JSON types, dataclasses or pydantic models",
    ),
    "a mode": (
        lambda registry: registry.scope("a").present_as("codes"),
        "there is no mode 'codes'; there are 'native', 'code', 'both'",
    ),
    "one text": (
        lambda registry: registry.scope("a").restrict(allow="greet"),
        "a restriction names tools in a list: restrict(allow=['name'])",
    ),
    "a hook": (lambda registry: registry.pre_execute(3), "3 is no hook; give a function"),
}


@pytest.mark.parametrize("slip", SLIPS)
def test_a_slip_is_refused_with_what_to_write(slip: str) -> None:
    """Before any model is told of the tool."""
    make, words = SLIPS[slip]
    registry = ToolRegistry()

    with pytest.raises(UsageError) as refused:
        make(registry)

    assert words in str(refused.value)
    assert () == registry.tools
