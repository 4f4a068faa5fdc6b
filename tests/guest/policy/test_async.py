"""Asynchronous code, at the top level and in functions."""

from __future__ import annotations

import pytest

from tests.guest.policy.running import is_native, refusal, run


@pytest.mark.parametrize(
    "source",
    [
        "await f()",
        "x = await f() + await g()",
        "async for x in y:\n pass\nelse:\n pass",
        "async with a as b, c: pass",
        "async def f():\n async def g(): return await h()\n yield 1",
        "f = [await x for x in y]",
        "return await f()",
    ],
)
def test_async_syntax_stays_native(source: str) -> None:
    """`await`, `async for`, `async with`, async functions and generators."""
    assert is_native(source)


def test_programs_await_at_the_top_level() -> None:
    """In expressions, loops, contexts and conditions."""
    source = """
import asyncio
class Room:
    async def __aenter__(self):
        log.append("in")
        return self
    async def __aexit__(self, *exc):
        log.append("out")
async def pages(n):
    for i in range(n):
        await asyncio.sleep(0)
        yield i
log = []
async with Room() as room, Room():
    async for page in pages(2):
        log.append(page)
    else:
        log.append("else")
log += await asyncio.gather(*(asyncio.sleep(0, i) for i in range(2)))
return log
"""
    assert run(source) == ["in", "in", 0, 1, "else", "out", "out", 0, 1]


def test_tasks_of_nested_functions_share_the_top_level() -> None:
    """Globals are seen by every task."""
    source = """
import asyncio
total = 0
async def add(n):
    global total
    await asyncio.sleep(0)
    total += n
async with asyncio.TaskGroup() as group:
    for n in range(4):
        group.create_task(add(n))
return total
"""
    assert run(source) == 6


@pytest.mark.parametrize(
    "source, reason",
    [
        ("def f():\n return await g()", "'await' outside async function"),
        ("lambda: await g()", "'await' outside async function"),
        ("class A:\n x = await g()", "'await' outside function"),
        ("def f():\n async for x in y: pass", "'async for' outside async function"),
        ("def f():\n async with x: pass", "'async with' outside async function"),
        ("async def f():\n yield 1\n return 2", "'return' with value in async generator"),
        ("async def f():\n yield from g()", "'yield from' inside async function"),
        ("yield 1", "'yield' outside function"),
        ("x = yield", "'yield' outside function"),
        ("return (yield 1)", "'yield' outside function"),
        ("for i in range(3):\n yield i", "'yield' outside function"),
        ("yield from f()", "'yield' outside function"),
        ("class A:\n yield 1", "'yield' outside function"),
        ("[(yield 1) for x in y]", "'yield' inside list comprehension"),
    ],
)
def test_misplaced_async_syntax_is_refused_in_pythons_words(source: str, reason: str) -> None:
    """A program is not turned into a generator, whatever it yields."""
    (finding,) = refusal(source).findings

    assert (finding.kind, finding.type_name, finding.reason) == ("syntax", "SyntaxError", reason)
