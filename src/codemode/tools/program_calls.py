"""The calls of one program: numbered, queued, passed through the pipeline, and ended with it."""

from __future__ import annotations

import time
from collections.abc import Awaitable
from functools import partial
from types import TracebackType
from typing import Final, Self

import anyio

from codemode.runtime import ABSENT, Binding, CodeBindingNamespace
from codemode.session import EventSink
from codemode.tools.approval import Approvals
from codemode.tools.claims import ERROR_CLASS, TOOLS
from codemode.tools.definition import SubCall, ToolCall, ToolContext, ToolDefinition
from codemode.tools.errors import ToolCallError
from codemode.tools.lane import Lane
from codemode.tools.parts import Part
from codemode.tools.pipeline import Passage
from codemode.tools.policies import Surroundings
from codemode.tools.results import ToolResult
from codemode.tools.sub_call_records import SubCallRecords
from codemode.tools.submission import Submission, submitted
from codemode.tools.view import ToolSource, View
from codemode_guest.values import encode

#: How long the end of a program waits for tools that do not end when they are cancelled.
_DRAIN_S: Final = 5.0


class ProgramCalls:
    """What one program can call, and the calls that it makes.

    An async context: leaving it ends the calls. Those in the queue are dropped without a trace,
    those in flight, which the runtime has cancelled, are waited for, and later ones are told
    that the run is over.

    Attributes:
        bindings: The namespaces of the program: `tools`, then those that tools name.
    """

    def __init__(  # noqa: PLR0913 - what a program's calls find around them
        self,
        source: ToolSource,
        view: View | None = None,
        *,
        parent_id: str,
        root_id: str,
        limit: int,
        sink: EventSink | None,
        approvals: Approvals,
    ) -> None:
        self._source = source
        self._view = source.view() if view is None else view
        self._parent_id = parent_id
        self._root_id = root_id
        self._around = Surroundings(sink=sink, approvals=approvals)
        self._lane = Lane(limit)
        self._count = 0
        self._in_flight = 0
        self._idle = anyio.Event()
        self._is_over = False
        self._admitted: dict[Submission, None] = {}
        self._records = SubCallRecords(sink)
        self.bindings = self._namespaces()

    @property
    def settled(self) -> tuple[SubCall, ...]:
        """The calls that were started and have ended, in the order of submission."""
        return self._records.ended()

    @property
    def deferred(self) -> tuple[Part, ...]:
        """What the model is to be shown after the program's own result, in that order.

        The images of results that the program got, and what its tools have deferred.
        """
        return self._records.deferred()

    @property
    def concludes_turn(self) -> bool:
        """Whether a tool that succeeded wants the model's turn to end."""
        return self._records.concludes_turn

    async def __aenter__(self) -> Self:
        self._records.takes_notes = True
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
        for submission in tuple(self._admitted):
            self._forget(submission)

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
        self._count += 1
        try:
            snapshot = encode(sent)
        except ValueError as error:
            words = f"{tool.name}: {error}"
            return _refuse(ToolCallError(words, code="INVALID_ARGS", effect="not-started"))
        return self._serve(submitted(self._lane, self._count, tool, sent, snapshot, self._admitted))

    async def _serve(self, submission: Submission) -> object:
        """Wait for the call's turn, carry it out, and return what the program gets."""
        self._in_flight += 1
        try:
            if submission.turn is not None:
                await submission.turn.wait()
                if self._is_over:
                    raise _run_over(submission.tool.name)
            result = await self._carry_out(submission, self._begun(submission))
        finally:
            self._lane.leave(submission)
            self._in_flight -= 1
            if not self._in_flight:
                self._idle.set()
            if submission in self._admitted:
                self._forget(submission)
        if result.failure is not None:
            raise result.failure.error().named(submission.tool.name)
        return submission.value

    def _begun(self, submission: Submission) -> ToolCall:
        """Return a call whose turn has come, on record after those whose turn came before.

        Event loops may run the tasks of calls that are let go together in any order.
        """
        for earlier in tuple(self._admitted):
            if earlier.call is None:
                self._start(earlier)
            if earlier is submission:
                break
        del self._admitted[submission]
        if submission.fault is not None:
            raise submission.fault
        assert submission.call is not None  # noqa: S101 - it was put on record above
        return submission.call

    def _start(self, submission: Submission) -> None:
        """Put on record that a call's turn has come."""
        tool, view = submission.tool, self._source.view()
        is_there = view is self._view or view.find(tool.name) is tool
        submission.call = ToolCall(
            id=f"{self._parent_id}:code:{submission.number}",
            root_id=self._root_id,
            parent_id=self._parent_id,
            name=tool.name,
            definition=tool if is_there else None,
            arguments_json=submission.snapshot,
            scope=self._source.name,
        )
        submission.began_s = time.perf_counter()
        try:
            self._records.start(submission.call, submission.sent)
        except Exception as error:
            submission.fault = error

    async def _carry_out(self, submission: Submission, call: ToolCall) -> ToolResult:
        passage = Passage(
            call,
            self._source.hooks(),
            self._around,
            ToolContext(call=call, sink=self._around.sink),
            settle=partial(self._settle, submission, call),
            slot=submission,
            unknown=self._gone() if call.definition is None else "",
        )
        return await passage.carry_out()

    def _settle(self, submission: Submission, call: ToolCall, result: ToolResult) -> None:
        submission.value = result.value
        wall_s = time.perf_counter() - submission.began_s
        self._records.settle(submission.number, call, result, submission.value, wall_s)

    def _forget(self, submission: Submission) -> None:
        """Put on record what became of a call whose task was cancelled before it began."""
        del self._admitted[submission]
        call = submission.call
        if call is None or submission.fault is not None:
            return
        error = ToolCallError(
            "the call was cancelled before it began",
            code="ABORTED_BEFORE_DISPATCH",
            retryable=True,
            effect="not-started",
        )
        self._records.settle(submission.number, call, ToolResult.failed(error), ABSENT, 0.0)

    def _gone(self) -> str:
        if not self._source.is_open:
            return self._source.closed_words()
        return "it was removed or replaced after this program had been told of it"


async def _refuse(error: ToolCallError) -> object:
    raise error


def _run_over(name: str) -> ToolCallError:
    return ToolCallError(
        f"{name}: the run is over, the call was not made", code="RUN_OVER", effect="not-started"
    )
