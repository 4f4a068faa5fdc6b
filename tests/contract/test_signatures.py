"""What a runtime does with signatures: it begins no program that is certain to fail."""

from __future__ import annotations

from typing import Any

import pytest

from codemode import CodeBindingErrorClass, CodeBindingNamespace, CodeRunRequest, CodeRuntime
from codemode.runtime import CodeBindingParameter, CodeBindingSignature

_DOUBLE = CodeBindingSignature(
    parameters={"n": CodeBindingParameter(required=True, kinds=("integer",))}, others="rejected"
)


def _request(program: str, *, checked: bool = True, check_only: bool = False) -> CodeRunRequest:
    async def double(sent: Any) -> object:
        return 2 * sent["n"]

    namespace = CodeBindingNamespace(
        global_name="tools",
        functions={"double": double, "half-it": double},
        error_class=CodeBindingErrorClass(name="ToolCallError", member_name_property="tool_name"),
        signatures={"double": _DOUBLE, "half-it": _DOUBLE} if checked else None,
    )
    return CodeRunRequest(program=program, bindings=[namespace], check_only=check_only)


async def test_a_program_certain_to_fail_makes_no_call_and_prints_nothing(
    runtime: CodeRuntime,
) -> None:
    """Checklist 108: the mistake is at the end, and nothing before it happens."""
    program = 'print("begun")\nawait tools.double(n=1)\nawait tools.double(m=1)\n'

    result = await runtime.run(_request(program))

    assert result.error is not None
    assert ("exception", "compile", "CheckError") == (
        result.error.kind,
        result.error.phase,
        result.error.exception_type,
    )
    assert (3, 20) == (result.error.line, result.error.column)
    assert ((), ()) == (result.logs, result.report.calls)
    assert (
        "CheckError: nothing was run\nline 3, column 20: tools.double: there is no 'm'; "
        "'n' is missing; it takes (n: int)" == result.error.message
    )


async def test_all_that_is_wrong_is_told_at_once(runtime: CodeRuntime) -> None:
    """The policy's findings and the check's come in one message."""
    program = 'import os.path as p\ntools.double(n=1)\nawait tools.dubble(n=1)\nx = open("a")\n'

    result = await runtime.run(_request(program))

    assert result.error is not None
    lines = result.error.message.splitlines()[1:]
    assert {"2", "3", "4"} <= {line.removeprefix("line ")[0] for line in lines}


async def test_without_signatures_a_program_fails_where_it_fails(runtime: CodeRuntime) -> None:
    """A namespace of which nothing is said is not looked into."""
    result = await runtime.run(_request('print("begun")\nawait tools.dubble(n=1)', checked=False))

    assert result.error is not None
    assert ("run", ("begun",)) == (result.error.phase, result.logs)


@pytest.mark.parametrize("n", ["1", "n", "len([1])", "int('1')", "1.0"])
async def test_what_may_be_right_is_begun(runtime: CodeRuntime, n: str) -> None:
    """The check refuses by what is written, not by what it cannot know."""
    result = await runtime.run(_request(f"n = 1\nreturn await tools.double(n={n})"))

    assert 2 == result.value


async def test_a_member_of_an_odd_name_is_checked_as_well(runtime: CodeRuntime) -> None:
    """Its signature crosses when the program names it."""
    result = await runtime.run(_request('await tools["half-it"](n="1")'))

    assert result.error is not None
    assert "'n' is a str, not int" in result.error.message


async def test_a_mere_check_runs_nothing_and_returns_all_that_it_finds(
    runtime: CodeRuntime,
) -> None:
    """What a run would not be refused for is told, too, and marked so."""
    program = (
        "print(1)\nif await tools.double(n=1):\n    await tools.double()\nawait tools.nope()\n"
    )

    result = await runtime.run(_request(program, check_only=True))

    assert ((), ()) == (result.logs, result.report.calls)
    assert isinstance(result.value, list)
    assert [(4, True), (3, False)] == [(one["line"], one["certain"]) for one in result.value]


async def test_a_mere_check_of_what_does_not_parse_returns_that(runtime: CodeRuntime) -> None:
    """A syntax error is a finding like any other."""
    result = await runtime.run(_request("x = (", check_only=True))

    assert isinstance(result.value, list)
    assert ["syntax"] == [one["kind"] for one in result.value]


async def test_a_mere_check_of_a_hostile_program_has_a_bounded_answer(
    runtime: CodeRuntime,
) -> None:
    """Thousands of mistakes on one long line, with long names."""
    program = "; ".join(f"_{'x' * 100}{n}_" for n in range(1_500))

    result = await runtime.run(_request(program, check_only=True))

    assert isinstance(result.value, list)
    assert 200 == len(result.value)
    assert all(len(str(one)) < 1_000 for one in result.value)
