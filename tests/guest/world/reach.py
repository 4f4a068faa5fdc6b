"""Walk everything that a program can reach; run as a process that serves programs would be.

    python -m tests.guest.world.reach

Prints the path to each object that leads out, then `searched N objects`.
"""

from __future__ import annotations

import asyncio
import builtins
import contextlib
import copy
import io
import sys
import warnings
from collections.abc import Iterator, Mapping
from types import (
    BuiltinMethodType,
    CodeType,
    FrameType,
    FunctionType,
    MethodType,
    ModuleType,
    TracebackType,
)
from typing import Any

from codemode_guest import world
from codemode_guest.policy.names import DEFINABLE, forbidden_attribute
from codemode_guest.world.imports import facades
from tests.guest.world.programs import NestingLoop

MAX_DEPTH = 7

OUTSIDE_KINDS = (
    ModuleType,
    FrameType,
    CodeType,
    TracebackType,
    asyncio.AbstractEventLoop,
    asyncio.Future,
    asyncio.Handle,
    io.TextIOWrapper,
    io.FileIO,
)
OUTSIDE = {
    id(value)
    for value in (
        builtins.__import__,
        builtins.compile,
        builtins.delattr,
        builtins.eval,
        builtins.exec,
        builtins.getattr,
        builtins.globals,
        builtins.locals,
        builtins.open,
        builtins.setattr,
        builtins.vars,
        sys.modules,
        vars(builtins),
    )
}
#: These have nothing but methods, and special names.
LEAVES = (BuiltinMethodType, str, int, float, complex, bytes, type(None))


def leads_out(obj: object) -> bool:
    """Whether a program that holds this has left what was given to it."""
    if isinstance(obj, OUTSIDE_KINDS) or id(obj) in OUTSIDE:
        return True
    return type(obj) is dict and "__builtins__" in obj


def neighbours(obj: object) -> Iterator[tuple[str, object]]:
    """What leads on: attributes by every name that may be read, items, new instances.

    Special methods are left out: each is a method again, of what is there already.

    A private name counts for every object: `Mine.method(foreign)` reads it as that of `self`.
    """
    for name in vars(obj) if isinstance(obj, FunctionType) else dir(obj):
        if forbidden_attribute(name) is None and name not in DEFINABLE:
            try:
                yield f".{name}", getattr(obj, name)
            except Exception:  # noqa: S112 - whatever a property raises, it led nowhere
                continue
    if isinstance(obj, Mapping) and not isinstance(obj, type):
        yield from ((f"[{key!r}]", value) for key, value in list(obj.items()))
    elif isinstance(obj, list | tuple | set | frozenset):
        yield from ((f"[{index}]", value) for index, value in enumerate(obj))
    elif isinstance(obj, type):
        with contextlib.suppress(Exception):  # it needs arguments
            yield "()", obj()
    elif isinstance(obj, MethodType) or type(obj).__module__ != "builtins":
        yield from taken_apart(obj)


def taken_apart(obj: object) -> Iterator[tuple[str, object]]:
    """What `copy.deepcopy` shows of an object's parts, in the memo that a program may give it."""
    memo: dict[int, object] = {}
    with contextlib.suppress(Exception):  # halfway through, the memo is full all the same
        copy.deepcopy(obj, memo)
    for part in memo.values():
        yield "~", part


def walk(roots: Mapping[str, object]) -> Iterator[str]:
    """Yield the path to each object that leads out, then how many were searched."""
    seen: dict[int, object] = {}
    layer = list(roots.items())
    for _ in range(MAX_DEPTH):
        after: list[tuple[str, object]] = []
        for path, obj in layer:
            if id(obj) in seen or (isinstance(obj, MethodType) and id(obj.__self__) in seen):
                continue
            seen[id(obj)] = obj
            if leads_out(obj):
                yield path
            elif not isinstance(obj, LEAVES):
                after += [(path + step, found) for step, found in neighbours(obj)]
        layer = after
    yield f"searched {len(seen)} objects"


def names_of_a_program() -> dict[str, Any]:
    """All that a program finds: its globals, its builtins, every module that it may import."""
    found = world.new_globals(output=lambda _text: None)
    own = found.pop("__builtins__")
    assert isinstance(own, dict)
    return {**found, **own, **facades()}


async def live_objects() -> dict[str, object]:
    """What a running program makes: objects that are in use, and errors that were raised."""
    names = world.new_globals(output=lambda _text: None)
    source = """
async def waits():
    await asyncio.sleep(3600)
task = asyncio.create_task(waits())
group = asyncio.gather(task, waits())
queue, lock, event, limit = asyncio.Queue(), asyncio.Lock(), asyncio.Event(), asyncio.timeout(9)
used = [asyncio.create_task(c) for c in (queue.get(), lock.acquire(), event.wait())]
future, shielded, me = asyncio.Future(), asyncio.shield(task), asyncio.current_task()
completed = asyncio.as_completed([task])
one = next(iter(completed))
import contextlib, json, logging, re, typing, warnings, copy, collections, random, zoneinfo
@contextlib.contextmanager
def managed():
    yield
context = managed()
stack = contextlib.ExitStack()
stack.enter_context(context)
caught = warnings.catch_warnings(record=True)
with caught as recorded:
    warnings.warn("careful")
logger = logging.getLogger("a.b")
alias = typing.Optional["waits"]
zone = zoneinfo.ZoneInfo("Europe/Paris")
errors = []
for attempt in (
    lambda: json.codecs,
    lambda: asyncio.get_event_loop,
    lambda: getattr(1, "__class__"),
    lambda: __import__("os"),
    lambda: json.loads("x"),
    lambda: asyncio.Queue.__new__(asyncio.Queue).get(),
    lambda: {}["x"],
    lambda: open("x"),
    lambda: asyncio.wait_for(1),
    lambda: copy.deepcopy(task),
    lambda: queue.get_nowait(),
    lambda: future.result(),
    lambda: lock.release(),
    lambda: asyncio.run(1),
    lambda: setattr(json, "dumps", 1),
    lambda: zoneinfo.ZoneInfo("No/Where"),
):
    try:
        attempt()
    except Exception as error:
        errors.append(error)
memo = {}
for value in (task, queue, context, caught, logger, alias, json, logger.info, random.choice, zone):
    try:
        copy.deepcopy(value, memo)
    except Exception as error:
        errors.append(error)
"""
    exec(compile(source, "<program>", "exec"), names)  # noqa: S102 - this is the program
    await asyncio.sleep(0)
    return {name: value for name, value in names.items() if name != "__builtins__"}


async def search() -> list[str]:
    """Search, within a loop, as a program runs."""
    return list(walk({**names_of_a_program(), **await live_objects()}))


def main() -> None:
    """Print what was found."""
    world.preload()
    warnings.simplefilter("ignore")
    with asyncio.Runner(loop_factory=NestingLoop) as runner:
        print("\n".join(runner.run(search())), file=sys.__stdout__)


if __name__ == "__main__":
    main()
