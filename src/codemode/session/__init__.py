"""The session: every fact an event, kept in an append-only log.

Owns the records of events, the stream that numbers, redacts and hands them on, the log on
disk, and what is read out of one: requests as they were, calls that a crash left open. Knows
nothing of tools, prompts or processes; whoever does something emits it. Below it is `runtime`,
above it are `tools` and all the rest. The core is `Session.emit` in `stream.py`.
"""

from codemode.session.codec import MalformedEntryError
from codemode.session.events import (
    FORMAT_VERSION,
    ApprovalAnswered,
    ApprovalAsked,
    ApprovalOutcome,
    Entry,
    Event,
    HeaderAssembled,
    HeaderReason,
    MessageAdded,
    Noted,
    RequestSent,
    RunEnded,
    RunPrinted,
    RunStarted,
    SessionOpened,
    SubCallSettled,
    SubCallStarted,
    ToolCalled,
    ToolProgressed,
    ToolReturned,
    ToolStarted,
)
from codemode.session.log_file import LogFault, LogFile, read_log
from codemode.session.rebuilding import RecordedRequest, recorded_requests
from codemode.session.redaction import REDACTED
from codemode.session.repair import repairs
from codemode.session.stream import EntrySink, EventSink, MemoryLog, Session

__all__ = [
    "FORMAT_VERSION",
    "REDACTED",
    "ApprovalAnswered",
    "ApprovalAsked",
    "ApprovalOutcome",
    "Entry",
    "EntrySink",
    "Event",
    "EventSink",
    "HeaderAssembled",
    "HeaderReason",
    "LogFault",
    "LogFile",
    "MalformedEntryError",
    "MemoryLog",
    "MessageAdded",
    "Noted",
    "RecordedRequest",
    "RequestSent",
    "RunEnded",
    "RunPrinted",
    "RunStarted",
    "Session",
    "SessionOpened",
    "SubCallSettled",
    "SubCallStarted",
    "ToolCalled",
    "ToolProgressed",
    "ToolReturned",
    "ToolStarted",
    "read_log",
    "recorded_requests",
    "repairs",
]
