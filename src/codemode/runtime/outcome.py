"""How a run ended, and the words for it: each ending has one kind, whatever the backend."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol

from codemode.runtime.vocabulary import ABSENT, CodeRunFailure, CodeRunReport, CodeRunResult
from codemode_guest.lines import lines_of
from codemode_guest.values import encoded_text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from codemode.runtime.abort import AbortSignal
    from codemode.runtime.ledger import OutputLedger
    from codemode.runtime.vocabulary import FailureKind

#: Of what a program or its interpreter said, so many characters are quoted.
MAX_QUOTED: Final = 500


class Budgets(Protocol):
    """What of a backend's configuration an ending may name."""

    @property
    def compute_ms(self) -> int:
        """CPU time of the program."""

    @property
    def max_wall_ms(self) -> int:
        """Time from start to end, less the parked."""

    @property
    def max_parked_ms(self) -> int:
        """Time in which a person was waited for."""

    @property
    def max_calls(self) -> int:
        """Calls of one run."""

    @property
    def max_output_bytes(self) -> int:
        """Logs, value and message together."""

    @property
    def memory_bytes(self) -> int:
        """Memory of the program."""


@dataclass(frozen=True, slots=True)
class Returned:
    """The program's body returned.

    Attributes:
        value: Lossless JSON, or `ABSENT` when it returned nothing.
        encoded_bytes: The length of its JSON.
    """

    value: object = ABSENT
    encoded_bytes: int = 0


@dataclass(frozen=True, slots=True)
class Failed:
    """The program failed, in the guest's own words.

    Attributes:
        claim: What the guest takes it for: `exception`, `invalid-output`, `output-limit` or
            `memory`. It cannot claim what only a host can know.
        message: What it says.
        phase: When it was: `compile` or `run`.
        line: In the program, from 1.
        column: In that line, from 1.
        source_line: Its text.
        exception_type: Its class.
    """

    claim: str
    message: str
    phase: str | None = None
    line: int | None = None
    column: int | None = None
    source_line: str | None = None
    exception_type: str | None = None


@dataclass(frozen=True, slots=True)
class Expired:
    """A budget ran out.

    Attributes:
        budget: The field of the configuration.
        line: What the program was executing, if that could be known.
    """

    budget: str
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Aborted:
    """Somebody outside ended the run."""

    reason: str | None


@dataclass(frozen=True, slots=True)
class Flooded:
    """The program put out more than it may."""


_EXPIRED_WORDS: Final = {
    "compute_ms": "the program used more than {limit} ms of CPU time",
    "max_wall_ms": "the program ran for more than {limit} ms",
    "max_parked_ms": "the program waited for a person for more than {limit} ms",
    "max_calls": "the program made more than {limit} calls",
}


def result_of(outcome: Returned | Failed, ledger: OutputLedger, budgets: Budgets) -> CodeRunResult:
    """Return the result of a program that ended by itself, without a report."""
    logs = ledger.lines()
    if isinstance(outcome, Failed):
        return CodeRunResult(logs=logs, error=_failure(outcome, ledger, budgets))
    if not ledger.fits(outcome.encoded_bytes):
        return CodeRunResult(logs=logs, error=failure_of(Flooded(), budgets, ""))
    return CodeRunResult(value=outcome.value, logs=logs)


def failure_of(
    ending: Expired | Aborted | Flooded, budgets: Budgets, program: str
) -> CodeRunFailure:
    """Return the failure of a program that was ended from outside.

    Args:
        ending: Why.
        budgets: Whose limits the words name.
        program: Its source, to quote a line from.
    """
    match ending:
        case Expired(budget, line):
            words = _EXPIRED_WORDS[budget].format(limit=getattr(budgets, budget))
            return at_line("timeout", f"{words} ({budget})", line, program, budget)
        case Aborted(reason):
            message = f"the run was aborted: {reason}" if reason else "the run was aborted"
            return CodeRunFailure(kind="abort", message=message)
        case Flooded():
            return CodeRunFailure(
                kind="output-limit", message=_output_words(budgets), budget="max_output_bytes"
            )


def rejection_words(error: BaseException) -> str:
    """Return what a program is told of an exception of its binding."""
    try:
        return str(error) or type(error).__name__
    except Exception:  # its own words are code, and code can fail
        return type(error).__name__


def lossy_result_words(error: ValueError) -> str:
    """Return what a program is told of a result that cannot cross."""
    return f"its result is not lossless JSON: {error}"


def never_begun(signals: Iterable[AbortSignal], queued_s: float) -> CodeRunResult:
    """Return the result of a run whose signal had fired before it got its turn."""
    reason = next((signal.reason for signal in signals if signal.aborted), None)
    message = "the run was aborted before it began" + (f": {reason}" if reason else "")
    return CodeRunResult(
        error=CodeRunFailure(kind="abort", message=message),
        report=CodeRunReport(queued_ms=queued_s * 1000),
    )


def at_line(
    kind: FailureKind, message: str, line: int | None, program: str, budget: str | None = None
) -> CodeRunFailure:
    """Return a failure that quotes the line that was running, where the program has it."""
    lines = lines_of(program)
    text = lines[line - 1] if line is not None and 0 < line <= len(lines) else None
    if text is None:
        return CodeRunFailure(kind=kind, message=message, budget=budget)
    return CodeRunFailure(
        kind=kind,
        message=f"{message}\n  line {line}\n    {text.strip()[:MAX_QUOTED]}",
        phase="run",
        line=line,
        source_line=text[:MAX_QUOTED],
        budget=budget,
    )


def _failure(failed: Failed, ledger: OutputLedger, budgets: Budgets) -> CodeRunFailure:
    kind, message, budget = failed.claim, failed.message, None
    fits = ledger.fits(len(encoded_text(message)))
    if not fits:
        # Its first words are worth more than the cap: they say why there is nothing to come.
        message = message[:MAX_QUOTED]
    if kind == "memory":
        kind, budget = "worker-exit", "memory_bytes"
        message = (
            f"the program ran out of its {budgets.memory_bytes} bytes of memory (memory_bytes)\n"
            f"{message}"
        )
    elif kind == "output-limit":
        budget = "max_output_bytes"
        message = f"{_output_words(budgets)}: {message}"
    elif not fits:
        kind, budget = "output-limit", "max_output_bytes"
        message = f"{_output_words(budgets)}; it failed with {message}"
    return CodeRunFailure(
        kind=kind,  # type: ignore[arg-type]  # a claim that is none of ours was refused
        message=message,
        phase=failed.phase,  # type: ignore[arg-type]  # likewise
        line=failed.line,
        column=failed.column,
        source_line=_quoted(failed.source_line),
        exception_type=_quoted(failed.exception_type),
        budget=budget,
    )


def _quoted(text: str | None) -> str | None:
    return None if text is None else text[:MAX_QUOTED]


def _output_words(budgets: Budgets) -> str:
    return (
        f"what the program prints and returns is limited to {budgets.max_output_bytes} bytes "
        "(max_output_bytes); print or return less, such as the first items and a count"
    )
