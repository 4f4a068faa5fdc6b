"""Run one program: compile it under the policy, await its body, say how it ended."""

from __future__ import annotations

import linecache
import mmap
from typing import TYPE_CHECKING, Any, Final, Literal, NoReturn

from codemode_guest import check, values, world
from codemode_guest.failure import RESERVE_BYTES, Described, described
from codemode_guest.frames import FILENAME
from codemode_guest.policy import MAIN, NO_VALUE, Finding, Program, Refusal, compile_program

if TYPE_CHECKING:
    import ast
    from collections.abc import Callable, Collection, Coroutine, Mapping, Sequence

    from codemode_guest.calls import NamespaceSpec
    from codemode_guest.loop import GuestLoop


#: Who has more to mend looks again when these are mended.
_MAX_FINDINGS: Final = 200


class _Settled(SystemExit):
    """The program has come to its end; asyncio lets this kind through at once.

    So no task that the program left behind gets another turn.
    """

    def __init__(self, *outcome: bytes) -> None:
        self.outcome = outcome


def run_program(  # noqa: PLR0913 - what a program is run with
    source: str,
    bindings: dict[str, object],
    namespaces: Sequence[NamespaceSpec] = (),
    *,
    offered: dict[str, object],
    loop: GuestLoop,
    max_value_bytes: int,
    max_value_parts: int,
) -> tuple[bytes, ...]:
    """Run a program to its end and return the done frame that reports it.

    Args:
        source: The body of an async function.
        bindings: What the host gives it, by name.
        namespaces: What these were made from, for the check.
        offered: What the world gives it, by name; see `world.new_globals`.
        loop: Runs the program's tasks. It keeps those that the program left behind, and they must
            not be let go, which would run their clean-up, before the frame has been sent.
        max_value_bytes: The longest completion value, as JSON.
        max_value_parts: The most values within it.
    """
    # Released before a failure is put into words, so that there is memory to do it in.
    # Not in the heap, where it would be pages that have been used, to be copied and cleared.
    reserve = mmap.mmap(-1, RESERVE_BYTES, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    program: Program | None = None

    def failed(error: BaseException) -> tuple[bytes, ...]:
        reserve.close()
        phase: Literal["compile", "run"] = "compile" if program is None else "run"
        return b'["done",{"failure":', values.encode(described(error, program, phase=phase)), b"}]"

    async def body(main: Callable[[], Coroutine[Any, Any, object]]) -> NoReturn:
        try:
            value = await main()
        except BaseException as error:
            raise _Settled(*failed(error)) from None
        reserve.close()
        raise _Settled(*_returned(value, max_value_bytes, max_value_parts))

    try:
        program = compiled(source, bindings, namespaces)
        # Where tracebacks look for the text of a line.
        lines = [f"{line}\n" for line in program.source_lines]
        linecache.cache[FILENAME] = len(source), None, lines, FILENAME
        namespace = offered | bindings
        exec(program.code, namespace)
        main: Any = namespace.pop(MAIN)
        loop.run_until_complete(loop.create_task(body(main)))
    except _Settled as settled:
        return settled.outcome
    except BaseException as error:  # a refusal, or what a task of the program's let through
        return failed(error)
    raise AssertionError("the body has no end but being settled")


def compiled(
    source: str, bindings: Mapping[str, object], namespaces: Sequence[NamespaceSpec] = ()
) -> Program:
    """Compile a program for the world and for what the host gives it.

    Raises:
        Refusal: If it does not parse, does not pass the policy or, where the host has said what
            calls look like, is certain to fail.
    """

    def beside(
        tree: ast.Module, lines: tuple[str, ...]
    ) -> tuple[Collection[Finding], Collection[Finding]]:
        names = bindings.keys() | world.global_names()
        found = check.World(namespaces=namespaces, names=names, modules=world.module_names())
        report = check.examine(tree, lines, found)
        return report.certain, report.possible

    is_checked = any(spec.signatures is not None for spec in namespaces)
    return compile_program(
        source,
        explain_import=world.explain_import,
        explain_name=world.explain_name,
        public_names=world.public_names,
        always_there=(world.ALWAYS_THERE,),
        provided=bindings.keys(),
        beside=beside if is_checked else None,
    )


def findings(
    source: str, bindings: Mapping[str, object], namespaces: Sequence[NamespaceSpec]
) -> list[object]:
    """Return what is wrong with a program, as JSON; nothing of it is run.

    Each is the record of a `Finding` and `certain`: whether it keeps the program from running.
    These come first.
    """
    try:
        found = {False: compiled(source, bindings, namespaces).possible}
    except Refusal as refusal:
        found = {True: refusal.findings, False: refusal.possible}
    told: list[object] = [
        {**finding.record(), "certain": certain}
        for certain, group in found.items()
        for finding in group
    ]
    return told[:_MAX_FINDINGS]


def _returned(value: object, max_bytes: int, max_parts: int) -> tuple[bytes, ...]:
    if value is NO_VALUE:
        return (b'["done",{}]',)
    found = completion(value, max_bytes, max_parts)
    if isinstance(found, bytes):
        return b'["done",{"value":', found, b"}]"
    return b'["done",{"failure":', values.encode(found), b"}]"


def completion(value: object, max_bytes: int, max_parts: int | None = None) -> bytes | Described:
    """Return the JSON of a completion value, or why it has none.

    Args:
        value: What the program's body returned.
        max_bytes: The longest JSON.
        max_parts: The most values within it.
    """
    try:
        return values.encode(value, max_bytes=max_bytes, max_parts=max_parts)
    except values.ValueTooLargeError as error:
        return Described(kind="output-limit", message=f"the returned value: {error}")
    except values.LossyValueError as error:
        message = f"the returned value is not lossless JSON: {error}"
        return Described(kind="invalid-output", message=message)
    except MemoryError as error:
        # Its traceback holds what took the memory.
        return described(error.with_traceback(None), None)
