"""Long text is cut in the middle, between lines where it can be, and kept whole."""

from __future__ import annotations

import pytest

from codemode.bridge.cutting import KeptOutputs, head_and_tail, shown_in_part
from codemode.errors import UsageError

LINES = "".join(f"line {n}\n" for n in range(1_000))


@pytest.mark.parametrize("max_chars", [200, 500, 4_000])
def test_beginning_and_end_are_whole_lines(max_chars: int) -> None:
    """More of the beginning than of the end (checklist 104)."""
    head, tail = head_and_tail(LINES, max_chars)

    assert LINES.startswith(head)
    assert LINES.endswith(tail)
    assert head.endswith("\n")
    assert tail.startswith("line ")
    assert max_chars - 2 * len("line 999\n") <= len(head) + len(tail) <= max_chars
    assert len(head) > len(tail)


def test_a_single_long_line_is_cut_where_the_limit_is() -> None:
    """There is no better place (checklist 104)."""
    assert ("a" * 700, "a" * 300) == head_and_tail("a" * 5_000, 1_000)


def test_what_fits_is_shown_as_it_is_and_not_kept() -> None:
    """A cut is the exception."""
    kept = KeptOutputs(1_000)

    assert "x" * 100 == shown_in_part("c1", "x" * 100, kept, 100)
    assert not kept


def test_the_mark_says_how_much_is_missing_and_how_to_read_on() -> None:
    """With the place where what is shown breaks off (checklist 109)."""
    kept = KeptOutputs(10_000)

    shown = shown_in_part("c1", "x" * 5_000, kept, 1_000, ", from {start} of {name!r}")

    assert (
        f"{'x' * 700}\n[… 4,000 of 5,000 characters left out; the host keeps the whole as 'c1', "
        f"from 700 of 'c1' …]\n{'x' * 300}"
    ) == shown
    assert "x" * 5_000 == kept.whole("c1")


def test_the_oldest_outputs_go_first() -> None:
    """What is kept in all is bounded; the latest is kept whatever its size (checklist 109)."""
    kept = KeptOutputs(1_000)
    kept.keep("a", "a" * 600)
    kept.keep("b", "b" * 300)
    kept.keep("c", "c" * 300)

    with pytest.raises(UsageError, match="no output 'a'; the host has kept 'b', 'c'"):
        kept.whole("a")
    kept.keep("d", "d" * 5_000)
    with pytest.raises(UsageError, match="has kept 'd'"):
        kept.whole("b")
    assert "d" * 5_000 == kept.whole("d")


def test_one_name_is_one_output() -> None:
    """A second one of that name takes its place, and its room."""
    kept = KeptOutputs(1_000)
    for text in ("a" * 900, "b" * 900):
        kept.keep("a", text)
    kept.keep("c", "c" * 100)

    assert "b" * 900 == kept.whole("a")
