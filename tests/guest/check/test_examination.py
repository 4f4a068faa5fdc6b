"""What is certain and what is not, and the sizes that the check must bear."""

from __future__ import annotations

import ast

import pytest

from codemode_guest import world
from codemode_guest.calls import NamespaceSpec
from codemode_guest.check import Report, World, examine
from codemode_guest.lines import lines_of

_SEARCH = ["rejected", [["query", True, ["string"], None, "str"]]]
_TOOLS = NamespaceSpec(
    "tools", ["search", "now"], "ToolCallError", "tool_name", {"search": _SEARCH}
)


def _report(program: str, *namespaces: NamespaceSpec) -> Report:
    found = World(
        namespaces=namespaces or (_TOOLS,),
        names={"tools", "ToolCallError", *world.global_names()},
        modules=world.module_names(),
    )
    return examine(ast.parse(program), lines_of(program), found)


@pytest.mark.parametrize(
    "program",
    [
        "if tools.now:\n    await tools.search()",
        "try:\n    await tools.search()\nexcept ToolCallError:\n    pass",
        "for i in await tools.now():\n    await tools.search()",
        "while await tools.now():\n    await tools.search()",
        "async def never_called():\n    await tools.search()",
        "f = lambda: tools.search()",
        "class A:\n    async def method(self):\n        await tools.search()",
        "x = None or await tools.search()",
        "x = await tools.search() if tools else 1",
        "y = [await tools.search() for i in await tools.now()]",
        "y = [await tools.search() for i in (1, 2) if i > 5]",
        "for i in range(0):\n    await tools.search()",
        "if await tools.now():\n    return\nawait tools.search()",
        "for i in (1, 2):\n    if i:\n        continue\n    await tools.search()",
        "async with tools.anything if 0 else None:\n    await tools.search()",
        "import contextlib\nwith contextlib.suppress(Exception):\n    await tools.search()",
        "await asyncio.gather(tools.search(), return_exceptions=True)",
        "t = asyncio.create_task(tools.search())",
        "def none(f):\n    return None\n@none\nasync def f():\n    await tools.search()",
        "try:\n    await tools.search()\nfinally:\n    return 1",
        "match 1:\n    case 2:\n        await tools.search()",
        "assert True, await tools.search()",
        "print(1 < 2 < await tools.search())",
        "names = ['a']\nnames.pop()\nfor n in names:\n    await tools.search()",
        "names = ['a']\ndel names[0]\nfor n in names:\n    await tools.search()",
        "def print(x):\n    x.clear()\nn = [1]\nprint(n)\nfor i in n:\n    await tools.search()",
        "async def f():\n global g\n g = f\nasync def g():\n await tools.search()\nawait g()",
    ],
)
def test_a_call_that_may_not_be_made_or_may_be_caught_blocks_nothing(program: str) -> None:
    """It is told as possible all the same."""
    report = _report(program)

    assert () == report.certain
    assert any("'query' is missing" in finding.reason for finding in report.possible)


@pytest.mark.parametrize(
    "program",
    [
        "def f(tools):\n    return tools.nope()",
        "tools = object()\ntools.nope()",
        "for tools in []:\n    tools.nope()",
        "import json as tools\ntools.nope()",
        "match 1:\n    case tools:\n        tools.nope()",
        "with open as tools:\n    tools.nope()",
        "(lambda tools: tools.nope())(1)",
        "[tools.nope() for tools in []]",
        "async def f():\n    global tools\n    tools = 1\ntools.nope()",
    ],
)
def test_a_name_that_is_bound_by_the_program_is_no_namespace(program: str) -> None:
    """Wherever it is bound, whatever to."""
    assert Report() == _report(program)


def test_a_namespace_of_which_nothing_is_said_is_not_looked_into() -> None:
    """Beside one that is."""
    silent = NamespaceSpec("other", ["a"], None, None)
    program = "await other.b(1, 2)\nother.a()"

    assert Report() == _report("other = other\n" + program, _TOOLS, silent)


def test_a_program_of_many_branches_is_read_in_one_pass() -> None:
    """Each `elif` stands inside the one before it."""
    branches = "".join(f"elif tools == {n}:\n    return {n}\n" for n in range(1_000))

    assert () == _report("if tools:\n    pass\n" + branches).certain


def test_a_chain_of_functions_is_followed_to_its_end() -> None:
    """However long it is, or it is given up without a word."""
    chain = "".join(f"async def f{n}():\n    await f{n + 1}()\n" for n in range(100))
    program = f"{chain}async def f100():\n    await tools.search()\nawait f0()\n"

    assert ["'query' is missing"] == [
        finding.reason.removeprefix("tools.search: ") for finding in _report(program).certain
    ]


def test_a_program_too_deep_for_the_check_is_left_to_the_compiler() -> None:
    """It neither fails nor blocks."""
    chain = "".join(f"def f{n}():\n    f{n + 1}()\n" for n in range(3_000))

    assert Report() == _report(f"{chain}f0()\ndef f3000():\n    tools.nope()\n")


def test_functions_that_call_each_other_are_followed_once() -> None:
    """There is an end to it."""
    program = "async def a():\n    await b()\nasync def b():\n    await a()\nawait a()"

    assert Report() == _report(program)


def test_columns_count_characters() -> None:
    """As an editor does, where the parser counts bytes."""
    (finding,) = _report('x = "ü€"; await tools.nope()').certain

    assert 1 == finding.line
    assert 'x = "ü€"; await '.__len__() + 1 == finding.column


def test_a_long_list_of_parameters_is_cut() -> None:
    """A model needs the first dozen to see what kind of call it is."""
    many = ["rejected", [[f"p{n}", n == 0, None, None, ""] for n in range(50)]]
    tools = NamespaceSpec("tools", ["many"], None, None, {"many": many})

    (finding,) = _report("await tools.many()", tools).certain

    assert finding.substitute is not None
    assert finding.substitute.endswith("p11 = … and 38 more)")


@pytest.mark.parametrize("literal", ["9" * 200, "0x" + "f" * 5_000, '"' + "é" * 5_000 + '"'])
def test_a_long_literal_is_told_in_short(literal: str) -> None:
    """Also an integer that Python refuses to write in full."""
    one_of = ["rejected", [["sort", True, None, ["asc"], ""]]]
    tools = NamespaceSpec("tools", ["order"], None, None, {"order": one_of})

    (finding,) = _report(f"await tools.order(sort={literal})", tools).certain

    assert len(finding.reason) < 120
