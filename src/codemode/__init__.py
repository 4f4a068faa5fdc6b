"""Code mode: a model's Python program runs in a locked-down process and calls your tools.

Owns the names that users need, gathered from the rooms below; each room has more of its own.
Never an adapter, never the command line. A room is imported when a name of it is first used:
pydantic alone takes a tenth of a second. Start reading at `runtime`, the seam.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from codemode.bridge import CodeMode
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

_ROOMS = {
    "ABSENT": "runtime",
    "AbortSignal": "runtime",
    "CodeBindingErrorClass": "runtime",
    "CodeBindingNamespace": "runtime",
    "CodeMode": "bridge",
    "CodeRunFailure": "runtime",
    "CodeRunRequest": "runtime",
    "CodeRunResult": "runtime",
    "CodeRuntime": "runtime",
    "CodemodeError": "errors",
    "ProcessRuntime": "process",
    "ProcessRuntimeConfig": "process",
    "RuntimeFault": "errors",
    "ToolCallError": "tools",
    "ToolDefinition": "tools",
    "ToolRegistry": "tools",
    "UsageError": "errors",
    "run_sync": "process",
    "waiting_for_person": "runtime",
}

__all__ = [
    "ABSENT",
    "AbortSignal",
    "CodeBindingErrorClass",
    "CodeBindingNamespace",
    "CodeMode",
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


def __getattr__(name: str) -> object:
    """Import the room of a name at its first use, and keep the name."""
    if name not in _ROOMS:
        raise AttributeError(f"module 'codemode' has no attribute {name!r}")
    value: object = getattr(import_module(f"codemode.{_ROOMS[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
