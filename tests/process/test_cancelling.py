"""A run cancelled at any of its waits leaves nothing, on each event loop."""

from __future__ import annotations

from collections.abc import AsyncIterator, Coroutine, Generator
from types import coroutine
from typing import Any

import anyio
import pytest

from codemode import ProcessRuntime, ProcessRuntimeConfig
from codemode.runtime import CodeRunResult
from tests.contract.conftest import request_for
from tests.process.conftest import descendants, open_descriptors

DEADLINE_S = 60
PROGRAM = (
    "import asyncio\nprint('on')\n"
    "found = await asyncio.gather(tools.echo(a=1), tools.echo(b='x' * 100_000))\n"
    "await asyncio.sleep(0.001)\nreturn found"
)


@pytest.fixture(params=["asyncio", "trio"])
def anyio_backend(request: pytest.FixtureRequest) -> str:
    """Each delivers a cancellation in its own way."""
    found: str = request.param
    return found


@pytest.fixture(params=[0, 1], ids=["forked for it", "a spare"])
async def runtime(request: pytest.FixtureRequest) -> AsyncIterator[ProcessRuntime]:
    """Whose guests are forked for the run, or ahead of it."""
    async with ProcessRuntime(ProcessRuntimeConfig(spare_guests=request.param)) as opened:
        yield opened


class Cancelled:
    """Awaits a coroutine and cancels it at its nth wait.

    Attributes:
        waits: At how many it has waited.
    """

    def __init__(self, nth: int) -> None:
        self.waits = 0
        self._nth = nth
        self._scope = anyio.CancelScope()

    async def run(self, awaited: Coroutine[Any, Any, CodeRunResult]) -> CodeRunResult | None:
        """Return its result; None if it was cancelled."""
        with self._scope:
            return await self._driven(awaited)
        return None

    @coroutine
    def _driven(
        self, awaited: Coroutine[Any, Any, CodeRunResult]
    ) -> Generator[Any, Any, CodeRunResult]:
        step: Any = None
        while True:
            try:
                waited_for = (
                    awaited.throw(step) if isinstance(step, BaseException) else awaited.send(step)
                )
            except StopIteration as stop:
                return stop.value  # type: ignore[no-any-return]  # what the coroutine returns
            self.waits += 1
            if self.waits == self._nth:
                self._scope.cancel()
            try:
                step = yield waited_for
            except BaseException as error:
                step = error


async def echo(args: object) -> object:
    """A tool with a wait of its own."""
    await anyio.lowlevel.checkpoint()
    return args


async def settled(runtime: ProcessRuntime) -> tuple[list[int], int]:
    """What is there once a run has ended and the spares have been refilled."""
    result = await runtime.run(request_for(PROGRAM, echo=echo))
    assert result.error is None
    while len(found := descendants()) < 1 + runtime.config.spare_guests:
        await anyio.sleep(0.001)
    return found, open_descriptors()


async def test_a_run_cancelled_at_its_nth_wait_leaves_nothing(runtime: ProcessRuntime) -> None:
    """At the first, the second, and so on to the last; the next run works each time."""
    template = (await settled(runtime))[0][0]
    # A spare's pidfd comes a moment after its process: the number is the one that it comes to.
    descriptors = max([(await settled(runtime))[1] for _ in range(5)])
    nth, waits, cancelled, result = 0, 0, 0, None
    with anyio.fail_after(DEADLINE_S):
        # Until it had fewer waits than that. One that is shielded, at the end, lets a run finish.
        while waits >= nth:
            nth += 1
            run = Cancelled(nth)
            result = await run.run(runtime.run(request_for(PROGRAM, echo=echo)))
            waits = run.waits
            cancelled += result is None
            processes, now_open = await settled(runtime)
            assert template == processes[0]
            assert 1 + runtime.config.spare_guests == len(processes)
            while now_open != descriptors:
                await anyio.sleep(0.001)
                now_open = open_descriptors()

    assert result is not None
    assert result.error is None
    assert cancelled > 3
