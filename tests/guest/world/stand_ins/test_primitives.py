"""Locks, queues and limits for programs behave as asyncio's."""

from __future__ import annotations

import sys

import pytest

from tests.guest.world.programs import run, run_natively

SAME = {
    "a lock": """
lock = asyncio.Lock()
async def enter(n):
    async with lock:
        print("in", n, lock.locked())
        await asyncio.sleep(0)
        print("out", n)
await asyncio.gather(enter(1), enter(2))
print(await lock.acquire(), lock.locked(), lock.release(), lock.locked())
try:
    lock.release()
except RuntimeError as error:
    print(error)""",
    "an event": """
event = asyncio.Event()
async def waits():
    print(await event.wait())
task = asyncio.create_task(waits())
await asyncio.sleep(0)
print(event.is_set(), event.set(), event.is_set())
await task
event.clear()
print(event.is_set())""",
    "a semaphore": """
limit = asyncio.Semaphore(2)
running = peak = 0
async def work():
    global running, peak
    async with limit:
        running += 1
        peak = max(peak, running)
        await asyncio.sleep(0.001)
        running -= 1
await asyncio.gather(*(work() for _ in range(9)))
print(peak, limit.locked())
bounded = asyncio.BoundedSemaphore(1)
print(isinstance(bounded, asyncio.Semaphore))
try:
    bounded.release()
except ValueError as error:
    print(error)
try:
    asyncio.Semaphore(-1)
except ValueError as error:
    print(error)""",
    "a condition with a lock": """
lock = asyncio.Lock()
ready = asyncio.Condition(lock)
items = []
async def take():
    async with ready:
        await ready.wait_for(lambda: items)
        print(items.pop(), lock.locked())
task = asyncio.create_task(take())
await asyncio.sleep(0)
async with lock:
    items.append(1)
    ready.notify_all()
await task
async with asyncio.Condition() as entered:
    print(entered)""",
    "a barrier": """
barrier = asyncio.Barrier(2)
print(barrier.parties, barrier.n_waiting, barrier.broken)
async def meet():
    async with barrier as position:
        return position
print(sorted(await asyncio.gather(meet(), meet())))
await barrier.abort()
try:
    await barrier.wait()
except asyncio.BrokenBarrierError as error:
    print(error, barrier.broken)""",
    "queues": """
for kind in (asyncio.Queue, asyncio.LifoQueue, asyncio.PriorityQueue):
    queue = kind(maxsize=3)
    for n in (2, 3, 1):
        await queue.put(n)
    print(kind.__name__, queue.full(), queue.qsize(), queue.maxsize)
    print(isinstance(queue, asyncio.Queue))
    try:
        queue.put_nowait(9)
    except asyncio.QueueFull as error:
        print(repr(error))
    print([await queue.get(), queue.get_nowait(), await queue.get()], queue.empty())
    for _ in range(3):
        queue.task_done()
    await queue.join()
    try:
        queue.get_nowait()
    except asyncio.QueueEmpty as error:
        print(repr(error))""",
    "producer and consumer": """
queue = asyncio.Queue(1)
async def produce():
    for n in range(4):
        await queue.put(n)
    await queue.put(None)
async def consume():
    while (item := await queue.get()) is not None:
        print(item)
await asyncio.gather(produce(), consume())""",
    "a deadline": """
import time
try:
    async with asyncio.timeout_at(time.monotonic() + 0.01) as limit:
        await asyncio.sleep(9)
except TimeoutError:
    print(limit.expired(), limit.when() <= time.monotonic())""",
    "a limit moved": """
import time
async with asyncio.timeout(0.01) as limit:
    limit.reschedule(time.monotonic() + 9)
    await asyncio.sleep(0.02)
print(limit.expired())
typed: asyncio.Queue[int] = asyncio.Queue()""",
}


@pytest.mark.parametrize("case", SAME)
def test_what_a_program_sees_is_what_asyncio_does(case: str) -> None:
    """The same text prints the same on plain CPython."""
    printed = run(SAME[case])
    assert "" != printed
    assert run_natively(SAME[case]) == printed


@pytest.mark.skipif(sys.version_info < (3, 13), reason="a queue can be shut down since 3.13")
def test_a_queue_can_be_shut_down() -> None:
    """Whoever waits for an item of it is told."""
    source = """
queue = asyncio.Queue()
queue.shutdown()
try:
    await queue.get()
except asyncio.QueueShutDown as error:
    print(repr(error))"""
    assert "QueueShutDown()\n" == run(source)


@pytest.mark.parametrize("name", ["_loop", "_get_loop", "_waiters", "_getters", "_task"])
@pytest.mark.parametrize(
    "made",
    ["Queue()", "Lock()", "Event()", "Semaphore()", "Condition()", "Barrier(1)", "timeout(1)"],
)
def test_what_asyncio_keeps_private_is_not_there(name: str, made: str) -> None:
    """Not even a method of the program's own that is given the object can read it."""
    source = f"""
class Mine:
    def peek(self):
        return self.{name}
try:
    print(Mine.peek(asyncio.{made}))
except AttributeError:
    print("not there")"""
    assert "not there\n" == run(source)
