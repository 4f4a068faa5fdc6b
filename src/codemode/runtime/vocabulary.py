"""The records of the seam: what a run is given and what comes of it."""

from __future__ import annotations

import enum
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, Literal

from codemode.errors import UsageError

if TYPE_CHECKING:
    from codemode.runtime.abort import AbortSignal
    from codemode.runtime.signatures import CodeBindingSignature

#: What a seed is below.
MAX_SEED: Final = 2**64

#: A host function that a program can call: one JSON value in, one JSON value out.
Binding = Callable[[object], Awaitable[object]]

FailureKind = Literal[
    "exception", "timeout", "abort", "worker-exit", "invalid-output", "output-limit"
]
Phase = Literal["compile", "run"]
CallState = Literal["pending", "returned", "raised", "cancelled"]


class Absent(enum.Enum):
    """The type of `ABSENT`."""

    ABSENT = "ABSENT"

    def __repr__(self) -> str:
        return "ABSENT"


#: The completion value of a program that has none, which is not the value `None`.
ABSENT: Final = Absent.ABSENT


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeBindingErrorClass:
    """The exception class that a rejected call raises inside the program.

    Attributes:
        name: Its name, a global of the program.
        member_name_property: The attribute that holds the exact name of the rejected member.
    """

    name: str
    member_name_property: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeBindingNamespace:
    """One global object of async callables inside the program.

    Attributes:
        global_name: The name of the object in the program.
        functions: Any string to a binding; no name is special, `__class__` is an ordinary key.
        error_class: What a rejected call raises; `RuntimeError` where there is none.
        signatures: What calls of a member may look like, for those of which it is known. Where
            it is given, a program that is certain to fail is not begun.
    """

    global_name: str
    functions: Mapping[str, Binding]
    error_class: CodeBindingErrorClass | None = None
    signatures: Mapping[str, CodeBindingSignature] | None = None

    def __post_init__(self) -> None:
        """Keep a copy: a run must not change when the caller's mapping does.

        Raises:
            UsageError: If a name is no text, or what it names cannot be called.
        """
        for name, function in self.functions.items():
            if type(name) is not str or not callable(function):
                raise UsageError(
                    f"the namespace {self.global_name!r} maps {name!r} to {function!r}; "
                    "it maps text to async functions"
                )
        object.__setattr__(self, "functions", MappingProxyType(dict(self.functions)))
        if self.signatures is not None:
            object.__setattr__(self, "signatures", MappingProxyType(dict(self.signatures)))


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeRunRequest:
    """A program and what it may call.

    Attributes:
        program: Python source, the body of an async function.
        bindings: The namespaces that the program finds.
        signal: Ends the run when it fires, as `abort`.
        seed: What `random` is seeded with, at most 64 bits; the runtime chooses if left out.
        on_print: Told printed text as it comes, of any number of lines, in the host's event
            loop. It must be quick; what it raises is logged and changes nothing.
        check_only: Whether to run nothing: the value is the list of all that is wrong with the
            program, each an object with line, column, kind (`syntax`, `policy` or `check`),
            type_name, reason, substitute and certain (whether it is never begun).
    """

    program: str
    bindings: Sequence[CodeBindingNamespace] = ()
    signal: AbortSignal | None = None
    seed: int | None = None
    on_print: Callable[[str], object] | None = None
    check_only: bool = False

    def __post_init__(self) -> None:
        """Keep a copy, as above.

        Raises:
            UsageError: If the program is no text, a binding no `CodeBindingNamespace`, or the
                seed out of range.
        """
        if not isinstance(self.program, str):
            raise UsageError(f"a program is text, not {type(self.program).__name__}")
        if self.seed is not None and (type(self.seed) is not int or not 0 <= self.seed < MAX_SEED):
            raise UsageError(f"a seed is a number of at most 64 bits, not {self.seed!r}")
        if isinstance(self.bindings, CodeBindingNamespace):
            raise UsageError("bindings is a sequence; write bindings=[namespace]")
        object.__setattr__(self, "bindings", tuple(self.bindings))
        for namespace in self.bindings:
            if not isinstance(namespace, CodeBindingNamespace):
                raise UsageError(
                    f"a binding is a CodeBindingNamespace, not {type(namespace).__name__}; "
                    "a registry gives one: registry.binding_namespace()"
                )


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeRunFailure:
    """Why a run has no completion value.

    Attributes:
        kind: `exception` (the program threw, did not parse or did not pass the policy),
            `timeout` (a budget expired), `abort` (the signal fired), `worker-exit` (the
            process died), `invalid-output` (the completion value is not lossless JSON) or
            `output-limit` (logs, value and message exceed their cap).
        message: For a reader; everything below is there so that nobody parses it.
        phase: Where the program was, if that is known.
        line: In the model's source, from 1.
        column: In the model's source, from 1.
        source_line: The text of that line.
        exception_type: The name of the exception's class.
        budget: The configuration field whose limit was reached.
    """

    kind: FailureKind
    message: str
    phase: Phase | None = None
    line: int | None = None
    column: int | None = None
    source_line: str | None = None
    exception_type: str | None = None
    budget: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeCall:
    """One call that a program made, in the order of submission.

    Attributes:
        id: 1 for the first call of the run.
        global_name: The namespace.
        member: The exact name of the binding.
        state: `pending` when the run ended before the binding did.
    """

    id: int
    global_name: str
    member: str
    state: CallState


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeRunReport:
    """What a run did and used. Times in milliseconds, sizes in bytes of the bridge.

    Attributes:
        calls: Every call, in the order of submission.
        wall_ms: From taking the program to the end of its process, parked time included.
        compute_ms: CPU time of the program; `None` where it could not be read.
        queued_ms: Wait for a free place among the concurrent runs.
        parked_ms: Time in which a person was waited for.
        bytes_from_program: Received, frames included.
        bytes_to_program: Sent, frames included.
        seed: What `random` was seeded with.
        stderr: What the interpreter itself wrote (warnings, crash text), cut at 64 KiB.
    """

    calls: tuple[CodeCall, ...] = ()
    wall_ms: float = 0.0
    compute_ms: float | None = None
    queued_ms: float = 0.0
    parked_ms: float = 0.0
    bytes_from_program: int = 0
    bytes_to_program: int = 0
    seed: int | None = None
    stderr: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeRunResult:
    """What came of a run. Exactly one of a value, no value (`ABSENT`) or an error.

    Attributes:
        value: The completion value: what the program returned. A program that returns
            nothing has `ABSENT`; one that says `return None` has `None`.
        logs: One string per printed line, without its newline, whatever the outcome.
        error: Why there is no value.
        report: What the run did and used.
    """

    value: object = ABSENT
    logs: tuple[str, ...] = ()
    error: CodeRunFailure | None = None
    report: CodeRunReport = CodeRunReport()
