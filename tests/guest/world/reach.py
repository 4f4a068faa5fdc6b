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
import logging
import operator
import pathlib
import socket
import string
import sys
import traceback
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
from codemode_guest.policy.names import DEFINABLE, forbidden_attribute, is_reserved
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
    socket.socket,
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
        # What the library makes by these is handed out, and what `type` says of that would be they.
        operator.attrgetter,
        operator.methodcaller,
        string.Formatter,
        pathlib.Path,
        pathlib.PosixPath,
        traceback.StackSummary,
        traceback.TracebackException,
        logging.Handler,
        logging.Logger,
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
    yield " type", type(obj)
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
    # No program can spell the names of guards; that it reaches its globals by no other way is
    # what is searched for.
    return {**_spelt(found), **own, **facades()}


def _spelt(names: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in names.items() if not is_reserved(name)}


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
import contextvars, difflib, enum, functools, html.parser, inspect, pathlib, sys, traceback
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
class Mine:
    def method(self, x: int = 1) -> str: "Says."
    async def stream(self):
        yield await asyncio.sleep(3600)
class Colour(enum.Enum):
    value, RED = 1, 2
    def show(self): return self.name
def sent(coroutine):
    return [coroutine, coroutine.send(None)]
driven = [sent(asyncio.sleep(9)), sent(queue.get()), Mine().stream()]
driven += [next(asyncio.Future().__await__()), next(task.__await__()), next(group.__await__())]
paths = [kind("a/b.c") / "d" for kind in (pathlib.Path, pathlib.PurePath, pathlib.PureWindowsPath)]
class MyPath(pathlib.PurePosixPath): pass
paths += [MyPath("x"), [*MyPath("x/y").parents], MyPath("x").match("*")]
shown = [inspect.signature(f) for f in (Mine.method, Mine, functools.partial(Mine.method, 1), len)]
shown += [s.bind(1) for s in shown[:1]] + [inspect.getmembers(Mine()), vars(Colour), [*Colour]]
shown += [typing.get_type_hints(Mine.method), traceback.extract_tb(None), sys.exc_info()]
context = contextvars.copy_context()
token = contextvars.ContextVar("v").set(task)
dispatch = functools.singledispatch(lambda x: x)
dispatch.register(int, repr)
import operator
by_name = [operator.attrgetter("a.b"), operator.attrgetter("a", "b"), operator.methodcaller("a")]
class Holds:
    part = functools.partialmethod(len)
bound = Holds().part
caught = []
class Spy:
    def __call__(self): pass
    def __hash__(self): return 1
    def __eq__(self, other): return not caught.append(other)
typing.List["kept"] == typing.List[Spy()]
parser = html.parser.HTMLParser()
parser.feed("<a b=c>")
difference = difflib.SequenceMatcher(None, "ab", "bc").get_matching_blocks()
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
    lambda: pathlib.Path("x").open(),
    lambda: inspect.signature(random.choice),
    lambda: typing.get_type_hints(random.choice),
    lambda: asyncio.gather(1),
    lambda: asyncio.Condition(queue),
    lambda: sys.modules,
    lambda: group.result(),
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
    return _spelt(names)


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
