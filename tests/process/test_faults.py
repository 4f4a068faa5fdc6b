"""Killing the guest, the template or the host ends in the right kind, and leaves nothing."""

import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Callable

import anyio
import psutil
import pytest

from codemode import CodeRunRequest, ProcessRuntime, ProcessRuntimeConfig
from codemode.process import TemplateStartError
from codemode.runtime import CodeRunResult, RuntimeNotOpenError
from tests.contract.conftest import request_for
from tests.process.conftest import descendants, open_descriptors
from tests.process.peers import runtime_of_strangers

DEADLINE_S = 20


def template_of(_runtime: ProcessRuntime) -> psutil.Process:
    (template,) = psutil.Process().children()
    return template


@pytest.fixture
async def runtime() -> AsyncIterator[ProcessRuntime]:
    """Without spares, so that the one guest there is runs the program."""
    async with ProcessRuntime(
        ProcessRuntimeConfig(spare_guests=0, guests_per_template=1_000_000)
    ) as opened:
        yield opened


async def run_and_strike(
    runtime: ProcessRuntime, program: str, strike: Callable[[], None]
) -> CodeRunResult:
    """Run a program that calls `tools.strike()` at the moment of its choice."""

    async def call(_args: object) -> object:
        strike()
        return None

    with anyio.fail_after(DEADLINE_S):
        return await runtime.run(request_for(program, strike=call))


MOMENTS = {
    "in a call": "print('on')\nawait tools.strike()\nprint('off')",
    "in a loop": (
        "print('on')\n"
        "call = asyncio.create_task(tools.strike())\nawait asyncio.sleep(0)\n"
        "while True:\n    pass"
    ),
    "in a wait": "print('on')\nawait tools.strike()\nawait asyncio.sleep(10**6)",
}


@pytest.mark.parametrize("program", MOMENTS.values(), ids=MOMENTS)
async def test_a_killed_guest_is_a_worker_exit_that_keeps_its_logs(
    runtime: ProcessRuntime, program: str
) -> None:
    """The run settles, the next one works, and nothing is left (checklist 88)."""

    def strike() -> None:
        (guest,) = template_of(runtime).children()
        guest.kill()

    result = await run_and_strike(runtime, program, strike)

    assert result.error is not None
    assert "worker-exit" == result.error.kind
    assert "SIGKILL" in result.error.message
    assert ("on",) == result.logs
    assert 1 == (await runtime.run(CodeRunRequest(program="return 1"))).value
    assert 1 == len(descendants())


@pytest.mark.parametrize("program", MOMENTS.values(), ids=MOMENTS)
async def test_a_killed_template_is_a_worker_exit_and_is_replaced(
    runtime: ProcessRuntime, program: str
) -> None:
    """Its guests end with it, and the next run has a new one (checklist 88)."""
    killed: list[psutil.Process] = []

    def strike() -> None:
        template = template_of(runtime)
        killed.extend([template, *template.children()])
        template.kill()
        # Its guests are killed before it can be waited for; then the program gets its answer.
        template.wait(DEADLINE_S)

    result = await run_and_strike(runtime, program, strike)

    assert result.error is not None
    assert "worker-exit" == result.error.kind
    assert ("on",) == result.logs
    assert 1 == (await runtime.run(CodeRunRequest(program="return 1"))).value
    _, alive = psutil.wait_procs(killed, DEADLINE_S)
    assert [] == alive
    assert 1 == len(descendants())


MOMENTS_ON_THE_BRIDGE = {
    "before it is ready": ("signal.raise_signal(9)", "worker-exit"),
    "after it is ready": ("say(['ready', 1])\nsignal.raise_signal(9)", "worker-exit"),
    "in half a frame": (
        "say(['ready', 1])\nsock.sendall(pack(b'x' * 100)[:9])\nsignal.raise_signal(9)",
        "worker-exit",
    ),
    "while it is replied to": (
        "say(['ready', 1], ['call', 1, 0, 0, {}])\nsock.recv(1000)\nsignal.raise_signal(9)",
        "worker-exit",
    ),
    "when it has said how it ended": (
        "say(['ready', 1], ['done', {'value': 1}])\nsignal.raise_signal(9)",
        None,
    ),
}


@pytest.mark.parametrize("script,kind", MOMENTS_ON_THE_BRIDGE.values(), ids=MOMENTS_ON_THE_BRIDGE)
async def test_a_guest_that_dies_at_any_moment_of_the_bridge_is_seen_off(
    script: str, kind: str | None
) -> None:
    """The right kind, no process, no descriptor, and a working next run (checklist 88)."""

    async def large(_args: object) -> str:
        return "x" * 8 * 2**20

    async with runtime_of_strangers(spare_guests=0) as runtime:
        fine = request_for("say(['ready', 1], ['done', {'value': 2}])")
        assert 2 == (await runtime.run(fine)).value
        before = (descendants(), open_descriptors())
        with anyio.fail_after(DEADLINE_S):
            result = await runtime.run(request_for(script, large=large))
        assert before == (descendants(), open_descriptors())
        assert 2 == (await runtime.run(fine)).value

    assert kind == (result.error.kind if result.error else None)
    if result.error is not None:
        assert "SIGKILL" in result.error.message


async def test_a_template_killed_between_runs_takes_its_spares_along() -> None:
    """A dead spare is noticed before a program is sent to it."""
    async with ProcessRuntime(ProcessRuntimeConfig(spare_guests=2)) as runtime:
        await runtime.run(CodeRunRequest(program="return 1"))
        for _ in range(3):
            (template,) = psutil.Process().children()
            template.kill()
            template.wait(DEADLINE_S)
            assert 2 == (await runtime.run(CodeRunRequest(program="return 2"))).value
    assert [] == descendants()


async def test_killed_templates_leave_no_descriptors() -> None:
    """What each of them held is closed once it is buried."""
    async with ProcessRuntime(ProcessRuntimeConfig(spare_guests=1)) as runtime:
        await runtime.run(CodeRunRequest(program="return 1"))
        with anyio.fail_after(DEADLINE_S):
            before = await descriptors_with_a_spare(runtime)
        for _ in range(3):
            (template,) = psutil.Process().children()
            template.kill()
            template.wait(DEADLINE_S)
            await runtime.run(CodeRunRequest(program="return 1"))
        with anyio.fail_after(DEADLINE_S):
            while await descriptors_with_a_spare(runtime) != before:
                pass


async def descriptors_with_a_spare(runtime: ProcessRuntime) -> int:
    """How many are open once there is a spare again and nothing more is on its way."""
    while not template_of(runtime).children():
        await anyio.sleep(0.01)
    seen = -1
    while seen != open_descriptors():
        seen = open_descriptors()
        await anyio.sleep(0.05)
    return seen


async def test_a_stopped_guest_is_ended_for_its_wall_time(runtime: ProcessRuntime) -> None:
    """A process that does not even answer signals is killed all the same."""
    config = ProcessRuntimeConfig(spare_guests=0, max_wall_ms=500)
    async with ProcessRuntime(config) as short:

        def strike() -> None:
            for template in psutil.Process().children():
                for guest in template.children():
                    guest.suspend()

        result = await run_and_strike(short, MOMENTS["in a wait"], strike)

    assert result.error is not None
    assert "max_wall_ms" == result.error.budget
    assert not template_of(runtime).children()


HOST = """
import os, sys, anyio, psutil
from codemode import CodeRunRequest, ProcessRuntime, ProcessRuntimeConfig

async def main():
    async with ProcessRuntime(ProcessRuntimeConfig(spare_guests=2)) as runtime:
        await runtime.run(CodeRunRequest(program="return 1"))
        async with anyio.create_task_group() as group:
            for program in {programs!r}:
                group.start_soon(runtime.run, CodeRunRequest(program=program))
            # The template, two guests that run, two that wait.
            while len(found := psutil.Process().children(recursive=True)) < 5:
                await anyio.sleep(0.01)
            if {forked!r}:
                pid = os.fork()
                if pid == 0:
                    os.read(0, 1)
                    os._exit(0)
            print(*(process.pid for process in found), flush=True)
            await anyio.sleep_forever()

anyio.run(main)
"""


@pytest.mark.parametrize("forked", [False, True], ids=["alone", "with a forked child"])
def test_a_killed_host_leaves_no_guest_and_no_template(forked: bool) -> None:  # noqa: FBT001
    """Also when a child of its holds the same sockets, so that none of them is closed."""
    source = HOST.format(
        programs=["while True:\n    pass", "await asyncio.sleep(10**6)"], forked=forked
    )
    host = subprocess.Popen(
        [sys.executable, "-c", source], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    with host:
        assert host.stdin is not None
        assert host.stdout is not None
        below = [psutil.Process(int(pid)) for pid in host.stdout.readline().split()]
        try:
            host.kill()
            host.wait(DEADLINE_S)
            _, alive = psutil.wait_procs(below, DEADLINE_S)
        finally:
            host.stdin.close()  # which ends the forked child

    assert 5 == len(below)
    assert [] == [process for process in alive if process.status() != psutil.STATUS_ZOMBIE]


async def test_closing_during_a_hundred_runs_ends_them_all() -> None:
    """Quiescence: when `aclose` returns, no process is left (checklist 77)."""
    results: list[CodeRunResult] = []
    runtime = ProcessRuntime()
    await runtime.open()

    async def run() -> None:
        results.append(await runtime.run(CodeRunRequest(program="await asyncio.sleep(10**6)")))

    with anyio.fail_after(DEADLINE_S):
        async with anyio.create_task_group() as group:
            for _ in range(100):
                group.start_soon(run)
            while len(descendants()) < 50:
                await anyio.sleep(0.01)
            await runtime.aclose()

    assert ["abort"] * 100 == [result.error.kind for result in results if result.error]
    assert [] == descendants()


async def test_a_forged_end_of_the_template_is_not_believed(runtime: ProcessRuntime) -> None:
    """A signal that its parent could catch does not end the template's own service."""
    template = template_of(runtime)
    os.kill(template.pid, signal.SIGUSR1)

    assert 1 == (await runtime.run(CodeRunRequest(program="return 1"))).value


@pytest.mark.slow
async def test_a_stopped_template_holds_up_no_run_and_is_replaced(
    runtime: ProcessRuntime,
) -> None:
    """A template that reports nothing is killed, and buried with its guests."""

    def strike() -> None:
        template_of(runtime).suspend()

    result = await run_and_strike(runtime, "await tools.strike()\nreturn 'done'", strike)

    assert "done" == result.value
    assert 1 == (await runtime.run(CodeRunRequest(program="return 1"))).value
    assert 1 == len(descendants())


async def test_a_host_that_ignores_the_ends_of_its_children_loses_none() -> None:
    """The template hears of its own children, whatever its parent ignores."""
    previous = signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    try:
        async with ProcessRuntime(ProcessRuntimeConfig(spare_guests=0)) as runtime:
            template = template_of(runtime)
            values = [
                (await runtime.run(CodeRunRequest(program=f"return {n}"))).value for n in range(3)
            ]
            assert template == template_of(runtime)
    finally:
        signal.signal(signal.SIGCHLD, previous)

    assert [0, 1, 2] == values


async def test_closing_while_opening_ends_both_and_leaves_nothing() -> None:
    """The one who opens is told; closing again has nothing to do."""
    before = (descendants(), open_descriptors())
    runtime = ProcessRuntime()
    refused: list[RuntimeNotOpenError] = []

    async def open_runtime() -> None:
        try:
            await runtime.open()
        except RuntimeNotOpenError as error:
            refused.append(error)

    with anyio.fail_after(DEADLINE_S):
        async with anyio.create_task_group() as group:
            group.start_soon(open_runtime)
            while not descendants():
                await anyio.sleep(0.001)
            with pytest.raises(RuntimeNotOpenError, match="still being opened"):
                await runtime.run(CodeRunRequest(program="return 1"))
            await runtime.aclose()
    await runtime.aclose()

    assert 1 == len(refused)
    assert before == (descendants(), open_descriptors())


async def test_an_opening_cancelled_at_any_of_its_waits_leaves_nothing() -> None:
    """Neither a process nor a descriptor, and the runtime says that it is closed."""
    before = (descendants(), open_descriptors())
    opened, turns = False, 0
    while not opened:
        turns = turns * 2 + 1
        runtime, scope = ProcessRuntime(), anyio.CancelScope()

        async def open_runtime(
            runtime: ProcessRuntime = runtime, scope: anyio.CancelScope = scope
        ) -> None:
            nonlocal opened
            with scope:
                await runtime.open()
                opened = True

        with anyio.fail_after(DEADLINE_S):
            async with anyio.create_task_group() as group:
                group.start_soon(open_runtime)
                for _ in range(turns):
                    await anyio.lowlevel.checkpoint()
                scope.cancel()
            if not opened:
                with pytest.raises(RuntimeNotOpenError, match="closed"):
                    await runtime.run(CodeRunRequest(program="return 1"))
            await runtime.aclose()
        assert before == (descendants(), open_descriptors())

    assert turns > 3


async def test_a_template_that_dies_while_it_is_replaced_does_not_hold_up_closing() -> None:
    """Every template that was started is known until it is gone."""
    config = ProcessRuntimeConfig(guests_per_template=1, spare_guests=1)
    with anyio.fail_after(DEADLINE_S):
        async with ProcessRuntime(config) as runtime:
            for _ in range(4):
                await runtime.run(CodeRunRequest(program="return 1"))
                for template in psutil.Process().children():
                    template.kill()

    assert [] == descendants()


async def test_a_template_that_cannot_start_is_a_fault_and_leaves_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The operator reads why."""
    before = (descendants(), open_descriptors())
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    with pytest.raises(TemplateStartError, match="No such file"):
        await ProcessRuntime().open()

    assert before == (descendants(), open_descriptors())
