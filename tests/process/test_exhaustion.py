"""When the host runs out of something, a run says so, and works again once there is some."""

from __future__ import annotations

import os
import resource
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import AbstractContextManager, aclosing, contextmanager
from pathlib import Path

import anyio
import pytest

from codemode import CodeRunRequest, ProcessRuntime, ProcessRuntimeConfig, RuntimeFault
from codemode.process import TemplateStartError, template
from tests.process.conftest import descendants, open_descriptors

DEADLINE_S = 20


@pytest.fixture(scope="module", params=["asyncio", "trio"])
def anyio_backend(request: pytest.FixtureRequest) -> str:
    """Of a whole module, so that its tests share a template."""
    found: str = request.param
    return found


@pytest.fixture(scope="module")
async def runtime(anyio_backend: str) -> AsyncIterator[ProcessRuntime]:
    async with ProcessRuntime(ProcessRuntimeConfig(spare_guests=0)) as opened:
        yield opened


@contextmanager
def limited(kind: int, amount: int) -> Iterator[None]:
    """Within the block this process may have no more of it."""
    limits = resource.getrlimit(kind)
    resource.setrlimit(kind, (amount, limits[1]))
    try:
        yield
    finally:
        resource.setrlimit(kind, limits)


def no_more_descriptors(spare: int = 0) -> AbstractContextManager[None]:
    """Within the block this process may open no more, but for a few."""
    with open(os.devnull) as lowest:  # noqa: PTH123 - its number is what is asked for
        return limited(resource.RLIMIT_NOFILE, lowest.fileno() + spare)


async def value_of(runtime: ProcessRuntime, program: str = "return 1") -> object:
    with anyio.fail_after(DEADLINE_S):
        return (await runtime.run(CodeRunRequest(program=program))).value


@pytest.mark.parametrize("spare", range(5))
async def test_a_run_without_descriptors_says_so_and_the_next_one_works(
    runtime: ProcessRuntime, spare: int
) -> None:
    """Whichever of the few that a run needs is the one that is missing."""
    await value_of(runtime)
    before = (descendants(), open_descriptors())
    with no_more_descriptors(spare):
        try:
            assert 1 == await value_of(runtime)
        except RuntimeFault as error:
            assert "descriptors" in str(error)  # noqa: PT017 - a few are enough for some

    assert 1 == await value_of(runtime)
    assert before == (descendants(), open_descriptors())


async def test_no_descriptor_at_all_is_a_fault(runtime: ProcessRuntime) -> None:
    """Else the test above could not fail."""
    await value_of(runtime)
    with no_more_descriptors(), pytest.raises(RuntimeFault, match="ulimit -n"):
        await value_of(runtime)


async def test_a_runtime_that_cannot_open_for_want_of_descriptors_leaves_nothing(
    runtime: ProcessRuntime,
) -> None:
    """Another one opens when there are some."""
    await value_of(runtime)
    before = (descendants(), open_descriptors())
    for spare in range(8):
        with no_more_descriptors(spare):
            unopened = ProcessRuntime(ProcessRuntimeConfig(spare_guests=0))
            try:
                await unopened.open()
            except TemplateStartError as error:
                assert "descriptor" in str(error).lower() or "files" in str(error)  # noqa: PT017
            await unopened.aclose()
        assert before == (descendants(), open_descriptors())


async def test_a_template_that_was_started_with_few_descriptors_has_more_when_the_host_has() -> (
    None
):
    """Each guest takes one of the template's, and two on its way."""
    with no_more_descriptors(spare=12):
        runtime = ProcessRuntime(ProcessRuntimeConfig(spare_guests=0))
        await runtime.open()
    async with aclosing(runtime), anyio.create_task_group() as group:

        async def run() -> None:
            assert 1 == await value_of(
                runtime, "import asyncio\nawait asyncio.sleep(0.1)\nreturn 1"
            )

        for _ in range(30):
            group.start_soon(run)


@pytest.mark.skipif(sys.platform != "linux", reason="asks Linux's /proc")
async def test_a_host_without_memory_for_what_a_program_says_ends_that_run() -> None:
    """Checklist 75: the run says so, the event loop goes on, and the next run works."""
    many = 2**27
    config = ProcessRuntimeConfig(
        spare_guests=0, max_frame_bytes=many, max_output_bytes=many, memory_bytes=2**30
    )
    async with ProcessRuntime(config) as runtime:
        await value_of(runtime)
        before = (descendants(), open_descriptors())
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
        with limited(resource.RLIMIT_AS, pages * resource.getpagesize() + many // 16):
            with anyio.fail_after(DEADLINE_S):
                request = CodeRunRequest(program=f"return 'x' * {many // 2}")
                error = (await runtime.run(request)).error
        assert error is not None
        assert ("worker-exit", True) == (error.kind, "the host has no memory" in error.message)

        assert 1 == await value_of(runtime)
        assert before == (descendants(), open_descriptors())


#: A template whose system has no process for the second and the third guest.
_POOR = """
import sys; sys.path += sys.argv[4:]
import errno
from codemode_guest import template
fork, forks = template.kernel.fork, iter([True, False, False])

def fork_if_there_are_some():
    if not next(forks, True):
        raise BlockingIOError(errno.EAGAIN, "none left")
    return fork()

serve = template._Template.serve

def serve_poorly(self):
    template.kernel.fork = fork_if_there_are_some
    serve(self)

template._Template.serve = serve_poorly
template.main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3])
"""


async def test_a_run_without_a_process_says_so_and_the_next_one_works(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The system's own words, and what to do."""
    monkeypatch.setattr(template, "_BOOT", _POOR)
    async with ProcessRuntime(ProcessRuntimeConfig(spare_guests=0)) as runtime:
        assert 1 == await value_of(runtime)
        before = (descendants(), open_descriptors())
        for _ in range(2):
            with pytest.raises(RuntimeFault, match=r"no process for another guest .*unavailable"):
                await value_of(runtime)
            assert before == (descendants(), open_descriptors())
        assert 2 == await value_of(runtime, "return 2")


@pytest.mark.parametrize("spare_guests", [0, 1])
async def test_a_program_that_caught_its_memory_error_has_its_value_told(spare_guests: int) -> None:
    """Though it left no room at all, in blocks of the smallest kind; with a spare or without."""
    program = (
        "chain = []\n"
        "try:\n"
        "    while True:\n"
        "        chain = [chain]\n"
        "except MemoryError:\n"
        "    pass\n"
        "return 1"
    )
    config = ProcessRuntimeConfig(spare_guests=spare_guests, memory_bytes=160 * 2**20)
    async with ProcessRuntime(config) as runtime:
        result = await runtime.run(CodeRunRequest(program=program))

    assert result.error is None
    assert 1 == result.value
