"""What a program finds beside the tools: a search through them, and outputs shown in part."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from codemode.bridge.cutting import KeptOutputs
from codemode.errors import UsageError
from codemode.runtime import CodeBindingNamespace
from codemode.sdk import describe_tool, discovery_name, search_tools
from codemode.tools import ERROR_CLASS, ToolCallError, ToolDefinition, define

_OUTPUTS: Final = "outputs"


def catalog_namespace(tools: Sequence[ToolDefinition]) -> CodeBindingNamespace:
    """Return the global through which a program searches and describes its tools."""

    async def search(query: str, limit: int = 20) -> list[object]:
        return list(search_tools(tools, query, limit=limit))

    async def describe(name: str) -> str:
        try:
            return describe_tool(tools, name)
        except UsageError as error:  # the program's mistake here, not the host's
            raise ToolCallError(str(error), code="INVALID_ARGS", effect="not-started") from None

    return CodeBindingNamespace(
        global_name=discovery_name(tools),
        functions={f.__name__: define(f).invoke for f in (search, describe)},
        error_class=ERROR_CLASS,
    )


def outputs_name(tools: Sequence[ToolDefinition]) -> str:
    """Return the global through which a program reads outputs that were shown in part."""
    taken, name = {tool.namespace for tool in tools}, _OUTPUTS
    while name in taken:
        name = f"tool_{name}"
    return name


def outputs_namespace(tools: Sequence[ToolDefinition], kept: KeptOutputs) -> CodeBindingNamespace:
    """Return that global: `await outputs.read(name="…", start=0, length=10000)`."""

    async def read(name: str, start: int = 0, length: int = 10_000) -> str:
        try:
            whole = kept.whole(name)
        except UsageError as error:
            raise ToolCallError(str(error), code="INVALID_ARGS", effect="not-started") from None
        return whole[max(0, start) :][: max(0, length)]

    return CodeBindingNamespace(
        global_name=outputs_name(tools),
        functions={"read": define(read).invoke},
        error_class=ERROR_CLASS,
    )
