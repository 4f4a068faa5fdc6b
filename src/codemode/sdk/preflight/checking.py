"""Have a guest say what is wrong with a program."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, cast, get_args

from codemode.errors import RuntimeFault
from codemode.runtime import ABSENT, CodeBindingNamespace, CodeRunRequest, CodeRuntime
from codemode.sdk.preflight.finding import FindingKind, ProgramFinding

_KINDS: Final = get_args(FindingKind)


class CheckFailedError(RuntimeFault):
    """A program could not be checked, for a reason that is not a mistake in it."""

    def __init__(self, why: str) -> None:
        super().__init__(f"the program could not be checked: {why}; run it, or check a smaller one")


async def check_program(
    runtime: CodeRuntime, program: str, namespaces: Sequence[CodeBindingNamespace]
) -> tuple[ProgramFinding, ...]:
    """Return all that is wrong with a program; nothing of it is run.

    Args:
        runtime: Open; the program is read in a guest of its.
        program: Python source, the body of an async function.
        namespaces: What it will find. Only those with signatures are looked into: see `signed`.

    Returns:
        In the order of the text.

    Raises:
        CheckFailedError: If the guest did not answer, as when a budget was used up.
    """
    # A runtime that does not know `check_only` would run the program, though not our tools.
    bindings = [replace(one, functions=dict.fromkeys(one.functions, _refuse)) for one in namespaces]
    request = CodeRunRequest(program=program, bindings=bindings, check_only=True)
    result = await runtime.run(request)
    if result.error is not None:
        raise CheckFailedError(f"{result.error.kind}: {result.error.message}")
    if result.value is ABSENT or not isinstance(result.value, list):
        raise CheckFailedError("this runtime does not know `check_only`")
    return in_order([_rebuilt(found) for found in result.value])


async def _refuse(_: object) -> object:
    raise RuntimeError("a check calls nothing")


def in_order(findings: Sequence[ProgramFinding]) -> tuple[ProgramFinding, ...]:
    """Return findings in the order of the text."""
    return tuple(sorted(findings, key=lambda one: (one.line or 0, one.column or 0)))


def _rebuilt(found: object) -> ProgramFinding:
    """Read one finding of a guest, which is not trusted to have sent one."""
    match found:
        case {
            "line": int() | None as line,
            "column": int() | None as column,
            "kind": str(kind),
            "type_name": str(code),
            "reason": str(reason),
            "substitute": str() | None as substitute,
            "certain": bool(certain),
        } if kind in _KINDS:
            return ProgramFinding(
                line=line,
                column=column,
                kind=cast("FindingKind", kind),
                code=code,
                reason=reason,
                substitute=substitute,
                certain=certain,
            )
    raise CheckFailedError("the guest answered with something else than findings")
