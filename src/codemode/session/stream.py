"""The session itself: stamps each event, and hands it to the sinks and to whoever watches."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from importlib.metadata import version
from typing import Final, Protocol

from codemode.errors import UsageError
from codemode.session.events import LIVE, Entry, Event, SessionOpened
from codemode.session.redaction import redacted

#: A shorter secret would black out half of what is said.
_MIN_SECRET_CHARS: Final = 4

_log = logging.getLogger("codemode.session")


class EventSink(Protocol):
    """Whoever is told of events, in order."""

    def emit(self, event: Event) -> None:
        """Take one; quick, from the host's event loop."""


class EntrySink(Protocol):
    """Where a session keeps its entries."""

    @property
    def opened(self) -> SessionOpened:
        """What the session begins with."""

    @property
    def next_seq(self) -> int:
        """The number of the next entry."""

    def write(self, entry: Entry) -> None:
        """Keep one.

        Raises:
            RuntimeFault: If it cannot be kept.
        """


class MemoryLog:
    """Keeps entries in a list, for tests and for hosts that store them their own way."""

    def __init__(self, entries: Iterable[Entry] = ()) -> None:
        self.entries = list(entries)
        self.opened = SessionOpened(product=version("codemode"), resumed=bool(self.entries))

    @property
    def next_seq(self) -> int:
        """The number of the next entry."""
        return self.entries[-1].seq + 1 if self.entries else 1

    def write(self, entry: Entry) -> None:
        """Keep one."""
        self.entries.append(entry)

    def events(self, *kinds: type[Event]) -> list[Event]:
        """Return the events so far, of these kinds only if any are given."""
        return [e.event for e in self.entries if not kinds or isinstance(e.event, kinds)]


class Session:
    """Numbers events, blacks out secrets, and hands each to the log first and then to watchers.

    What a log cannot keep is raised where it was emitted, so that nothing is done that is not
    on record. What a watcher raises is its own affair and is only logged.

    Args:
        log: Where entries are kept; nowhere if left out.
        redact: Texts that must not be kept or shown; each becomes `[redacted]` wherever it
            stands in an event.
        rewrite: May return another event to be kept instead, such as one with a shorter
            `content`; what a program or a model gets is not changed. What it raises is only
            logged, and the event is kept as it was.
        now_ms: The clock.
    """

    def __init__(
        self,
        log: EntrySink | None = None,
        *,
        redact: Sequence[str] = (),
        rewrite: Callable[[Event], Event] | None = None,
        now_ms: Callable[[], int] = lambda: time.time_ns() // 1_000_000,
    ) -> None:
        for number, secret in enumerate(redact):
            if len(secret) < _MIN_SECRET_CHARS:
                raise UsageError(
                    f"secret {number} to redact has {len(secret)} characters; what is shorter "
                    f"than {_MIN_SECRET_CHARS} stands everywhere, so leave it out"
                )
        self._log = log
        self._secrets = tuple(sorted(redact, key=len, reverse=True))
        self._rewrite = rewrite
        self._now_ms = now_ms
        self._seq = 1 if log is None else log.next_seq
        self._watchers: dict[object, Callable[[Entry], object]] = {}
        #: Whether it goes on with a log that there was.
        self.resumed = log is not None and log.opened.resumed
        if log is not None:
            self.emit(log.opened)

    @property
    def next_seq(self) -> int:
        """The number of the next entry."""
        return self._seq

    def emit(self, event: Event) -> None:
        """Keep one event and tell it to the watchers.

        Raises:
            RuntimeFault: If the log cannot keep it.
        """
        if self._rewrite is not None:
            event = self._rewritten(self._rewrite, event)
        if self._secrets:
            event = redacted(event, self._secrets)
        entry = Entry(seq=self._seq, at_ms=self._now_ms(), event=event)
        if not isinstance(event, LIVE):
            if self._log is not None:
                self._log.write(entry)
            self._seq += 1
        for watcher in tuple(self._watchers.values()):
            try:
                watcher(entry)
            except Exception:  # who looks on must not change what happens
                _log.exception("a watcher of the session failed at %s", event.kind)

    @contextmanager
    def watching(self, watcher: Callable[[Entry], object]) -> Iterator[None]:
        """Have `watcher` told of every entry as it happens, until the block is left.

        It is called in the host's event loop and must be quick; a `send_nowait` into a memory
        stream is.
        """
        key = object()
        self._watchers[key] = watcher
        try:
            yield
        finally:
            del self._watchers[key]

    @staticmethod
    def _rewritten(rewrite: Callable[[Event], Event], event: Event) -> Event:
        try:
            changed = rewrite(event)
        except Exception:  # a failing hook must not lose what it was asked about
            _log.exception("the session's rewrite failed at %s; kept as it was", event.kind)
            return event
        if type(changed) is not type(event):
            _log.error("the session's rewrite made another kind of %s; kept as it was", event.kind)
            return event
        return changed
