"""A switch that ends a run from outside, from any thread."""

from __future__ import annotations

import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


class AbortSignal:
    """Fires once and stays fired. One signal may be given to many runs."""

    def __init__(self) -> None:
        # Reentrant: what an abort sets off may look at the signal again in the same thread.
        self._lock = threading.RLock()
        self._listeners: dict[object, Callable[[], object]] = {}
        self._aborted = False
        self._reason: str | None = None

    @property
    def aborted(self) -> bool:
        """Whether `abort` was called."""
        return self._aborted

    @property
    def reason(self) -> str | None:
        """What the first `abort` gave as its reason."""
        return self._reason

    def abort(self, reason: str | None = None) -> None:
        """End every run that was given this signal, even in the middle of a loop.

        Safe from any thread. A second call changes nothing.
        """
        with self._lock:
            if self._aborted:
                return
            self._aborted, self._reason = True, reason
            for listener in list(self._listeners.values()):
                listener()

    @contextmanager
    def calling(self, listener: Callable[[], object]) -> Iterator[None]:
        """Call `listener` when the signal fires, at once if it has; for backends.

        The listener runs in the thread that aborts, must be quick and must not raise. None
        runs after the block has been left.
        """
        key = object()
        with self._lock:
            self._listeners[key] = listener
            if self._aborted:
                listener()
        try:
            yield
        finally:
            with self._lock:
                del self._listeners[key]
