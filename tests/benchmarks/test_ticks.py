"""Labels of a logarithmic axis are round, few, and within it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.ticks import count_label, ticks, time_label

times = st.floats(min_value=1e-9, max_value=1e3)


@given(times, st.floats(min_value=1.01, max_value=1e9), st.integers(min_value=3, max_value=6))
def test_ticks_are_within_the_axis_in_order_and_no_more_than_fit(
    low: float, span: float, most: int
) -> None:
    """Whatever it spans, and there is always one; but for the last digit of a float."""
    found = ticks(low, high := low * span, most)

    assert 1 <= len(found) <= most
    assert sorted(set(found)) == found
    assert low * 0.999_999 <= found[0] <= found[-1] <= high * 1.000_001


@pytest.mark.parametrize(
    "low,high,labels",
    [
        (2e-7, 4e-2, ["1 µs", "100 µs", "10 ms"]),
        (2e-5, 5e-4, ["30 µs", "100 µs", "300 µs"]),
        (1.0, 9.0, ["1 s", "3 s"]),
        (4e-6, 9e-6, ["6 µs"]),
    ],
    ids=["decades", "about one", "within one", "nothing round"],
)
def test_times_are_labelled_in_few_letters(low: float, high: float, labels: list[str]) -> None:
    """Panels side by side have room for no more."""
    assert labels == [time_label(tick) for tick in ticks(low, high, 3)]


@pytest.mark.parametrize("count,label", [(1, "1"), (300, "300"), (3_000, "3k"), (10**7, "10M")])
def test_counts_are_labelled_in_few_letters(count: int, label: str) -> None:
    """A number of eight digits would run into the next."""
    assert label == count_label(count)
