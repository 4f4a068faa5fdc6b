"""Functions of a host, async or not, as something that can be awaited."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable
from typing import ParamSpec, cast

import anyio.to_thread

P = ParamSpec("P")


def awaitable(function: Callable[P, object]) -> Callable[P, Awaitable[object]]:
    """Return what runs a function: an async one in the event loop, any other in a thread.

    The thread is left behind when the call is cancelled, since nothing can stop it. What a
    plain function returns may be awaitable itself, such as a lambda's call of an async one.
    """
    if is_async(function):
        return cast("Callable[P, Awaitable[object]]", function)

    async def in_thread(*args: P.args, **kwargs: P.kwargs) -> object:
        # In a tuple: trio takes a thread that returns a coroutine for a mistake.
        def call() -> tuple[object]:
            return (function(*args, **kwargs),)

        (returned,) = await anyio.to_thread.run_sync(call, abandon_on_cancel=True)
        return await returned if inspect.isawaitable(returned) else returned

    return in_thread


def is_async(function: object) -> bool:
    """Whether calling it only makes a coroutine: an async function, a partial, or an object."""
    call = getattr(function, "__call__", None)  # noqa: B004 - not whether, but what
    return inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(call)
