"""A program that waits for what nothing can bring is told so at once, and where."""

from __future__ import annotations

import anyio
import pytest

from tests.contract.conftest import Kind, RunProgram

DEADLINE_S = 10

WAITS = {
    "for an empty queue": ("queue = asyncio.Queue()\nawait queue.get()", 2),
    "for a future of its own": ("future = asyncio.Future()\nawait future", 2),
    "for a lock that it holds": (
        "lock = asyncio.Lock()\nawait lock.acquire()\nawait lock.acquire()",
        3,
    ),
    "in a function": (
        "async def take(queue):\n    return await queue.get()\nawait take(asyncio.Queue())",
        2,
    ),
    "within asyncio.run": (
        "async def main():\n    await asyncio.Event().wait()\nasyncio.run(main())",
        2,
    ),
    "after a call": ("await tools.echo()\nawait asyncio.Event().wait()", 2),
    "after a timer": ("await asyncio.sleep(0.001)\nawait asyncio.Event().wait()", 2),
    "in a generator": (
        (
            "async def items():\n    await asyncio.Event().wait()\n    yield 1\n"
            "async for item in items():\n    pass"
        ),
        4,
    ),
}


async def echo(args: object) -> object:
    """A tool that answers."""
    return args


@pytest.mark.parametrize("program,line", WAITS.values(), ids=WAITS)
async def test_a_wait_without_an_end_is_an_exception_at_its_line(
    run: RunProgram, program: str, line: int
) -> None:
    """Checklist 75: it is the program's mistake, not its budget's; nobody waits ten minutes."""
    with anyio.fail_after(DEADLINE_S):
        error = (await run(f"import asyncio\n{program}", echo=echo)).error

    assert error is not None
    assert ("exception", "DeadlockError") == (error.kind, error.exception_type)
    assert "waits for ever" in error.message
    assert line + 1 == error.line


async def test_the_lines_of_other_tasks_that_wait_are_told(run: RunProgram) -> None:
    """Each of two tasks waits for what the other would do next."""
    program = (
        "import asyncio\na, b = asyncio.Event(), asyncio.Event()\n"
        "async def first():\n    await a.wait()\n    b.set()\n"
        "async def second():\n    await b.wait()\n    a.set()\n"
        "await asyncio.gather(first(), second())"
    )
    with anyio.fail_after(DEADLINE_S):
        error = (await run(program)).error

    assert error is not None
    assert 9 == error.line
    assert "other tasks wait at line 4, line 7" in error.message


async def test_a_deadlock_cannot_be_caught(kind: Kind, run: RunProgram) -> None:
    """A program that catches everything and waits again has still ended."""
    if kind == "memory":
        pytest.skip("a thread that catches everything cannot be ended")
    program = (
        "import asyncio\nwhile True:\n    try:\n        await asyncio.Event().wait()\n"
        "    except BaseException:\n        print('caught')"
    )
    with anyio.fail_after(DEADLINE_S):
        result = await run(program)

    assert result.error is not None
    assert "DeadlockError" == result.error.exception_type
    assert () == result.logs


async def test_what_a_pending_call_can_bring_is_no_deadlock(run: RunProgram) -> None:
    """The event is set by a task that waits for a tool."""

    async def slow(_args: object) -> object:
        await anyio.sleep(0.05)
        return "there"

    program = (
        "import asyncio\nevent, found = asyncio.Event(), []\n"
        "async def fetch():\n    found.append(await tools.slow())\n    event.set()\n"
        "task = asyncio.create_task(fetch())\nawait event.wait()\nreturn found"
    )
    result = await run(program, slow=slow)

    assert result.error is None
    assert ["there"] == result.value
