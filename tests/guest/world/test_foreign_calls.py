"""A method called on an object that it was not made for shows nothing of either."""

from __future__ import annotations

import pytest

from tests.guest.world.programs import run

MADE = """
import warnings, contextvars
made = [asyncio.Future(), asyncio.create_task(asyncio.sleep(0)), asyncio.Lock(), asyncio.Event(),
        asyncio.Queue(), asyncio.Condition(), asyncio.Semaphore(), asyncio.Barrier(1),
        asyncio.TaskGroup(), asyncio.timeout(9), asyncio.as_completed([]), asyncio.gather(),
        warnings.catch_warnings(record=True), next(asyncio.Future().__await__())]
own = ("_Future", "Future", "Task", "Lock", "Event", "Queue", "Condition", "Semaphore", "Barrier",
       "TaskGroup", "Timeout", "_GatheringFuture", "catch_warnings", "Pending")
kinds = [type(each) for each in made]
raw = []
def look(found):
    if type(found).__module__.startswith(("asyncio", "codemode_guest.world.awaiting", "_asyncio")):
        if not isinstance(found, BaseException) and type(found).__name__ != "Pending":
            raw.append(found)
class Mine:
    pass
"""

METHODS = """
for kind in kinds:
    for name in dir(kind):
        try:
            method = getattr(kind, name)
        except AttributeError:
            continue
        if name in ("__init_subclass__", "__subclasshook__") or not callable(method):
            continue
        for each in [*made, Mine()]:
            for args in ((), (1,)):
                try:
                    found = method(each, *args)
                    if asyncio.iscoroutine(found):
                        found.close()
                    else:
                        look(found)
                except (Exception, asyncio.CancelledError) as error:
                    look(getattr(error, "obj", None))
                    for each_arg in error.args:
                        look(each_arg)
                if type(each) is Mine:
                    for held in vars(each).values():
                        look(held)
print(raw)
"""


def test_methods_of_wrappers_show_nothing_when_they_are_called_on_others() -> None:
    """Each method of each class, on an object of each and on one of the program's own."""
    assert "[]\n" == run(MADE + METHODS)


CONTEXTS = {
    "a callback": "asyncio.gather().add_done_callback(print, context=Fake())",
    "a task": "asyncio.create_task(coroutine, context=Fake())",
    "a task of a group": (
        "async with asyncio.TaskGroup() as group:\n"
        "        group.create_task(coroutine, context=Fake())"
    ),
}


@pytest.mark.parametrize("case", CONTEXTS)
def test_a_context_that_only_acts_like_one_is_refused(case: str) -> None:
    """The loop would hand it what it calls, and the future that it calls with."""
    source = f"""
class Fake:
    def run(self, callback, *args):
        print("shown", callback, args)
coroutine = asyncio.sleep(0)
try:
    {CONTEXTS[case]}
except (TypeError, ExceptionGroup) as error:
    print("refused")
coroutine.close()
await asyncio.sleep(0)"""
    assert "refused\n" == run(source)


def test_places_of_a_traceback_are_read_of_tracebacks_only() -> None:
    """An object that only acts like one would name any file as the source."""
    source = """
import traceback
class Fake:
    tb_frame = tb_next = tb_lineno = None
for found in (Fake(), 1):
    try:
        traceback.extract_tb(found)
    except TypeError as error:
        print("refused")
try:
    1 / 0
except ZeroDivisionError as error:
    place, = traceback.extract_tb(error.__traceback__)
    filename, lineno, name, line = place
    print(lineno, name, place.lineno == lineno, traceback.format_tb(error.__traceback__)[0][:6])
    traceback.print_tb(error.__traceback__)
"""
    refused, also, shown, printed = run(source).splitlines()[:4]
    assert ("refused", "refused") == (refused, also)
    assert "11 <module> True   File" == shown
    assert "line 11" in printed


def test_a_subclass_of_what_is_ours_holds_nothing() -> None:
    """Of a facade, of what fixes its class, of a wrapper, of the log."""
    source = """
import json, sys
class Other(type(json)):
    pass
class Fixed(type(type(json))):
    pass
class Mine(asyncio.Queue):
    async def get(self):
        return "mine", await super().get()
class Empty(asyncio.Lock):
    def __init__(self):
        pass
class Log(type(sys.stdout)):
    def write(self, text):
        return super().write(text.upper())
for attempt in (lambda: Other().dumps, lambda: Fixed("x", (), {}).dumps, lambda: Empty().locked()):
    try:
        attempt()
    except AttributeError as error:
        print("nothing", type(error.obj).__name__)
queue = Mine()
queue.put_nowait(1)
print(await queue.get())
print("loud", file=Log())
"""
    held = ["nothing Other", "nothing Fixed", "nothing NoneType"]
    assert [*held, "('mine', 1)", "LOUD"] == run(source).splitlines()
