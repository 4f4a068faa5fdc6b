"""What a session is made of: one frozen record for each kind of fact.

Fields are plain JSON where another room's records would do: this room is below the tools and
knows none of theirs. Making a record costs a microsecond; it becomes text only in a log.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Final, Literal

from codemode.runtime import ABSENT

#: The version of the format, in every line of a log.
FORMAT_VERSION = 1

HeaderReason = Literal["initial", "resume", "change"]
ApprovalOutcome = Literal["allowed-once", "allowed-for-run", "denied", "cancelled", "unavailable"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionOpened:
    """A host began to write, or went on with a log that there was.

    Attributes:
        product: The version of this library.
        resumed: Whether there was a log already.
        torn: The end of a line that a crash cut short, taken out of the log; empty otherwise.
    """

    kind: ClassVar = "session/opened"
    product: str
    resumed: bool = False
    torn: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class HeaderAssembled:
    """What every request from here on begins with, until the next of these.

    Attributes:
        reason: The first of a session, the first after it was resumed, or a change.
        mode: `native`, `code` or `both`.
        system: The system text, whole.
        tools: The tools as the model is told of them: name, description, input schema.
        language: Of programs; `None` where there are none.
        isolation: Of the runtime; likewise.
    """

    kind: ClassVar = "request/header"
    reason: HeaderReason
    mode: str
    system: str
    tools: Sequence[object]
    language: str | None = None
    isolation: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageAdded:
    """The conversation grew by one message, in whatever wire form the host speaks.

    Attributes:
        message: Exactly as it is sent, JSON.
    """

    kind: ClassVar = "request/message"
    message: object


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestSent:
    """A request went to a model: the last header and the messages so far.

    Attributes:
        api: The name of the wire form, such as `openai-chat`.
        parameters: What else is in its body: model, temperature and so on.
        body_sha256: Of the bytes that were sent.
    """

    kind: ClassVar = "request/sent"
    api: str
    parameters: Mapping[str, object]
    body_sha256: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCalled:
    """The model asked for a tool; nothing has been decided yet.

    Attributes:
        call_id: As the model named it.
        tool: The name on the wire.
        arguments: As they came.
    """

    kind: ClassVar = "tool/call"
    call_id: str
    tool: str
    arguments: object


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolStarted:
    """The body of a call of the model's own is about to begin: it has passed every policy."""

    kind: ClassVar = "tool/start"
    call_id: str
    tool: str
    arguments: object


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolReturned:
    """What the model is told of its call.

    Attributes:
        call_id: Of the call.
        tool: Its tool.
        content: The parts, in order, as JSON: `{"type": "text", "text": …}` and others.
        is_error: Whether the model is told of a failure.
        failure: For a failure: `code`, `message`, `retryable`, `effect`.
        wall_ms: Since the call came.
    """

    kind: ClassVar = "tool/result"
    call_id: str
    tool: str
    content: Sequence[object]
    is_error: bool = False
    failure: Mapping[str, object] | None = None
    wall_ms: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ApprovalAsked:
    """A person is asked whether a call may be made; a program that made it is parked."""

    kind: ClassVar = "approval/asked"
    call_id: str
    tool: str
    reason: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ApprovalAnswered:
    """What came of the question.

    Attributes:
        call_id: As in the question.
        outcome: `unavailable` where nobody could be asked.
        waited_ms: How long it took.
    """

    kind: ClassVar = "approval/answered"
    call_id: str
    outcome: ApprovalOutcome
    waited_ms: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class RunStarted:
    """A program goes to a process; with this and the sub-calls it can be run again.

    Attributes:
        call_id: Of the `run_code` call.
        program: Its source.
        seed: Of its random numbers.
        language: Of the program.
        isolation: Of the runtime.
    """

    kind: ClassVar = "run/start"
    call_id: str
    program: str
    seed: int
    language: str
    isolation: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RunPrinted:
    """The program printed text, of any number of lines. Live only: a log has it in the outcome."""

    kind: ClassVar = "run/printed"
    call_id: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RunEnded:
    """What came of a run.

    Attributes:
        call_id: Of the `run_code` call.
        logs: The printed lines, all of them.
        value: The completion value; left out of a log when there is none.
        error: For a failure: the fields of `CodeRunFailure` that are known.
        report: Calls, errors, wall, compute, queued and parked times, bytes in and out.
    """

    kind: ClassVar = "run/end"
    call_id: str
    logs: Sequence[str]
    value: object = ABSENT
    error: Mapping[str, object] | None = None
    report: Mapping[str, object] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SubCallStarted:
    """A program's call has its slot, and its body is about to begin.

    Attributes:
        call_id: `<parent>:code:<n>`, by the order of submission.
        parent_id: Of the `run_code` call that made it.
        root_id: Of the outermost call.
        tool: Its exact name.
        arguments: As the body gets them.
    """

    kind: ClassVar = "tool/code-dispatch/start"
    call_id: str
    parent_id: str
    root_id: str
    tool: str
    arguments: object


@dataclass(frozen=True, slots=True, kw_only=True)
class SubCallSettled:
    """A program's call has come back, or failed.

    Attributes:
        call_id: As in its start.
        parent_id: Likewise.
        tool: Likewise.
        content: What a model would be told, in parts, as JSON.
        is_error: Whether the program got an exception.
        value: What the program got; left out of a log when there is none.
        failure: For an error: `code`, `message`, `retryable`, `effect`.
        wall_ms: From its start.
    """

    kind: ClassVar = "tool/code-dispatch"
    call_id: str
    parent_id: str
    tool: str
    content: Sequence[object]
    is_error: bool = False
    value: object = ABSENT
    failure: Mapping[str, object] | None = None
    wall_ms: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolProgressed:
    """A tool under way says how far it is. Live only.

    Attributes:
        call_id: Of the call, a program's or the model's own.
        progress: So much is done, in the tool's own unit.
        total: Of so much, where it knows.
        message: In words, where it says.
    """

    kind: ClassVar = "tool/progress"
    call_id: str
    progress: float
    total: float | None = None
    message: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Noted:
    """A fact of the host's own: whatever it wants beside the others, JSON."""

    kind: ClassVar = "note"
    topic: str
    body: object


Event = (
    SessionOpened
    | HeaderAssembled
    | MessageAdded
    | RequestSent
    | ToolCalled
    | ToolStarted
    | ToolReturned
    | ApprovalAsked
    | ApprovalAnswered
    | RunStarted
    | RunPrinted
    | RunEnded
    | SubCallStarted
    | SubCallSettled
    | ToolProgressed
    | Noted
)

#: Events for watchers, which no log keeps.
LIVE: Final = (RunPrinted, ToolProgressed)


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One event, with its place in the session.

    Attributes:
        seq: 1 for the first of a session. A live event, which no log keeps, has the number of
            the entry that comes next.
        at_ms: When, in milliseconds since 1970.
        event: What happened.
    """

    seq: int
    at_ms: int
    event: Event
