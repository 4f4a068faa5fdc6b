"""Each target is judged by figures of one run, and none without them."""

from __future__ import annotations

import pytest

from benchmarks.targets import judged


@pytest.mark.parametrize("spare,met", [(2.4, True), (2.6, False)])
def test_a_ratio_of_medians_is_met_up_to_its_bound(spare: float, *, met: bool) -> None:
    """Of the medians: a value that a busy machine has spoilt decides nothing."""
    (target,) = judged({"spare:cold": [spare, spare, 90.0], "machine:cold": [1.0, 1.0, 0.01]})

    assert met is target["met"]
    assert spare == target["ratio"]


@pytest.mark.parametrize("sustained,met", [(400.0, True), (399.0, False)])
def test_what_is_to_be_reached_is_met_from_its_bound_on(sustained: float, *, met: bool) -> None:
    """Runs a second are wanted, everything else is a cost."""
    capacity = {"crowd": 0.9, "guest": 2.0**21, "template": 2.0**25, "sustained": sustained}
    found = {each["what"]: each for each in judged({name: [v] for name, v in capacity.items()})}

    assert 4 == len(found)
    assert met is found["sustained runs a second, 4 abreast"]["met"]
    assert 2.0 == found["private memory of a waiting guest, MiB"]["ratio"]


def test_computing_is_judged_by_the_least_with_the_noise_beside_it() -> None:
    """What a busy machine adds is no part of either; the plain row beside itself shows it."""
    (target,) = judged({"spare:compute": [1.02, 3.0], "python:compute": [1.0, 2.0, 1.25, 1.5]})

    assert (1.02, True) == (target["ratio"], target["met"])
    assert "to itself: 0.800" in target["reference"]


def test_a_target_without_figures_is_left_out() -> None:
    """Instead of being met by nothing."""
    assert [] == judged({"spare:cold": [1.0], "spare:compute": [1.0]})
