"""What the fuzzer found interesting is replayed, quickly, on every interpreter."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fuzz.exercise import exercise

CORPUS = sorted((Path(__file__).parent / "corpus").iterdir())
WORDS = [
    "Ready(", "CallMade(", "CallDropped(", "Printed(", "Returned(", "Failed(",
    "violation: a frame that is not JSON", "violation: a frame that is not a list",
    "violation: a value that is not lossless", "violation: an unknown frame",
    "violation: an unknown outcome", "violation: an unknown failure",
    "violation: ready twice, or a frame before it", "violation: a frame after the end",
    "where a count belongs", "violation: a call of the unknown member", "bytes, where",
    "violation: arguments that are not a dict", "violation: cancel of the unknown call",
    "violation: more unanswered calls", "after call",
]  # fmt: skip


@pytest.mark.parametrize("path", CORPUS, ids=lambda path: path.name[:12])
def test_an_input_of_the_corpus_is_events_or_a_violation(path: Path) -> None:
    """Checklist 88: as `exercise` looks at the host."""
    exercise(path.read_bytes())


@pytest.fixture(scope="module")
def told() -> list[str]:
    """Everything that the host makes of the corpus."""
    return [line for path in CORPUS for line in exercise(path.read_bytes())]


@pytest.mark.parametrize("words", WORDS)
def test_the_corpus_reaches_every_event_and_violation(told: list[str], words: str) -> None:
    """Else replaying it would show little."""
    assert any(words in line for line in told)
