"""`__all__` is the truth about what the seam offers."""

from __future__ import annotations

from types import ModuleType

import codemode
from codemode import runtime


def test_everything_public_is_listed_and_everything_listed_is_there() -> None:
    """What the package imports for its users is exactly what it says it has."""
    found = {
        name
        for name, value in vars(runtime).items()
        if not name.startswith("_") and not isinstance(value, ModuleType)
    }

    assert found == set(runtime.__all__)
    assert len(runtime.__all__) == len(set(runtime.__all__))


def test_a_name_means_the_same_at_the_top_and_in_the_seam() -> None:
    """The library re-exports; it does not wrap."""
    shared = set(codemode.__all__) & set(runtime.__all__)

    assert {"ABSENT", "AbortSignal", "CodeRunRequest", "CodeRuntime"} <= shared
    for name in shared:
        assert getattr(codemode, name) is getattr(runtime, name)


def test_the_vocabulary_of_the_seam_is_public() -> None:
    """DESIGN.md, section 4: what a backend and its users need."""
    assert {
        "ABSENT",
        "AbortSignal",
        "CodeBindingErrorClass",
        "CodeBindingNamespace",
        "CodeRunFailure",
        "CodeRunRequest",
        "CodeRunResult",
        "CodeRuntime",
        "RESERVED_BINDING_GLOBALS",
        "RESERVED_ERROR_MEMBERS",
        "waiting_for_person",
    } <= set(runtime.__all__)
