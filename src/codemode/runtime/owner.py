"""A task that owns what lives between opening and closing, whoever does either."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import anyio
import sniffio

if TYPE_CHECKING:
    from anyio.abc import TaskGroup


class Owner:
    """Keeps a task group open in a task of its own.

    A task group must be left in the task that entered it, but a runtime is opened and closed
    where it suits its user: in two fixtures, in two handlers of a web server's lifespan.

    Attributes:
        tasks: The task group, once `start` has returned.
    """

    def __init__(self) -> None:
        self.tasks: TaskGroup
        self._started = anyio.Event()
        self._stopping = anyio.Event()
        self._ended = anyio.Event()
        # asyncio itself keeps no reference to a task that it runs.
        self._task: object = None

    async def start(self) -> None:
        """Open the task group."""
        if sniffio.current_async_library() == "trio":
            import trio  # noqa: PLC0415 - it is the current library, so it is there

            self._task = trio.lowlevel.spawn_system_task(self._live)
        else:
            import asyncio  # noqa: PLC0415 - likewise

            self._task = asyncio.get_running_loop().create_task(self._live())
        await self._started.wait()

    async def stop(self, within_s: float = math.inf) -> bool:
        """Cancel what is left in the task group and wait until all of it has ended.

        Args:
            within_s: For how long; then it is left to end when it will.

        Returns:
            Whether it has ended.
        """
        self._stopping.set()
        if self._task is not None:
            with anyio.move_on_after(within_s, shield=True):
                await self._ended.wait()
        return self._task is None or self._ended.is_set()

    async def _live(self) -> None:
        try:
            async with anyio.create_task_group() as self.tasks:
                self._started.set()
                await self._stopping.wait()
                self.tasks.cancel_scope.cancel()
        finally:
            self._ended.set()
