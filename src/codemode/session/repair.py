"""What a model is told of calls that a crash of the host left without an answer."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from codemode.session.events import (
    Entry,
    RunStarted,
    SubCallSettled,
    SubCallStarted,
    ToolCalled,
    ToolReturned,
    ToolStarted,
)

_UNSTARTED: Final = (
    "The host stopped before this call of {tool} began. Nothing was done; make the call again "
    "if it is still needed."
)
_UNKNOWN: Final = (
    "The host stopped while this call of {tool} was under way. Whether it took effect is not "
    "known; check before you make it again."
)
_MAX_SHOWN: Final = 20


@dataclass(slots=True)
class _Open:
    """A call without an answer, and what its program called.

    Attributes:
        call: As it came.
        started: Whether its body had begun.
        settled: Sub-calls that came back without an error, in words.
        under_way: Those that had begun and not come back.
    """

    call: ToolCalled
    started: bool = False
    settled: list[str] = field(default_factory=list)
    under_way: dict[str, str] = field(default_factory=dict)


def repairs(entries: Iterable[Entry]) -> tuple[ToolReturned, ...]:
    """Return a result for each call of a log that has none, in the order of the calls.

    Emit them into the resumed session and answer the model with them, so that every call in
    the conversation has its result. A call that never began and one of unknown effect are told
    apart; of a program, the calls that it made are listed.
    """
    open_calls: dict[str, _Open] = {}
    for entry in entries:
        match entry.event:
            case ToolCalled() as call:
                open_calls[call.call_id] = _Open(call)
            case ToolReturned(call_id=call_id):
                open_calls.pop(call_id, None)
            case ToolStarted(call_id=call_id) | RunStarted(call_id=call_id):
                if call_id in open_calls:
                    open_calls[call_id].started = True
            case SubCallStarted() | SubCallSettled() as sub_call:
                if sub_call.parent_id in open_calls:
                    _note(open_calls[sub_call.parent_id], sub_call)
    return tuple(_result(unanswered) for unanswered in open_calls.values())


def _note(outer: _Open, event: SubCallStarted | SubCallSettled) -> None:
    number = event.call_id.rpartition(":")[2]
    if isinstance(event, SubCallStarted):
        outer.under_way[event.call_id] = f"{event.tool} (call {number})"
        return
    outer.under_way.pop(event.call_id, None)
    if not event.is_error:
        outer.settled.append(f"{event.tool} (call {number})")


def _result(unanswered: _Open) -> ToolReturned:
    call = unanswered.call
    text = (_UNKNOWN if unanswered.started else _UNSTARTED).format(tool=call.tool)
    text += _listed("Calls of its program that came back", unanswered.settled)
    text += _listed("Calls of its program of unknown outcome", list(unanswered.under_way.values()))
    return ToolReturned(
        call_id=call.call_id,
        tool=call.tool,
        content=[{"type": "text", "text": text}],
        is_error=True,
        failure={
            "code": "ABORTED" if unanswered.started else "ABORTED_BEFORE_DISPATCH",
            "message": text,
            "retryable": not unanswered.started,
            "effect": "unknown" if unanswered.started else "not-started",
        },
    )


def _listed(title: str, calls: list[str]) -> str:
    if not calls:
        return ""
    more = f" and {len(calls) - _MAX_SHOWN} more" if len(calls) > _MAX_SHOWN else ""
    return f"\n{title}: {', '.join(calls[:_MAX_SHOWN])}{more}."
