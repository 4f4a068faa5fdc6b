"""The guest's loop runs what asyncio runs, and waits on the bridge alone."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import AsyncIterator

import pytest

from codemode_guest.deadlock import DeadlockError
from tests.guest.loops import Script, ScriptedLoop


async def value_of(value: object, delay_s: float = 0) -> object:
    """A value, after some time."""
    await asyncio.sleep(delay_s)
    return value


def test_a_coroutine_runs_to_its_end_without_a_wait() -> None:
    """What never waits costs no turn of the bridge that blocks."""
    script = Script()
    with ScriptedLoop(script) as loop:
        result = loop.run_until_complete(value_of(1))

    assert (1, []) == (result, script.waits)


def test_callbacks_run_in_the_order_in_which_they_were_given() -> None:
    """One that is added meanwhile has its turn after those that were there."""
    order: list[str] = []

    async def main() -> None:
        loop = asyncio.get_running_loop()

        def first() -> None:
            order.append("a")
            loop.call_soon(order.append, "c")

        loop.call_soon(first)
        loop.call_soon(order.append, "b")
        await asyncio.sleep(0)
        order.append("main")
        await asyncio.sleep(0)

    with ScriptedLoop(Script()) as loop:
        loop.run_until_complete(main())

    assert ["a", "b", "main", "c"] == order


def test_timers_fire_in_the_order_of_their_time() -> None:
    """Each wait lasts until the next one is due, and no longer."""
    script = Script()
    order: list[float] = []

    async def main() -> None:
        for delay_s in (3, 1, 2):
            asyncio.get_running_loop().call_later(delay_s, order.append, delay_s)
        await asyncio.sleep(4)

    with ScriptedLoop(script) as loop:
        loop.run_until_complete(main())

    assert [1, 2, 3] == order
    assert [1, 1, 1, 1] == script.waits


def test_a_cancelled_timer_is_not_waited_for() -> None:
    """Neither run nor counted for the next wait."""
    script = Script()
    fired: list[str] = []

    async def main() -> None:
        asyncio.get_running_loop().call_later(1, fired.append, "cancelled").cancel()
        await asyncio.sleep(5)

    with ScriptedLoop(script) as loop:
        loop.run_until_complete(main())

    assert ([], [5]) == (fired, script.waits)


def test_timers_that_were_cancelled_long_before_they_are_due_do_not_pile_up() -> None:
    """Each `wait_for` leaves one, and a program may make a million calls in an hour's timeout."""

    async def main() -> int:
        async with asyncio.timeout(60):
            for _ in range(5_000):
                await asyncio.wait_for(value_of(1), 3_600)
        return sum(type(thing) is asyncio.TimerHandle for thing in gc.get_objects())

    with ScriptedLoop(Script()) as loop:
        left = loop.run_until_complete(main())

    assert 1_000 > left


def test_a_very_long_wait_is_made_in_parts() -> None:
    """Not every platform's select can wait for a year."""
    script = Script()
    with ScriptedLoop(script) as loop:
        loop.run_until_complete(asyncio.sleep(200_000))

    assert [86_400.0, 86_400.0, 27_200.0] == script.waits


def test_when_only_a_frame_can_help_the_wait_has_no_end() -> None:
    """Each frame goes to the receiver, in order and within the loop."""
    script = Script(["first", "second"], [], ["third"])
    seen: list[tuple[object, object]] = []

    def receive(frame: object) -> None:
        seen.append((frame, asyncio.get_running_loop()))
        if frame == "third":
            done.set_result(frame)

    with ScriptedLoop(script, receive) as loop:
        done: asyncio.Future[object] = loop.create_future()
        result = loop.run_until_complete(done)

    assert "third" == result
    assert [("first", loop), ("second", loop), ("third", loop)] == seen
    assert [None, None, None] == script.waits


def test_when_nothing_can_help_the_loop_ends() -> None:
    """Whatever the loop runs: here a future, which has no line to tell."""
    with ScriptedLoop(Script(), can_hear=lambda: False) as loop:
        never: asyncio.Future[object] = loop.create_future()
        with pytest.raises(DeadlockError, match="waits for ever"):
            loop.run_until_complete(never)


def test_frames_are_received_while_the_program_is_busy() -> None:
    """Checklist 72: a program that is never idle still gets its replies."""
    frames = [["reply"]]

    class Ready(Script):
        def receive(self, timeout_s: float | None) -> list[object]:
            return list(frames.pop()) if frames else super().receive(timeout_s)

    seen: list[object] = []

    async def main() -> None:
        while not seen:  # noqa: ASYNC110 - a program that is never idle is the point
            await asyncio.sleep(0)

    with ScriptedLoop(Ready(), seen.append) as loop:
        loop.run_until_complete(main())

    assert ["reply"] == seen


def test_an_exception_ends_the_run_and_comes_out_of_it() -> None:
    """With its own type."""

    async def main() -> None:
        await asyncio.sleep(1)
        raise LookupError("mine")

    with ScriptedLoop(Script()) as loop, pytest.raises(LookupError, match="mine"):
        loop.run_until_complete(main())


def test_a_lost_task_is_not_told_to_anybody(capfd: pytest.CaptureFixture[str]) -> None:
    """Checklist 85: asyncio would write of our internals to standard error."""

    async def lose() -> None:
        raise LookupError("lost")

    async def main() -> None:
        asyncio.get_running_loop().create_task(lose())
        asyncio.get_running_loop().call_soon(lambda: 1 / 0)
        await asyncio.sleep(0)
        await asyncio.sleep(0)

    with ScriptedLoop(Script()) as loop:
        loop.run_until_complete(main())
    gc.collect()

    assert ("", "") == capfd.readouterr()


def test_asyncio_itself_works_on_it() -> None:
    """gather, wait_for, timeout, TaskGroup, Queue, Semaphore, shield, async generators."""

    async def numbers() -> AsyncIterator[int]:
        for number in range(3):
            await asyncio.sleep(1)
            yield number

    async def main() -> dict[str, object]:
        found: dict[str, object] = {}
        found["gather"] = await asyncio.gather(value_of(1, 2), value_of(2, 1), value_of(3))
        try:
            await asyncio.wait_for(value_of(1, 60), 1)
        except TimeoutError:
            found["wait_for"] = "timeout"
        try:
            async with asyncio.timeout(1):
                await asyncio.get_running_loop().create_future()
        except TimeoutError:
            found["timeout"] = "timeout"
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(value_of(number, number)) for number in range(3)]
        found["TaskGroup"] = [task.result() for task in tasks]
        queue: asyncio.Queue[object] = asyncio.Queue(1)
        filling = asyncio.create_task(fill(queue))
        found["Queue"] = [await queue.get() for _ in range(3)]
        await filling
        semaphore = asyncio.Semaphore(2)
        most = [0, 0]
        await asyncio.gather(*(within(semaphore, most) for _ in range(5)))
        found["Semaphore"] = most[1]
        found["shield"] = await asyncio.shield(value_of("safe", 1))
        found["async for"] = [number async for number in numbers()]
        return found

    async def fill(queue: asyncio.Queue[object]) -> None:
        for number in range(3):
            await queue.put(number)

    async def within(semaphore: asyncio.Semaphore, most: list[int]) -> None:
        async with semaphore:
            most[0] += 1
            most[1] = max(most)
            await asyncio.sleep(1)
            most[0] -= 1

    with ScriptedLoop(Script()) as loop:
        found = loop.run_until_complete(main())

    assert found == {
        "gather": [1, 2, 3],
        "wait_for": "timeout",
        "timeout": "timeout",
        "TaskGroup": [0, 1, 2],
        "Queue": [0, 1, 2],
        "Semaphore": 2,
        "shield": "safe",
        "async for": [0, 1, 2],
    }


def test_cancelling_reaches_the_task_that_waits() -> None:
    """And the timer that it waited for is not waited for."""
    script = Script()
    seen: list[str] = []

    async def wait() -> None:
        try:
            await asyncio.sleep(1_000)
        except asyncio.CancelledError:
            seen.append("cancelled")
            raise

    async def main() -> None:
        task = asyncio.create_task(wait())
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    with ScriptedLoop(script) as loop:
        loop.run_until_complete(main())

    assert (["cancelled"], []) == (seen, script.waits)


# Running a coroutine from within a callback, as `asyncio.run` at the top of a program does.


def test_a_nested_run_gives_the_result_of_its_coroutine() -> None:
    """And afterwards the outer task is the current one again."""

    async def main() -> tuple[object, bool]:
        task = asyncio.current_task()
        result = loop.run_nested(value_of("inner", 1))
        await asyncio.sleep(1)
        return result, asyncio.current_task() is task

    with ScriptedLoop(Script()) as loop:
        assert ("inner", True) == loop.run_until_complete(main())


def test_a_nested_run_raises_what_its_coroutine_does() -> None:
    """The outer task goes on as the current one, and may catch it."""

    async def inner() -> None:
        await asyncio.sleep(1)
        raise LookupError("inner")

    async def main() -> bool:
        task = asyncio.current_task()
        with pytest.raises(LookupError, match="inner"):
            loop.run_nested(inner())
        return asyncio.current_task() is task

    with ScriptedLoop(Script()) as loop:
        assert loop.run_until_complete(main())


def test_within_a_nested_run_its_own_task_is_the_current_one() -> None:
    """What asks for the current task, a timeout for one, gets the right one."""

    async def inner() -> str:
        try:
            async with asyncio.timeout(1):
                await asyncio.sleep(10)
        except TimeoutError:
            return "timeout"
        return "none"

    async def main() -> object:
        return loop.run_nested(inner())

    with ScriptedLoop(Script()) as loop:
        assert "timeout" == loop.run_until_complete(main())


def test_other_tasks_go_on_during_a_nested_run_and_the_calling_one_stands_still() -> None:
    """It is a call like any other: what follows it comes later."""
    order: list[str] = []

    async def other() -> None:
        for step in range(3):
            order.append(f"other {step}")
            await asyncio.sleep(1)

    async def main() -> None:
        task = asyncio.create_task(other())
        await asyncio.sleep(0)
        loop.run_nested(value_of(None, 1.5))
        order.append("main")
        await task

    with ScriptedLoop(Script()) as loop:
        loop.run_until_complete(main())

    assert ["other 0", "other 1", "main", "other 2"] == order


def test_nested_runs_nest() -> None:
    """Each is left in the reverse order of entering."""

    async def nest(levels: int) -> object:
        await asyncio.sleep(1)
        return levels and [loop.run_nested(nest(levels - 1))]

    with ScriptedLoop(Script()) as loop:
        assert [[[0]]] == loop.run_until_complete(nest(3))


def test_a_nested_run_receives_frames() -> None:
    """A call within it is answered as anywhere."""

    async def main() -> object:
        return loop.run_nested(wait())

    async def wait() -> object:
        return await answer

    def receive(frame: object) -> None:
        answer.set_result(frame)

    with ScriptedLoop(Script(["hello"]), receive) as loop:
        answer: asyncio.Future[object] = loop.create_future()
        assert "hello" == loop.run_until_complete(main())


def test_a_nested_run_works_from_a_callback_that_is_no_task() -> None:
    """There is no current task to set aside."""
    found: list[object] = []

    async def main() -> None:
        asyncio.get_running_loop().call_soon(lambda: found.append(loop.run_nested(value_of(1, 1))))
        await asyncio.sleep(5)

    with ScriptedLoop(Script()) as loop:
        loop.run_until_complete(main())

    assert [1] == found
