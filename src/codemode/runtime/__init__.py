"""The seam: what a run is given, what comes of it, and the one class a backend implements.

Owns the vocabulary, the rule for names, the abort signal, the run's wall clock, the output
ledger and the task that keeps what lives between opening and closing. Knows no process, no tool
and no framework. Above it are the backends and everything that runs programs; below it only
`errors` and what the guest shares. Start reading at `CodeRuntime` in `code_runtime.py`.
"""

from codemode.runtime.abort import AbortSignal
from codemode.runtime.call_book import CallBook, begin_call
from codemode.runtime.clock import RunClock, current_clock, waiting_for_person
from codemode.runtime.code_runtime import CodeRuntime, RuntimeNotOpenError
from codemode.runtime.ledger import OutputLedger
from codemode.runtime.names import (
    RESERVED_BINDING_GLOBALS,
    RESERVED_ERROR_MEMBERS,
    DuplicateGlobalError,
    InvalidNameError,
    is_portable_global,
    refuse_bad_names,
)
from codemode.runtime.outcome import (
    Aborted,
    Budgets,
    Expired,
    Failed,
    Flooded,
    Returned,
    at_line,
    failure_of,
    lossy_result_words,
    never_begun,
    rejection_words,
    result_of,
)
from codemode.runtime.owner import Owner
from codemode.runtime.signatures import (
    CodeBindingParameter,
    CodeBindingSignature,
    JsonKind,
    packed_signatures,
)
from codemode.runtime.vocabulary import (
    ABSENT,
    Absent,
    Binding,
    CallState,
    CodeBindingErrorClass,
    CodeBindingNamespace,
    CodeCall,
    CodeRunFailure,
    CodeRunReport,
    CodeRunRequest,
    CodeRunResult,
    FailureKind,
    Phase,
)

__all__ = [
    "ABSENT",
    "RESERVED_BINDING_GLOBALS",
    "RESERVED_ERROR_MEMBERS",
    "AbortSignal",
    "Aborted",
    "Absent",
    "Binding",
    "Budgets",
    "CallBook",
    "CallState",
    "CodeBindingErrorClass",
    "CodeBindingNamespace",
    "CodeBindingParameter",
    "CodeBindingSignature",
    "CodeCall",
    "CodeRunFailure",
    "CodeRunReport",
    "CodeRunRequest",
    "CodeRunResult",
    "CodeRuntime",
    "DuplicateGlobalError",
    "Expired",
    "Failed",
    "FailureKind",
    "Flooded",
    "InvalidNameError",
    "JsonKind",
    "OutputLedger",
    "Owner",
    "Phase",
    "Returned",
    "RunClock",
    "RuntimeNotOpenError",
    "at_line",
    "begin_call",
    "current_clock",
    "failure_of",
    "is_portable_global",
    "lossy_result_words",
    "never_begun",
    "packed_signatures",
    "refuse_bad_names",
    "rejection_words",
    "result_of",
    "waiting_for_person",
]
