"""What a session does with an event on its way to the log and to watchers."""

from __future__ import annotations

from dataclasses import replace

import pytest

from codemode.errors import RuntimeFault, UsageError
from codemode.session import (
    Entry,
    Event,
    MemoryLog,
    Noted,
    Session,
    SessionOpened,
    SubCallSettled,
    ToolCalled,
)
from tests.session.records import LIVE_ONLY, ONE_OF_EACH, PROGRESS, settled


def test_entries_are_numbered_and_dated_in_order() -> None:
    """A session begins with a word about who writes it."""
    log = MemoryLog()
    session = Session(log, now_ms=lambda: 7)
    for event in ONE_OF_EACH:
        session.emit(event)

    assert isinstance(log.entries[0].event, SessionOpened)
    assert list(range(1, len(ONE_OF_EACH) + 2)) == [entry.seq for entry in log.entries]
    assert {7} == {entry.at_ms for entry in log.entries}


def test_a_session_that_goes_on_numbers_on() -> None:
    """And is called resumed."""
    first = MemoryLog()
    Session(first)
    log = MemoryLog(first.entries)
    session = Session(log)

    assert session.resumed
    assert [1, 2] == [entry.seq for entry in log.entries]


def test_a_watcher_is_told_while_it_watches_and_of_live_events_too() -> None:
    """Lines printed and calls started reach whoever looks on, as they happen (checklist 112)."""
    seen: list[Entry] = []
    session = Session()
    session.emit(settled(1))
    with session.watching(seen.append):
        session.emit(LIVE_ONLY)
        session.emit(settled(2))
    session.emit(settled(3))

    assert [LIVE_ONLY, settled(2)] == [entry.event for entry in seen]


def test_live_events_are_not_kept_and_take_no_number() -> None:
    """Printed text stands in the outcome of its run, once (checklist 112)."""
    log, seen = MemoryLog(), list[Entry]()
    session = Session(log)
    with session.watching(seen.append):
        session.emit(LIVE_ONLY)
        session.emit(PROGRESS)
        session.emit(settled(1))

    assert [2, 2, 2] == [entry.seq for entry in seen]
    assert [settled(1)] == [entry.event for entry in log.entries[1:]]


def test_a_watcher_that_fails_changes_nothing() -> None:
    """Looking on is not taking part."""
    log = MemoryLog()
    session = Session(log)
    seen: list[Entry] = []

    def fail(_: Entry) -> None:
        raise ValueError("nobody looks")

    with session.watching(fail), session.watching(seen.append):
        session.emit(settled(1))

    assert [settled(1)] == [entry.event for entry in seen]
    assert settled(1) == log.entries[-1].event


def test_what_a_log_cannot_keep_is_raised() -> None:
    """Nothing is done that is not on record; the number is not used up."""

    class Full(MemoryLog):
        def write(self, entry: Entry) -> None:
            if isinstance(entry.event, Noted):
                raise RuntimeFault("the disk is full")
            super().write(entry)

    log = Full()
    session = Session(log)
    with pytest.raises(RuntimeFault, match="full"):
        session.emit(Noted(topic="x", body=1))
    session.emit(settled(1))

    assert [1, 2] == [entry.seq for entry in log.entries]


def test_secrets_are_blacked_out_wherever_they_stand() -> None:
    """In texts, keys, lists and deep values, for the log and for watchers."""
    log, seen = MemoryLog(), list[Entry]()
    session = Session(log, redact=["s3cret", "s3cret-and-more"])
    deep: object = "has s3cret"
    for _ in range(5_000):
        deep = [deep]
    arguments = {"key s3cret": ("s3cret-and-more", {"a": ["xs3crets"]}), "n": 5}
    with session.watching(seen.append):
        session.emit(ToolCalled(call_id="c", tool="t", arguments=arguments))
        session.emit(Noted(topic="s3cret", body=deep))

    called, noted = (entry.event for entry in seen)
    assert isinstance(called, ToolCalled)
    assert isinstance(noted, Noted)
    assert {
        "key [redacted]": ["[redacted]", {"a": ["x[redacted]s"]}],
        "n": 5,
    } == called.arguments
    assert "[redacted]" == noted.topic
    inner = noted.body
    while isinstance(inner, list):
        inner = inner[0]
    assert "has [redacted]" == inner
    assert [called, noted] == log.events(ToolCalled, Noted)
    # What the host holds is its own.
    assert ("s3cret-and-more", {"a": ["xs3crets"]}) == arguments["key s3cret"]


def test_a_secret_too_short_to_be_one_is_refused_without_showing_it() -> None:
    """Blacking out every `ab` would destroy the log."""
    with pytest.raises(UsageError, match="secret 1 ") as caught:
        Session(redact=["long enough", "q7z"])

    assert "q7z" not in str(caught.value)


def test_rewrite_changes_the_logged_copy_only() -> None:
    """A large content can be kept elsewhere (checklist 100)."""
    log, original = MemoryLog(), settled(1)
    short = [{"type": "text", "text": "kept in the archive"}]

    def shorten(event: Event) -> Event:
        return replace(event, content=short) if isinstance(event, SubCallSettled) else event

    Session(log, rewrite=shorten).emit(original)

    assert [replace(original, content=short)] == log.events(SubCallSettled)
    assert [{"type": "text", "text": "done"}] == original.content


@pytest.mark.parametrize("wrong", ["raises", "another kind"])
def test_a_rewrite_that_fails_loses_nothing(wrong: str) -> None:
    """The event is kept as it was (checklist 100)."""
    log = MemoryLog()

    def rewrite(event: Event) -> Event:
        if isinstance(event, SessionOpened):
            return event
        if wrong == "raises":
            raise ValueError("the archive is down")
        return Noted(topic="no", body=None)

    Session(log, rewrite=rewrite).emit(settled(1))

    assert settled(1) == log.entries[-1].event
