"""Every budget and limit is checked where it is given."""

from __future__ import annotations

import sys

import pytest
from pydantic import ValidationError

from codemode import ProcessRuntimeConfig
from codemode.process import Confinement
from codemode_guest.confinement import LAYERS

MIB = 2**20
MAX_MS = 2**31 - 1
RANGES = {
    "compute_ms": (1, MAX_MS),
    "max_wall_ms": (1, MAX_MS),
    "max_parked_ms": (1, MAX_MS),
    "memory_bytes": (32 * MIB, 2**46),
    "max_output_bytes": (4, 2**31),
    "max_calls": (1, 10**9),
    "max_pending_calls": (1, 10_000),
    "max_frame_bytes": (2**16, 2**31),
    "max_frame_parts": (2**10, 2**31),
    "binding_grace_ms": (1, MAX_MS),
    "max_concurrent_runs": (1, 100_000),
    "spare_guests": (0, 1_000),
    "guests_per_template": (1, 10**9),
}
ENDS = [(name, end) for name, ends in RANGES.items() for end in ends]
BEYOND = [(name, low - 1) for name, (low, _) in RANGES.items()]
BEYOND += [(name, high + 1) for name, (_, high) in RANGES.items()]


def test_every_field_has_its_range_here() -> None:
    """A field that is added is added to these claims too."""
    assert set(ProcessRuntimeConfig.model_fields) == {*RANGES, "confinement"}


def test_every_field_has_a_default_within_its_range() -> None:
    """A configuration of nothing is a good one."""
    config = ProcessRuntimeConfig()

    assert all(low <= getattr(config, name) <= high for name, (low, high) in RANGES.items())


@pytest.mark.parametrize("name,value", ENDS)
def test_both_ends_of_a_range_are_legal(name: str, value: int) -> None:
    """The limits are inclusive."""
    config = ProcessRuntimeConfig.model_validate({name: value})

    assert value == getattr(config, name)


@pytest.mark.parametrize("name,value", BEYOND)
def test_a_value_beyond_its_range_is_refused_with_field_and_limit(name: str, value: int) -> None:
    """The message says which field, what was given and what would do."""
    with pytest.raises(ValidationError, match=name) as caught:
        ProcessRuntimeConfig.model_validate({name: value})

    (error,) = caught.value.errors()
    assert ((name,), value) == (error["loc"], error["input"])
    assert "Input should be " in error["msg"]


@pytest.mark.parametrize("name", RANGES)
@pytest.mark.parametrize("value", [None, "much", [], 1.5, float("nan"), float("inf")])
def test_what_is_no_whole_number_is_refused(name: str, value: object) -> None:
    """A budget of half a millisecond was meant as seconds."""
    with pytest.raises(ValidationError, match=name):
        ProcessRuntimeConfig.model_validate({name: value})


@pytest.mark.parametrize("name", RANGES)
def test_a_truth_value_is_no_budget(name: str) -> None:
    """`max_calls=True` was meant to switch something on, not to allow one call."""
    with pytest.raises(ValidationError, match=name):
        ProcessRuntimeConfig.model_validate({name: True})


def test_an_unknown_field_is_refused_by_name() -> None:
    """A misspelt budget is never a budget that is silently not there."""
    with pytest.raises(ValidationError, match=r"compute_sm\n.*not permitted"):
        ProcessRuntimeConfig.model_validate({"compute_sm": 1})


def test_every_wrong_field_is_told_at_once() -> None:
    """Whoever mends one sees the others."""
    with pytest.raises(ValidationError) as caught:
        ProcessRuntimeConfig.model_validate({"compute_ms": 0, "max_calls": 0, "more": 1})

    assert 3 == caught.value.error_count()


def test_a_configuration_is_frozen() -> None:
    """A runtime acts on what it was opened with."""
    config = ProcessRuntimeConfig()

    with pytest.raises(ValidationError, match="frozen"):
        config.compute_ms = 1  # type: ignore[misc]


@pytest.mark.parametrize(
    "profile,demand", [("strict", "required"), ("best-effort", "best-effort"), ("off", "off")]
)
def test_a_profile_asks_the_same_of_every_layer(profile: str, demand: str) -> None:
    """By its name alone; `strict` requires them all."""
    config = ProcessRuntimeConfig.model_validate({"confinement": profile})

    assert {demand} == set(config.confinement.model_dump().values())
    assert set(LAYERS) == set(Confinement.model_fields)


@pytest.mark.parametrize("given", ["stricter", {"seccomp": "maybe"}, {"secomp": "off"}, True, None])
def test_a_confinement_that_nobody_knows_is_refused(given: object) -> None:
    """A misspelt layer is never a layer that is silently not there."""
    with pytest.raises(ValidationError, match="confinement"):
        ProcessRuntimeConfig.model_validate({"confinement": given})


def test_without_being_asked_the_essential_layers_are_required_and_none_is_off() -> None:
    """Confinement is on by default, and does not fall away unnoticed."""
    confinement = ProcessRuntimeConfig().confinement

    assert () == confinement.layers("off")
    if sys.platform == "linux":
        assert {"resource_limits", "no_new_privileges", "capabilities", "seccomp"} == set(
            confinement.layers("required")
        )
