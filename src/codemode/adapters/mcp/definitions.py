"""From what a server lists to tools of a registry."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping

import mcp_types

from codemode.adapters.mcp.values import output_of
from codemode.sdk import wrapped_member
from codemode.tools import (
    Contract,
    SchemaContract,
    ToolCallError,
    ToolContext,
    ToolDefinition,
    ToolOutput,
    ToolSchemaError,
    lossless,
)

CallServer = Callable[
    [mcp_types.Tool, dict[str, object], ToolContext], Awaitable[mcp_types.CallToolResult]
]
Note = Callable[[str], object]


def definition_of(
    tool: mcp_types.Tool, *, namespace: str, call: CallServer, note: Note
) -> ToolDefinition:
    """Return the tool as a registry has it: `namespace.tool` in programs.

    A tool that says it only reads may overlap others. Any other waits for the calls of its
    server, not for those of others.

    Args:
        tool: As the server lists it.
        namespace: Of its server.
        call: Makes the call; what it gives is no error.
        note: Told what is odd about the tool or about what it returns.
    """
    hints = tool.annotations or mcp_types.ToolAnnotations()
    contract = _LenientContract(tool, note)

    async def body(arguments: dict[str, object], context: ToolContext) -> ToolOutput:
        result = await call(tool, arguments, context)
        return output_of(result, contract.wrapped, contract.fits)

    return ToolDefinition(
        name=f"{namespace}.{tool.name}",
        namespace=namespace,
        member=tool.name,
        description=tool.description or tool.title or hints.title or "",
        input_schema=tool.input_schema,
        output_schema=tool.output_schema,
        body=body,
        concurrency_safe=hints.read_only_hint is True,
        resource_key=namespace,
        contract=contract,
    )


def is_destructive(tool: mcp_types.Tool) -> bool:
    """Whether the server says, by word or by default, that a call may destroy something.

    Source: the MCP specification, tool annotations: a tool that does not say that it only reads
    may write, and one that writes may destroy unless it says otherwise.
    """
    hints = tool.annotations or mcp_types.ToolAnnotations()
    return hints.read_only_hint is not True and hints.destructive_hint is not False


class _LenientContract:
    """Checks what goes to a server, and takes whatever comes from it.

    By then the tool has done its work, and what it says of its own results is often wrong: a
    value that does not fit its schema is delivered, and noted.
    """

    def __init__(self, tool: mcp_types.Tool, note: Note) -> None:
        self._tool = tool
        self._note = note
        #: The key under which the server puts what is no object.
        self.wrapped = wrapped_member(tool.output_schema)
        self._input = self._usable("input", tool.input_schema, None)
        self._output = self._usable("output", {}, tool.output_schema)

    def accept(self, snapshot: bytes) -> dict[str, object]:
        return self._input.accept(snapshot)

    def settle(self, value: object) -> bytes:
        settled = lossless(value)
        try:
            self._check(value)
        except ToolCallError as error:
            self._note(f"{self._tool.name}: {error}")
        return settled

    def fits(self, value: object) -> bool:
        """Whether a value is what the tool declares; any is where it declares nothing."""
        try:
            self._check(value)
        except ToolCallError:
            return False
        return True

    def _check(self, value: object) -> None:
        self._output.settle(value if self.wrapped is None else {self.wrapped: value})

    def _usable(
        self,
        which: str,
        input_schema: Mapping[str, object],
        output_schema: Mapping[str, object] | None,
    ) -> Contract:
        """Return what checks by a schema, or lets everything pass if that is not usable."""
        try:
            return SchemaContract(self._tool.name, input_schema, output_schema)
        except ToolSchemaError as error:
            self._note(f"{error}\n  so nothing is checked against its {which} schema here")
            return SchemaContract(self._tool.name, {}, None)
