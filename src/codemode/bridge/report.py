"""What a run did and used, in one record."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

from codemode.runtime import CodeRunReport
from codemode.tools import SubCall


@dataclass(frozen=True, slots=True, kw_only=True)
class RunReport:
    """What one `run_code` did and used. Times in milliseconds, sizes in bytes of the bridge.

    Attributes:
        calls: How many tools the program called.
        errors: How many of these calls failed.
        by_tool: How often it called each.
        wall_ms: From taking the program to the end of its process, parked time included.
        compute_ms: CPU time of the program; `None` where it could not be read.
        queued_ms: Wait for a free place among the concurrent runs.
        parked_ms: Time in which a person was waited for.
        bytes_in: From the program.
        bytes_out: To the program.
        seed: What `random` was seeded with.
        stderr: What the interpreter itself wrote.
    """

    calls: int
    errors: int
    by_tool: Mapping[str, int]
    wall_ms: float
    compute_ms: float | None
    queued_ms: float
    parked_ms: float
    bytes_in: int
    bytes_out: int
    seed: int | None
    stderr: str = ""

    def record(self) -> dict[str, object]:
        """Return it as JSON, times to a microsecond."""
        told = asdict(self)
        return {k: round(v, 3) if isinstance(v, float) else v for k, v in told.items()}


def report_of(used: CodeRunReport, calls: Sequence[SubCall]) -> RunReport:
    """Return the report of a run.

    Args:
        used: What the runtime measured; its calls include those of discovery.
        calls: What became of the calls of tools.
    """
    return RunReport(
        calls=len(calls),
        errors=sum(sub.result.is_error for sub in calls),
        by_tool=dict(sorted(Counter(sub.call.name for sub in calls).items())),
        wall_ms=used.wall_ms,
        compute_ms=used.compute_ms,
        queued_ms=used.queued_ms,
        parked_ms=used.parked_ms,
        bytes_in=used.bytes_from_program,
        bytes_out=used.bytes_to_program,
        seed=used.seed,
        stderr=used.stderr,
    )
