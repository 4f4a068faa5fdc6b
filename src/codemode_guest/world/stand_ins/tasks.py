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
from typing import Any, ClassVar, Final, Self, TypeVar
from weakref import WeakValueDictionary

from codemode_guest.world.awaiting import awaited, checked_context
from codemode_guest.world.sealed import Sealed


class Wrapped(Sealed):
    """Holds an object of asyncio's under a name that no program may use."""

    __slots__ = ("__weakref__", "_inner_")

    __class_getitem__: ClassVar[Any] = classmethod(GenericAlias)


#: Past a `__getattribute__` that a program's subclass may have, and of wrappers only: a program may
#: call any method, and `__init__`, on any object, and look into its own.
inner_of: Final = Wrapped.__dict__["_inner_"].__get__
hold: Final = Wrapped.__dict__["_inner_"].__set__

_Held = TypeVar("_Held")


def held(wrapper: Wrapped, kind: type[_Held]) -> _Held:
    """Return what a wrapper holds, for a method of its kind.

    A program may call a method on any object. What is held would lack it, and an AttributeError
    hands out the object that was asked.

    Raises:
        TypeError: If it holds something else.
    """
    inner = inner_of(wrapper)
    if not isinstance(inner, kind):
        raise TypeError(f"this is a method of asyncio.{kind.__name__}")
    return inner


_WRAPPERS: Final[WeakValueDictionary[asyncio.Future[Any], Future]] = WeakValueDictionary()


def wrap(inner: asyncio.Future[Any]) -> Future:
    """Return the wrapper of a task or future."""
    wrapper = _WRAPPERS.get(inner)
    if wrapper is None:
        cls = Task if isinstance(inner, asyncio.Task) else Future
        wrapper = cls.__new__(cls)
        hold(wrapper, inner)
        _WRAPPERS[inner] = wrapper
    return wrapper


def is_future(obj: object) -> bool:
    """Whether an object is a wrapper, and not one that only says so."""
    return issubclass(type(obj), Future)


def task_of(awaitable: object) -> asyncio.Future[Any]:
    """Return what a wrapper holds, or a new task for anything else that can be awaited.

    So asyncio is handed its own objects only. Of a program's it would ask whether they are equal
    to those, and whether they are futures.

    Raises:
        TypeError: If it cannot be awaited.
    """
    if is_future(awaitable):
        return inner_of(awaitable)  # type: ignore[no-any-return]
    loop = asyncio.get_running_loop()
    if asyncio.iscoroutine(awaitable):
        return loop.create_task(awaitable)
    if isinstance(awaitable, Awaitable):
        return loop.create_task(_awaiting(awaitable))
    raise TypeError("An asyncio.Future, a coroutine or an awaitable is required")


async def _awaiting(awaitable: Awaitable[Any]) -> Any:  # noqa: ANN401
    return await awaitable


def _tasks_of(awaitables: Iterable[object]) -> list[asyncio.Future[Any]]:
    """Return the task of each, the same for the same object."""
    given = [*awaitables]
    tasks = {id(each): each for each in given}
    made = {key: task_of(each) for key, each in tasks.items()}
    return [made[id(each)] for each in given]


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
        inner = asyncio.get_running_loop().create_future()
        hold(self, inner)
        _WRAPPERS[inner] = self

    def __await__(self) -> Generator[Any, None, Any]:
        return awaited(held(self, asyncio.Future))

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self._state()}>"

    def _state(self) -> str:
        if not held(self, asyncio.Future).done():
            return "pending"
        return "cancelled" if held(self, asyncio.Future).cancelled() else "finished"

    def cancel(self, msg: object = None) -> bool:
        """Ask for its end; whether that was still possible."""
        return held(self, asyncio.Future).cancel(msg=msg)

    def cancelled(self) -> bool:
        """Whether it ended by being cancelled."""
        return held(self, asyncio.Future).cancelled()

    def done(self) -> bool:
        """Whether it ended."""
        return held(self, asyncio.Future).done()

    def result(self) -> Any:  # noqa: ANN401
        """Return its result, or raise what it raised."""
        return held(self, asyncio.Future).result()

    def exception(self) -> BaseException | None:
        """Return what it raised."""
        return held(self, asyncio.Future).exception()

    def set_result(self, result: object) -> None:
        """End it with a result."""
        held(self, asyncio.Future).set_result(result)

    def set_exception(self, exception: BaseException | type[BaseException]) -> None:
        """End it with an exception."""
        held(self, asyncio.Future).set_exception(exception)

    def add_done_callback(
        self, fn: Callable[[Future], object], *, context: Context | None = None
    ) -> None:
        """Call a function with this future when it is done."""
        inner = held(self, asyncio.Future)
        inner.add_done_callback(_Callback(fn), context=checked_context(context))

    def remove_done_callback(self, fn: Callable[[Future], object]) -> int:
        """Do not call the function after all; how often it would have been."""
        return held(self, asyncio.Future).remove_done_callback(_Callback(fn))


class Task(Future):
    """A coroutine that runs beside others."""

    __slots__ = ()

    def __init__(self, *_args: object, **_options: object) -> None:
        raise TypeError("write asyncio.create_task(coroutine)")

    def __repr__(self) -> str:
        return f"<Task {self._state()} name={self.get_name()!r}>"

    def get_name(self) -> str:
        """Return its name."""
        return held(self, asyncio.Task).get_name()

    def set_name(self, value: object) -> None:
        """Give it a name."""
        held(self, asyncio.Task).set_name(value)

    def cancelling(self) -> int:
        """Return how many requests to cancel it are open."""
        return held(self, asyncio.Task).cancelling()

    def uncancel(self) -> int:
        """Take back one request to cancel it; how many are left."""
        return held(self, asyncio.Task).uncancel()


class TaskGroup(Wrapped):
    """Tasks that end together."""

    __slots__ = ()

    def __init__(self) -> None:
        hold(self, asyncio.TaskGroup())

    async def __aenter__(self) -> Self:
        await held(self, asyncio.TaskGroup).__aenter__()
        return self

    def __aexit__(
        self,
        et: type[BaseException] | None,
        exc: BaseException | None,
        tb: TracebackType | None,
    ) -> Coroutine[Any, Any, bool | None]:
        return held(self, asyncio.TaskGroup).__aexit__(et, exc, tb)

    def create_task(self, coro: Coroutine[Any, Any, Any], **options: Any) -> Future:  # noqa: ANN401
        """Start a coroutine in the group."""
        return wrap(held(self, asyncio.TaskGroup).create_task(coro, **options))


class Completed(Wrapped):
    """What `as_completed` returns: awaitables, the one that is done first first."""

    __slots__ = ()

    def __iter__(self) -> Iterator[Awaitable[Any]]:
        return self

    def __next__(self) -> Awaitable[Any]:
        return next(inner_of(self))


class AsyncCompleted(Completed):
    """The same since Python 3.13: `async for` gives the tasks themselves."""

    __slots__ = ()

    def __aiter__(self) -> AsyncIterator[Future]:
        return self

    async def __anext__(self) -> Future:
        return wrap(await anext(inner_of(self)))


def as_completed(fs: Iterable[Any], *, timeout: float | None = None) -> Completed:
    """Give awaitables, the one that is done first first."""
    completed = AsyncCompleted() if sys.version_info >= (3, 13) else Completed()
    hold(completed, asyncio.as_completed(_tasks_of(fs), timeout=timeout))
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
    return wrap(task_of(coro_or_future))


def isfuture(obj: object) -> bool:
    """Whether this is a future or a task."""
    return is_future(obj)


def gather(*coros_or_futures: Any, return_exceptions: bool = False) -> Future:  # noqa: ANN401
    """Run awaitables together; the results are in their order."""
    inner = _tasks_of(coros_or_futures)
    return wrap(asyncio.gather(*inner, return_exceptions=return_exceptions))


def shield(arg: Any) -> Future:  # noqa: ANN401
    """Keep an awaitable from being cancelled with who awaits it."""
    return wrap(asyncio.shield(task_of(arg)))


async def wait_for(fut: Any, timeout: float | None) -> Any:  # noqa: ANN401, ASYNC109
    """Await with a limit in seconds."""
    limit = None if timeout is None else float(timeout)
    if limit is not None and (limit <= 0 or sys.version_info < (3, 12)):
        # Here asyncio makes a task of what it is given, and does not await that itself.
        return await asyncio.wait_for(task_of(fut), limit)
    return await asyncio.wait_for(fut, limit)


async def wait(
    fs: Iterable[Any],
    *,
    timeout: float | None = None,  # noqa: ASYNC109 - asyncio's own argument
    return_when: str = asyncio.ALL_COMPLETED,
) -> tuple[set[Future], set[Future]]:
    """Wait for futures and tasks; those that are done, and those that are not."""
    futures = [*fs]
    if not all(map(is_future, futures)):
        raise TypeError("Passing coroutines is forbidden, use tasks explicitly.")
    done, pending = await asyncio.wait(
        [inner_of(future) for future in futures], timeout=timeout, return_when=return_when
    )
    return {wrap(inner) for inner in done}, {wrap(inner) for inner in pending}


def run(main: Any, **_options: object) -> Any:  # noqa: ANN401
    """Run a coroutine to its end, within the loop that is running."""
    if not asyncio.iscoroutine(main):
        raise ValueError(f"a coroutine was expected, got {main!r}")
    return asyncio.get_running_loop().run_nested(main)  # type: ignore[attr-defined]
