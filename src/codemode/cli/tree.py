"""A session as lines of text, indented by what belongs to what."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final, assert_never

from codemode.runtime import ABSENT
from codemode.session import (
    ApprovalAnswered,
    ApprovalAsked,
    Entry,
    HeaderAssembled,
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
from codemode_guest.values import encode

_MAX_TEXT: Final = 100
_MAX_LINES: Final = 6
_STEP: Final = "  "


class Tree:
    """Turns entries into lines, and knows which calls have not come back.

    Args:
        full: Whether texts and values are shown whole.
    """

    def __init__(self, *, full: bool = False) -> None:
        self._full = full
        self._began_ms: int | None = None
        self._at_ms = 0
        #: What was started and has not ended, in order: by its call's id.
        self._open: dict[str, str] = {}
        self._sub_calls: dict[str, SubCallStarted] = {}

    def lines(self, entry: Entry) -> Iterator[str]:
        """Yield what there is to show of an entry, which may be nothing."""
        if self._began_ms is None:
            self._began_ms = entry.at_ms
        self._at_ms = entry.at_ms - self._began_ms
        first = True
        for line in self._shown(entry):
            yield (f"{self._at_ms / 1000:10.3f}  " if first else " " * 12) + line
            first = False

    def unfinished(self) -> Iterator[str]:
        """Yield what has no end in the log: it goes on, or the host stopped."""
        for what in self._open.values():
            yield f"{'…':>10}  {what}: no end on record"

    def _shown(self, entry: Entry) -> Iterator[str]:
        match entry.event:
            case SessionOpened() as event:
                yield from self._opened(event, entry.at_ms)
            case HeaderAssembled() | RequestSent() | MessageAdded():
                yield from self._request(entry.event)
            case ToolCalled() | ToolReturned():
                yield from self._call(entry.event)
            case RunStarted() | RunEnded():
                yield from self._run(entry.event)
            case SubCallStarted() | SubCallSettled():
                yield from self._sub_call(entry.event)
            case ApprovalAsked(tool=tool, reason=reason):
                yield f"{_STEP}asked for approval of {tool}{_why(reason)}"
            case ApprovalAnswered(outcome=outcome, waited_ms=waited_ms):
                yield f"{_STEP}approval: {outcome} after {_time(waited_ms)}"
            case Noted(topic=topic, body=body):
                yield f"note {topic}: {self._value(body)}"
            case ToolStarted() | RunPrinted() | ToolProgressed():
                pass
            case _ as unknown:
                assert_never(unknown)

    def _opened(self, event: SessionOpened, at_ms: int) -> Iterator[str]:
        when = datetime.fromtimestamp(at_ms / 1000, UTC)
        how = "resumed" if event.resumed else "begun"
        yield f"session {how} {when:%Y-%m-%d %H:%M:%S} UTC, codemode {event.product}"
        if event.torn:
            yield f"{_STEP}a torn line was taken out: {self._text(event.torn)}"

    def _request(self, event: HeaderAssembled | RequestSent | MessageAdded) -> Iterator[str]:
        match event:
            case HeaderAssembled(reason=reason, mode=mode, system=system, tools=tools):
                runs = f", {event.language} ({event.isolation})" if event.language else ""
                yield (
                    f"header ({reason}): mode {mode}{runs}, {_count(len(tools), 'tool')}, "
                    f"{_count(len(system), 'character')} of system text"
                )
                if self._full:
                    yield from (_STEP + line for line in system.split("\n"))
            case RequestSent(api=api, parameters=parameters):
                yield f"request to {parameters.get('model', 'a model')} ({api})"
            case MessageAdded(message=message):
                yield f"message {self._value(message)}"
            case _ as unknown:
                assert_never(unknown)

    def _call(self, event: ToolCalled | ToolReturned) -> Iterator[str]:
        if isinstance(event, ToolCalled):
            self._open[event.call_id] = f"{event.tool} ({event.call_id})"
            # The program of a run is shown with the run.
            arguments = "" if event.tool == "run_code" else f" {self._value(event.arguments)}"
            yield f"{event.tool} ({event.call_id}){arguments}"
            return
        self._open.pop(event.call_id, None)
        took = "" if event.wall_ms is None else f" after {_time(event.wall_ms)}"
        how = "failed" if event.is_error else "answered"
        why = f": {self._text(_failure(event.failure))}" if event.is_error else ""
        yield f"{event.tool} ({event.call_id}) {how}{took}{why}"
        yield from self._block(_text_of(event.content))

    def _run(self, event: RunStarted | RunEnded) -> Iterator[str]:
        if isinstance(event, RunStarted):
            yield f"{_STEP}program, seed {event.seed}"
            yield from (_STEP + line for line in self._block(event.program))
            return
        if event.error is not None:
            kind, message = (str(event.error.get(key)) for key in ("kind", "message"))
            yield f"{_STEP}ended: {kind}: {self._text(message.partition(chr(10))[0])}"
        elif event.value is ABSENT:
            yield f"{_STEP}ended without a value, {_count(len(event.logs), 'line')} printed"
        else:
            printed = _count(len(event.logs), "line")
            yield f"{_STEP}ended with {self._value(event.value)}, {printed} printed"
        if event.report is not None:
            yield from (_STEP + line for line in _used(event.report))

    def _sub_call(self, event: SubCallStarted | SubCallSettled) -> Iterator[str]:
        number = event.call_id.rpartition(":")[2]
        if isinstance(event, SubCallStarted):
            self._sub_calls[event.call_id] = event
            self._open[event.call_id] = f"{_STEP}{number}. {event.tool}"
            return
        self._open.pop(event.call_id, None)
        started = self._sub_calls.pop(event.call_id, None)
        arguments = self._value(started.arguments) if started else ""
        came = _failure(event.failure) if event.is_error else self._value(event.value)
        arrow = "failed:" if event.is_error else "->"
        yield f"{_STEP}{number}. {event.tool} {arguments} {arrow} {came}  {_time(event.wall_ms)}"

    def _value(self, value: object) -> str:
        if value is ABSENT:
            return "nothing"
        return self._text(encode(value).decode())

    def _text(self, text: str) -> str:
        if self._full or len(text) <= _MAX_TEXT:
            return text
        return text[: _MAX_TEXT - 1] + "…"

    def _block(self, text: str) -> Iterator[str]:
        lines = text.split("\n") if text else []
        shown = lines if self._full else lines[:_MAX_LINES]
        yield from (f"{_STEP}| {self._text(line)}" for line in shown)
        if len(lines) > len(shown):
            yield f"{_STEP}| … {len(lines) - len(shown)} more lines"


def _used(report: Mapping[str, Any]) -> Iterator[str]:
    yield (
        f"{_count(report.get('calls', 0), 'call')}, {report.get('errors', 0)} failed; "
        f"{report.get('bytes_in', 0):,} bytes in, {report.get('bytes_out', 0):,} out"
    )
    times = {name: report.get(f"{name}_ms") for name in ("wall", "compute", "queued", "parked")}
    yield ", ".join(f"{name} {_time(ms)}" for name, ms in times.items() if ms)


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def _failure(failure: Mapping[str, object] | None) -> str:
    if failure is None:
        return "no reason on record"
    # The first line says what; where and how is in the result itself.
    message = str(failure.get("message")).partition("\n")[0]
    return f"{failure.get('code')}, effect {failure.get('effect')}: {message}"


def _why(reason: str | None) -> str:
    return f": {reason}" if reason else ""


def _time(ms: float) -> str:
    return f"{ms / 1000:.1f} s" if ms >= 1000 else f"{ms:.3g} ms"  # noqa: PLR2004 - a second


def _text_of(content: Sequence[object]) -> str:
    texts = [
        part.get("text") or f"[{part.get('type')}]" for part in content if isinstance(part, dict)
    ]
    return "\n".join(map(str, texts))
