"""What is odd about a server is kept, and only so much of it."""

from __future__ import annotations

import logging

import pytest

from codemode.adapters.mcp.listing import Notes


def test_the_latest_notes_are_kept_each_once_and_cut(caplog: pytest.LogCaptureFixture) -> None:
    """A server that is odd all day fills neither the memory nor the log."""
    notes = Notes(logging.getLogger("codemode.mcp.of-the-test"))
    for number in range(60):
        for _ in range(3):
            notes.add(f"{number} is odd")
    notes.add("x" * 10_000)

    assert 50 == len(notes.all)
    assert ("11 is odd", "59 is odd") == (notes.all[0], notes.all[-2])
    assert f"{'x' * 499}…" == notes.all[-1]
    assert 61 == len(caplog.records)
