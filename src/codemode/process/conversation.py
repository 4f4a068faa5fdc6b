"""What host and guest say to each other during one run: a state machine without I/O.

Bytes go in, events come out; results go in, frames come out. The guest is a stranger: each
frame is rebuilt field by field, and whatever does not fit is a `ProtocolViolationError`, which
ends the run and nothing else.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

from codemode.runtime import CallState, CodeBindingNamespace, CodeCall, Failed, Returned
from codemode_guest import values
from codemode_guest.frames import (
    ENVELOPE_BYTES,
    MAX_LENGTH,
    FrameDecoder,
    FrameTooLargeError,
    pack,
)

_MAX_TEXT: Final = 200
_MAX_POSITION: Final = 2**31
_CLAIMS: Final = ("exception", "invalid-output", "output-limit", "memory")
_PHASES: Final = ("compile", "run")

_T = TypeVar("_T")


class ProtocolViolationError(Exception):
    """The guest said something that no guest of ours says."""


@dataclass(frozen=True, slots=True)
class Ready:
    """The guest is confined and waits for its program.

    Attributes:
        cpu_ns: The CPU time that it has used so far.
    """

    cpu_ns: int


@dataclass(frozen=True, slots=True)
class CallMade:
    """The program calls a binding."""

    number: int
    namespace: int
    member: str
    args: object


@dataclass(frozen=True, slots=True)
class CallDropped:
    """The program waits for a call no longer."""

    number: int


@dataclass(frozen=True, slots=True)
class Printed:
    """The program printed text, of any number of lines."""

    text: str


Event = Ready | CallMade | CallDropped | Printed | Returned | Failed


class Conversation:
    """The host's side of one run.

    Args:
        namespaces: What the program may call.
        max_frame_bytes: The longest frame from the guest, and the most bytes of arguments in
            unanswered calls.
        max_pending_calls: Unanswered calls at once.
    """

    def __init__(
        self,
        namespaces: Sequence[CodeBindingNamespace],
        *,
        max_frame_bytes: int,
        max_pending_calls: int,
    ) -> None:
        self._namespaces = namespaces
        self._members = [tuple(namespace.functions) for namespace in namespaces]
        self._max_frame_bytes = max_frame_bytes
        self._max_pending_calls = max_pending_calls
        self._decoder = FrameDecoder(max_frame_bytes)
        self._is_ready = False
        self._is_over = False
        # Every call in order of submission, and the unanswered ones with their size.
        self._calls: list[tuple[int, str]] = []
        self._states: list[CallState] = []
        self._pending: dict[int, int] = {}
        self._dropped: set[int] = set()
        self._pending_bytes = 0

    def start(self, program: str, seed: int) -> bytes:
        """Return the frame that starts the program."""
        described = [
            (
                namespace.global_name,
                members,
                error.name if (error := namespace.error_class) else None,
                error.member_name_property if error else None,
            )
            for namespace, members in zip(self._namespaces, self._members, strict=True)
        ]
        # Plain `json`, not `values`: names and source are any text, and the guest is to see it.
        return pack(
            json.dumps(
                ["start", {"program": program, "seed": seed, "namespaces": described}]
            ).encode()
        )

    def receive(self, data: bytes) -> Iterator[Event]:
        """Yield what the guest says with these bytes.

        Raises:
            ProtocolViolationError: If it is not what a guest says.
        """
        try:
            bodies = self._decoder.feed(data)
        except FrameTooLargeError as error:
            raise ProtocolViolationError(str(error)) from None
        for body in bodies:
            yield self._event(body)

    def returned(self, number: int, value: object) -> bytes:
        """Answer a call with its result.

        Raises:
            LossyValueError: If it is not lossless JSON; the call is still to be answered.
            ValueTooLargeError: If it is longer than a frame can be; likewise.
        """
        encoded = values.encode(value, max_bytes=MAX_LENGTH - ENVELOPE_BYTES)
        self._settle(number, "returned")
        return pack(b'["reply",%d,true,' % number, encoded, b"]")

    def raised(self, number: int, message: str) -> bytes:
        """Answer a call with a rejection."""
        return self._reject(number, message, "raised")

    def cancelled(self, number: int) -> bytes:
        """Answer a call that the program no longer waits for."""
        return self._reject(number, "cancelled", "cancelled")

    def calls(self) -> tuple[CodeCall, ...]:
        """Return every call so far, in the order of submission."""
        return tuple(
            CodeCall(
                id=number,
                global_name=self._namespaces[namespace].global_name,
                member=member,
                state=state,
            )
            for number, ((namespace, member), state) in enumerate(
                zip(self._calls, self._states, strict=True), 1
            )
        )

    @property
    def call_count(self) -> int:
        """How many calls the program made."""
        return len(self._calls)

    def _reject(self, number: int, message: str, state: CallState) -> bytes:
        self._settle(number, state)
        return pack(b'["reply",%d,false,' % number, values.encoded_text(message), b"]")

    def _settle(self, number: int, state: CallState) -> None:
        self._pending_bytes -= self._pending.pop(number)
        self._states[number - 1] = state

    def _event(self, body: bytes) -> Event:
        if self._is_over:
            raise ProtocolViolationError("a frame after the end of the run")
        kind, *fields = _frame(body)
        if (kind == "ready") is self._is_ready:
            raise ProtocolViolationError("ready twice, or a frame before it")
        match kind, fields:
            case "ready", [cpu_ns]:
                self._is_ready = True
                return Ready(_count(cpu_ns))
            case "call", [number, namespace, member, args]:
                return self._call(number, namespace, member, args, len(body))
            case "cancel", [number]:
                return self._cancel(_count(number))
            case "log", [str(text)] if text:
                return Printed(text)
            case "done", [dict(outcome)]:
                self._is_over = True
                return _outcome(outcome, len(body))
        raise ProtocolViolationError(f"an unknown frame: {_shown([kind, *fields])}")

    def _cancel(self, number: int) -> CallDropped:
        # A reply may have been on its way, so the call need not be pending.
        if not 0 < number <= len(self._calls) or number in self._dropped:
            raise ProtocolViolationError(f"cancel of the unknown call {number}, or a second one")
        self._dropped.add(number)
        if number in self._pending:
            self._states[number - 1] = "cancelled"
        return CallDropped(number)

    def _call(
        self, number: object, namespace: object, member: object, args: object, size: int
    ) -> CallMade:
        if _count(number) != len(self._calls) + 1:
            raise ProtocolViolationError(f"call {_shown(number)} after call {len(self._calls)}")
        position, index = _count(namespace), _count(member)
        if position >= len(self._members) or index >= len(self._members[position]):
            raise ProtocolViolationError(f"a call of the unknown member {index} of {position}")
        if type(args) is not dict:
            raise ProtocolViolationError("arguments that are not a dict")
        _refuse_lossy(args)
        name = self._members[position][index]
        self._calls.append((position, name))
        self._states.append("pending")
        self._pending[len(self._calls)] = size
        self._pending_bytes += size
        # A call alone may fill the limit, and frames are a little longer than what is in them.
        if len(self._pending) > self._max_pending_calls or (
            len(self._pending) > 1 and self._pending_bytes > 2 * self._max_frame_bytes
        ):
            raise ProtocolViolationError("more unanswered calls than agreed")
        return CallMade(len(self._calls), position, name, args)


def _frame(body: bytes) -> list[object]:
    try:
        frame = values.decode(body)
    except values.MalformedJsonError as error:
        raise ProtocolViolationError(f"a frame that is not JSON: {error}") from None
    if type(frame) is not list or not frame:
        raise ProtocolViolationError("a frame that is not a list")
    return frame


def _count(field: object) -> int:
    if type(field) is not int or not 0 <= field < 2**63:
        raise ProtocolViolationError(f"{_shown(field)} where a count belongs")
    return field


def _outcome(outcome: dict[str, object], frame_bytes: int) -> Returned | Failed:
    match outcome:
        case {"value": value, **rest} if not rest:
            _refuse_lossy(value)
            return Returned(value, max(0, frame_bytes - len(b'["done",{"value":}]')))
        case {"failure": dict(failure), **rest} if not rest:
            return _failure(failure)
        case {**rest} if not rest:
            return Returned()
    raise ProtocolViolationError(f"an unknown outcome: {_shown(outcome)}")


def _failure(failure: dict[str, object]) -> Failed:
    claim, message = failure.get("kind"), failure.get("message")
    phase = failure.get("phase")
    if claim not in _CLAIMS or type(message) is not str or phase not in (*_PHASES, None):
        raise ProtocolViolationError(f"an unknown failure: {_shown(failure)}")
    return Failed(
        claim=claim,
        message=message,
        phase=phase,
        line=_position(failure.get("line")),
        column=_position(failure.get("column")),
        source_line=_optional(failure.get("source_line"), str),
        exception_type=_optional(failure.get("exception_type"), str),
    )


def _position(field: object) -> int | None:
    return field if type(field) is int and 0 < field < _MAX_POSITION else None


def _optional(field: object, kind: type[_T]) -> _T | None:
    return field if type(field) is kind else None


def _refuse_lossy(value: object) -> None:
    try:
        values.refuse_lossy(value)
    except values.LossyValueError as error:
        raise ProtocolViolationError(f"a value that is not lossless: {error}") from None


def _shown(frame: object) -> str:
    try:
        text = ascii(frame)
    except (RecursionError, ValueError):
        return "(too deep or too long to show)"
    return text if len(text) <= _MAX_TEXT else text[:_MAX_TEXT] + "…"
