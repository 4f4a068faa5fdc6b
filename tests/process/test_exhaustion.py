"""When the host runs out of something, a run says so, and works again once there is some."""

from __future__ import annotations

import os
import resource
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager

import anyio
import pytest

from codemode import CodeRunRequest, ProcessRuntime, ProcessRuntimeConfig, RuntimeFault
from codemode.process import TemplateStartError, template
from tests.process.conftest import descendants, open_descriptors

DEADLINE_S = 20


@pytest.fixture(params=["asyncio", "trio"])
def anyio_backend(request: pytest.FixtureRequest) -> str:
    """On each event loop."""
    found: str = request.param
    return found


@pytest.fixture
async def runtime(anyio_backend: str) -> AsyncIterator[ProcessRuntime]:
    async with ProcessRuntime(ProcessRuntimeConfig(spare_guests=0)) as opened:
        yield opened


@contextmanager
def no_more_descriptors(spare: int = 0) -> Iterator[None]:
    """Within the block this process may open no more, but for a few."""
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    with open(os.devnull) as lowest:  # noqa: PTH123 - its number is what is asked for
        resource.setrlimit(resource.RLIMIT_NOFILE, (lowest.fileno() + spare, limits[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, limits)


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


async def test_a_runtime_that_cannot_open_for_want_of_descriptors_leaves_nothing() -> None:
    """Another one opens when there are some."""
    async with ProcessRuntime():
        pass
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


#: A template whose system has no process for the second and the third guest.
_POOR = """
import sys; sys.path += sys.argv[4:]
import errno, os
from codemode_guest import template
fork, forks = os.fork, iter([True, False, False])

def fork_if_there_are_some():
    if not next(forks, True):
        raise BlockingIOError(errno.EAGAIN, "none left")
    return fork()

serve = template._Template.serve

def serve_poorly(self):
    os.fork = fork_if_there_are_some
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
