"""The calls that a model makes itself, by name or through the transport."""

from __future__ import annotations

from functools import partial
from uuid import uuid4

from codemode.runtime import AbortSignal
from codemode.session import EventSink, ToolStarted
from codemode.tools.approval import ApprovalHandler, Approvals
from codemode.tools.definition import ToolCall, ToolContext, ToolDefinition
from codemode.tools.errors import ErrorCode, ToolCallError
from codemode.tools.faults import no_such
from codemode.tools.pipeline import Passage
from codemode.tools.policies import Surroundings
from codemode.tools.program_calls import ProgramCalls
from codemode.tools.results import ToolResult
from codemode.tools.view import RUN_CODE, ToolSource, View
from codemode_guest.values import decode, encode


async def call_tool(  # noqa: PLR0913 - what a call of a model comes with
    scope: ToolSource,
    name: str,
    arguments: object,
    *,
    limit: int,
    call_id: str | None,
    signal: AbortSignal | None,
    sink: EventSink | None,
    transport: ToolDefinition | None,
    approval: ApprovalHandler | None,
) -> ToolResult:
    """Carry out one call; see `Scope.call`."""
    if not scope.is_open:
        return _refused("UNKNOWN_TOOL", f"{scope.closed_words()}, and none of its tools is left")
    view = scope.view()
    tool = transport if transport is not None and name == transport.name else view.find(name)
    if tool is not None and tool is not transport and tool not in view.native:
        return _refused("UNKNOWN_TOOL", _way_back(tool))
    try:
        snapshot = encode(arguments)
    except ValueError as error:
        return _refused("INVALID_ARGS", str(error))
    call = ToolCall(
        id=(call_id := call_id or f"call-{uuid4().hex[:12]}"),
        root_id=call_id,
        parent_id=None,
        name=name if tool is None else tool.name,
        definition=tool,
        arguments_json=snapshot,
        scope=scope.name,
    )
    around = Surroundings(
        sink=sink,
        approvals=Approvals(approval),
        signal=signal,
        on_start=None if sink is None else partial(_emit_start, sink),
    )
    program = partial(
        ProgramCalls,
        scope,
        parent_id=call.id,
        root_id=call.root_id,
        limit=limit,
        sink=sink,
        approvals=around.approvals,
    )
    context = ToolContext(call=call, program_calls=program, sink=sink)
    unknown = _unknown(name, view, transport)
    return await Passage(call, scope.hooks(), around, context, unknown=unknown).carry_out()


def _emit_start(sink: EventSink, call: ToolCall) -> None:
    arguments = decode(call.arguments_json)
    sink.emit(ToolStarted(call_id=call.id, tool=call.name, arguments=arguments))


def _refused(code: ErrorCode, message: str) -> ToolResult:
    """Return the result of a call that meets no policy, since it is none."""
    return ToolResult.failed(ToolCallError(message, code=code, effect="not-started"))


def _way_back(tool: ToolDefinition) -> str:
    reached = f"tools.{tool.name}" if tool.name.isidentifier() else f"tools[{tool.name!r}]"
    return (
        f"{tool.name!r} cannot be called directly; call {RUN_CODE} with a program that says "
        f"`await {reached}(...)`"
    )


def _unknown(name: str, view: View, transport: ToolDefinition | None) -> str:
    if name == RUN_CODE:
        return f"there is no {RUN_CODE} here: the mode is {view.mode!r}; call the tools by name"
    known = [tool.name for tool in view.native]
    if transport is not None:
        known.append(transport.name)
    return no_such("tool", name, known)
