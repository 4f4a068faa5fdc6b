"""The ledger counts exact bytes of JSON and keeps what fits."""

from __future__ import annotations

import pytest

from codemode.runtime import OutputLedger
from codemode_guest.values import encoded_text

TEXTS = [
    "a",
    "a\n",
    "\n",
    "\n\n\n",
    "a\nb",
    "a\n\nb\n",
    'quote " and \\ and \t and \0\n',
    "ä€😀\n",
    "\ud800\n",
    "\ud83d\ude00",
    "\r\n\u2028\n",
]


def json_bytes(text: str) -> int:
    """What the lines of `text` take, each as a string of compact JSON."""
    lines = text.split("\n")
    lines = lines if lines[-1] else lines[:-1]
    return sum(len(encoded_text(line)) for line in lines)


@pytest.mark.parametrize("text", TEXTS, ids=ascii)
def test_the_cost_is_that_of_the_lines_as_json(text: str) -> None:
    """Checklist 98: quotes, escapes and UTF-8 included."""
    ledger = OutputLedger(10_000)

    assert ledger.write(text)
    assert json_bytes(text) == ledger.used_bytes


@pytest.mark.parametrize("text", TEXTS, ids=ascii)
def test_the_cost_does_not_depend_on_how_text_is_cut(text: str) -> None:
    """A program may print a character at a time."""
    ledger = OutputLedger(10_000)

    assert all(ledger.write(character) for character in text)
    assert json_bytes(text) == ledger.used_bytes


@pytest.mark.parametrize("text", TEXTS, ids=ascii)
@pytest.mark.parametrize("more,fits", [(-1, False), (0, True), (1, True)])
def test_what_is_exactly_as_long_as_the_cap_still_fits(text: str, more: int, fits: bool) -> None:  # noqa: FBT001
    """Checklist 98: cap-1 is too little, cap and cap+1 are enough."""
    ledger = OutputLedger(json_bytes(text) + more)

    assert fits is ledger.write(text)
    assert fits is (ledger.lines() == tuple(text.removesuffix("\n").split("\n")))


@pytest.mark.parametrize("encoded_bytes,fits", [(4, True), (5, True), (6, False)])
def test_a_value_is_counted_beside_the_lines(encoded_bytes: int, fits: bool) -> None:  # noqa: FBT001
    """Checklist 98: of ten bytes a line of three characters takes five."""
    ledger = OutputLedger(10)
    assert ledger.write("abc\n")

    assert fits is ledger.fits(encoded_bytes)
    assert 5 == ledger.used_bytes


def test_an_unfinished_line_is_counted_with_both_its_quotes() -> None:
    """It is an entry of the log as it is."""
    ledger = OutputLedger(5)

    assert ledger.write("abc")
    assert ledger.fits(0)
    assert not ledger.fits(1)


def test_of_what_does_not_fit_the_beginning_is_kept() -> None:
    """Checklist 87: earlier text stays, and with it as much as the cap holds."""
    ledger = OutputLedger(12)
    assert ledger.write("first\n")

    assert not ledger.write("second\n")
    assert ("first", "sec") == ledger.lines()
    assert 12 == ledger.used_bytes


def test_a_character_that_does_not_fit_is_not_halved() -> None:
    """The cap is a byte count; what is kept is text."""
    ledger = OutputLedger(7)

    assert not ledger.write("😀😀")
    assert ("😀",) == ledger.lines()
    assert 6 == ledger.used_bytes


def test_of_text_that_does_not_fit_at_all_nothing_is_kept() -> None:
    """Not even an empty line, and the line before is as it was."""
    ledger = OutputLedger(3)
    assert ledger.write("a")

    assert not ledger.write("b")
    assert ("a",) == ledger.lines()
    assert 3 == ledger.used_bytes


def test_partial_lines_are_joined() -> None:
    """Checklist 86: a flushed unfinished line joins what follows it."""
    ledger = OutputLedger(100)
    for text in ("a", "", "b", "c\nd", "\n", "e"):
        assert ledger.write(text)

    assert ("abc", "d", "e") == ledger.lines()


def test_empty_lines_are_lines() -> None:
    """`print()` prints one, and it has its place among the others."""
    ledger = OutputLedger(100)
    for text in ("\n", "a\n", "\n", "\n"):
        assert ledger.write(text)

    assert ("", "a", "", "") == ledger.lines()


def test_a_ledger_that_nothing_was_written_to_has_no_lines() -> None:
    """Empty text is no line either, and fits anywhere."""
    ledger = OutputLedger(4)

    assert ledger.write("")
    assert () == ledger.lines()
    assert 0 == ledger.used_bytes
    assert ledger.fits(4)


def test_only_a_newline_ends_a_line() -> None:
    """What else Unicode calls a line break is text that somebody printed."""
    ledger = OutputLedger(100)

    assert ledger.write("a\rb\x0b\x0c\x1c\x85\u2028\u2029c\n")
    assert ("a\rb\x0b\x0c\x1c\x85\u2028\u2029c",) == ledger.lines()


def test_lines_may_be_asked_for_while_more_is_written() -> None:
    """What was returned does not change."""
    ledger = OutputLedger(100)
    assert ledger.write("a")
    early = ledger.lines()
    assert ledger.write("b\n")

    assert (("a",), ("ab",)) == (early, ledger.lines())
