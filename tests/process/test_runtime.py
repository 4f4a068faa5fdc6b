"""What only the process backend promises: fresh processes, spares, places, a clean end."""

import gc
import os
import signal
import threading
import time
from pathlib import Path

import anyio
import psutil
import pytest

from codemode import CodeRunRequest, ProcessRuntime, ProcessRuntimeConfig, RuntimeFault, run_sync
from codemode.process import MemoryBudgetError
from codemode.runtime import CodeRunResult, RuntimeNotOpenError
from tests.contract.conftest import request_for
from tests.process.conftest import descendants, open_descriptors


def request(program: str) -> CodeRunRequest:
    return CodeRunRequest(program=program)


@pytest.mark.parametrize("spare_guests", [0, 1, 3])
async def test_runs_work_with_any_number_of_spares(spare_guests: int) -> None:
    """A spare is used once, and forking on demand takes its place when there is none."""
    config = ProcessRuntimeConfig(spare_guests=spare_guests)
    async with ProcessRuntime(config) as runtime:
        values = [(await runtime.run(request(f"return {n}"))).value for n in range(5)]

    assert [0, 1, 2, 3, 4] == values


@pytest.mark.parametrize(
    "program",
    [
        "return 1",
        "raise ValueError",
        "while True:\n    pass",
        "await asyncio.sleep(100)",
        "x = []\nwhile True:\n    x.append('a' * 10**6)",
    ],
)
async def test_a_run_leaves_no_process_and_no_descriptor(program: str) -> None:
    """However it ends, its process is gone and reaped when `run` returns (checklist 84)."""
    config = ProcessRuntimeConfig(compute_ms=300, max_wall_ms=600, spare_guests=0)
    async with ProcessRuntime(config) as runtime:
        await runtime.run(request("return 1"))
        before = (descendants(), open_descriptors())
        await runtime.run(request(program))

        assert before == (descendants(), open_descriptors())


async def test_closing_leaves_no_process_and_no_descriptor() -> None:
    """Template and spares go with the runtime (checklist 77)."""
    before = (descendants(), open_descriptors())
    async with ProcessRuntime(ProcessRuntimeConfig(spare_guests=2)) as runtime:
        await runtime.run(request("return 1"))

    assert before == (descendants(), open_descriptors())


async def test_memory_that_is_used_up_is_a_worker_exit_that_names_the_budget() -> None:
    """An uncaught MemoryError of a full process is no mistake of the program's logic (83)."""
    config = ProcessRuntimeConfig(memory_bytes=256 * 2**20)
    async with ProcessRuntime(config) as runtime:
        result = await runtime.run(
            request("print('on')\nx = []\nwhile True:\n    x.append('a' * 10**6)")
        )

    error = result.error
    assert error is not None
    assert ("worker-exit", "memory_bytes", 4) == (error.kind, error.budget, error.line)
    assert ("on",) == result.logs


async def test_one_absurd_allocation_is_an_exception() -> None:
    """What never fitted has used up nothing: the process is well, and the program at fault."""
    async with ProcessRuntime(ProcessRuntimeConfig(memory_bytes=256 * 2**20)) as runtime:
        error = (await runtime.run(request("x = 'a' * 10**12"))).error

    assert error is not None
    assert ("exception", "MemoryError") == (error.kind, error.exception_type)


async def test_a_memory_budget_smaller_than_the_template_is_refused_at_start() -> None:
    """The message says how much would do, and that much does."""
    with pytest.raises(MemoryBudgetError, match="at least") as refused:
        await ProcessRuntime(ProcessRuntimeConfig(memory_bytes=32 * 2**20)).open()

    enough = int(str(refused.value).rpartition(" ")[2])
    async with ProcessRuntime(ProcessRuntimeConfig(memory_bytes=enough)) as runtime:
        assert 1 == (await runtime.run(request("return 1"))).value
    assert [] == descendants()


async def test_a_timeout_names_the_line_that_was_running() -> None:
    """The interpreter itself is asked, so a loop within C has a line too."""
    async with ProcessRuntime(ProcessRuntimeConfig(compute_ms=200)) as runtime:
        hot = await runtime.run(request("x = 1\ndef spin():\n    while True:\n        x\nspin()"))
        in_c = await runtime.run(request("print('on')\nsum(range(10**14))"))

    for result, lines in ((hot, (3, 4)), (in_c, (2,))):
        assert result.error is not None
        assert "compute_ms" == result.error.budget
        assert result.error.line in lines
        assert f"line {result.error.line}\n" in result.error.message


async def test_a_crash_is_a_worker_exit_with_its_signal_and_line() -> None:
    """What the interpreter says at its end is evidence (checklist 85, 88)."""
    program = (
        "import itertools\nchain = iter([1])\n"
        "for _ in range(10**6):\n    chain = itertools.chain(chain)\n"
        "print('deep')\nprint(list(chain))"
    )
    async with ProcessRuntime() as runtime:
        result = await runtime.run(request(program))

    error = result.error
    assert error is not None
    assert "worker-exit" == error.kind
    assert "SIGSEGV" in error.message
    assert 6 == error.line
    assert ("deep",) == result.logs


async def test_ten_thousand_requests_at_once_wait_and_none_fails() -> None:
    """More runs than places queue up, first come, first served."""
    config = ProcessRuntimeConfig(max_concurrent_runs=1)
    order: list[int] = []
    waiting = 10_000

    async with ProcessRuntime(config) as runtime, anyio.create_task_group() as group:
        blocked, release = anyio.Event(), anyio.Event()

        async def block(_args: object) -> None:
            blocked.set()
            await release.wait()

        async def run(number: int) -> None:
            signal_free = await runtime.run(request(f"return {number}"))
            assert number == signal_free.value
            order.append(number)
            if len(order) == 20:
                group.cancel_scope.cancel()

        group.start_soon(runtime.run, request_for("await tools.block()", block=block))
        await blocked.wait()
        for number in range(waiting):
            group.start_soon(run, number)
        # All of them are in the queue now, and the first twenty get their turn in order.
        await anyio.wait_all_tasks_blocked()
        release.set()

    assert list(range(20)) == order[:20]


async def test_an_abort_reaches_a_request_that_still_waits() -> None:
    """Its program is never begun, and its place in the queue goes to the next."""
    from codemode import AbortSignal  # noqa: PLC0415 - beside its only use

    signal_ = AbortSignal()
    results: list[CodeRunResult] = []
    async with ProcessRuntime(ProcessRuntimeConfig(max_concurrent_runs=1)) as runtime:
        blocked, release = anyio.Event(), anyio.Event()

        async def block(_args: object) -> None:
            blocked.set()
            await release.wait()

        async def wait_in_vain() -> None:
            results.append(await runtime.run(CodeRunRequest(program="return 1", signal=signal_)))

        async with anyio.create_task_group() as group:
            group.start_soon(runtime.run, request_for("await tools.block()", block=block))
            await blocked.wait()
            group.start_soon(wait_in_vain)
            await anyio.wait_all_tasks_blocked()
            threading.Thread(target=signal_.abort).start()
            with anyio.fail_after(10):
                while not results:
                    await anyio.sleep(0.001)
            release.set()
        assert 1 == (await runtime.run(request("return 1"))).value

    assert results[0].error is not None
    assert "abort" == results[0].error.kind
    assert results[0].report.queued_ms > 0


async def test_the_template_is_replaced_after_its_number_of_guests() -> None:
    """Siblings share an address-space layout, so no template has too many of them."""
    config = ProcessRuntimeConfig(guests_per_template=3, spare_guests=1)
    async with ProcessRuntime(config) as runtime:
        first = psutil.Process().children()[0].pid
        for number in range(12):
            assert number == (await runtime.run(request(f"return {number}"))).value
        with anyio.fail_after(30):
            while first in [child.pid for child in psutil.Process().children()]:
                await runtime.run(request("return 1"))
                await anyio.sleep(0.01)
            while len(psutil.Process().children()) > 1:
                await anyio.sleep(0.01)


async def test_the_seed_of_a_run_is_reported_and_differs_from_run_to_run() -> None:
    """`random` is seeded by the host, so that a run can be repeated."""
    async with ProcessRuntime() as runtime:
        runs = [
            await runtime.run(request("import random\nreturn random.random()")) for _ in range(2)
        ]

    assert runs[0].report.seed != runs[1].report.seed
    assert runs[0].value != runs[1].value


async def test_a_hash_is_the_same_in_every_run() -> None:
    """The order of a set of strings does not change from run to run."""
    async with ProcessRuntime() as runtime:
        values = {(await runtime.run(request("return hash('a')"))).value for _ in range(2)}

    assert 1 == len(values)


async def test_another_event_loop_is_refused() -> None:
    """A runtime belongs to the loop that opened it."""
    async with ProcessRuntime() as runtime:

        def elsewhere() -> None:
            anyio.run(runtime.run, request("return 1"))

        with pytest.raises(RuntimeNotOpenError, match="another event loop"):
            await anyio.to_thread.run_sync(elsewhere)


async def test_a_forked_child_is_refused() -> None:
    """A runtime belongs to the process that opened it, and a copy of it does no harm."""
    async with ProcessRuntime() as runtime:
        pid = os.fork()
        if pid == 0:
            status = 1
            try:
                runtime._refuse_strangers()  # noqa: SLF001 - `run` needs the loop, which is not ours
            except RuntimeNotOpenError as error:
                status = 0 if "another process" in str(error) else 2
            finally:
                os._exit(status)
        _, status = os.waitpid(pid, 0)  # noqa: ASYNC222 - it ends at once

        assert 0 == status
        assert 1 == (await runtime.run(request("return 1"))).value


async def test_no_descriptors_left_is_a_fault_that_passes() -> None:
    """The operator reads what to raise, and when there is room again, runs work."""
    async with ProcessRuntime(ProcessRuntimeConfig(spare_guests=0)) as runtime:
        await runtime.run(request("return 1"))
        taken: list[int] = []
        try:
            while True:
                taken.append(os.dup(0))
        except OSError:
            os.close(taken.pop())
        try:
            with pytest.raises(RuntimeFault, match="ulimit -n"):
                await runtime.run(request("return 1"))
        finally:
            for fd in taken:
                os.close(fd)

        assert 1 == (await runtime.run(request("return 1"))).value


def test_run_sync_needs_no_event_loop() -> None:
    """A script runs a program in one call, and nothing stays behind."""
    before = (descendants(), open_descriptors())
    result = run_sync(request("return await asyncio.sleep(0, 'done')"))

    assert "done" == result.value
    assert before == (descendants(), open_descriptors())


async def test_the_guests_environment_holds_nothing_of_the_hosts() -> None:
    """Seen from outside, in /proc, for template and guest (checklist 82)."""
    os.environ["CODEMODE_TEST_SECRET"] = "hush"  # noqa: S105 - that is the test
    try:
        async with ProcessRuntime() as runtime:
            await runtime.run(request("return 1"))
            with anyio.fail_after(10):
                while len(found := psutil.Process().children(recursive=True)) < 2:
                    await anyio.sleep(0.01)
            environments = [process.environ() for process in found]
    finally:
        del os.environ["CODEMODE_TEST_SECRET"]

    assert [{"PYTHONHASHSEED": "0", "TZ": "UTC0"}] * 2 == environments


async def test_a_waiting_guest_is_limited_and_of_its_templates_session() -> None:
    """Seen from outside, before it has a program (checklist 82, 83)."""
    config = ProcessRuntimeConfig(compute_ms=5_000, memory_bytes=300 * 2**20)
    async with ProcessRuntime(config) as runtime:
        await runtime.run(request("return 1"))
        (template,) = psutil.Process().children()
        with anyio.fail_after(10):
            # Its last step.
            while not (spares := template.children()) or "Seccomp:\t2" not in status(spares[0]):
                await anyio.sleep(0.01)
        (spare,) = spares
        limits = Path(f"/proc/{spare.pid}/limits").read_text(encoding="ascii")
        limited = {line[:26].strip(): line[26:].split()[:2] for line in limits.splitlines()[1:]}

        assert [str(300 * 2**20)] * 2 == limited["Max address space"]
        assert ["7", "7"] == limited["Max cpu time"]
        for name in ("file size", "core file size", "open files", "processes"):
            assert ["0", "0"] == limited[f"Max {name}"]
        assert os.getsid(spare.pid) == template.pid != os.getsid(0)
        assert "NoNewPrivs:\t1" in status(spare)


def status(process: psutil.Process) -> str:
    return Path(f"/proc/{process.pid}/status").read_text(encoding="utf-8")


async def test_signals_that_the_host_ignores_are_not_ignored_by_a_guest() -> None:
    """A host started under nohup does not make its guests hard to end."""
    previous = signal.signal(signal.SIGXCPU, signal.SIG_IGN)
    try:
        async with ProcessRuntime() as runtime:
            await runtime.run(request("return 1"))
            (template,) = psutil.Process().children()
            with anyio.fail_after(10):
                while not (spares := template.children()):
                    await anyio.sleep(0.01)
                ignored = 1
                while ignored:
                    with open(f"/proc/{spares[0].pid}/status", encoding="ascii") as status:  # noqa: PTH123
                        (mask,) = [line.split()[1] for line in status if line.startswith("SigIgn")]
                    ignored = int(mask, 16) >> (signal.SIGXCPU - 1) & 1
                    await anyio.sleep(0.01)
    finally:
        signal.signal(signal.SIGXCPU, previous)


@pytest.mark.slow
async def test_2_000_runs_in_turn_and_200_at_once_leave_no_growth() -> None:
    """Descriptors, processes and memory are the same after the first hundred and the last."""

    async def wait(_args: object) -> None:
        await anyio.sleep(0.1)

    before = open_descriptors()
    async with ProcessRuntime() as runtime:
        host = psutil.Process()

        async def burst() -> None:
            async with anyio.create_task_group() as group:
                for _ in range(200):
                    group.start_soon(runtime.run, request_for("await tools.wait()", wait=wait))

        async def footprint() -> tuple[int, int]:
            with anyio.fail_after(30):
                # A template and a spare, of three descriptors each; what replaces the last ones
                # comes and goes in the background.
                while (
                    len(found := host.children(recursive=True)) != 2
                    or open_descriptors() != before + 6
                ):
                    await anyio.sleep(0.01)
            gc.collect()
            template = max(process.memory_info().rss for process in found)
            return host.memory_info().rss, template

        await burst()
        for _ in range(100):
            await runtime.run(request("return 1"))
        host_bytes, template_bytes = await footprint()
        for number in range(1_900):
            assert number == (await runtime.run(request(f"return {number}"))).value
        await burst()
        after = await footprint()

    # The allocator keeps what a burst needed; a leak of a kilobyte a run would show.
    assert after[0] - host_bytes < 2 * 2**20
    assert after[1] - template_bytes < 8 * 2**20


async def test_output_limits_hold_while_the_program_swallows_everything() -> None:
    """A flood ends the process, whatever the program catches (checklist 87)."""
    config = ProcessRuntimeConfig(max_output_bytes=1_000)
    program = (
        "while True:\n    try:\n        print('x' * 100)\n    except BaseException:\n        pass"
    )
    async with ProcessRuntime(config) as runtime:
        started = time.monotonic()
        result = await runtime.run(request(program))

    assert result.error is not None
    assert "output-limit" == result.error.kind
    assert 10 == len(result.logs)
    assert time.monotonic() - started < 20


async def test_a_closed_runtime_is_not_opened_again() -> None:
    """And it does not say that it is open, for which a caller would take it."""
    runtime = ProcessRuntime()
    async with runtime:
        pass

    with pytest.raises(RuntimeNotOpenError, match="closed; make a new one"):
        await runtime.open()
