"""The endings that only a process can have, and the words for them."""

from __future__ import annotations

import os
import signal
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from codemode.runtime import CodeRunFailure, Expired, at_line, failure_of
from codemode.runtime.outcome import MAX_QUOTED

if TYPE_CHECKING:
    from codemode.process.config import ProcessRuntimeConfig

_TICKS_NS: Final = 100_000_000


@dataclass(frozen=True, slots=True)
class Violated:
    """The guest broke the protocol.

    Attributes:
        how: In what way.
    """

    how: str


@dataclass(frozen=True, slots=True)
class Died:
    """The process ended before the program did.

    Attributes:
        status: Its wait status; None when whoever started it ended too.
        cpu_ns: The CPU time of its whole life.
        said: What the interpreter wrote.
        line: What the program was executing, if that could be known.
    """

    status: int | None
    cpu_ns: int | None
    said: str
    line: int | None


def failure_of_process(
    ending: Violated | Died, config: ProcessRuntimeConfig, cpu_limit_s: int, program: str
) -> CodeRunFailure:
    """Return the failure that such an ending is."""
    if isinstance(ending, Violated):
        message = f"the process broke the protocol and was ended: {ending.how}"
        return CodeRunFailure(kind="worker-exit", message=message)
    if _killed_for_cpu(ending, cpu_limit_s):
        return failure_of(Expired("compute_ms", ending.line), config, program)
    message = f"the process {_exit_words(ending.status)}"
    if ending.said.strip():
        message += f"; it said: {ending.said.strip()[:MAX_QUOTED]}"
    return at_line("worker-exit", message, ending.line, program)


def _killed_for_cpu(died: Died, cpu_limit_s: int) -> bool:
    """Whether the kernel's own limit of CPU time came before the host's watch.

    At the hard limit the kernel sends SIGKILL, which by itself could be anybody's.
    """
    if died.status is None or not os.WIFSIGNALED(died.status):
        return False
    number = os.WTERMSIG(died.status)
    # The kernel counts in ticks, and may strike a little before its own figure says so.
    spent = (died.cpu_ns or 0) >= cpu_limit_s * 1_000_000_000 - _TICKS_NS
    return number == signal.SIGXCPU or (number == signal.SIGKILL and spent)


def _exit_words(status: int | None) -> str:
    if status is None:
        return "was lost with the template that had forked it"
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        if number == signal.SIGSYS:
            return "was killed by SIGSYS: it made a system call that no program has a use for"
        # Real-time signals have no names.
        known = number in signal.Signals.__members__.values()
        return f"was killed by {signal.Signals(number).name if known else f'signal {number}'}"
    return f"exited with status {os.WEXITSTATUS(status)}"
