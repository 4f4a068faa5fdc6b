"""The type check, through its process."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator
from pathlib import Path

import anyio
import psutil
import pytest

from codemode.sdk import render_sdk
from codemode.sdk.preflight import ProgramFinding, TypeChecker, TypeCheckerError
from codemode.sdk.preflight.type_checker import MissingExtraError
from tests.guest.check.tools_on_offer import programs

_ITEM = {
    "type": "object",
    "properties": {"name": {"type": "string"}, "price": {"type": "number"}},
    "required": ["name", "price"],
}
_TOOLS = [
    {
        "name": "search",
        "inputSchema": {
            "type": "object",
            "properties": {"query": {"type": "string"}, "limit": {"type": "integer"}},
            "required": ["query"],
            "additionalProperties": False,
        },
        "outputSchema": {
            "type": "object",
            "properties": {
                "items": {"type": "array", "items": _ITEM},
                "next": {"type": ["integer", "null"]},
            },
            "required": ["items", "next"],
        },
    }
]
_NAMES = ("tools", "ToolCallError")


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    """One loop is enough for a process that takes seconds to start."""
    return "asyncio"


@pytest.fixture(scope="module")
async def checker(anyio_backend: str) -> AsyncIterator[TypeChecker]:
    async with TypeChecker() as opened:
        yield opened


async def _found(checker: TypeChecker, program: str) -> tuple[ProgramFinding, ...]:
    with anyio.fail_after(90):
        return await checker.check(program, render_sdk(_TOOLS, form="stub"), _NAMES)


@pytest.mark.parametrize(
    "program, line, column, words",
    [
        ("r = await tools.search(query='a')\nreturn r['itms']", 2, 10, 'no key "itms"'),
        ("r = await tools.search(query='a')\nprint(r['next'] + 1)", 2, 7, "Unsupported"),
        (
            "for i in (await tools.search(query='a'))['items']:\n    print(i['name'].uper())",
            2,
            11,
            'no attribute "uper"',
        ),
        ("n = 'x'\nawait tools.search(query=n, limit=n)", 2, 7, "No overload"),
        ("async def main():\n    return (await tools.search(query='a'))['x']", 2, 44, '"x"'),
        ("r = tools.search(query='a')\nprint(r['items'])", 2, 7, "not indexable"),
        ("é = 'ü'; len(1)", 1, 14, 'incompatible type "int"'),
        ("print(undefined)", 1, 7, '"undefined" is not defined'),
    ],
)
async def test_what_does_not_fit_is_told_at_its_place(
    checker: TypeChecker, program: str, line: int, column: int, words: str
) -> None:
    """In the program's own lines and columns; nothing of it is certain to fail."""
    (found,) = await _found(checker, program)

    assert ("type", False) == (found.kind, found.certain)
    assert (line, column) == (found.line, found.column)
    assert words in found.reason


_ORDINARY = {
    "a value": "return (await tools.search(query='a'))['next']",
    "async statements at the top": """
async def numbers():
    yield 1
async with asyncio.timeout(1):
    pass
async for x in numbers():
    print(x)
""",
    "a name for values of two types": "x = 1\nx = 'a'\nprint(x.upper())",
    "nonlocal of the program's own function": """
total = 0
async def add(n):
    nonlocal total
    total += n
await add(1)
return total
""",
    "a list of two types": "rows = []\nrows.append(1)\nrows.append('a')\nprint(rows)",
    "a dict that grows": """
report = {}
report['a'] = {'n': 1}
report['b'] = {'n': 'x', 'm': None}
return report
""",
    "records as dicts": """
people = [{'name': 'a', 'age': 1}]
people.sort(key=lambda p: (-p['age'], p['name']))
""",
    "the error class": """
try:
    await tools.search(query='a')
except ToolCallError as error:
    print(error.tool_name)
""",
    "imports": "from __future__ import annotations\nimport decimal\nprint(decimal.Decimal(1))",
    "a class with the name of a type of the SDK": "class Item:\n    pass\nreturn [str(Item())]",
    "arguments from a dict": "options = {'limit': 3}\nawait tools.search(query='a', **options)",
    "an early return": """
r = await tools.search(query='a')
if r['next'] is None:
    return
print(r['next'] + 1)
""",
}


@pytest.mark.parametrize("program", _ORDINARY.values(), ids=_ORDINARY.keys())
async def test_ordinary_programs_have_no_findings(checker: TypeChecker, program: str) -> None:
    """What mypy merely guesses of a container, and what a module may not do, is not told."""
    assert () == await _found(checker, program)


async def test_the_stub_may_change_from_one_check_to_the_next(checker: TypeChecker) -> None:
    """The process is not told which tools it is for."""
    renamed = render_sdk([{**_TOOLS[0], "name": "find"}], form="stub")
    program = "await tools.search(query='a')"

    assert () == await _found(checker, program)
    (found,) = await checker.check(program, renamed, _NAMES)
    assert 'no attribute "search"' in found.reason
    assert () == await _found(checker, program)


async def test_a_hundred_programs_leave_the_process_as_it_was(checker: TypeChecker) -> None:
    """Each is checked for itself; none breaks the process for the next."""
    for program in programs("mistaken.txt").values():
        await _found(checker, program)

    assert () == await _found(checker, "return (await tools.search(query='a'))['next']")


async def test_the_process_is_confined_as_a_guest_is(checker: TypeChecker) -> None:
    """It parses what a model wrote: it can open nothing, and has no rights."""
    await _found(checker, "1")

    (child,) = _children()
    status = dict(
        line.split(":\t", 1)
        for line in Path(f"/proc/{child.pid}/status").read_text().splitlines()
        if ":\t" in line
    )
    assert ("1", "2") == (status["NoNewPrivs"], status["Seccomp"])
    assert {} == {key: value for key, value in child.environ().items() if key != "LC_CTYPE"}


async def test_a_process_that_dies_is_replaced_by_the_next_check() -> None:
    """Whoever asked is told, and whoever asks next is served."""
    async with TypeChecker() as checker:
        await _found(checker, "1")
        max(_children(), key=lambda one: one.create_time()).kill()

        with pytest.raises(TypeCheckerError, match="starts another"):
            await _found(checker, "1")
        assert () == await _found(checker, "1")


def _children() -> list[psutil.Process]:
    return [one for one in psutil.Process().children() if "type_process" in str(one.cmdline())]


async def test_without_mypy_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where it is not installed, what to install is said."""
    # As Python has it for a module that cannot be imported.
    monkeypatch.setitem(sys.modules, "mypy", None)

    async with TypeChecker() as checker:
        with pytest.raises(MissingExtraError, match=r"codemode\[check\]"):
            await checker.check("1", "", ())
