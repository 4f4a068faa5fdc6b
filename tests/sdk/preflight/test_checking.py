"""`check_program`: a guest's findings as the host's records."""

from __future__ import annotations

from collections.abc import Mapping
from types import TracebackType
from typing import Any

import pytest

from codemode.runtime import CodeRunFailure, CodeRunRequest, CodeRunResult, CodeRuntime
from codemode.sdk.preflight import CheckFailedError, check_program
from codemode.testing import InMemoryRuntime
from tests.guest.check.tools_on_offer import namespaces

_FINDING = {
    "line": 1,
    "column": 2,
    "source_line": "x",
    "kind": "check",
    "type_name": "CheckError",
    "reason": "r",
    "substitute": None,
    "certain": True,
}


async def test_findings_of_every_kind_come_in_the_order_of_the_text() -> None:
    """The policy's, the certain and the possible, each with its place and its words."""
    program = (
        "import os.environ\n"
        "for item in await tools.find(name='a', size=3):\n"
        "    await tools.nope()\n"
        "await tools.search(query=1)\n"
    )

    async with InMemoryRuntime() as runtime:
        found = await check_program(runtime, program, namespaces(checked=True))

    assert [(1, "policy", True), (2, "check", False), (3, "check", False), (4, "check", True)] == [
        (one.line, one.kind, one.certain) for one in found
    ]
    assert (
        "line 4, column 20: tools.search: 'query' is an int, not str; "
        "it takes (query: str, limit: int = …, sort: 'asc' | 'desc' = …)" == str(found[-1])
    )


async def test_a_program_that_does_not_parse_has_one_finding() -> None:
    """It is a value, as a run of it would be."""
    async with InMemoryRuntime() as runtime:
        (found,) = await check_program(runtime, "x = (\n", namespaces(checked=True))

    assert ("syntax", "SyntaxError", True) == (found.kind, found.code, found.certain)


class _Answering(CodeRuntime):
    """A runtime whose guests answer as they like."""

    def __init__(self, answer: CodeRunResult) -> None:
        self._answer = answer

    @property
    def language(self) -> str:
        return "python"

    @property
    def isolation(self) -> str:
        return "none"

    async def open(self) -> None:
        pass

    async def run(self, request: CodeRunRequest) -> CodeRunResult:
        return self._answer

    async def aclose(self) -> None:
        pass

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        pass


def _without(field: str, **others: Any) -> Mapping[str, Any]:
    return {key: value for key, value in _FINDING.items() if key != field} | others


@pytest.mark.parametrize(
    "value",
    [
        None,
        "fine",
        {"findings": []},
        [1],
        [[]],
        [_without("reason")],
        [_without("line", line="1")],
        [_without("kind", kind="praise")],
        [_without("certain", certain=1)],
    ],
)
async def test_an_answer_that_is_no_list_of_findings_is_refused(value: object) -> None:
    """A guest is not trusted to have sent one."""
    with pytest.raises(CheckFailedError, match="could not be checked"):
        await check_program(_Answering(CodeRunResult(value=value)), "", ())


async def test_a_run_that_fails_says_so_instead_of_finding_nothing() -> None:
    """Silence would be taken for praise."""
    failed = CodeRunResult(error=CodeRunFailure(kind="timeout", message="compute_ms expired"))

    with pytest.raises(CheckFailedError, match="compute_ms expired"):
        await check_program(_Answering(failed), "", ())


async def test_a_runtime_that_does_not_know_checks_says_so() -> None:
    """It would have run the program, and given its value or none."""
    with pytest.raises(CheckFailedError, match="check_only"):
        await check_program(_Answering(CodeRunResult()), "", ())
