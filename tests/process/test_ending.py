"""The endings of a process are told apart by what the kernel says, not by what it prints."""

from __future__ import annotations

import signal

import pytest

from codemode import CodeRunFailure, ProcessRuntimeConfig
from codemode.process.ending import Died, Violated, failure_of_process

CONFIG = ProcessRuntimeConfig(compute_ms=1500)
CPU_LIMIT_S = 4
ENOUGH_NS = CPU_LIMIT_S * 1_000_000_000
PROGRAM = "first()\nsecond()"


def failure(
    status: int | None, *, cpu_ns: int | None = 0, said: str = "", line: int | None = None
) -> CodeRunFailure:
    """What it is when a process ends with a wait status."""
    return failure_of_process(Died(status, cpu_ns, said, line), CONFIG, CPU_LIMIT_S, PROGRAM)


def exited(code: int) -> int:
    """The wait status of a process that exited."""
    return code << 8


def test_a_broken_protocol_is_the_end_of_the_worker_with_its_reason() -> None:
    """Checklist 75, 88."""
    error = failure_of_process(Violated("a frame of nothing"), CONFIG, CPU_LIMIT_S, PROGRAM)

    message = "the process broke the protocol and was ended: a frame of nothing"
    assert CodeRunFailure(kind="worker-exit", message=message) == error


@pytest.mark.parametrize("code", [0, 1, 3, 255])
def test_a_process_that_exits_before_its_program_is_told_with_its_status(code: int) -> None:
    """Checklist 88: status 0 is no success; the program has not ended."""
    error = failure(exited(code))

    assert ("worker-exit", f"the process exited with status {code}") == (error.kind, error.message)


@pytest.mark.parametrize("number", [signal.SIGSEGV, signal.SIGKILL, signal.SIGABRT])
def test_a_process_that_is_killed_is_told_with_the_signals_name(number: signal.Signals) -> None:
    """Checklist 88: killed by the kernel or by somebody else."""
    error = failure(number)

    assert ("worker-exit", f"the process was killed by {number.name}") == (
        error.kind,
        error.message,
    )


def test_a_core_dump_changes_nothing() -> None:
    """The eighth bit of the status says only that there is one. Source: waitpid(2)."""
    assert failure(signal.SIGSEGV) == failure(signal.SIGSEGV | 0x80)


@pytest.mark.parametrize("number", [signal.SIGRTMIN, signal.SIGRTMIN + 3, signal.SIGRTMAX])
def test_a_signal_that_python_has_no_name_for_is_told_too(number: int) -> None:
    """Of the real-time signals only the first and the last have a name."""
    error = failure(number)

    assert "worker-exit" == error.kind
    assert "was killed by" in error.message


def test_a_process_that_nobody_could_ask_about_is_told_so() -> None:
    """When the template is gone, so is the status."""
    error = failure(None)

    assert "worker-exit" == error.kind
    assert "the process was lost with the template that had forked it" == error.message


def test_the_kernels_signal_for_cpu_time_is_an_expired_budget() -> None:
    """Checklist 83: the host's watch may come second; the budget named is the same."""
    error = failure(signal.SIGXCPU, line=2)

    assert ("timeout", "compute_ms", 2) == (error.kind, error.budget, error.line)
    assert "1500 ms" in error.message


@pytest.mark.parametrize(
    "cpu_ns,kind",
    [
        (ENOUGH_NS, "timeout"),
        # The kernel may strike some ticks before its own figure says so.
        (ENOUGH_NS - 50_000_000, "timeout"),
        (ENOUGH_NS - 150_000_000, "worker-exit"),
        (0, "worker-exit"),
        (None, "worker-exit"),
    ],
)
def test_a_kill_is_for_cpu_time_only_if_the_time_was_used(cpu_ns: int | None, kind: str) -> None:
    """Checklist 83: at the hard limit the kernel sends what anybody could send."""
    assert kind == failure(signal.SIGKILL, cpu_ns=cpu_ns).kind


def test_exiting_with_much_cpu_time_used_is_no_expiry() -> None:
    """Only a signal is how the limit ends a process."""
    assert "worker-exit" == failure(exited(1), cpu_ns=10 * ENOUGH_NS).kind


def test_what_the_interpreter_said_is_told_in_part() -> None:
    """Checklist 85: crash text is evidence, and may be long."""
    error = failure(signal.SIGSEGV, said="\n Fatal Python error: " + "x" * 1000 + "\n")

    assert "SIGSEGV; it said: Fatal Python error: xxx" in error.message
    assert 600 > len(error.message)


def test_when_the_interpreter_said_nothing_nothing_is_told() -> None:
    """White space is nothing."""
    assert "it said" not in failure(signal.SIGSEGV, said=" \n").message


def test_the_line_that_was_running_is_shown_when_it_is_known() -> None:
    """Failures carry evidence."""
    error = failure(signal.SIGSEGV, line=2)

    assert ("run", 2, "second()") == (error.phase, error.line, error.source_line)
    assert error.message.endswith("  line 2\n    second()")


def test_a_line_that_is_not_in_the_program_is_left_out() -> None:
    """The number was read from the words of a process that is not trusted."""
    error = failure(signal.SIGSEGV, line=3)

    assert (None, None) == (error.line, error.source_line)
