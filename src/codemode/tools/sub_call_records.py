"""What is kept of a program's calls: events as they happen, and notes for its end."""

from __future__ import annotations

from dataclasses import replace
from typing import Final, cast

from codemode.session import EventSink, SubCallSettled, SubCallStarted
from codemode.tools.definition import SubCall, ToolCall
from codemode.tools.parts import Part, TextPart
from codemode.tools.results import ToolResult
from codemode_guest.values import encode

_MAX_NOTED_BYTES: Final = 4096

_SUCCESS: Final = ToolResult(content=())


class SubCallRecords:
    """Tells a sink of each call, and notes what the bridge asks for when the program has ended.

    Attributes:
        takes_notes: Whether there is an end; otherwise notes would pile up.
        concludes_turn: Whether a tool that succeeded wants the model's turn to end.
    """

    def __init__(self, sink: EventSink | None) -> None:
        self._sink = sink
        self.takes_notes = False
        self.concludes_turn = False
        self._ended: dict[int, SubCall] = {}
        self._deferred: dict[int, tuple[Part, ...]] = {}

    def start(self, call: ToolCall, sent: object) -> None:
        """Tell of a call whose turn has come.

        Raises:
            RuntimeFault: If the log cannot be written.
        """
        if self._sink is None:
            return
        self._sink.emit(
            SubCallStarted(
                call_id=call.id,
                parent_id=cast("str", call.parent_id),
                root_id=call.root_id,
                tool=call.name,
                # What came off the wire is nobody else's: tool and policies have copies.
                arguments=sent,
            )
        )

    def settle(
        self, number: int, call: ToolCall, result: ToolResult, value: object, wall_s: float
    ) -> None:
        """Note what came of a call, and tell of it.

        Raises:
            RuntimeFault: As `start`.
        """
        if self.takes_notes:
            self._note(number, call, result)
        if self._sink is None:
            return
        failure = result.failure
        self._sink.emit(
            SubCallSettled(
                call_id=call.id,
                parent_id=cast("str", call.parent_id),
                tool=call.name,
                content=[part.record() for part in result.content],
                is_error=failure is not None,
                value=value,
                failure=None if failure is None else failure.record(),
                wall_ms=wall_s * 1000,
            )
        )

    def ended(self) -> tuple[SubCall, ...]:
        """Return the calls that were started and have ended, in the order of submission."""
        return tuple(call for _, call in sorted(self._ended.items()))

    def deferred(self) -> tuple[Part, ...]:
        """Return the images that the program got, and what its tools deferred, in that order."""
        return tuple(part for _, parts in sorted(self._deferred.items()) for part in parts)

    def _note(self, number: int, call: ToolCall, result: ToolResult) -> None:
        noted = _SUCCESS
        if result.failure is not None:
            # Without the exception, whose traceback holds all that the tool had in hand.
            noted = ToolResult(content=(), failure=replace(result.failure, exception=None))
        if len(call.arguments_json) > _MAX_NOTED_BYTES:
            size = encode({"…": f"{len(call.arguments_json)} bytes"})
            call = replace(call, arguments_json=size)
        self._ended[number] = SubCall(call=call, result=noted)
        shown = () if result.is_error else result.content
        parts = *(part for part in shown if type(part) is not TextPart), *result.deferred
        if parts:
            self._deferred[number] = parts
        self.concludes_turn = self.concludes_turn or result.concludes_turn
