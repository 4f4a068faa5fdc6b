"""Each ending has one kind and one set of words, whatever the backend."""

from __future__ import annotations

import pytest

from codemode import ABSENT, AbortSignal, CodeRunFailure, ProcessRuntimeConfig
from codemode.runtime import (
    Aborted,
    Expired,
    Failed,
    Flooded,
    OutputLedger,
    Returned,
    at_line,
    failure_of,
    never_begun,
    result_of,
)

BUDGETS = ProcessRuntimeConfig(
    compute_ms=1001,
    max_wall_ms=1002,
    max_parked_ms=1003,
    max_calls=1004,
    max_output_bytes=1005,
    memory_bytes=2**27,
)
PROGRAM = "first()\n    second()\nthird()"


def ledger(*texts: str, max_bytes: int = BUDGETS.max_output_bytes) -> OutputLedger:
    """A ledger with text in it."""
    found = OutputLedger(max_bytes)
    for text in texts:
        assert found.write(text)
    return found


def error_of(outcome: Returned | Failed, kept: OutputLedger) -> CodeRunFailure:
    """The failure that an outcome is."""
    result = result_of(outcome, kept, BUDGETS)
    assert result.error is not None
    assert result.value is ABSENT
    return result.error


@pytest.mark.parametrize("value", [None, False, 0, "", [], {"a": [1]}])
def test_a_returned_value_is_the_result(value: object) -> None:
    """Checklist 92: a value that is false, None among them, is a value."""
    result = result_of(Returned(value, 10), ledger("a\n"), BUDGETS)

    assert (value, ("a",), None) == (result.value, result.logs, result.error)


def test_a_program_without_a_value_has_none_that_is_none() -> None:
    """Checklist 92: `ABSENT` is not `None`."""
    result = result_of(Returned(), ledger("a\n"), BUDGETS)

    assert result.value is ABSENT
    assert (("a",), None) == (result.logs, result.error)


@pytest.mark.parametrize("more,fits", [(0, True), (1, False)])
def test_a_value_that_fits_beside_the_logs_is_kept_and_a_byte_more_is_not(
    more: int,
    fits: bool,  # noqa: FBT001
) -> None:
    """Checklist 98: the line takes 3 bytes, so 1002 of 1005 are left."""
    result = result_of(Returned("v", 1002 + more), ledger("a\n"), BUDGETS)

    assert fits is (result.error is None)
    assert fits is (result.value == "v")
    assert ("a",) == result.logs


def test_a_value_too_large_is_an_output_limit_and_the_logs_are_kept() -> None:
    """Checklist 87: the limit is named, and what to do."""
    error = error_of(Returned("v", 2000), ledger("a\n"))

    assert ("output-limit", "max_output_bytes") == (error.kind, error.budget)
    assert "limited to 1005 bytes (max_output_bytes); print or return less" in error.message


def test_a_failure_keeps_its_words_its_place_and_the_logs() -> None:
    """Checklist 75: nothing of what the guest knows is lost."""
    failed = Failed("exception", "ValueError: no", "run", 2, 5, "    second()", "ValueError")

    result = result_of(failed, ledger("a\n", "b"), BUDGETS)

    assert ("a", "b") == result.logs
    assert result.error == CodeRunFailure(
        kind="exception",
        message="ValueError: no",
        phase="run",
        line=2,
        column=5,
        source_line="    second()",
        exception_type="ValueError",
    )


def test_a_lossy_value_is_invalid_output() -> None:
    """Checklist 75: the guest's claim is taken, in its words."""
    error = error_of(Failed("invalid-output", "$.a: a set is not JSON"), ledger())

    assert ("invalid-output", "$.a: a set is not JSON") == (error.kind, error.message)
    assert error.budget is None


def test_running_out_of_memory_is_the_end_of_the_worker_and_names_the_budget() -> None:
    """Checklist 75: `memory` is a claim, not a kind."""
    error = error_of(Failed("memory", "MemoryError\n  line 1", "run", 1), ledger())

    assert ("worker-exit", "memory_bytes", 1) == (error.kind, error.budget, error.line)
    assert f"{2**27} bytes of memory (memory_bytes)\nMemoryError\n  line 1" in error.message


def test_a_value_that_the_guest_found_too_large_is_an_output_limit() -> None:
    """Its own words follow the limit's."""
    error = error_of(Failed("output-limit", "the returned value: too large"), ledger())

    assert ("output-limit", "max_output_bytes") == (error.kind, error.budget)
    assert error.message.endswith("and a count: the returned value: too large")


@pytest.mark.parametrize("more,kind", [(0, "exception"), (1, "output-limit")])
def test_a_message_counts_against_the_cap_to_the_byte(more: int, kind: str) -> None:
    """Checklist 98: 1005 bytes hold a text of 1003 characters and its quotes."""
    error = error_of(Failed("exception", "m" * (1003 + more), "run", 1), ledger())

    assert kind == error.kind


def test_a_message_that_is_too_long_keeps_its_beginning() -> None:
    """What went wrong is worth more than the cap; the place is kept too."""
    error = error_of(Failed("exception", "ValueError: " + "m" * 5000, "run", 3), ledger())

    assert ("output-limit", "max_output_bytes", 3) == (error.kind, error.budget, error.line)
    assert "it failed with ValueError: mmm" in error.message
    assert 1000 > len(error.message)


@pytest.mark.parametrize("budget", ["compute_ms", "max_wall_ms", "max_parked_ms", "max_calls"])
def test_an_expired_budget_is_a_timeout_that_says_which_and_how_much(budget: str) -> None:
    """Checklist 83: each budget has words of its own and the field's name."""
    error = failure_of(Expired(budget), BUDGETS, PROGRAM)

    assert ("timeout", budget) == (error.kind, error.budget)
    assert f" {getattr(BUDGETS, budget)} " in error.message
    assert error.message.endswith(f"({budget})")
    assert (None, None) == (error.line, error.source_line)


def test_an_expired_budget_shows_the_line_that_was_running() -> None:
    """The message quotes it without its indent; the source line is as it stands."""
    error = failure_of(Expired("compute_ms", 2), BUDGETS, PROGRAM)

    assert ("run", 2, "    second()") == (error.phase, error.line, error.source_line)
    assert error.message.endswith("\n  line 2\n    second()")


@pytest.mark.parametrize(
    "reason,message",
    [
        (None, "the run was aborted"),
        ("", "the run was aborted"),
        ("bye", "the run was aborted: bye"),
    ],
)
def test_an_abort_says_its_reason_if_it_has_one(reason: str | None, message: str) -> None:
    """An empty reason is none worth a colon."""
    error = failure_of(Aborted(reason), BUDGETS, PROGRAM)

    assert CodeRunFailure(kind="abort", message=message) == error


def test_a_flood_is_an_output_limit() -> None:
    """Checklist 87: it names the limit and the cure."""
    error = failure_of(Flooded(), BUDGETS, PROGRAM)

    assert ("output-limit", "max_output_bytes") == (error.kind, error.budget)
    assert "1005 bytes" in error.message


def test_a_run_that_never_began_says_so_and_how_long_it_waited() -> None:
    """Checklist 76: the reason is that of the signal that fired."""
    quiet, fired = AbortSignal(), AbortSignal()
    fired.abort("enough")

    result = never_begun([quiet, fired], queued_s=0.25)

    message = "the run was aborted before it began: enough"
    assert CodeRunFailure(kind="abort", message=message) == result.error
    assert (ABSENT, (), 250.0) == (result.value, result.logs, result.report.queued_ms)


def test_a_run_that_never_began_for_no_reason_says_only_that() -> None:
    """There is no colon without a reason."""
    fired = AbortSignal()
    fired.abort()

    error = never_begun([fired], 0.0).error

    assert error is not None
    assert "the run was aborted before it began" == error.message


@pytest.mark.parametrize("line", [None, 0, 4, -1, 10**9])
def test_a_line_that_the_program_does_not_have_is_not_shown(line: int | None) -> None:
    """The number came from a process that is not trusted."""
    error = at_line("timeout", "too long", line, PROGRAM, "compute_ms")

    assert CodeRunFailure(kind="timeout", message="too long", budget="compute_ms") == error


def test_a_generated_line_is_cut() -> None:
    """A program may be one line of a megabyte."""
    error = at_line("worker-exit", "died", 1, "x" * 10**6)

    assert "x" * 500 == error.source_line
    assert 600 > len(error.message)
    assert error.budget is None


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_are_counted_as_python_counts_them(end: str) -> None:
    """Python reads all three as the end of a line, so its numbers mean the same here."""
    error = at_line("timeout", "too long", 2, f"first(){end}second(){end}third()")

    assert ("second()", 2) == (error.source_line, error.line)


def test_a_page_break_ends_no_line() -> None:
    """`str.splitlines` would count more lines than Python does."""
    error = at_line("timeout", "too long", 2, "'\x0c\u2028'\nsecond()")

    assert "second()" == error.source_line
