"""Budgets, aborts, cancellation and closing end a run, whatever it is doing."""

import threading
import time

import anyio
import pytest

from codemode import AbortSignal, CodeRunRequest, CodeRuntime, UsageError, waiting_for_person
from codemode.runtime import CodeRunResult, InvalidNameError, RuntimeNotOpenError
from codemode.runtime.vocabulary import CodeBindingErrorClass, CodeBindingNamespace
from tests.contract.conftest import Kind, MakeRuntime, RunProgram, request_for

LOOPS = {
    "a hot loop": "while True:\n    pass",
    "a loop that catches everything": (
        "while True:\n    try:\n        while True:\n            pass\n"
        "    except BaseException:\n        pass"
    ),
    "a wait without end": "await asyncio.sleep(10**6)",
}


def aborted_soon(program: str, reason: str | None = None) -> CodeRunRequest:
    """A request that its own program has aborted, once it runs."""
    signal = AbortSignal()

    async def abort(_args: object) -> object:
        # From another thread, and a moment later, so that the program is where it wants to be.
        threading.Timer(0.05, signal.abort, [reason]).start()
        return None

    plain = request_for(f"await tools.abort()\nprint('on')\n{program}", abort=abort)
    return CodeRunRequest(program=plain.program, bindings=plain.bindings, signal=signal)


def skip_what_a_thread_cannot(kind: Kind, program: str) -> None:
    if kind == "memory" and "except BaseException" in program:
        pytest.skip("a thread that catches everything cannot be ended from outside")


@pytest.mark.parametrize("program", LOOPS.values(), ids=LOOPS)
async def test_an_abort_from_another_thread_stops_whatever_runs(
    kind: Kind, runtime: CodeRuntime, program: str
) -> None:
    """Even in the middle of a loop, with what was printed kept (checklist 76)."""
    skip_what_a_thread_cannot(kind, program)
    with anyio.fail_after(10):
        result = await runtime.run(aborted_soon(program, "enough"))

    error = result.error
    assert error is not None
    assert "abort" == error.kind
    assert "enough" in error.message
    assert ("on",) == result.logs


async def test_a_signal_that_has_fired_starts_nothing(runtime: CodeRuntime) -> None:
    """The program is not begun (checklist 76)."""
    called: list[object] = []

    async def note(args: object) -> None:
        called.append(args)

    signal = AbortSignal()
    signal.abort("too late")
    plain = request_for("await tools.note()", note=note)
    result = await runtime.run(
        CodeRunRequest(program=plain.program, bindings=plain.bindings, signal=signal)
    )

    assert result.error is not None
    assert "abort" == result.error.kind
    assert "too late" in result.error.message
    assert [] == called


@pytest.mark.parametrize("program", [LOOPS["a hot loop"], LOOPS["a loop that catches everything"]])
async def test_a_busy_loop_is_stopped_for_compute_and_its_output_kept(
    kind: Kind, make_runtime: MakeRuntime, program: str
) -> None:
    """A program that never yields ends as a timeout, with what it printed (83)."""
    skip_what_a_thread_cannot(kind, program)
    async with make_runtime(compute_ms=200) as runtime:
        with anyio.fail_after(10):
            result = await runtime.run(request_for(f"print('hi')\n{program}"))

    error = result.error
    assert error is not None
    assert ("timeout", "compute_ms") == (error.kind, error.budget)
    assert "compute_ms" in error.message
    assert ("hi",) == result.logs


async def test_waiting_costs_no_compute(make_runtime: MakeRuntime) -> None:
    """A tool that takes longer than the compute budget is not the program's work."""

    async def slow(_args: object) -> object:
        await anyio.sleep(0.5)
        return "there"

    async with make_runtime(compute_ms=300) as runtime:
        result = await runtime.run(
            request_for("await asyncio.sleep(0.2)\nreturn await tools.slow()", slow=slow)
        )

    assert result.error is None
    assert "there" == result.value


async def test_time_sleep_is_waiting_and_costs_no_compute(make_runtime: MakeRuntime) -> None:
    """It blocks the program, as models expect, and nothing else."""
    async with make_runtime(compute_ms=300) as runtime:
        result = await runtime.run(request_for("import time\ntime.sleep(0.5)\nreturn 'rested'"))

    assert result.error is None
    assert "rested" == result.value


async def test_a_hot_loop_beside_a_pending_call_is_still_stopped(
    make_runtime: MakeRuntime,
) -> None:
    """A call in flight does not hide what the program does meanwhile."""

    async def slow(_args: object) -> None:
        await anyio.sleep_forever()

    async with make_runtime(compute_ms=200) as runtime:
        with anyio.fail_after(10):
            result = await runtime.run(
                request_for(
                    "task = asyncio.create_task(tools.slow())\n"
                    "await asyncio.sleep(0)\nwhile True:\n    pass",
                    slow=slow,
                )
            )

    assert result.error is not None
    assert "compute_ms" == result.error.budget
    assert ["pending"] == [call.state for call in result.report.calls]


async def test_a_program_that_waits_too_long_is_stopped_for_its_wall_time(
    make_runtime: MakeRuntime,
) -> None:
    """The budget that expired is named (checklist 83)."""

    async def slow(_args: object) -> None:
        await anyio.sleep_forever()

    async with make_runtime(max_wall_ms=200) as runtime:
        with anyio.fail_after(10):
            result = await runtime.run(request_for("await tools.slow()", slow=slow))

    assert result.error is not None
    assert ("timeout", "max_wall_ms") == (result.error.kind, result.error.budget)


async def test_the_wall_clock_stands_still_while_a_person_is_asked(
    make_runtime: MakeRuntime,
) -> None:
    """A wait longer than the wall budget passes, and is reported as parked."""

    async def ask(_args: object) -> object:
        async with waiting_for_person():
            await anyio.sleep(0.6)
        return "allowed"

    async with make_runtime(max_wall_ms=500) as runtime:
        result = await runtime.run(request_for("return await tools.ask()", ask=ask))

    assert result.error is None
    assert "allowed" == result.value
    assert result.report.parked_ms >= 600


async def test_a_hot_loop_while_a_person_is_asked_is_still_stopped(
    make_runtime: MakeRuntime,
) -> None:
    """Compute goes on counting while the run is parked."""

    async def ask(_args: object) -> None:
        async with waiting_for_person():
            await anyio.sleep_forever()

    async with make_runtime(compute_ms=200) as runtime:
        with anyio.fail_after(10):
            result = await runtime.run(
                request_for(
                    "task = asyncio.create_task(tools.ask())\n"
                    "await asyncio.sleep(0)\nwhile True:\n    pass",
                    ask=ask,
                )
            )

    assert result.error is not None
    assert "compute_ms" == result.error.budget


async def test_a_wait_for_a_person_has_an_end(make_runtime: MakeRuntime) -> None:
    """All waits together last at most `max_parked_ms`."""

    async def ask(_args: object) -> None:
        async with waiting_for_person():
            await anyio.sleep_forever()

    async with make_runtime(max_parked_ms=200) as runtime:
        with anyio.fail_after(10):
            result = await runtime.run(request_for("await tools.ask()", ask=ask))

    assert result.error is not None
    assert ("timeout", "max_parked_ms") == (result.error.kind, result.error.budget)


async def test_waiting_for_a_person_outside_a_run_is_a_plain_block() -> None:
    """A tool that is called natively has no clock to stop."""
    async with waiting_for_person():
        passed = True

    assert passed


async def test_cancelling_the_caller_ends_the_run_and_its_bindings(runtime: CodeRuntime) -> None:
    """The cancellation goes on, and nothing of the run does."""
    begun, ended = anyio.Event(), anyio.Event()

    async def slow(_args: object) -> None:
        begun.set()
        try:
            await anyio.sleep_forever()
        finally:
            ended.set()

    finished: list[CodeRunResult] = []

    async def run() -> None:
        finished.append(await runtime.run(request_for("await tools.slow()", slow=slow)))

    with anyio.fail_after(10):
        async with anyio.create_task_group() as group:
            group.start_soon(run)
            await begun.wait()
            group.cancel_scope.cancel()

    assert [] == finished
    assert ended.is_set()
    assert 2 == (await runtime.run(request_for("return 1 + 1"))).value


async def test_closing_aborts_the_runs_in_flight_and_awaits_them(
    make_runtime: MakeRuntime,
) -> None:
    """Each says why it ended; a run after that is a mistake (checklist 77)."""
    runtime = make_runtime()
    await runtime.open()
    results: list[CodeRunResult] = []

    async def run(program: str) -> None:
        results.append(await runtime.run(request_for(program)))

    with anyio.fail_after(20):
        async with anyio.create_task_group() as group:
            group.start_soon(run, LOOPS["a hot loop"])
            group.start_soon(run, LOOPS["a wait without end"])
            await anyio.sleep(0.1)
            await runtime.aclose()
            assert 2 == len(results)

    assert {"abort"} == {result.error.kind for result in results if result.error}
    assert all("closed" in result.error.message for result in results if result.error)
    with pytest.raises(RuntimeNotOpenError):
        await runtime.run(request_for("return 1"))


async def test_closing_twice_is_closing_once(make_runtime: MakeRuntime) -> None:
    """A second close has nothing to do."""
    async with make_runtime() as runtime:
        await runtime.aclose()
    await runtime.aclose()


async def test_a_runtime_that_is_not_open_runs_nothing(make_runtime: MakeRuntime) -> None:
    """The message says how to open it."""
    with pytest.raises(RuntimeNotOpenError, match="open"):
        await make_runtime().run(request_for("return 1"))


async def test_a_runtime_opens_once(make_runtime: MakeRuntime) -> None:
    """Opening again is a mistake, said at once."""
    async with make_runtime() as runtime:
        with pytest.raises(UsageError, match="opened before"):
            await runtime.open()


async def test_opening_and_closing_may_happen_in_different_tasks(
    make_runtime: MakeRuntime,
) -> None:
    """As fixtures and the lifespan of a web server do."""
    runtime = make_runtime()
    async with anyio.create_task_group() as group:
        group.start_soon(runtime.open)
    assert 1 == (await runtime.run(request_for("return 1"))).value
    async with anyio.create_task_group() as group:
        group.start_soon(runtime.aclose)


@pytest.mark.parametrize("name", ["class", "function", "console", "__builtins__", "a-b", "", "_x_"])
async def test_a_reserved_or_impossible_global_is_refused_before_anything_starts(
    runtime: CodeRuntime, name: str
) -> None:
    """Misuse of the seam raises; it is no outcome (checklist 74)."""
    with pytest.raises(InvalidNameError, match="choose another name"):
        await runtime.run(
            CodeRunRequest(
                program="return 1",
                bindings=[CodeBindingNamespace(global_name=name, functions={})],
            )
        )


@pytest.mark.parametrize("member", ["", "name", "args", "__dict__"])
async def test_an_error_member_that_an_exception_has_already_is_refused(
    runtime: CodeRuntime, member: str
) -> None:
    """As for globals (checklist 74)."""
    error_class = CodeBindingErrorClass(name="E", member_name_property=member)
    namespace = CodeBindingNamespace(global_name="x", functions={}, error_class=error_class)
    with pytest.raises(InvalidNameError):
        await runtime.run(CodeRunRequest(program="return 1", bindings=[namespace]))


async def test_every_binding_of_many_runs_at_once_sees_its_own_run(runtime: CodeRuntime) -> None:
    """Runs side by side do not mix their calls or their output."""
    results: dict[int, CodeRunResult] = {}

    async def run(number: int) -> None:
        async def who(_args: object) -> object:
            return number

        program = "print(await tools.who())\nawait asyncio.sleep(0.01)\nprint(await tools.who())"
        results[number] = await runtime.run(request_for(program, who=who))

    async with anyio.create_task_group() as group:
        for number in range(10):
            group.start_soon(run, number)

    assert {n: (str(n), str(n)) for n in range(10)} == {n: r.logs for n, r in results.items()}


async def test_the_report_tells_how_long_a_run_took(run: RunProgram) -> None:
    """Wall time is measured around the program, compute inside it."""
    started = time.monotonic()
    report = (await run("total = 0\nfor n in range(200_000):\n    total += n")).report

    assert 0 < report.wall_ms <= (time.monotonic() - started) * 1000 + 1
    assert report.compute_ms is not None
    assert 0 < report.compute_ms
