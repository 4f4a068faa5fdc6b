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
    "CodeMode",
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


def test_import_codemode_loads_nothing_that_takes_time() -> None:
    """Rooms, and the packages that they need, wait for the first use of a name."""
    loaded = child("import codemode, sys; print(*sys.modules)").split()

    for unwanted in ("codemode.process", "pydantic", "asyncio", "anyio", "psutil"):
        assert unwanted not in loaded


def test_using_every_name_loads_no_command_line_and_no_framework() -> None:
    """What only the command, an extra or a guest needs is not paid for by everyone."""
    loaded = child("from codemode import *; import sys; print(*sys.modules)").split()

    assert "codemode.process" in loaded
    for unwanted in ("codemode.cli", "codemode.adapters", "click", "trio", "RestrictedPython"):
        assert unwanted not in loaded


def test_a_name_that_is_not_there_is_an_attribute_error() -> None:
    """As for any module."""
    with pytest.raises(AttributeError, match="has no attribute 'Nothing'"):
        codemode.Nothing  # noqa: B018 - that is the test
