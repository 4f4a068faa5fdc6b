"""The calls of one program: numbered, queued, passed through the pipeline, and ended with it."""

from __future__ import annotations

import logging
import time
from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial
from types import TracebackType
from typing import Final, Self, cast

import anyio

from codemode.runtime import ABSENT, Binding, CodeBindingNamespace
from codemode.session import EventSink, SubCallSettled, SubCallStarted
from codemode.tools.approval import Approvals
from codemode.tools.claims import ERROR_CLASS, TOOLS
from codemode.tools.definition import SubCall, ToolCall, ToolContext, ToolDefinition
from codemode.tools.errors import ToolCallError
from codemode.tools.lane import Lane, Place
from codemode.tools.parts import Part, TextPart
from codemode.tools.pipeline import Passage, Surroundings
from codemode.tools.results import ToolFailure, ToolResult
from codemode.tools.view import ToolSource, View
from codemode_guest.values import decode, encode

#: How long the end of a program waits for tools that do not end when they are cancelled.
_DRAIN_S: Final = 5.0
_MAX_NOTED_BYTES: Final = 4096

_SUCCESS: Final = ToolResult(content=())

_log: Final = logging.getLogger("codemode.tools")


class ProgramCalls:
    """What one program can call, and the calls that it makes.

    An async context: leaving it ends the calls. Those in the queue are dropped without a trace,
    those in flight, which the runtime has cancelled, are waited for, and later ones are told
    that the run is over.

    Attributes:
        bindings: The namespaces of the program: `tools`, then those that tools name.
        concludes_turn: Whether a tool that succeeded wants the model's turn to end.
    """

    def __init__(  # noqa: PLR0913 - what a program's calls find around them
        self,
        scope: ToolSource,
        view: View | None = None,
        *,
        parent_id: str,
        root_id: str,
        limit: int,
        sink: EventSink | None,
        approvals: Approvals,
    ) -> None:
        self._scope = scope
        self._view = scope.view() if view is None else view
        self._parent_id = parent_id
        self._root_id = root_id
        self._around = Surroundings(sink=sink, approvals=approvals)
        self._lane = Lane(limit)
        self._submitted = 0
        self._in_flight = 0
        self._idle = anyio.Event()
        self._is_over = False
        #: Calls whose turn has come, in that order, as they were sent.
        self._admitted: dict[int, tuple[ToolDefinition, object, bytes]] = {}
        #: Those on record, until their tasks begin; or why one is not on record.
        self._started: dict[int, ToolCall | Exception] = {}
        self._settled: dict[int, SubCall] = {}
        self._deferred: dict[int, tuple[Part, ...]] = {}
        self._keeps_notes = False
        self.concludes_turn = False
        self.bindings = self._namespaces()

    @property
    def settled(self) -> tuple[SubCall, ...]:
        """The calls that were started and have ended, in the order of submission."""
        return tuple(call for _, call in sorted(self._settled.items()))

    @property
    def deferred(self) -> tuple[Part, ...]:
        """What the model is to be shown after the program's own result, in that order.

        The images of results that the program got, and what its tools have deferred.
        """
        return tuple(part for _, parts in sorted(self._deferred.items()) for part in parts)

    async def __aenter__(self) -> Self:
        self._keeps_notes = True
        return self

    async def __aexit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._is_over = True
        self._lane.drop_queued()
        with anyio.move_on_after(_DRAIN_S, shield=True):
            while self._in_flight:
                await self._idle.wait()
                self._idle = anyio.Event()
        for number in (*self._admitted, *self._started):
            self._forget(number)

    def _forget(self, number: int) -> None:
        """Put on record what became of a call whose task was cancelled before it began."""
        self._admitted.pop(number, None)
        call = self._started.pop(number, None)
        if not isinstance(call, ToolCall):
            return
        message = "the call was cancelled before it began"
        failure = ToolFailure(code="ABORTED_BEFORE_DISPATCH", message=message, retryable=True)
        result = ToolResult(content=(TextPart(f"Error: {message}"),), failure=failure)
        self._keep(number, call, result)
        if (sink := self._around.sink) is not None:
            sink.emit(_settled(call, result, ABSENT, 0.0))

    def _namespaces(self) -> tuple[CodeBindingNamespace, ...]:
        functions: dict[str, dict[str, Binding]] = {TOOLS: {}}
        for tool in self._view.code:
            # One and the same: a tool is no other when it is reached by its other name.
            binding = partial(self._submit, tool)
            functions[TOOLS][tool.name] = binding
            if tool.namespace is not None and tool.member is not None:
                functions.setdefault(tool.namespace, {})[tool.member] = binding
        return tuple(
            CodeBindingNamespace(global_name=name, functions=members, error_class=ERROR_CLASS)
            for name, members in functions.items()
        )

    def _submit(self, tool: ToolDefinition, sent: object) -> Awaitable[object]:
        """Number a call and take its place, and return what waits for it.

        Not a coroutine: the order is that of submission, whenever each task gets its turn.
        """
        if self._is_over:
            return _refuse(_run_over(tool.name))
        self._submitted += 1
        try:
            snapshot = encode(sent)
        except ValueError as error:
            words = f"{tool.name}: {error}"
            return _refuse(ToolCallError(words, code="INVALID_ARGS", effect="not-started"))
        safe, key = tool.concurrency_safe, tool.resource_key
        read_safe = partial(_is_safe, safe, snapshot) if callable(safe) else None
        number = self._submitted
        place = Place(
            lane=self._lane,
            key=_key_of(key, snapshot) if callable(key) else key,
            safe=safe is True if read_safe is None else read_safe(),
            read_safe=read_safe,
            on_start=partial(self._admitted.__setitem__, number, (tool, sent, snapshot)),
        )
        self._lane.join(place)
        return self._serve(number, tool, place)

    def _start(self, number: int, tool: ToolDefinition, sent: object, snapshot: bytes) -> None:
        """Put on record that a call's turn has come."""
        view = self._scope.view()
        is_there = view is self._view or view.find(tool.name) is tool
        call = ToolCall(
            id=f"{self._parent_id}:code:{number}",
            root_id=self._root_id,
            parent_id=self._parent_id,
            name=tool.name,
            definition=tool if is_there else None,
            arguments_json=snapshot,
            scope=self._scope.name,
        )
        self._started[number] = call
        if (sink := self._around.sink) is not None:
            try:
                sink.emit(_started(call, sent))
            except Exception as error:
                self._started[number] = error

    async def _serve(self, number: int, tool: ToolDefinition, place: Place) -> object:
        """Wait for the call's turn, carry it out, and return what the program gets."""
        self._in_flight += 1
        try:
            if place.turn is not None:
                await place.turn.wait()
                if self._is_over:
                    raise _run_over(tool.name)
            return await self._carry_out(number, self._begin(number), place)
        finally:
            self._lane.leave(place)
            self._in_flight -= 1
            if not self._in_flight:
                self._idle.set()
            self._forget(number)

    def _begin(self, number: int) -> ToolCall:
        """Return a call whose turn has come, on record after those whose turn came before.

        Event loops may run the tasks of calls that are let go together in any order.
        """
        while number in self._admitted:
            first = next(iter(self._admitted))
            self._start(first, *self._admitted.pop(first))
        started = self._started.pop(number)
        if isinstance(started, Exception):
            raise started
        return started

    async def _carry_out(self, number: int, call: ToolCall, place: Place) -> object:
        sink = self._around.sink
        begun, value = time.perf_counter(), cast("object", ABSENT)

        def settle(result: ToolResult) -> None:
            nonlocal value
            value = result.value
            self._keep(number, call, result)
            if sink is not None:
                sink.emit(_settled(call, result, value, time.perf_counter() - begun))

        passage = Passage(
            call,
            self._scope.hooks(),
            self._around,
            ToolContext(call=call, sink=sink),
            settle=settle,
            slot=place,
            unknown="it was removed or replaced after this program had been told of it",
        )
        failure = (await passage.carry_out()).failure
        if failure is None:
            return value
        raise failure.error().named(call.name)

    def _keep(self, number: int, call: ToolCall, result: ToolResult) -> None:
        """Note what the bridge asks for when the program has ended."""
        if not self._keeps_notes:
            return
        noted = _SUCCESS
        if result.failure is not None:
            # Without the exception, whose traceback holds all that the tool had in hand.
            noted = ToolResult(content=(), failure=replace(result.failure, exception=None))
        if len(call.arguments_json) > _MAX_NOTED_BYTES:
            size = encode({"…": f"{len(call.arguments_json)} bytes"})
            call = replace(call, arguments_json=size)
        self._settled[number] = SubCall(call=call, result=noted)
        shown = () if result.is_error else result.content
        parts = *(part for part in shown if type(part) is not TextPart), *result.deferred
        if parts:
            self._deferred[number] = parts
        self.concludes_turn = self.concludes_turn or result.concludes_turn


def _started(call: ToolCall, sent: object) -> SubCallStarted:
    # What came off the wire is nobody else's: tool and policies have copies of the snapshot.
    return SubCallStarted(
        call_id=call.id,
        parent_id=cast("str", call.parent_id),
        root_id=call.root_id,
        tool=call.name,
        arguments=sent,
    )


def _settled(call: ToolCall, result: ToolResult, value: object, wall_s: float) -> SubCallSettled:
    failure = result.failure
    return SubCallSettled(
        call_id=call.id,
        parent_id=cast("str", call.parent_id),
        tool=call.name,
        content=[part.record() for part in result.content],
        is_error=failure is not None,
        value=value,
        failure=None if failure is None else failure.record(),
        wall_ms=wall_s * 1000,
    )


def _is_safe(safe: Callable[[dict[str, object]], object], snapshot: bytes) -> bool:
    """Whatever is not exactly `True`, and whatever cannot be told, is not safe."""
    try:
        return safe(cast("dict[str, object]", decode(snapshot))) is True
    except Exception:
        _log.debug("it could not be told whether a call is safe", exc_info=True)
        return False


def _key_of(key: Callable[[dict[str, object]], str], snapshot: bytes) -> str | None:
    """A key that cannot be told is that of everything."""
    try:
        return key(cast("dict[str, object]", decode(snapshot)))
    except Exception:
        _log.debug("it could not be told what a call works on", exc_info=True)
        return None


async def _refuse(error: ToolCallError) -> object:
    raise error


def _run_over(name: str) -> ToolCallError:
    return ToolCallError(
        f"{name}: the run is over, the call was not made", code="RUN_OVER", effect="not-started"
    )
