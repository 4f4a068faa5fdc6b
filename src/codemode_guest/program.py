"""Run one program: compile it under the policy, await its body, say how it ended."""

from __future__ import annotations

import linecache
from typing import TYPE_CHECKING, Any, Literal, NoReturn

from codemode_guest import values, world
from codemode_guest.failure import RESERVE_BYTES, Described, described
from codemode_guest.frames import FILENAME
from codemode_guest.policy import MAIN, NO_VALUE, Program, compile_program

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Mapping

    from codemode_guest.loop import GuestLoop


class _Settled(SystemExit):
    """The program has come to its end; asyncio lets this kind through at once.

    So no task that the program left behind gets another turn.
    """

    def __init__(self, *outcome: bytes) -> None:
        self.outcome = outcome


def run_program(
    source: str,
    bindings: dict[str, object],
    *,
    loop: GuestLoop,
    output: Callable[[str], None],
    max_value_bytes: int,
) -> tuple[bytes, ...]:
    """Run a program to its end and return the done frame that reports it.

    Args:
        source: The body of an async function.
        bindings: What the host gives it, by name.
        loop: Runs the program's tasks. It keeps those that the program left behind, and they must
            not be let go, which would run their clean-up, before the frame has been sent.
        output: Receives what it prints.
        max_value_bytes: The longest completion value, as JSON.
    """
    # Released before a failure is put into words, so that there is memory to do it in.
    reserve = [bytes(RESERVE_BYTES)]
    program: Program | None = None

    def failed(error: BaseException) -> tuple[bytes, ...]:
        reserve.clear()
        phase: Literal["compile", "run"] = "compile" if program is None else "run"
        return b'["done",{"failure":', values.encode(described(error, program, phase=phase)), b"}]"

    async def body(main: Callable[[], Coroutine[Any, Any, object]]) -> NoReturn:
        try:
            value = await main()
        except BaseException as error:
            raise _Settled(*failed(error)) from None
        reserve.clear()
        raise _Settled(*_returned(value, max_value_bytes))

    try:
        program = compiled(source, bindings)
        # Where tracebacks look for the text of a line.
        lines = [f"{line}\n" for line in program.source_lines]
        linecache.cache[FILENAME] = len(source), None, lines, FILENAME
        namespace = world.new_globals(output=output) | bindings
        exec(program.code, namespace)
        main: Any = namespace.pop(MAIN)
        loop.run_until_complete(loop.create_task(body(main)))
    except _Settled as settled:
        return settled.outcome
    except BaseException as error:  # a refusal, or what a task of the program's let through
        return failed(error)
    raise AssertionError("the body has no end but being settled")


def compiled(source: str, bindings: Mapping[str, object]) -> Program:
    """Compile a program for the world and for what the host gives it.

    Raises:
        Refusal: If it does not parse or does not pass the policy.
    """
    return compile_program(
        source,
        explain_import=world.explain_import,
        public_names=world.public_names,
        provided=bindings.keys(),
    )


def _returned(value: object, max_bytes: int) -> tuple[bytes, ...]:
    if value is NO_VALUE:
        return (b'["done",{}]',)
    found = completion(value, max_bytes)
    if isinstance(found, bytes):
        return b'["done",{"value":', found, b"}]"
    return b'["done",{"failure":', values.encode(found), b"}]"


def completion(value: object, max_bytes: int) -> bytes | Described:
    """Return the JSON of a completion value, or why it has none.

    Args:
        value: What the program's body returned.
        max_bytes: The longest JSON.
    """
    try:
        return values.encode(value, max_bytes=max_bytes)
    except values.ValueTooLargeError as error:
        return Described(kind="output-limit", message=f"the returned value: {error}")
    except values.LossyValueError as error:
        message = f"the returned value is not lossless JSON: {error}"
        return Described(kind="invalid-output", message=message)
    except MemoryError as error:
        # Its traceback holds what took the memory.
        return described(error.with_traceback(None), None)
