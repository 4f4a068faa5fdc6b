"""A cost that grows faster than the work is told, with every limit that was met."""

from __future__ import annotations

from benchmarks import growth


def test_a_step_that_is_steeper_than_in_proportion_is_told() -> None:
    """And no other: in proportion, less, or a little more."""
    pairs = [(10, 0.01), (100, 0.1), (1_000, 0.2), (2_000, 0.44), (4_000, 1.76)]

    assert ["2,000 to 4,000: 2 times the work, 4 times the cost"] == growth.steep(pairs)


def test_what_is_lost_in_the_noise_is_steep_for_no_one() -> None:
    """A step from next to nothing says nothing."""
    assert [] == growth.steep([(1, 1e-6), (10, 0.004), (20, 0.1)])


def test_a_table_tells_each_cost_and_what_it_is_of_one() -> None:
    """A size that one series did not reach has a dash, and the limit is told below."""
    series = {"one": [(1, 0.01), (10, 1.0)], "other": [(1, 0.002)]}
    text = growth.table(
        {"title": "Runs", "x": "runs", "series": series, "caps": ["other, 10 runs: too many"]}
    )

    assert "### Runs\n\n| runs | one | other |" in text
    assert "| 10 | 1.00 s (100 ms) | \N{EN DASH} |" in text
    notes = ["- limit: other, 10 runs: too many"]
    notes += ["- one, 1 to 10: 10 times the work, 100 times the cost"]
    assert notes == text.splitlines()[-2:]


def test_a_table_without_a_finding_says_so() -> None:
    """Silence could mean that nobody looked."""
    panel = {"title": "", "x": "", "series": {"one": [(1, 0.01), (10, 0.1)]}, "caps": []}

    assert growth.table(panel).endswith("No step is steeper than in proportion.")
