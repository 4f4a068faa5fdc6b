"""For `asyncio`: locks, queues and timeouts, which keep the event loop in a private attribute."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from types import TracebackType
from typing import Any, Final, Self

from codemode_guest.world.stand_ins.tasks import Wrapped, held, hold, inner_of


def _delegating(original: type, methods: str, properties: str = "", base: type = Wrapped) -> Any:  # noqa: ANN401
    """Make a class of the same name whose methods are those of what it wraps."""

    def construct(self: Wrapped, *args: object, **options: object) -> None:
        hold(self, original(*map(_unlocked, args), **options))

    def show(self: Wrapped) -> str:
        return f"<asyncio.{type(self).__name__}>"

    namespace: dict[str, object] = {
        "__slots__": (),
        "__doc__": original.__doc__,
        "__init__": construct,
        "__repr__": show,
    }
    for name in methods.split():
        namespace[name] = _method(original, name)
    for name in properties.split():
        namespace[name] = property(_method(original, name, is_property=True))
    return type(original.__name__, (base,), namespace)


def _unlocked(arg: object) -> object:
    """Unwrap a lock, which a condition may be given; nothing else."""
    if issubclass(type(arg), Wrapped) and type(inner_of(arg)) is asyncio.Lock:
        return inner_of(arg)
    return arg


def _method(original: type, name: str, *, is_property: bool = False) -> Any:  # noqa: ANN401
    def call(self: Wrapped, *args: Any, **options: Any) -> Any:  # noqa: ANN401
        return getattr(held(self, original), name)(*args, **options)

    def get(self: Wrapped) -> Any:  # noqa: ANN401
        return getattr(held(self, original), name)

    chosen = get if is_property else call
    chosen.__name__ = chosen.__qualname__ = name
    return chosen


_AS_CONTEXT: Final = "__aenter__ __aexit__"

Lock = _delegating(asyncio.Lock, f"acquire locked release {_AS_CONTEXT}")
Event = _delegating(asyncio.Event, "clear is_set set wait")
Semaphore = _delegating(asyncio.Semaphore, f"acquire locked release {_AS_CONTEXT}")
BoundedSemaphore = _delegating(asyncio.BoundedSemaphore, "", base=Semaphore)
Barrier = _delegating(
    asyncio.Barrier, f"abort reset wait {_AS_CONTEXT}", "broken n_waiting parties"
)
Queue = _delegating(
    asyncio.Queue,
    "empty full get get_nowait join put put_nowait qsize task_done"
    + (" shutdown" if hasattr(asyncio.Queue, "shutdown") else ""),
    "maxsize",
)
LifoQueue = _delegating(asyncio.LifoQueue, "", base=Queue)
PriorityQueue = _delegating(asyncio.PriorityQueue, "", base=Queue)
Condition = _delegating(
    asyncio.Condition, f"acquire locked notify notify_all release wait wait_for {_AS_CONTEXT}"
)


class Timeout(Wrapped):
    """A time limit around a block."""

    __slots__ = ()

    def __init__(self, when: float | None) -> None:
        hold(self, asyncio.Timeout(when))

    async def __aenter__(self) -> Self:
        await held(self, asyncio.Timeout).__aenter__()
        return self

    def __aexit__(
        self,
        exc_type: type[BaseException] | None,
        exc_val: BaseException | None,
        exc_tb: TracebackType | None,
    ) -> Coroutine[Any, Any, bool | None]:
        return held(self, asyncio.Timeout).__aexit__(exc_type, exc_val, exc_tb)

    def when(self) -> float | None:
        """Return when it ends, on the clock of time.monotonic()."""
        return held(self, asyncio.Timeout).when()

    def reschedule(self, when: float | None) -> None:
        """Change when it ends."""
        held(self, asyncio.Timeout).reschedule(when)

    def expired(self) -> bool:
        """Whether it ended what it was around."""
        return held(self, asyncio.Timeout).expired()


def timeout(delay: float | None) -> Timeout:
    """Limit a block to some seconds."""
    return Timeout(None if delay is None else asyncio.get_running_loop().time() + delay)


def timeout_at(when: float | None) -> Timeout:
    """Limit a block to a time on the clock of time.monotonic()."""
    return Timeout(when)
