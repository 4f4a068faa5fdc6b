"""The one tool that runs programs: its body is a run, seen from the host."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property, lru_cache
from typing import Final

import anyio

from codemode.bridge.cutting import KeptOutputs, shown_in_part
from codemode.bridge.discovery import catalog_namespace, outputs_name, outputs_namespace
from codemode.bridge.execution import Execution
from codemode.bridge.instructions import instructions_for, run_code_schema
from codemode.bridge.rendering import rendered_failure, rendered_success
from codemode.bridge.report import RunReport, report_of
from codemode.errors import UsageError
from codemode.runtime import (
    ABSENT,
    CodeBindingNamespace,
    CodeRunFailure,
    CodeRunRequest,
    CodeRunResult,
    CodeRuntime,
)
from codemode.sdk import discovery_name
from codemode.sdk.preflight import Signatures, signatures_of, signed
from codemode.session import RunEnded, RunPrinted, RunStarted, Session
from codemode.tools import (
    RUN_CODE,
    Effect,
    GenericCard,
    SubCall,
    TextPart,
    ToolCall,
    ToolCallError,
    ToolContext,
    ToolDefinition,
    ToolOutput,
    View,
)

_MAX_PREPARED: Final = 16
_FROM_THE_WORST: Final[Sequence[Effect]] = ("unknown", "committed")

_CANCELLED: Final = CodeRunFailure(kind="abort", message="the host gave up waiting for the run")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Prepared:
    """What is made of a view once, for all of its runs."""

    signatures: Signatures
    catalog: CodeBindingNamespace
    outputs: CodeBindingNamespace


class RunCode:
    """Makes the definition of `run_code` and is its body.

    Args:
        runtime: Where programs run.
        session: Told of every run.
        kept: Where outputs go that are too long to be shown whole.
        max_content_chars: How much is shown of one.
        checks: Whether a program that is certain to fail at a call is not even begun.
    """

    def __init__(
        self,
        runtime: CodeRuntime,
        session: Session,
        kept: KeptOutputs,
        max_content_chars: int,
        *,
        checks: bool,
    ) -> None:
        self.runtime = runtime
        self._session = session
        self._kept = kept
        self._max_content_chars = max_content_chars
        self._checks = checks
        # Milliseconds for each view, where a run takes one; several agents take turns.
        self._prepared = lru_cache(maxsize=_MAX_PREPARED)(self._prepare)

    def definition(self, execution: Execution) -> ToolDefinition:
        """Return `run_code` for one execution.

        Raises:
            UnknownProgramLanguageError: If nobody can explain the runtime's language.
        """

        async def body(arguments: dict[str, object], context: ToolContext) -> object:
            return await self._run(str(arguments["code"]), context, execution)

        return replace(self._undirected, body=body)

    @cached_property
    def _undirected(self) -> ToolDefinition:
        """The definition without an execution; its schema is compiled here, once."""
        language = self.runtime.language
        definition = ToolDefinition(
            name=RUN_CODE,
            description=instructions_for(language),
            input_schema=run_code_schema(language),
            body=_no_body,
            present_call=_card,
        )
        definition.checks()
        return definition

    async def _run(self, program: str, context: ToolContext, execution: Execution) -> ToolOutput:
        call, view = context.call, execution.view
        execution.begun = True
        started = RunStarted(
            call_id=call.id,
            program=program,
            seed=secrets.randbits(64),
            language=self.runtime.language,
            isolation=self.runtime.isolation,
        )
        async with context.program_calls(view) as calls:
            request = CodeRunRequest(
                program=program,
                bindings=self._bindings(view, calls.bindings),
                signal=execution.signal,
                seed=started.seed,
                on_print=lambda text: self._session.emit(RunPrinted(call_id=call.id, text=text)),
            )
            result = await self._recorded(started, request, execution)
        execution.report = report_of(result.report, calls.settled)
        self._end(call.id, result, execution.report)
        context.defer(*calls.deferred)
        if calls.concludes_turn:
            context.conclude_turn()
        return self._output(call, view, result, calls.settled)

    async def _recorded(
        self, started: RunStarted, request: CodeRunRequest, execution: Execution
    ) -> CodeRunResult:
        """Run, with the start on record, and the end as well if there is no result."""
        self._session.emit(started)
        try:
            return await self.runtime.run(request)
        except BaseException as error:
            if isinstance(error, UsageError):
                execution.misuse = error
            self._end(started.call_id, CodeRunResult(error=_failure_of(error)), None)
            raise

    def _bindings(
        self, view: View, tools: Sequence[CodeBindingNamespace]
    ) -> list[CodeBindingNamespace]:
        """What a program finds: its tools, and what there is beside them."""
        prepared = self._prepared(view)
        found = signed(tools, prepared.signatures)
        # Nothing is said of outputs before there is one to be read.
        return [*found, prepared.catalog, *([prepared.outputs] if self._kept else [])]

    def _prepare(self, view: View) -> _Prepared:
        return _Prepared(
            signatures=signatures_of(view.code) if self._checks else {},
            catalog=catalog_namespace(view.code),
            outputs=outputs_namespace(view.code, self._kept),
        )

    def _end(self, call_id: str, result: CodeRunResult, report: RunReport | None) -> None:
        error = result.error
        known = None
        if error is not None:
            known = {key: told for key, told in asdict(error).items() if told is not None}
        self._session.emit(
            RunEnded(
                call_id=call_id,
                logs=result.logs,
                value=result.value,
                error=known,
                report=None if report is None else report.record(),
            )
        )

    def _output(
        self, call: ToolCall, view: View, result: CodeRunResult, calls: Sequence[SubCall]
    ) -> ToolOutput:
        if result.error is None:
            shown = self._shown(call.id, view, rendered_success(result))
            value: dict[str, object] = {"logs": list(result.logs)}
            if result.value is not ABSENT:
                value["result"] = result.value
            return ToolOutput(value=value, content=[TextPart(shown)])
        text = rendered_failure(result.error, result.logs, calls, _unbegun(result, view, calls))
        raise ToolCallError(
            f"code run failed ({result.error.kind}): {result.error.message}",
            code="CODE_RUN_FAILED",
            retryable=result.error.kind in {"abort", "worker-exit"},
            effect=_effect(calls),
            content=[TextPart(self._shown(call.id, view, text))],
        )

    def _shown(self, name: str, view: View, text: str) -> str:
        read = f"await {outputs_name(view.code)}.read(name={{name!r}}, start={{start}})"
        how = f", and a program reads on with `{read}`"
        return shown_in_part(name, text, self._kept, self._max_content_chars, how)


def _effect(calls: Iterable[SubCall]) -> Effect:
    """What a program has done that failed: as much as any of its calls."""
    failures = [sub.result.failure for sub in calls]
    effects = {"committed" if failure is None else failure.effect for failure in failures}
    return next((one for one in _FROM_THE_WORST if one in effects), "not-started")


def _unbegun(result: CodeRunResult, view: View, calls: Sequence[SubCall]) -> int:
    """How many calls of tools the program had made that never got their turn."""
    beside = {discovery_name(view.code), outputs_name(view.code)}
    made = sum(call.global_name not in beside for call in result.report.calls)
    return max(0, made - len(calls))


async def _no_body(_: dict[str, object], __: ToolContext) -> object:
    raise NotImplementedError  # each execution has one of its own


def _failure_of(error: BaseException) -> CodeRunFailure:
    if isinstance(error, anyio.get_cancelled_exc_class()):
        return _CANCELLED
    return CodeRunFailure(kind="worker-exit", message=str(error))


def _card(arguments: dict[str, object]) -> GenericCard:
    code = str(arguments.get("code", ""))
    return GenericCard(title=code, kind="execute", raw_input=code)
