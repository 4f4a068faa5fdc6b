"""Code mode: a model's Python program runs in a locked-down process and calls your tools.

Owns the names that users need, gathered from the rooms below; each room has more of its own.
Never an adapter, never the command line. Start reading at `runtime`, the seam.
"""

from codemode.errors import CodemodeError, RuntimeFault, UsageError
from codemode.process import ProcessRuntime, ProcessRuntimeConfig, run_sync
from codemode.runtime import (
    ABSENT,
    AbortSignal,
    CodeBindingErrorClass,
    CodeBindingNamespace,
    CodeRunFailure,
    CodeRunRequest,
    CodeRunResult,
    CodeRuntime,
    waiting_for_person,
)
from codemode.tools import ToolCallError, ToolDefinition, ToolRegistry

__all__ = [
    "ABSENT",
    "AbortSignal",
    "CodeBindingErrorClass",
    "CodeBindingNamespace",
    "CodeRunFailure",
    "CodeRunRequest",
    "CodeRunResult",
    "CodeRuntime",
    "CodemodeError",
    "ProcessRuntime",
    "ProcessRuntimeConfig",
    "RuntimeFault",
    "ToolCallError",
    "ToolDefinition",
    "ToolRegistry",
    "UsageError",
    "run_sync",
    "waiting_for_person",
]
