"""asyncio for programs behaves as asyncio, and leads nowhere."""

from __future__ import annotations

import sys

import pytest

from tests.guest.world.programs import run, run_natively

#: What every case may use.
PREAMBLE = """
order = []
async def work(n, seconds=0):
    try:
        await asyncio.sleep(seconds)
        order.append(n)
        return n
    except asyncio.CancelledError:
        order.append(f"{n} cancelled")
        raise
async def fail(n):
    await asyncio.sleep(0)
    raise ValueError(n)
"""

SAME = {
    "gather keeps order": "print(await asyncio.gather(work(1, 0.01), work(2), work(3)), order)",
    "gather of nothing": "print(await asyncio.gather())",
    "gather of the same task twice": """
task = asyncio.create_task(work(1))
print(await asyncio.gather(task, task), order)""",
    "gather of the same coroutine twice": """
coroutine = work(1)
print(await asyncio.gather(coroutine, coroutine), order)""",
    "gather returns exceptions": """
print(await asyncio.gather(work(1), fail(2), return_exceptions=True))""",
    "gather raises the first and lets others go on": """
try:
    await asyncio.gather(work(1, 0.01), fail(2))
except ValueError as error:
    print(repr(error), order)
await asyncio.sleep(0.03)
print(order)""",
    "cancelling a gather cancels its parts": """
group = asyncio.gather(work(1, 9), work(2, 9))
await asyncio.sleep(0)
print(group.cancel(), group.cancelled(), group.done())
try:
    await group
except asyncio.CancelledError:
    print(order, group.cancelled(), group.done())""",
    "nested gather": "print(await asyncio.gather(asyncio.gather(work(1), work(2)), work(3)))",
    "a task's own words": """
task = asyncio.create_task(work(1), name="mine")
print(task.get_name(), task.done(), task.cancelled(), task.cancelling())
task.set_name("yours")
print(await task, task.get_name(), task.done(), task.result(), task.exception())""",
    "cancel with a message": """
task = asyncio.create_task(work(1, 9))
await asyncio.sleep(0)
print(task.cancel("enough"), task.cancelling())
try:
    await task
except asyncio.CancelledError as error:
    print(error.args, task.cancelled(), order)""",
    "uncancel": """
async def stubborn():
    try:
        await asyncio.sleep(9)
    except asyncio.CancelledError:
        print(asyncio.current_task().uncancel())
        return "survived"
task = asyncio.create_task(stubborn())
await asyncio.sleep(0)
task.cancel()
print(await task)""",
    "result too early": """
task = asyncio.create_task(work(1))
try:
    task.result()
except asyncio.InvalidStateError as error:
    print(error)
await task""",
    "callbacks see the task": """
task = asyncio.create_task(work(7))
def told(done):
    print(done is task, done.result())
def never(done):
    print("never")
task.add_done_callback(told)
task.add_done_callback(never)
print(task.remove_done_callback(never), task.remove_done_callback(never))
await task
await asyncio.sleep(0)""",
    "wait": """
tasks = [asyncio.create_task(work(n, n * 0.03)) for n in range(3)]
done, pending = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
print(done == {tasks[0]}, pending == set(tasks[1:]), done <= set(tasks))
done, pending = await asyncio.wait(pending, timeout=5)
print(len(done), pending)""",
    "wait takes no coroutines": """
coroutine = work(1)
try:
    await asyncio.wait([coroutine])
except TypeError as error:
    print(error)
coroutine.close()""",
    "as_completed": """
for each in asyncio.as_completed([work(1, 0.03), work(2)]):
    print(await each)""",
    "as_completed with a limit": """
try:
    for each in asyncio.as_completed([work(1, 9)], timeout=0.01):
        await each
except TimeoutError:
    print("late")""",
    "wait_for in time": """
print(await asyncio.wait_for(work(1), 5))
print(await asyncio.wait_for(work(2), None))""",
    "wait_for too late": """
task = asyncio.create_task(work(1, 9))
try:
    await asyncio.wait_for(task, 0.01)
except asyncio.TimeoutError as error:
    print(type(error).__name__, task.cancelled(), order)""",
    "shield": """
task = asyncio.create_task(work(1, 0.02))
try:
    await asyncio.wait_for(asyncio.shield(task), 0.001)
except TimeoutError:
    print("left", order)
print(await task, order)""",
    "timeout": """
try:
    async with asyncio.timeout(0.01) as limit:
        await work(1, 9)
except TimeoutError:
    print("late", limit.expired(), order)
async with asyncio.timeout(None) as limit:
    print(limit.when())
    limit.reschedule(None)""",
    "a task group": """
async with asyncio.TaskGroup() as group:
    tasks = [group.create_task(work(n), name=str(n)) for n in range(3)]
print([task.result() for task in tasks], tasks[1].get_name())""",
    "a failing task group": """
try:
    async with asyncio.TaskGroup() as group:
        group.create_task(work(1, 9))
        group.create_task(fail(2))
        group.create_task(fail(3))
except ExceptionGroup as error:
    print(error, [repr(each) for each in error.exceptions], order)""",
    "current_task is the task": """
async def me():
    return asyncio.current_task()
task = asyncio.create_task(me())
print(await task is task, asyncio.current_task() is asyncio.current_task())""",
    "ensure_future": """
task = asyncio.ensure_future(work(1))
print(asyncio.ensure_future(task) is task, await task)
print(asyncio.isfuture(task), asyncio.isfuture(1))
class Custom:
    def __await__(self):
        yield from asyncio.sleep(0).__await__()
        return "custom"
print(await asyncio.ensure_future(Custom()), await asyncio.gather(Custom(), work(3)))""",
    "a future": """
future = asyncio.Future()
async def later():
    future.set_result(5)
task = asyncio.create_task(later())
print(future.done(), await future, future.result(), future.cancel())
print(isinstance(future, asyncio.Future))
other = asyncio.Future()
other.set_exception(KeyError("x"))
print(repr(other.exception()))
try:
    await other
except KeyError as error:
    print(error)
await task""",
    "kinds": """
task = asyncio.create_task(work(1))
print(isinstance(task, asyncio.Task), isinstance(task, asyncio.Future), type(task).__name__)
match task:
    case asyncio.Task():
        print("matched", {task: 1}[task])
await task
hints: dict[str, asyncio.Task[int]] = {}
print(asyncio.iscoroutinefunction(work))""",
    "a generator of awaits": """
async def stream():
    for n in range(3):
        yield await work(n)
print([n async for n in stream()], order)""",
    "contexts": """
import contextvars
name = contextvars.ContextVar("name", default="none")
async def show():
    print(name.get())
name.set("mine")
other = contextvars.copy_context()
name.set("later")
await asyncio.create_task(show())
await asyncio.create_task(show(), context=other)
other.run(lambda: print(name.get()))
task = asyncio.create_task(work(1))
task.add_done_callback(lambda done: print(done is task, name.get()), context=other)
await task
await asyncio.sleep(0)""",
    "a coroutine is expected": """
try:
    asyncio.create_task(5)
except TypeError as error:
    print(error)""",
}


@pytest.mark.parametrize("case", SAME)
def test_what_a_program_sees_is_what_asyncio_does(case: str) -> None:
    """The same text prints the same on plain CPython."""
    source = PREAMBLE + SAME[case]
    printed = run(source)
    assert "" != printed
    assert run_natively(source) == printed


def test_asyncio_run_works_within_the_loop() -> None:
    """`asyncio.run(main())` at the top level returns what main returns; other tasks go on."""
    source = (
        PREAMBLE
        + """
other = asyncio.create_task(work("other"))
async def main():
    await asyncio.gather(work(1), work(2, 0.01))
    return "result"
print(asyncio.run(main()), order)
print(await other)
"""
    )
    assert "result ['other', 1, 2]\nother\n" == run(source)


def test_asyncio_run_raises_what_main_raises() -> None:
    """The failure of the nested coroutine is the caller's."""
    source = (
        PREAMBLE
        + """
try:
    asyncio.run(fail(3))
except ValueError as error:
    print(repr(error))
try:
    asyncio.run(5)
except ValueError as error:
    print(error)
"""
    )
    assert "ValueError(3)\na coroutine was expected, got 5\n" == run(source)


@pytest.mark.skipif(sys.version_info < (3, 13), reason="as_completed has it since 3.13")
def test_as_completed_gives_the_tasks_themselves() -> None:
    """`async for` over as_completed yields the tasks that were given."""
    source = (
        PREAMBLE
        + """
tasks = [asyncio.create_task(work(n, n / 50)) for n in range(2)]
async for done in asyncio.as_completed(tasks):
    print(done in tasks, await done)
"""
    )
    assert "True 0\nTrue 1\n" == run(source)


@pytest.mark.parametrize("name", ["get_loop", "get_stack", "print_stack", "get_coro", "_loop"])
def test_a_task_has_no_way_to_the_loop(name: str) -> None:
    """The names by which asyncio's tasks lead further are not there at all."""
    source = (
        PREAMBLE
        + f"""
task = asyncio.create_task(work(1))
print(hasattr_natively(task, {name!r}), hasattr_natively(asyncio.gather(task), {name!r}))
await task
""".replace("hasattr_natively", "(lambda found, name: name in dir(found))")
    )
    assert "False False\n" == run(source)


@pytest.mark.parametrize("made", ["asyncio.create_task(work(1))", "asyncio.Queue()", "asyncio"])
def test_nothing_of_ours_can_be_copied(made: str) -> None:
    """`copy.deepcopy` would show what a wrapper holds."""
    source = (
        PREAMBLE
        + f"""
import copy
made = {made}
for copied in (copy.copy, copy.deepcopy):
    try:
        copied([made] if copied is copy.deepcopy else made)
    except TypeError as error:
        print(error)
"""
    )
    assert 2 == run(source).count("cannot be copied")


@pytest.mark.parametrize(
    "call",
    [
        "asyncio.new_event_loop()",
        "asyncio.get_event_loop()",
        "asyncio.get_running_loop()",
        "asyncio.all_tasks()",
        "asyncio.to_thread(print)",
        "asyncio.Task(None)",
    ],
)
def test_what_leads_to_the_loop_is_refused_with_a_way_out(call: str) -> None:
    """The message says what to write instead."""
    source = (
        PREAMBLE
        + f"""
try:
    {call}
except (AttributeError, TypeError) as error:
    print(error)
"""
    )
    printed = run(source)
    assert any(word in printed for word in ("asyncio.run", "in a list", "gather", "create_task"))
