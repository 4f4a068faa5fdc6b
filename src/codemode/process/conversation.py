"""What host and guest say to each other during one run: a state machine without I/O.

Bytes go in, events come out; results go in, frames come out. The guest is a stranger: each
frame is rebuilt field by field, and whatever does not fit is a `ProtocolViolationError`, which
ends the run and nothing else.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, TypeVar

from codemode.runtime import (
    CallBook,
    CallState,
    CodeBindingNamespace,
    CodeCall,
    Failed,
    Returned,
    packed_signatures,
)
from codemode_guest import values
from codemode_guest.frames import (
    ENVELOPE_BYTES,
    MAX_LENGTH,
    MAX_LOG_CHARACTERS,
    FrameDecoder,
    FrameTooLargeError,
    pack,
)
from codemode_guest.window import Weight, Window

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


class CallMade(NamedTuple):
    """The program calls a binding. A tuple, since it is made for each call."""

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
        max_frame_parts: Likewise of values within values.
        max_pending_calls: Unanswered calls at once.
    """

    def __init__(
        self,
        namespaces: Sequence[CodeBindingNamespace],
        *,
        max_frame_bytes: int,
        max_frame_parts: int,
        max_pending_calls: int,
    ) -> None:
        self._namespaces = namespaces
        self._members = [tuple(namespace.functions) for namespace in namespaces]
        self._window = Window(
            max_calls=max_pending_calls, max_bytes=max_frame_bytes, max_parts=max_frame_parts
        )
        self._decoder = FrameDecoder(max_frame_bytes)
        self._is_ready = False
        self._is_over = False
        self._book = CallBook()
        # The calls whose answers have not left, and what each weighs.
        self._pending: dict[int, Weight] = {}
        self._dropped: set[int] = set()

    def start(self, program: str, seed: int, *, check_only: bool = False) -> bytes:
        """Return the frame that starts the program, or has it looked at."""
        described = [
            [
                namespace.global_name,
                members,
                error.name if (error := namespace.error_class) else None,
                error.member_name_property if error else None,
                *_signatures(namespace, program),
            ]
            for namespace, members in zip(self._namespaces, self._members, strict=True)
        ]
        start = {"program": program, "seed": seed, "namespaces": described}
        if check_only:
            start["check_only"] = True
        # Plain `json`, not `values`: names and source are any text, and the guest is to see it.
        return pack(json.dumps(["start", start]).encode())

    def bodies(self, data: bytes) -> list[bytes]:
        """Return the bodies of the frames that these bytes complete.

        Raises:
            ProtocolViolationError: If a frame is longer than it may be.
        """
        try:
            return self._decoder.feed(data)
        except FrameTooLargeError as error:
            raise ProtocolViolationError(str(error)) from None

    def hear(self, body: bytes, frame: Sequence[object]) -> Event:
        """Return what a frame says.

        Args:
            body: As it came.
            frame: What `decoding` made of it.

        Raises:
            ProtocolViolationError: If it is not what a guest says here.
        """
        if self._is_over:
            raise ProtocolViolationError("a frame after the end of the run")
        if (frame[0] == "ready") is self._is_ready:
            raise ProtocolViolationError("ready twice, or a frame before it")
        match frame:
            case ["call", number, namespace, member, args]:
                return self._call(number, namespace, member, args, body)
            case ["log", str(text)] if 0 < len(text) <= MAX_LOG_CHARACTERS:
                return Printed(text)
            case ["cancel", number]:
                return self._cancel(_count(number))
            case ["ready", cpu_ns]:
                self._is_ready = True
                return Ready(_count(cpu_ns))
            case ["done", dict(outcome)]:
                self._is_over = True
                return _outcome(outcome, len(body))
        raise ProtocolViolationError(f"an unknown frame: {_shown(frame)}")

    def returned(self, number: int, value: object) -> bytes:
        """Answer a call with its result.

        Raises:
            LossyValueError: If it is not lossless JSON; the call is still to be answered.
            ValueTooLargeError: If it is longer than a frame can be; likewise.
        """
        encoded = values.encode(value, max_bytes=MAX_LENGTH - ENVELOPE_BYTES)
        self._book.settle(number, "returned")
        return pack(b'["reply",%d,true,' % number, encoded, b"]")

    def raised(self, number: int, message: str) -> bytes:
        """Answer a call with a rejection."""
        return self._reject(number, message, "raised")

    def cancelled(self, number: int) -> bytes:
        """Answer a call that the program no longer waits for."""
        return self._reject(number, "cancelled", "cancelled")

    def delivered(self, number: int) -> None:
        """Let a guest make another call, now that the answer of this one has left.

        Not when it is made: a peer that reads nothing would have answers pile up here.
        """
        self._window.let_out(self._pending.pop(number))

    def calls(self) -> tuple[CodeCall, ...]:
        """Return every call so far, in the order of submission."""
        return self._book.calls()

    @property
    def call_count(self) -> int:
        """How many calls the program made."""
        return len(self._book)

    def _reject(self, number: int, message: str, state: CallState) -> bytes:
        self._book.settle(number, state)
        return pack(b'["reply",%d,false,' % number, values.encoded_text(message), b"]")

    def _cancel(self, number: int) -> CallDropped:
        # A reply may have been on its way, so the call need not be pending.
        if not 0 < number <= len(self._book) or number in self._dropped:
            raise ProtocolViolationError(f"cancel of the unknown call {number}, or a second one")
        self._dropped.add(number)
        if self._book.is_pending(number):
            self._book.settle(number, "cancelled")
        return CallDropped(number)

    def _call(
        self, number: object, namespace: object, member: object, args: object, body: bytes
    ) -> CallMade:
        if _count(number) != len(self._book) + 1:
            raise ProtocolViolationError(f"call {_shown(number)} after call {len(self._book)}")
        position, index = _count(namespace), _count(member)
        if position >= len(self._members) or index >= len(self._members[position]):
            raise ProtocolViolationError(f"a call of the unknown member {index} of {position}")
        if type(args) is not dict:
            raise ProtocolViolationError("arguments that are not a dict")
        weight = Weight.of(body)
        # A frame is a little more than the arguments in it, by which the guest goes.
        if not self._window.has_room(weight, slack=len(self._pending) + 1):
            raise ProtocolViolationError("more unanswered calls than agreed")
        name = self._members[position][index]
        entered = self._book.enter(self._namespaces[position].global_name, name)
        self._pending[entered] = weight
        self._window.let_in(weight)
        return CallMade(entered, position, name, args)


def _signatures(namespace: CodeBindingNamespace, program: str) -> list[object]:
    """The last part of a namespace, where anything is said of its members."""
    packed = packed_signatures(namespace.global_name, namespace.signatures, program)
    return [] if packed is None else [packed]


def _count(field: object) -> int:
    if type(field) is not int or not 0 <= field < 2**63:
        raise ProtocolViolationError(f"{_shown(field)} where a count belongs")
    return field


def _outcome(outcome: dict[str, object], frame_bytes: int) -> Returned | Failed:
    match outcome:
        case {"value": value, **rest} if not rest:
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


def _shown(frame: object) -> str:
    try:
        text = ascii(frame)
    except (RecursionError, ValueError):
        return "(too deep or too long to show)"
    return text if len(text) <= _MAX_TEXT else text[:_MAX_TEXT] + "…"
