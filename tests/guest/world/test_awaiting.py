"""What a program sees that drives coroutines by hand, by each way there is."""

from __future__ import annotations

import asyncio

import pytest

from codemode_guest.world.awaiting import HidesFutures
from tests.guest.world.programs import run

PREAMBLE = """
class Watch:
    def __init__(self, awaitable):
        self.awaitable = awaitable
    def __await__(self):
        steps = self.awaitable.__await__()
        forward, given = steps.send, None
        while True:
            try:
                step = forward(given)
            except StopIteration as end:
                return end.value
            seen.append(step)
            try:
                forward, given = steps.send, (yield step)
            except BaseException as error:
                forward, given = steps.throw, error
seen = []
async def nothing():
    await asyncio.sleep(0.001)
    return "done"
async def long():
    await asyncio.sleep(9)
def first(awaitable):
    seen.append(next(awaitable.__await__()))
def sent(coroutine):
    seen.append(coroutine.send(None))
async def stream():
    await asyncio.sleep(0.001)
    yield 1
"""

#: By what is waited for; `Watch` forwards what it sees to the task, which must go on as ever.
WAITED_FOR = {
    "a task": "await Watch(asyncio.create_task(nothing()))",
    "a timer": "await Watch(asyncio.sleep(0.001))",
    "a gather": "await Watch(asyncio.gather(nothing(), nothing()))",
    "a shield": "await Watch(asyncio.shield(nothing()))",
    "a limit": "await Watch(asyncio.wait_for(nothing(), 5))",
    "a limit of a task": "await Watch(asyncio.wait_for(asyncio.create_task(nothing()), 5))",
    "no limit": "await Watch(asyncio.wait_for(asyncio.create_task(nothing()), None))",
    "a limit of a gather": "await Watch(asyncio.wait_for(asyncio.gather(nothing()), 5))",
    "waiting": "await Watch(asyncio.wait([asyncio.create_task(nothing())]))",
    "what is completed": "await Watch(next(iter(asyncio.as_completed([nothing()]))))",
    "ensure_future": "await Watch(asyncio.ensure_future(Watch(asyncio.sleep(0.001))))",
    "a future": """
future = asyncio.Future()
async def settle():
    future.set_result(1)
task = asyncio.create_task(settle())
await Watch(future)""",
    "a queue": """
queue = asyncio.Queue()
async def put():
    await queue.put(1)
task = asyncio.create_task(put())
await Watch(queue.get())""",
    "a lock": """
lock = asyncio.Lock()
await lock.acquire()
async def leave():
    lock.release()
task = asyncio.create_task(leave())
await Watch(lock.acquire())""",
    "an event": """
event = asyncio.Event()
async def tell():
    event.set()
task = asyncio.create_task(tell())
await Watch(event.wait())""",
    "a condition": """
condition = asyncio.Condition()
async def tell():
    async with condition:
        condition.notify()
task = asyncio.create_task(tell())
async with condition:
    await Watch(condition.wait())""",
    "a barrier": """
barrier = asyncio.Barrier(2)
async def meet():
    await barrier.wait()
task = asyncio.create_task(meet())
await Watch(barrier.wait())""",
    "the end of a group": """
group = asyncio.TaskGroup()
await group.__aenter__()
group.create_task(nothing())
await Watch(group.__aexit__(None, None, None))""",
    "a timeout": """
async def limited():
    async with asyncio.timeout(5):
        await asyncio.sleep(0.001)
await Watch(limited())""",
    "a late timeout": """
async def limited():
    try:
        async with asyncio.timeout(0.001):
            await asyncio.sleep(9)
    except TimeoutError:
        pass
await Watch(limited())""",
}

DRIVEN = {
    "next of a future": "first(asyncio.Future())",
    "next of a task": "first(asyncio.create_task(nothing()))",
    "next of a gather": "first(asyncio.gather(nothing()))",
    "next of this very task": "first(asyncio.current_task())",
    "a coroutine that is sent to": "sent(long())",
    "sleep that is sent to": "sent(asyncio.sleep(9))",
    "a queue that is sent to": "sent(asyncio.Queue().get())",
    "an event that is sent to": "sent(asyncio.Event().wait())",
    "asend of a generator": "sent(stream().asend(None))",
    "anext of a generator": "first(anext(stream()))",
    "a generator that delegates": """
def delegates():
    yield from asyncio.Future().__await__()
seen.append(next(delegates()))""",
    "a failure that is thrown in": """
class Again:
    def __await__(self):
        try:
            yield
        except ValueError:
            yield from asyncio.Future().__await__()
async def again():
    await Again()
coroutine = again()
coroutine.send(None)
seen.append(coroutine.throw(ValueError()))""",
}

LOOK = "\nprint({type(step).__name__ for step in seen if step is not None})"


@pytest.mark.parametrize("case", WAITED_FOR)
def test_what_an_awaitable_forwards_shows_nothing_and_still_works(case: str) -> None:
    """Whatever is waited for: the task goes on, and what passed by on its way is a `Pending`."""
    assert "{'Pending'}\n" == run(PREAMBLE + WAITED_FOR[case] + LOOK)


@pytest.mark.parametrize("case", DRIVEN)
def test_what_a_program_drives_by_hand_shows_nothing(case: str) -> None:
    """By `next`, `send`, `throw`, `asend` and `yield from`."""
    assert "{'Pending'}\n" == run(PREAMBLE + DRIVEN[case] + LOOK)


def test_what_is_seen_can_be_asked_nothing() -> None:
    """It has no public name, is not awaitable, and is not made or copied by a program."""
    source = """
import copy
seen = next(asyncio.Future().__await__())
kind = type(seen)
print([name for name in dir(seen) if not name.startswith("_")], seen)
for attempt in (lambda: kind(), lambda: copy.copy(seen), lambda: asyncio.ensure_future(seen)):
    try:
        attempt()
    except TypeError as error:
        print("TypeError")
"""
    assert "[] <what is awaited>\n" + 3 * "TypeError\n" == run(source)


def test_a_pending_that_a_program_made_is_a_bad_yield() -> None:
    """It stands for nothing, so the task says what it says of any other object."""
    source = """
kind = type(next(asyncio.Future().__await__()))
class Mine(kind):
    def __init__(self):
        pass
class Bad:
    def __init__(self, step):
        self.step = step
    def __await__(self):
        yield self.step
for made in (kind.__new__(kind), Mine()):
    try:
        await Bad(made)
    except RuntimeError as error:
        print("got bad yield" in str(error))
"""
    assert "True\nTrue\n" == run(source)


def test_an_object_that_says_it_is_a_future_is_treated_as_any_other() -> None:
    """Neither asyncio's mark, nor a `__getattribute__` that lies, nor equality gets a raw task."""
    source = """
caught = []
class Fake:
    _asyncio_future_blocking = True
    def __getattribute__(self, name):
        return asyncio.Future if name == "__class__" else self if name == "_inner_" else None
    def __await__(self):
        yield
        return "awaited"
    def __eq__(self, other):
        caught.append(other)
        return True
    def __hash__(self):
        return 1
class Liar(asyncio.Future):
    def __getattribute__(self, name):
        caught.append(name)
        return self
print(await asyncio.gather(Fake(), Fake()), asyncio.isfuture(Fake()))
for attempt in (asyncio.wait([Fake()]), asyncio.wait_for(Fake(), 1)):
    try:
        print(await attempt)
    except TypeError as error:
        print(error)
liar = Liar()
liar_is_done = asyncio.wait([liar], timeout=0)
print(len((await liar_is_done)[1]), caught)
"""
    assert (
        "['awaited', 'awaited'] False\n"
        "Passing coroutines is forbidden, use tasks explicitly.\nawaited\n1 []\n"
    ) == run(source)


def test_a_condition_takes_no_object_that_says_it_is_a_lock() -> None:
    """A subclass of a queue whose `__getattribute__` lies stays what it is."""
    source = """
class Liar(asyncio.Lock):
    def __getattribute__(self, name):
        return print
condition = asyncio.Condition(Liar())
print(condition)
"""
    assert "<asyncio.Condition>\n" == run(source)


class _HidingLoop(HidesFutures, asyncio.SelectorEventLoop):
    """As a guest's, with a selector."""


def test_a_task_takes_a_pending_for_its_future() -> None:
    """Cancelling the task cancels the future that it waits for."""

    async def main() -> tuple[bool, bool]:
        loop = asyncio.get_running_loop()
        future = loop.create_future()

        async def waits() -> object:
            return await future

        task = loop.create_task(waits())
        await asyncio.sleep(0)
        task.cancel()
        await asyncio.wait([task])
        return task.cancelled(), future.cancelled()

    with asyncio.Runner(loop_factory=_HidingLoop) as runner:
        assert (True, True) == runner.run(main())


def test_no_raw_future_comes_of_a_task_that_is_no_coroutine() -> None:
    """The words are asyncio's, and nothing is left behind."""
    source = "try:\n    asyncio.create_task(1)\nexcept TypeError as error:\n    print(error)"
    assert "a coroutine was expected, got 1\n" == run(source)
