"""One `run_code`, beside its arguments and its result."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass

from codemode.bridge.report import RunReport
from codemode.errors import UsageError
from codemode.runtime import AbortSignal
from codemode.tools import View


@dataclass(slots=True, kw_only=True, eq=False)
class Execution:
    """One `run_code`, as the host asked for it, and what it is told beside the result.

    Attributes:
        view: The tools that the model was told of.
        signal: Ends the run when it fires.
        begun: Whether every policy has let it pass.
        report: What the run did and used; `None` before it has ended.
        misuse: What the runtime could not be asked for, which is the host's affair.
    """

    view: View
    signal: AbortSignal | None = None
    begun: bool = False
    report: RunReport | None = None
    misuse: UsageError | None = None

    @contextmanager
    def gate(self) -> Iterator[AbortSignal]:
        """Give a signal that fires with the given one until the program begins.

        From then on it is the runtime's to end the run: it keeps what was printed, and the
        calls that were made are told of.
        """
        gate = AbortSignal()

        def forward() -> None:
            if not self.begun and self.signal is not None:
                gate.abort(self.signal.reason)

        with self.signal.calling(forward) if self.signal is not None else nullcontext():
            yield gate
