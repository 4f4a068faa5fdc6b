"""Run one program: compile it under the policy, await its body, report how it ended."""

from __future__ import annotations

import linecache
from typing import TYPE_CHECKING, Any, Final, Literal, NoReturn

from codemode_guest import values, world
from codemode_guest.bridge import Bridge, leave
from codemode_guest.calls import Calls, NamespaceSpec, install
from codemode_guest.failure import RESERVE_BYTES, Described, described
from codemode_guest.frames import FILENAME
from codemode_guest.loop import GuestLoop
from codemode_guest.policy import MAIN, NO_VALUE, Program, compile_program

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Mapping


def run_program(
    source: str,
    bindings: dict[str, object],
    *,
    bridge: Bridge,
    calls: Calls,
    max_value_bytes: int,
) -> NoReturn:
    """Run a program in this process, report its end and end the process.

    Args:
        source: The body of an async function.
        bindings: What the host gives it, by name.
        bridge: Where its output and the report go.
        calls: What settles the program's calls.
        max_value_bytes: The longest completion value, as JSON.
    """
    # Released before a failure is put into words, so that there is memory to do it in.
    reserve = [bytes(RESERVE_BYTES)]
    program: Program | None = None

    def end(error: BaseException) -> NoReturn:
        reserve.clear()
        phase: Literal["compile", "run"] = "compile" if program is None else "run"
        found = described(error, program, phase=phase)
        _done(bridge, b'{"failure":', values.encode(found))

    async def body(main: Callable[[], Coroutine[Any, Any, object]]) -> NoReturn:
        try:
            value = await main()
        except BaseException as error:
            end(error)
        reserve.clear()
        if value is NO_VALUE:
            _done(bridge, b"{")
        found = completion(value, max_value_bytes)
        if isinstance(found, bytes):
            _done(bridge, b'{"value":', found)
        _done(bridge, b'{"failure":', values.encode(found))

    try:
        program = compiled(source, bindings)
        # Where tracebacks look for the text of a line.
        lines = [f"{line}\n" for line in program.source_lines]
        linecache.cache[FILENAME] = len(source), None, lines, FILENAME
        namespace = world.new_globals(output=bridge.log) | bindings
        exec(program.code, namespace)
        main: Any = namespace.pop(MAIN)
        loop = GuestLoop(bridge, calls.receive)
        # The report is sent from within the body, before any task that the program left behind
        # gets another turn.
        loop.run_until_complete(loop.create_task(body(main)))
    except BaseException as error:  # a refusal, or what a task of the program's let through
        end(error)
    leave(1)


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


def rehearse() -> None:
    """Run a small program of our own, so that a real one finds the memory that it writes to.

    After a fork the first write to each page copies it, which is most of what a short run
    costs. A spare guest has the time to do that beforehand.
    """
    calls = Calls(_Nowhere(), max_pending=1, max_pending_bytes=2**10, max_args_bytes=2**10)
    tools = NamespaceSpec("tools", ("echo",), "ToolCallError", "tool_name")
    bindings = install([tools], calls)
    namespace = world.new_globals(output=lambda _text: None) | bindings
    exec(compiled(_REHEARSAL, bindings).code, namespace)
    main: Any = namespace.pop(MAIN)
    loop = GuestLoop(_Nowhere(), calls.receive)
    value = loop.run_until_complete(loop.create_task(main()))
    values.decode(values.encode(value))
    loop.close()


class _Nowhere(Bridge):
    """A bridge that answers each call with null and sends nothing."""

    def __init__(self) -> None:
        """Have no socket."""

    def send(self, *parts: bytes) -> None:
        """Send nothing."""

    def receive(self, timeout_s: float | None) -> list[object]:
        """Return the reply to the one call, over and over."""
        return [["reply", 1, True, None]] if timeout_s is None else []


_REHEARSAL: Final = """
import json
async def ask(text):
    return await tools.echo(text=text)
print(f"{len(json.dumps([1, 'a']))}")
return {"a": [await ask("b"), 1.5]}
"""


def _done(bridge: Bridge, *outcome: bytes) -> NoReturn:
    bridge.send(b'["done",', *outcome, b"}]")
    leave()


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
        return described(error, None)
