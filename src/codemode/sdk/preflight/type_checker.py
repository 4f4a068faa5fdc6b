"""Check the types of programs with mypy, in a process that lives as long as this object."""

from __future__ import annotations

import importlib.util
import json
import sys
from collections.abc import Sequence
from types import TracebackType
from typing import Final, Self

import anyio
from anyio.abc import Process

from codemode.errors import RuntimeFault, UsageError
from codemode.sdk.preflight.finding import ProgramFinding
from codemode_guest.frames import FrameDecoder, FrameTooLargeError, pack

#: mypy reads the standard library when it starts.
_START_S: Final = 60.0
#: A long program takes a tenth of a second.
_CHECK_S: Final = 20.0
_MAX_ANSWER_BYTES: Final = 2**24
_MAX_WORDS: Final = 300


class MissingExtraError(UsageError):
    """A part of the library was asked for that was not installed with it."""

    def __init__(self) -> None:
        super().__init__(
            "checking types needs mypy; install it with: pip install 'codemode[check]'"
        )


class TypeCheckerError(RuntimeFault):
    """The process that checks types did not answer."""

    def __init__(self, why: str) -> None:
        super().__init__(f"types were not checked: {why}; the next check starts another process")


class TypeChecker:
    """Checks the types of programs, one at a time, in a confined process of its own.

    The process is started by the first check, which takes seconds; later ones take a fraction of
    one. Close it, or use it in `async with`.
    """

    def __init__(self) -> None:
        self._process: Process | None = None
        self._decoder = FrameDecoder(_MAX_ANSWER_BYTES)
        self._turn = anyio.Lock()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """End the process."""
        process, self._process = self._process, None
        if process is None:
            return
        with anyio.CancelScope(shield=True):
            if process.returncode is None:
                process.kill()
            await process.wait()
            await process.aclose()

    async def check(
        self, program: str, stub: str, names: Sequence[str]
    ) -> tuple[ProgramFinding, ...]:
        """Return what does not fit the types of the SDK; nothing of it is certain to fail.

        Args:
            program: It must have passed `check_program`: what does not parse has no types.
            stub: The stub form of the SDK.
            names: The globals of the program that the stub defines.

        Raises:
            MissingExtraError: If mypy is not installed.
            TypeCheckerError: If the process died, or took too long; it is gone then.
        """
        async with self._turn:
            try:
                answer = await self._ask([program, stub, list(names)])
            except BaseException:
                # What it would still say would be taken for the answer to another question.
                await self.aclose()
                raise
        match answer:
            case {"found": list(found)}:
                return tuple(_finding(one) for one in found)
            case {"failed": str(words)}:
                raise TypeCheckerError(f"mypy failed: {words[:_MAX_WORDS]}")
        raise TypeCheckerError("the answer was none")

    async def _ask(self, question: list[object]) -> object:
        limit_s = _CHECK_S if self._process is not None else _START_S
        try:
            with anyio.fail_after(limit_s):
                if self._process is None:
                    self._process = await _start()
                    self._decoder = FrameDecoder(_MAX_ANSWER_BYTES)
                    await self._hear(self._process)
                if self._process.stdin is not None:
                    await self._process.stdin.send(pack(json.dumps(question).encode()))
                return await self._hear(self._process)
        except TimeoutError:
            raise TypeCheckerError(f"it took more than {limit_s:.0f} s") from None
        except (anyio.BrokenResourceError, anyio.EndOfStream, FrameTooLargeError) as error:
            raise TypeCheckerError(f"its process ended ({type(error).__name__})") from None

    async def _hear(self, process: Process) -> object:
        if process.stdout is None:
            raise TypeCheckerError("its process has no output")
        while True:
            for body in self._decoder.feed(await process.stdout.receive()):
                return json.loads(body)


async def _start() -> Process:
    if importlib.util.find_spec("mypy") is None:
        raise MissingExtraError
    command = [sys.executable, "-P", "-m", "codemode.sdk.preflight.type_process"]
    # Nothing of the host's environment: there is a program in there.
    return await anyio.open_process(command, stderr=None, env={}, cwd="/")


def _finding(found: object) -> ProgramFinding:
    """Read one error, from a process that is not trusted to have sent one."""
    match found:
        case [int(line), int(column), str(code), str(words)]:
            return ProgramFinding(
                line=line,
                column=column,
                kind="type",
                code=code,
                reason=words if len(words) <= _MAX_WORDS else words[:_MAX_WORDS] + "…",
                substitute="write await before the call" if '"Coroutine[' in words else None,
                certain=False,
            )
    raise TypeCheckerError("the answer held something else than errors")
