"""Code mode for an agent's loop: what a request begins with, and what comes of its calls."""

from __future__ import annotations

import itertools
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final, Self

from codemode.bridge.announcing import Announcer, RequestAssembly, takes_programs
from codemode.bridge.answer import Answer
from codemode.bridge.cutting import KeptOutputs, shown_in_part
from codemode.bridge.execution import Execution
from codemode.bridge.report import RunReport
from codemode.bridge.run_code import RunCode
from codemode.errors import UsageError
from codemode.prompt import Prompt
from codemode.runtime import AbortSignal, CodeRuntime, RuntimeNotOpenError
from codemode.sdk import GENERATORS, SdkGenerator
from codemode.session import Session, ToolCalled, ToolReturned
from codemode.tools import (
    RUN_CODE,
    Card,
    GenericCard,
    Part,
    Scope,
    TextPart,
    ToolCallError,
    ToolDefinition,
    ToolResult,
    call_card,
    content_text,
)

if TYPE_CHECKING:
    from types import TracebackType

#: Of one result; some 6,000 tokens of English.
DEFAULT_CONTENT_CHARS: Final = 24_000
#: Of all results that were shown in part.
DEFAULT_KEPT_CHARS: Final = 50_000_000
#: Of the SDK's text; beyond it a catalogue is presented as an index.
DEFAULT_SDK_TOKENS: Final = 20_000


class CodeMode:
    """A registry's tools for one agent, by programs or directly, as their mode says.

    Open it with `async with`. A runtime given unopened is opened and closed with it; one that
    is open already is left open.

    Args:
        tools: A registry, or a scope of one.
        runtime: Where programs run; mode `native` needs none.
        prompt: The host's sections of the system text.
        session: Where every fact goes; kept nowhere if left out, but it can be watched.
        generators: Writers of the SDK by language.
        max_content_chars: How much of one result the model is shown; the whole is kept.
        max_kept_chars: How much of such results is kept in all; the oldest go first, and the
            latest stays however long it is.
        sdk_tokens: The budget of the SDK's text; no limit if `None`.
        checks: Whether a program that is certain to fail at a call of a tool is not even begun.

    Raises:
        UsageError: If tools or runtime are something else.
    """

    def __init__(  # noqa: PLR0913 - a root: all that can be chosen
        self,
        tools: Scope,
        *,
        runtime: CodeRuntime | None = None,
        prompt: Prompt | None = None,
        session: Session | None = None,
        generators: Mapping[str, SdkGenerator] = GENERATORS,
        max_content_chars: int = DEFAULT_CONTENT_CHARS,
        max_kept_chars: int = DEFAULT_KEPT_CHARS,
        sdk_tokens: int | None = DEFAULT_SDK_TOKENS,
        checks: bool = True,
    ) -> None:
        if not isinstance(tools, Scope):
            raise UsageError(
                f"tools are a ToolRegistry or a scope of one, not {_kind(tools)}; register what "
                "there is with @registry.tool"
            )
        if not isinstance(runtime, CodeRuntime | None):
            raise UsageError(
                f"runtime is a CodeRuntime, not {_kind(runtime)}; write runtime=ProcessRuntime()"
            )
        self.session = Session() if session is None else session
        self.prompt = Prompt() if prompt is None else prompt
        self._tools = tools
        self._runtime = runtime
        self._owns_runtime = False
        self._max_content_chars = max_content_chars
        self._kept = KeptOutputs(max_kept_chars)
        self._run_code: RunCode | None = None
        if runtime is not None:
            self._run_code = RunCode(
                runtime, self.session, self._kept, max_content_chars, checks=checks
            )
        self._announcer = Announcer(self._run_code, self.session, generators, sdk_tokens)
        self._announced: RequestAssembly | None = None
        # Beyond all that a log which is resumed can have: a call has an entry of its own at least.
        first = self.session.next_seq if self.session.resumed else 1
        self._call_ids = (f"call_{number}" for number in itertools.count(first))
        #: Calls that are on record and have no answer yet.
        self._expected: set[str] = set()
        self._in_flight: set[str] = set()

    async def __aenter__(self) -> Self:
        """Open the runtime, if nobody has.

        Raises:
            RuntimeFault: If the machine lacks what its configuration requires.
        """
        if self._runtime is not None:
            try:
                await self._runtime.open()
            except RuntimeNotOpenError:
                raise
            except UsageError:
                return self  # somebody else has opened it, and will close it
            self._owns_runtime = True
        return self

    async def __aexit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._owns_runtime and self._runtime is not None:
            await self._runtime.aclose()

    async def assemble(self, scope: Scope | None = None) -> RequestAssembly:
        """Return what the next request begins with, and log it if it has changed.

        Args:
            scope: Whose request it is; the tools given at the start if left out.

        Raises:
            UsageError: If programs are to be run and there is no runtime, nobody writes the
                SDK in its language, or the prompt cannot be assembled.
        """
        scope = self._tools if scope is None else scope
        self._announced = await self._announcer.announce(scope, self.prompt)
        return self._announced

    async def execute(
        self,
        tool: str,
        arguments: object,
        *,
        call_id: str | None = None,
        signal: AbortSignal | None = None,
        assembly: RequestAssembly | None = None,
    ) -> Answer:
        """Make one call for the model. What tools and programs do is a value, never an exception.

        Args:
            tool: As the model named it.
            arguments: As the model gave them.
            call_id: As the model numbered it, if it did; the ids of its sub-calls begin with it.
                While a call is in flight, another of its id is refused, since a log could not
                tell the two apart; later on it may come again, as some models number each turn.
            signal: Ends the call when it fires.
            assembly: The one that the model has answered; the last one if left out. Programs
                find the tools that it announced.

        Raises:
            RuntimeFault: If the session's log cannot be written.
            UsageError: If the runtime is not open, or a namespace of the tools has a name that
                no program can have.
        """
        call_id = call_id or next(made for made in self._call_ids if made not in self._in_flight)
        if call_id in self._in_flight:
            return self._answer(call_id, tool, ToolResult.failed(_repeated(call_id)), None)
        announced = assembly or self._announced
        scope = announced.scope if announced else self._tools
        execution = Execution(view=announced.view if announced else scope.view(), signal=signal)
        self.expect(tool, arguments, call_id=call_id)
        self._in_flight.add(call_id)
        began_s = time.monotonic()
        try:
            with execution.gate() as gate:
                result = await scope.call(
                    tool,
                    arguments,
                    call_id=call_id,
                    signal=gate,
                    sink=self.session,
                    transport=self._transport(execution),
                )
        finally:
            self._expected.discard(call_id)
            self._in_flight.discard(call_id)
        if execution.misuse is not None:
            raise execution.misuse
        answer = self._answer(call_id, tool, result, execution.report)
        self._record(answer, time.monotonic() - began_s)
        return answer

    def expect(self, tool: str, arguments: object, *, call_id: str) -> None:
        """Put on record that the model asked for a call, ahead of `execute`.

        Where it asks for several, say so for all before the first is made: after a crash those
        that never began are known.
        """
        if call_id not in self._expected:
            self._expected.add(call_id)
            self.session.emit(ToolCalled(call_id=call_id, tool=tool, arguments=arguments))

    def call_card(self, tool: str, arguments: dict[str, object]) -> Card:
        """Return how a call may be shown to a person, `run_code` among them.

        Args:
            tool: As the model named it.
            arguments: As it gave them, or as a log has them; they may be anything.
        """
        announced = self._announced
        view = announced.view if announced else self._tools.view()
        definition = self._transport(Execution(view=view)) if tool == RUN_CODE else view.find(tool)
        if definition is None:
            return GenericCard(title=tool, raw_input=arguments)
        return call_card(definition, arguments)

    def whole(self, call_id: str) -> str:
        """Return the text of a result that was shown in part.

        Raises:
            UsageError: If there is none of that call, or none any more.
        """
        return self._kept.whole(call_id)

    def _transport(self, execution: Execution) -> ToolDefinition | None:
        if self._run_code is None or not takes_programs(execution.view):
            return None
        return self._run_code.definition(execution)

    def _answer(
        self, call_id: str, tool: str, result: ToolResult, report: RunReport | None
    ) -> Answer:
        parts: tuple[Part, ...] = (*result.content, *result.deferred)
        return Answer(
            call_id=call_id,
            tool=tool,
            # A run's own text was cut before what follows it was known.
            parts=parts if tool == RUN_CODE else self._shown(call_id, parts),
            is_error=result.is_error,
            failure=result.failure,
            value=result.value,
            concludes_turn=result.concludes_turn,
            report=report,
        )

    def _shown(self, call_id: str, parts: tuple[Part, ...]) -> tuple[Part, ...]:
        """Cut what is too long, all text parts together."""
        text = content_text(parts)
        if len(text) <= self._max_content_chars:
            return parts
        shown = shown_in_part(call_id, text, self._kept, self._max_content_chars)
        others = (part for part in parts if not isinstance(part, TextPart))
        return (TextPart(shown), *others)

    def _record(self, answer: Answer, wall_s: float) -> None:
        failure = answer.failure
        self.session.emit(
            ToolReturned(
                call_id=answer.call_id,
                tool=answer.tool,
                content=[part.record() for part in answer.parts],
                is_error=answer.is_error,
                failure=None if failure is None else failure.record(),
                wall_ms=round(wall_s * 1000, 3),
            )
        )


def _repeated(call_id: str) -> ToolCallError:
    return ToolCallError(
        f"a call with the id {call_id!r} has not ended; this one was not made, "
        "give each call an id of its own",
        code="INVALID_ARGS",
        effect="not-started",
    )


def _kind(given: object) -> str:
    """Name what was given in place of what was asked."""
    return f"the class {given.__name__}" if isinstance(given, type) else f"a {type(given).__name__}"
