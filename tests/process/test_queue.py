"""More requests than `max_concurrent_runs` wait, in order, and can be called off while they do."""

from __future__ import annotations

from collections.abc import AsyncIterator

import anyio
import pytest

from codemode import CodeRunRequest, ProcessRuntime, ProcessRuntimeConfig
from codemode.runtime import CodeRunResult
from tests.contract.conftest import request_for

DEADLINE_S = 60


@pytest.fixture(params=["asyncio", "trio"])
def anyio_backend(request: pytest.FixtureRequest) -> str:
    """Each has its own way to wake who waits."""
    found: str = request.param
    return found


@pytest.fixture
async def runtime() -> AsyncIterator[ProcessRuntime]:
    """With a single place."""
    async with ProcessRuntime(ProcessRuntimeConfig(max_concurrent_runs=1)) as opened:
        yield opened


class Blocker:
    """A run that keeps its place until it is told to go."""

    def __init__(self, runtime: ProcessRuntime) -> None:
        self._runtime = runtime
        self._there, self.go = anyio.Event(), anyio.Event()

    async def run(self) -> None:
        await self._runtime.run(request_for("await tools.block()", block=self._block))

    async def wait_until_there(self) -> None:
        await self._there.wait()

    async def _block(self, _args: object) -> None:
        self._there.set()
        await self.go.wait()


async def test_a_burst_has_every_result_and_its_places_are_given_in_order() -> None:
    """A hundred times as many requests as places: none fails, none overtakes another."""
    begun: list[object] = []
    values: dict[int, object] = {}
    config = ProcessRuntimeConfig(max_concurrent_runs=1, spare_guests=2)

    async def begin(args: dict[str, object]) -> None:
        begun.append(args["number"])

    async with ProcessRuntime(config) as runtime:

        async def ask(number: int) -> None:
            program = f"await tools.begin(number={number})\nreturn {number}"
            values[number] = (await runtime.run(request_for(program, begin=begin))).value

        with anyio.fail_after(DEADLINE_S):
            async with anyio.create_task_group() as group:
                blocker = Blocker(runtime)
                group.start_soon(blocker.run)
                await blocker.wait_until_there()
                for number in range(100):
                    group.start_soon(ask, number)
                    # trio starts tasks in an order of its own.
                    await anyio.wait_all_tasks_blocked()
                blocker.go.set()

    assert list(range(100)) == begun
    assert {number: number for number in range(100)} == values


async def test_a_waiter_that_is_cancelled_leaves_its_place_to_the_next(
    runtime: ProcessRuntime,
) -> None:
    """Its program is never begun, and those behind it lose nothing."""
    values: list[object] = []

    async def ask(number: int) -> None:
        values.append((await runtime.run(CodeRunRequest(program=f"return {number}"))).value)

    with anyio.fail_after(DEADLINE_S):
        async with anyio.create_task_group() as group:
            blocker = Blocker(runtime)
            group.start_soon(blocker.run)
            await blocker.wait_until_there()
            async with anyio.create_task_group() as doomed:
                doomed.start_soon(ask, 1)
                await anyio.wait_all_tasks_blocked()
                group.start_soon(ask, 2)
                await anyio.wait_all_tasks_blocked()
                doomed.cancel_scope.cancel()
            blocker.go.set()
        await ask(3)

    assert [2, 3] == values


async def test_closing_ends_those_that_wait_as_abort_without_beginning_them(
    runtime: ProcessRuntime,
) -> None:
    """`aclose` returns when the run that had the place and all in the queue have their result."""
    results: list[CodeRunResult] = []

    async def ask() -> None:
        results.append(await runtime.run(CodeRunRequest(program="print('begun')")))

    with anyio.fail_after(DEADLINE_S):
        async with anyio.create_task_group() as group:
            blocker = Blocker(runtime)
            group.start_soon(blocker.run)
            await blocker.wait_until_there()
            for _ in range(20):
                group.start_soon(ask)
            await anyio.wait_all_tasks_blocked()
            await runtime.aclose()

    assert [("abort", ())] * 20 == [(r.error and r.error.kind, r.logs) for r in results]
    assert all(result.report.queued_ms > 0 for result in results)
