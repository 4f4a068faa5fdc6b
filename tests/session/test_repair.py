"""Calls that a crash left open get a result that says what is known."""

from __future__ import annotations

from codemode.session import (
    Event,
    RunStarted,
    SubCallStarted,
    ToolCalled,
    ToolReturned,
    ToolStarted,
    repairs,
)
from tests.session.records import entries, settled, started

CALLED = ToolCalled(call_id="c1", tool="run_code", arguments={"code": "…"})
BEGUN = ToolStarted(call_id="c1", tool="run_code", arguments={"code": "…"})
RUN = RunStarted(call_id="c1", program="…", seed=1, language="python", isolation="process")
ANSWERED = ToolReturned(call_id="c1", tool="run_code", content=[])


def texts(*events: Event) -> list[object]:
    return [
        part["text"]
        for result in repairs(entries(*events))
        for part in result.content
        if isinstance(part, dict)
    ]


def test_a_call_that_never_began_can_be_made_again() -> None:
    """Nothing was done, and the model is told so (checklist 103)."""
    (result,) = repairs(entries(CALLED))

    assert result.failure is not None
    assert ("not-started", True) == (result.failure["effect"], result.failure["retryable"])
    assert "Nothing was done" in str(texts(CALLED)[0])


def test_a_call_of_unknown_outcome_is_to_be_checked_first() -> None:
    """The text differs from that of a call that never began (checklist 103)."""
    (result,) = repairs(entries(CALLED, BEGUN))

    assert result.failure is not None
    assert ("unknown", False) == (result.failure["effect"], result.failure["retryable"])
    assert texts(CALLED) != texts(CALLED, BEGUN)
    assert "not known; check" in str(texts(CALLED, BEGUN)[0])


def test_a_program_is_told_which_of_its_calls_came_back() -> None:
    """Committed, failed and open calls are told apart (checklist 103)."""
    events: list[Event] = [
        CALLED,
        BEGUN,
        RUN,
        started(1),
        started(2),
        settled(1),
        started(3),
        settled(3, is_error=True),
    ]

    (text,) = texts(*events)

    assert "came back: write (call 1)." in str(text)
    assert "unknown outcome: write (call 2)." in str(text)
    assert "call 3" not in str(text)


def test_many_calls_are_counted_not_listed() -> None:
    """The text stays short."""
    (text,) = texts(CALLED, BEGUN, *(settled(n) for n in range(1, 101)))

    assert str(text).endswith("write (call 20) and 80 more.")


def test_an_answered_call_needs_no_repair() -> None:
    """Nor do the calls of its program."""
    assert () == repairs(entries(CALLED, BEGUN, started(1), ANSWERED))


def test_repairs_come_in_the_order_of_the_calls() -> None:
    """As the model made them, so that each answer stands where it belongs."""
    other = ToolCalled(call_id="c2", tool="add", arguments={})
    orphan = SubCallStarted(call_id="z:code:1", parent_id="z", root_id="z", tool="t", arguments={})

    assert ["c1", "c2"] == [r.call_id for r in repairs(entries(CALLED, other, orphan))]
