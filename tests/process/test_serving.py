"""What a binding does to its run, and what it cannot do to it."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator

import anyio
import anyio.lowlevel
import pytest

from codemode import AbortSignal, CodeRunRequest, ProcessRuntime, ProcessRuntimeConfig
from codemode.runtime import CodeRunResult
from tests.contract.conftest import request_for
from tests.process.conftest import descendants

DEADLINE_S = 20


@pytest.fixture(scope="module", params=["asyncio", "trio"])
def anyio_backend(request: pytest.FixtureRequest) -> str:
    """Each has its own way to end a task; of a whole module, so that its tests share a runtime."""
    found: str = request.param
    return found


@pytest.fixture(scope="module")
async def runtime(anyio_backend: str) -> AsyncIterator[ProcessRuntime]:
    """That gives bindings little time to end."""
    async with ProcessRuntime(ProcessRuntimeConfig(binding_grace_ms=50)) as opened:
        yield opened


class Stubborn:
    """A binding that goes on when it is cancelled, until the test lets it end."""

    def __init__(self) -> None:
        self.begun = anyio.Event()
        self.may_end = anyio.Event()
        self.ended = anyio.Event()

    async def call(self, _args: object) -> None:
        self.begun.set()
        with anyio.CancelScope(shield=True):
            await self.may_end.wait()
        self.ended.set()


ENDINGS = {
    "the program returns": (
        "task = asyncio.create_task(tools.call())\nawait tools.begun()\nreturn 1"
    ),
    "a budget runs out": "await tools.call()",
}


@pytest.mark.parametrize("program", ENDINGS.values(), ids=ENDINGS)
async def test_a_binding_that_ignores_its_cancellation_is_left_behind(
    program: str, caplog: pytest.LogCaptureFixture
) -> None:
    """The run has its outcome after the grace, the log names it, and the next run works."""
    stubborn = Stubborn()

    async def begun(_args: object) -> None:
        await stubborn.begun.wait()

    config = ProcessRuntimeConfig(max_wall_ms=500, binding_grace_ms=50)
    with anyio.fail_after(DEADLINE_S), caplog.at_level(logging.WARNING):
        async with ProcessRuntime(config) as runtime:
            request = request_for(f"import asyncio\n{program}", call=stubborn.call, begun=begun)
            result = await runtime.run(request)
            assert not stubborn.ended.is_set()
            assert 2 == (await runtime.run(request_for("return 2"))).value
            stubborn.may_end.set()
            await stubborn.ended.wait()

    assert {"call": "pending"}.items() <= {c.member: c.state for c in result.report.calls}.items()
    if result.error is None:
        assert 1 == result.value
    else:
        assert "max_wall_ms" == result.error.budget
    assert "'call' was cancelled" in caplog.text
    assert "binding_grace_ms" in caplog.text


async def test_a_binding_that_ignores_its_cancellation_does_not_hold_up_closing(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Checklist 77: the runtime closes within its bound, without it, and says so."""
    stubborn = Stubborn()
    results: list[CodeRunResult] = []
    with anyio.fail_after(DEADLINE_S), caplog.at_level(logging.WARNING):
        runtime = ProcessRuntime(ProcessRuntimeConfig(binding_grace_ms=50))
        await runtime.open()

        async def run() -> None:
            results.append(await runtime.run(request_for("await tools.call()", call=stubborn.call)))

        async with anyio.create_task_group() as group:
            group.start_soon(run)
            await stubborn.begun.wait()
            await runtime.aclose()
            assert not stubborn.ended.is_set()
        stubborn.may_end.set()
        await stubborn.ended.wait()

    assert ["abort"] == [result.error.kind for result in results if result.error]
    assert "closed with bindings that have not ended" in caplog.text
    assert [] == descendants()


async def test_a_caller_is_cancelled_although_a_binding_is_not(runtime: ProcessRuntime) -> None:
    """The cancellation of `run` goes on after the grace."""
    stubborn = Stubborn()
    with anyio.fail_after(DEADLINE_S):
        async with anyio.create_task_group() as group:
            request = request_for("await tools.call()", call=stubborn.call)
            group.start_soon(runtime.run, request)
            await stubborn.begun.wait()
            group.cancel_scope.cancel()
        assert not stubborn.ended.is_set()
        stubborn.may_end.set()
        await stubborn.ended.wait()


class OwnError(BaseException):
    """One that is no `Exception`."""


@pytest.mark.parametrize("error", [KeyboardInterrupt, OwnError])
@pytest.mark.parametrize("when", ["called", "awaited"])
@pytest.mark.parametrize("size", [1, 200_000], ids=["a small call", "a large call"])
async def test_what_no_program_should_catch_ends_the_run_and_is_raised_by_it(
    runtime: ProcessRuntime, error: type[BaseException], when: str, size: int
) -> None:
    """As it was raised, alone; the program is gone, and other runs are none the wiser."""
    raised = error("by a tool")
    others: list[CodeRunResult] = []

    async def strike_when_awaited(_args: object) -> None:
        await anyio.lowlevel.checkpoint()
        raise raised

    def strike_when_called(_args: object) -> object:
        raise raised

    async def run_other() -> None:
        others.append(await runtime.run(request_for("await asyncio.sleep(0.2)\nreturn 1")))

    strike = strike_when_called if when == "called" else strike_when_awaited
    program = f"try:\n    await tools.strike(text='a' * {size})\nexcept BaseException:\n    pass"
    with anyio.fail_after(DEADLINE_S):
        async with anyio.create_task_group() as group:
            group.start_soon(run_other)
            with pytest.raises(error) as caught:
                await runtime.run(request_for(program, strike=strike))

    assert caught.value is raised
    assert 2 == (await runtime.run(request_for("return 2"))).value

    assert [1] == [other.value for other in others]


async def test_errors_beside_a_cancellation_are_the_programs_to_catch(
    runtime: ProcessRuntime,
) -> None:
    """A tool with tasks of its own raises a group; what is left of it without ours counts."""

    async def group(_args: object) -> None:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(anyio.sleep_forever)
            raise ValueError("of a task")

    with anyio.fail_after(DEADLINE_S):
        result = await runtime.run(
            request_for(
                "try:\n    await tools.group()\nexcept ToolCallError as error:\n"
                "    return str(error)",
                group=group,
            )
        )

    assert result.error is None
    assert "1 sub-exception" in str(result.value)


async def test_calls_are_begun_in_the_order_of_the_program(runtime: ProcessRuntime) -> None:
    """A binding may take its place in a queue by being called; trio shuffles tasks."""
    order: list[object] = []

    def note(args: object) -> object:
        order.append(args)
        return anyio.lowlevel.checkpoint()

    await runtime.run(
        request_for(
            "import asyncio\nawait asyncio.gather(*(tools.note(n=n) for n in range(100)))",
            note=note,
        )
    )

    assert [{"n": n} for n in range(100)] == order


async def test_an_answer_does_not_wait_for_a_call_that_goes_on(runtime: ProcessRuntime) -> None:
    """Answers of one moment leave together; those that are not there yet keep none back."""
    may_end = anyio.Event()

    async def wait(_args: object) -> None:
        await may_end.wait()

    async def end(_args: object) -> str:
        may_end.set()
        return "ended"

    async def echo(args: object) -> object:
        return args

    with anyio.fail_after(DEADLINE_S):
        result = await runtime.run(
            request_for(
                "import asyncio\n"
                "waiting = asyncio.create_task(tools.wait())\n"
                "echoes = await asyncio.gather(*(tools.echo(n=n) for n in range(300)))\n"
                "return [len(echoes), await tools.end(), await waiting]",
                wait=wait,
                end=end,
                echo=echo,
            )
        )

    assert [300, "ended", None] == result.value


async def test_small_answers_beside_large_ones_let_further_calls_in() -> None:
    """The guest makes its next call when it has one answer, though others have not left yet."""

    async def small(_args: object) -> int:
        await anyio.sleep(0.01)
        return 1

    async def large(_args: object) -> str:
        await anyio.sleep(0.01)
        return "x" * 1_000_000

    program = (
        "import asyncio\n"
        "async def one(n):\n"
        "    return len(await tools.large()) if n % 2 else await tools.small()\n"
        "return sum(await asyncio.gather(*(one(n) for n in range(12))))"
    )
    async with ProcessRuntime(ProcessRuntimeConfig(max_pending_calls=2)) as narrow:
        with anyio.fail_after(DEADLINE_S):
            result = await narrow.run(request_for(program, small=small, large=large))

    assert result.error is None
    assert 6_000_006 == result.value


async def test_an_abort_while_a_binding_cleans_up_waits_for_its_end(
    runtime: ProcessRuntime,
) -> None:
    """Within the grace a clean-up is finished before the run is."""
    begun, cleaned_up = anyio.Event(), anyio.Event()
    signal = AbortSignal()

    async def slow(_args: object) -> None:
        begun.set()
        try:
            await anyio.sleep_forever()
        finally:
            with anyio.CancelScope(shield=True):
                await anyio.sleep(0.01)
            cleaned_up.set()

    plain = request_for("await tools.slow()", slow=slow)
    request = CodeRunRequest(program=plain.program, bindings=plain.bindings, signal=signal)
    with anyio.fail_after(DEADLINE_S):
        async with anyio.create_task_group() as group:

            async def run() -> None:
                result = await runtime.run(request)
                assert cleaned_up.is_set()
                assert result.error is not None
                assert "abort" == result.error.kind

            group.start_soon(run)
            await begun.wait()
            signal.abort()
