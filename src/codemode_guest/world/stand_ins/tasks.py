"""For `asyncio`: tasks and futures that lead to no event loop, frame or coroutine.

What asyncio hands out is wrapped, and unwrapped where it is handed back; what happens in between
is asyncio's own. The same task is always the same wrapper.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import (
    AsyncIterator,
    Awaitable,
    Callable,
    Coroutine,
    Generator,
    Iterable,
    Iterator,
)
from contextvars import Context
from types import GenericAlias, TracebackType
from typing import Any, ClassVar, Final, Self
from weakref import WeakValueDictionary

from codemode_guest.world.sealed import Sealed


class Wrapped(Sealed):
    """Holds an object of asyncio's under a name that no program may use."""

    __slots__ = ("__weakref__", "_inner_")

    _inner_: Any
    __class_getitem__: ClassVar[Any] = classmethod(GenericAlias)


_WRAPPERS: Final[WeakValueDictionary[asyncio.Future[Any], Future]] = WeakValueDictionary()


def wrap(inner: asyncio.Future[Any]) -> Future:
    """Return the wrapper of a task or future."""
    wrapper = _WRAPPERS.get(inner)
    if wrapper is None:
        cls = Task if isinstance(inner, asyncio.Task) else Future
        wrapper = cls.__new__(cls)
        wrapper._inner_ = inner
        _WRAPPERS[inner] = wrapper
    return wrapper


def unwrap(awaitable: Any) -> Any:  # noqa: ANN401 - anything that can be awaited
    """Return what a wrapper holds, and anything else as it is."""
    return awaitable._inner_ if issubclass(type(awaitable), Future) else awaitable


class _Callback:
    """Calls a program's function with the wrapper of what is done; equal by that function."""

    __slots__ = ("_function",)

    def __init__(self, function: Callable[[Future], object]) -> None:
        self._function = function

    def __call__(self, inner: asyncio.Future[Any]) -> None:
        self._function(wrap(inner))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Callback) and self._function == other._function

    __hash__ = None  # type: ignore[assignment]


class Future(Wrapped):
    """A result that is not there yet."""

    __slots__ = ()

    def __init__(self) -> None:
        self._inner_ = asyncio.get_running_loop().create_future()
        _WRAPPERS[self._inner_] = self

    def __await__(self) -> Generator[Any, None, Any]:
        return self._inner_.__await__()  # type: ignore[no-any-return]

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self._state()}>"

    def _state(self) -> str:
        if not self._inner_.done():
            return "pending"
        return "cancelled" if self._inner_.cancelled() else "finished"

    def cancel(self, msg: object = None) -> bool:
        """Ask for its end; whether that was still possible."""
        return self._inner_.cancel(msg=msg)  # type: ignore[no-any-return]

    def cancelled(self) -> bool:
        """Whether it ended by being cancelled."""
        return self._inner_.cancelled()  # type: ignore[no-any-return]

    def done(self) -> bool:
        """Whether it ended."""
        return self._inner_.done()  # type: ignore[no-any-return]

    def result(self) -> Any:  # noqa: ANN401
        """Return its result, or raise what it raised."""
        return self._inner_.result()

    def exception(self) -> BaseException | None:
        """Return what it raised."""
        return self._inner_.exception()  # type: ignore[no-any-return]

    def set_result(self, result: object) -> None:
        """End it with a result."""
        self._inner_.set_result(result)

    def set_exception(self, exception: BaseException | type[BaseException]) -> None:
        """End it with an exception."""
        self._inner_.set_exception(exception)

    def add_done_callback(
        self, fn: Callable[[Future], object], *, context: Context | None = None
    ) -> None:
        """Call a function with this future when it is done."""
        self._inner_.add_done_callback(_Callback(fn), context=context)

    def remove_done_callback(self, fn: Callable[[Future], object]) -> int:
        """Do not call the function after all; how often it would have been."""
        return self._inner_.remove_done_callback(_Callback(fn))  # type: ignore[no-any-return]


class Task(Future):
    """A coroutine that runs beside others."""

    __slots__ = ()

    def __init__(self, *_args: object, **_options: object) -> None:
        raise TypeError("write asyncio.create_task(coroutine)")

    def __repr__(self) -> str:
        return f"<Task {self._state()} name={self.get_name()!r}>"

    def get_name(self) -> str:
        """Return its name."""
        return self._inner_.get_name()  # type: ignore[no-any-return]

    def set_name(self, value: object) -> None:
        """Give it a name."""
        self._inner_.set_name(value)

    def cancelling(self) -> int:
        """Return how many requests to cancel it are open."""
        return self._inner_.cancelling()  # type: ignore[no-any-return]

    def uncancel(self) -> int:
        """Take back one request to cancel it; how many are left."""
        return self._inner_.uncancel()  # type: ignore[no-any-return]


class TaskGroup(Wrapped):
    """Tasks that end together."""

    __slots__ = ()

    def __init__(self) -> None:
        self._inner_ = asyncio.TaskGroup()

    async def __aenter__(self) -> Self:
        await self._inner_.__aenter__()
        return self

    def __aexit__(
        self,
        et: type[BaseException] | None,
        exc: BaseException | None,
        tb: TracebackType | None,
    ) -> Coroutine[Any, Any, bool | None]:
        return self._inner_.__aexit__(et, exc, tb)  # type: ignore[no-any-return]

    def create_task(self, coro: Coroutine[Any, Any, Any], **options: Any) -> Future:  # noqa: ANN401
        """Start a coroutine in the group."""
        return wrap(self._inner_.create_task(coro, **options))


class Completed(Wrapped):
    """What `as_completed` returns: awaitables, the one that is done first first."""

    __slots__ = ()

    def __iter__(self) -> Iterator[Awaitable[Any]]:
        return self

    def __next__(self) -> Awaitable[Any]:
        return next(self._inner_)


class AsyncCompleted(Completed):
    """The same since Python 3.13: `async for` gives the tasks themselves."""

    __slots__ = ()

    def __aiter__(self) -> AsyncIterator[Future]:
        return self

    async def __anext__(self) -> Future:
        return wrap(await anext(self._inner_))


def as_completed(fs: Iterable[Any], *, timeout: float | None = None) -> Completed:
    """Give awaitables, the one that is done first first."""
    completed = AsyncCompleted() if sys.version_info >= (3, 13) else Completed()
    completed._inner_ = asyncio.as_completed([unwrap(item) for item in fs], timeout=timeout)
    return completed


def create_task(coro: Coroutine[Any, Any, Any], **options: Any) -> Future:  # noqa: ANN401
    """Start a coroutine beside the running one."""
    return wrap(asyncio.create_task(coro, **options))


def current_task() -> Future | None:
    """Return the task that is running."""
    inner = asyncio.current_task()
    return None if inner is None else wrap(inner)


def ensure_future(coro_or_future: Any) -> Future:  # noqa: ANN401
    """Return a task for a coroutine, and a future as it is."""
    return wrap(asyncio.ensure_future(unwrap(coro_or_future)))


def isfuture(obj: object) -> bool:
    """Whether this is a future or a task."""
    return isinstance(obj, Future)


def gather(*coros_or_futures: Any, return_exceptions: bool = False) -> Future:  # noqa: ANN401
    """Run awaitables together; the results are in their order."""
    inner = map(unwrap, coros_or_futures)
    return wrap(asyncio.gather(*inner, return_exceptions=return_exceptions))


def shield(arg: Any) -> Future:  # noqa: ANN401
    """Keep an awaitable from being cancelled with who awaits it."""
    return wrap(asyncio.shield(unwrap(arg)))


def wait_for(fut: Any, timeout: float | None) -> Coroutine[Any, Any, Any]:  # noqa: ANN401
    """Await with a limit in seconds."""
    return asyncio.wait_for(unwrap(fut), timeout)


async def wait(
    fs: Iterable[Any],
    *,
    timeout: float | None = None,  # noqa: ASYNC109 - asyncio's own argument
    return_when: str = asyncio.ALL_COMPLETED,
) -> tuple[set[Future], set[Future]]:
    """Wait for futures and tasks; those that are done, and those that are not."""
    done, pending = await asyncio.wait(
        [unwrap(future) for future in fs], timeout=timeout, return_when=return_when
    )
    return {wrap(inner) for inner in done}, {wrap(inner) for inner in pending}


def run(main: Any, **_options: object) -> Any:  # noqa: ANN401
    """Run a coroutine to its end, within the loop that is running."""
    if not asyncio.iscoroutine(main):
        raise ValueError(f"a coroutine was expected, got {main!r}")
    return asyncio.get_running_loop().run_nested(main)  # type: ignore[attr-defined]
