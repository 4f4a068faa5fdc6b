"""One event of each kind, and what makes entries of events."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from codemode.session import (
    ApprovalAnswered,
    ApprovalAsked,
    Entry,
    Event,
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

ONE_OF_EACH: Final[tuple[Event, ...]] = (
    SessionOpened(product="1.2", resumed=True, torn='{"v":1,"se'),
    HeaderAssembled(
        reason="initial",
        mode="code",
        system="Be brief.\n\nUse run_code.",
        tools=[{"name": "run_code", "input_schema": {"type": "object"}}],
        language="python",
        isolation="process",
    ),
    MessageAdded(message={"role": "user", "content": "häßlich\ud800"}),
    RequestSent(api="openai-chat", parameters={"model": "m", "seed": 2**70}, body_sha256="ab"),
    ToolCalled(call_id="c1", tool="run_code", arguments={"code": "return 1"}),
    ToolStarted(call_id="c1", tool="run_code", arguments={"code": "return 1"}),
    ApprovalAsked(call_id="c1", tool="run_code", reason="it writes"),
    ApprovalAnswered(call_id="c1", outcome="denied", waited_ms=12.5),
    RunStarted(call_id="c1", program="return 1", seed=2**64 - 1, language="python", isolation="x"),
    SubCallStarted(
        call_id="c1:code:1", parent_id="c1", root_id="c1", tool="add", arguments={"a": -0.0}
    ),
    SubCallSettled(
        call_id="c1:code:1",
        parent_id="c1",
        tool="add",
        content=[{"type": "text", "text": "3"}],
        value={"deep": [None, True, 1, 1.0]},
        wall_ms=0.25,
    ),
    RunEnded(call_id="c1", logs=["a", "b"], value=None, report={"calls": 1}),
    ToolReturned(call_id="c1", tool="run_code", content=[], is_error=True, failure={"code": "X"}),
    Noted(topic="mine", body=[1, "two"]),
)

LIVE_ONLY: Final = RunPrinted(call_id="c1", text="a\n")
PROGRESS: Final = ToolProgressed(call_id="c1:code:1", progress=1, total=3.5, message="one")


def entries(*events: Event) -> list[Entry]:
    return [Entry(seq=n, at_ms=1_000 + n, event=event) for n, event in enumerate(events, 1)]


def settled(number: int, value: object = "done", **changes: Any) -> SubCallSettled:
    told: dict[str, Any] = {
        "call_id": f"c1:code:{number}",
        "parent_id": "c1",
        "tool": "write",
        "content": [{"type": "text", "text": "done"}],
        "value": value,
    }
    return SubCallSettled(**{**told, **changes})


def started(number: int) -> SubCallStarted:
    return SubCallStarted(
        call_id=f"c1:code:{number}", parent_id="c1", root_id="c1", tool="write", arguments={}
    )


def events_of(found: Iterable[Entry]) -> list[Event]:
    return [entry.event for entry in found]
