"""Approvals: a person is asked, the program parked, and an answer may hold for a whole run."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal, get_args

import anyio

from codemode.errors import UsageError
from codemode.runtime import waiting_for_person
from codemode.session import ApprovalAnswered, ApprovalAsked, ApprovalOutcome, EventSink
from codemode.tools.definition import ToolCall
from codemode.tools.errors import ToolCallError

Approval = Literal["allowed-once", "allowed-for-run", "denied", "cancelled"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ApprovalRequest:
    """What a person is asked.

    Attributes:
        call: The call that waits for the answer.
        reason: Why a person is asked, if a hook has said so.
    """

    call: ToolCall
    reason: str | None


#: Asks a person and returns the answer, however long that takes.
ApprovalHandler = Callable[[ApprovalRequest], Awaitable[Approval]]

_WORDS: Final = MappingProxyType(
    {
        "denied": "a person was asked and denied the call",
        "cancelled": "the question whether to allow the call was withdrawn unanswered",
        "unavailable": "the call needs a person's approval, and nobody can be asked",
    }
)


class Approvals:
    """Asks, and remembers what was allowed for one run.

    Calls of one tool are asked about one after the other, so that an answer for the whole run
    spares the questions behind it; different tools do not wait for each other.

    Args:
        handler: Who asks; without one, nothing is allowed.
    """

    def __init__(self, handler: ApprovalHandler | None) -> None:
        self._handler = handler
        self._allowed: set[str] = set()
        self._turns: defaultdict[str, anyio.Lock] = defaultdict(anyio.Lock)

    async def obtain(self, call: ToolCall, reason: str | None, sink: EventSink | None) -> None:
        """Return once the call may be made; the program's wall clock stands still meanwhile.

        Raises:
            ToolCallError: If it may not.
        """
        if call.name in self._allowed:
            return
        async with waiting_for_person(), self._turns[call.name]:
            if call.name in self._allowed:
                return
            outcome = await self._ask(call, reason, sink)
            if outcome == "allowed-for-run":
                self._allowed.add(call.name)
        if outcome not in ("allowed-once", "allowed-for-run"):
            raise _refusal(outcome, reason)

    async def _ask(
        self, call: ToolCall, reason: str | None, sink: EventSink | None
    ) -> ApprovalOutcome:
        if sink is not None:
            sink.emit(ApprovalAsked(call_id=call.id, tool=call.name, reason=reason))
        started = time.monotonic()
        outcome: ApprovalOutcome = "cancelled"
        try:
            outcome = await self._answer(call, reason)
        except Exception:
            outcome = "unavailable"
            raise
        finally:
            if sink is not None:
                waited_ms = (time.monotonic() - started) * 1000
                sink.emit(ApprovalAnswered(call_id=call.id, outcome=outcome, waited_ms=waited_ms))
        return outcome

    async def _answer(self, call: ToolCall, reason: str | None) -> ApprovalOutcome:
        if self._handler is None:
            return "unavailable"
        answer = await self._handler(ApprovalRequest(call=call, reason=reason))
        if answer not in (answers := get_args(Approval)):
            known = ", ".join(map(repr, answers))
            raise UsageError(f"the approval handler answered {answer!r}; answer one of {known}")
        return answer


def _refusal(outcome: ApprovalOutcome, reason: str | None) -> ToolCallError:
    message = f"{_WORDS[outcome]} ({reason})" if reason else _WORDS[outcome]
    if outcome == "cancelled":
        # Nobody has said no: the question may be put again.
        return ToolCallError(
            message, code="ABORTED_BEFORE_DISPATCH", retryable=True, effect="not-started"
        )
    return ToolCallError(message, code="DENIED", effect="not-started")
