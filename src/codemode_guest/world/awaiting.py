"""What a coroutine gives to whoever drives it by hand: nothing that can be asked.

`x.__await__()`, `coroutine.send(None)`, `agen.asend(None)` and an `__await__` of a program's own
all see what a coroutine waits for on its way to the task. With asyncio's own futures that would
be the future itself, of a tool call, a lock or another task. Here it is a `Pending`, which only
the driver of a task can tell from another.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Generator
from contextvars import Context
from typing import Any, final

from codemode_guest.world.sealed import Sealed


@final
class Pending(Sealed):
    """Stands for a future that is not done, until a task takes it for what it is."""

    __slots__ = ("_inner_",)

    _inner_: asyncio.Future[Any]

    def __init__(self) -> None:
        raise TypeError("this is what awaiting gives to the event loop; write await")

    def __repr__(self) -> str:
        return "<what is awaited>"


def awaited(inner: asyncio.Future[Any]) -> Generator[Any, None, Any]:
    """Wait for a future, as awaiting it does, without showing it."""
    if not inner.done():
        pending = Pending.__new__(Pending)
        pending._inner_ = inner
        yield pending
        if not inner.done():
            raise RuntimeError("await wasn't used with future")
    return inner.result()


class _Future(asyncio.Future[Any]):
    """What asyncio's locks, queues and timers wait for, and the calls of tools."""

    def __await__(self) -> Generator[Any, None, Any]:
        return awaited(self)

    __iter__ = __await__


class Driven(Coroutine[Any, Any, Any]):
    """A coroutine as a task drives it: in the place of each `Pending` stands its future."""

    __slots__ = ("_coroutine", "_send")

    def __init__(self, coroutine: Coroutine[Any, Any, Any]) -> None:
        self._coroutine = coroutine
        self._send = coroutine.send

    def send(self, value: object) -> Any:  # noqa: ANN401 - a future, None, or a bad yield
        """Go on to the next thing to wait for, and return it."""
        step = self._send(value)
        return _taken(step) if type(step) is Pending else step

    def throw(self, typ: Any, *more: Any) -> Any:  # noqa: ANN401 - an exception, or three parts
        """Go on with an error, as `send` does."""
        step = self._coroutine.throw(typ, *more)
        return _taken(step) if type(step) is Pending else step

    def close(self) -> None:
        """End it."""
        self._coroutine.close()

    def __await__(self) -> Generator[Any, Any, Any]:
        return self._coroutine.__await__()


def _taken(pending: Pending) -> object:
    inner = getattr(pending, "_inner_", None)
    if inner is None:  # one that a program made, by `__new__`
        return pending
    # As `await` marks it; a future without is taken for the object of a bare `yield`.
    inner._asyncio_future_blocking = True  # noqa: SLF001 - asyncio's protocol
    return inner


class HidesFutures(asyncio.BaseEventLoop):
    """Makes an event loop whose futures nobody sees who drives a coroutine."""

    _unnamed_tasks_ = 0

    def create_future(self) -> asyncio.Future[Any]:
        """Make a future that hides when it is awaited."""
        return _Future(loop=self)

    def create_task(
        self,
        coro: Any,  # noqa: ANN401 - a coroutine
        *,
        name: object = None,
        context: Context | None = None,
        **options: Any,  # noqa: ANN401 - what later versions take, for `Task`
    ) -> asyncio.Task[Any]:
        """Make a task of a coroutine.

        Raises:
            TypeError: If it is none.
        """
        if not asyncio.iscoroutine(coro):
            raise TypeError(f"a coroutine was expected, got {coro!r}")
        if name is None:
            # asyncio counts for the process, in which there were tasks if it has rehearsed.
            self._unnamed_tasks_ += 1
            name = f"Task-{self._unnamed_tasks_}"
        context = checked_context(context)
        return asyncio.Task(Driven(coro), loop=self, name=str(name), context=context, **options)


def checked_context(context: Context | None) -> Context | None:
    """Return a context in which the loop may call: it shows to it what it calls, and with what.

    Raises:
        TypeError: If it only acts like one.
    """
    if context is not None and type(context) is not Context:
        raise TypeError(f"a Context was expected, got {type(context).__name__!r}")
    return context
