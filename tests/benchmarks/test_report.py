"""Figures are written as they were measured, and a page keeps all that is not a report."""

from __future__ import annotations

import pytest

from benchmarks import report

PAGE = "# Title\n\n<!-- one -->\nold\n<!-- end of one -->\n\nBetween.\n\n<!-- two -->\n"


def test_a_block_takes_the_place_of_the_one_between_its_marks() -> None:
    """The marks stay, so that the next report finds them, and so does all around them."""
    once = report.put(PAGE, "one", "new\n\nlines")

    assert PAGE.replace("old", "new\n\nlines") == once
    assert PAGE.replace("old", "newer") == report.put(once, "one", "newer")


@pytest.mark.parametrize("name", ["two", "three"])
def test_a_page_without_both_marks_is_refused(name: str) -> None:
    """A block that nobody could replace is written nowhere."""
    with pytest.raises(ValueError, match=f"<!-- {name} -->"):
        report.put(PAGE, name, "new")


@pytest.mark.parametrize(
    "seconds,told",
    [(2.0, "2.00 s"), (0.0123, "12.3 ms"), (5e-6, "5.00 µs"), (1.5e-10, "0.150 ns"), (0, "0 ns")],
)
def test_a_time_has_three_figures_and_the_unit_that_suits_it(seconds: float, told: str) -> None:
    """Never a power of ten."""
    assert told == report.duration(seconds)


def test_median_and_extremes_are_in_one_unit() -> None:
    """That of the median, so that they can be compared at a glance."""
    found = report.spread([0.0009, 0.002, 1.5])

    assert 3 == found["values"]
    assert "**2.00 ms** (0.90 to 1,500)" == report.cell(found)


def test_what_is_in_a_cell_of_a_table_stays_in_it() -> None:
    """A stroke or a new line from a peer's failure begins no other."""
    table = report.table(["a", "b"], [["1|2", "3\n4"]])

    assert "| a | b |\n| --- | --- |\n| 1\\|2 | 3 4 |" == table


def test_who_is_quicker_is_told_and_nobody_else() -> None:
    """Against the best of ours; a bare machine is no peer."""

    def peer(title: str, median: float) -> dict[str, object]:
        return {
            "title": title,
            "process": "the host's",
            "confines": "nothing",
            "tasks": {"cold": {"median": median}},
        }

    peers = [peer("codemode", 2e-3), peer("codemode, spare", 1e-3), peer("bare: a fork", 1e-4)]
    slower, quicker = peer("slow", 5e-3), peer("quick", 5e-4)

    assert "nobody" in report.losses({"peers": [*peers, slower]})
    told = report.losses({"peers": [*peers, slower, quicker]})
    assert "- cold run: quick (2.0 times; the host's process, nothing)" == told.splitlines()[-1]
