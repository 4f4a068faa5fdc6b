"""`import codemode` gives what users need, and nothing that they would wait for."""

from __future__ import annotations

import subprocess
import sys

import pytest

import codemode

# What users have been told they can import.
PROMISED = {
    "ABSENT",
    "AbortSignal",
    "CodeBindingErrorClass",
    "CodeBindingNamespace",
    "CodeRunFailure",
    "CodeRunRequest",
    "CodeRunResult",
    "CodeRuntime",
    "ProcessRuntime",
    "ProcessRuntimeConfig",
    "ToolCallError",
    "ToolDefinition",
    "ToolRegistry",
    "waiting_for_person",
}
LIMIT_S = 0.150


def child(code: str) -> str:
    """What a fresh interpreter prints."""
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout


def test_every_public_name_is_there_and_every_promised_one_is_public() -> None:
    """`__all__` is the truth, in both directions."""
    assert set(codemode.__all__) >= PROMISED
    assert all(hasattr(codemode, name) for name in codemode.__all__)
    assert sorted(codemode.__all__) == sorted(set(codemode.__all__))


def test_import_codemode_loads_no_command_line_and_no_framework() -> None:
    """What only the command or an extra needs is not paid for by everyone."""
    loaded = child("import codemode, sys; print(*sys.modules)").split()

    assert "codemode.process" in loaded
    for unwanted in ("codemode.cli", "codemode.adapters", "click", "trio", "RestrictedPython"):
        assert unwanted not in loaded


@pytest.mark.slow
def test_import_codemode_takes_less_than_150_ms_of_cpu_time() -> None:
    """CPU time and the best of five, so that a busy machine does not decide."""
    code = "import time; t = time.process_time(); import codemode; print(time.process_time() - t)"

    assert min(float(child(code)) for _ in range(5)) < LIMIT_S
