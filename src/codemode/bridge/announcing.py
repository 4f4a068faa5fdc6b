"""What a model is told at the beginning of a request, and what its calls will find."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from codemode.bridge.execution import Execution
from codemode.bridge.run_code import RunCode
from codemode.errors import UsageError
from codemode.prompt import Assembly, Prompt, WireTool, code_sections
from codemode.sdk import SdkBudget, SdkGenerator
from codemode.session import HeaderAssembled, HeaderReason, Session
from codemode.tools import RUN_CODE, Scope, ToolDefinition, View


class MissingRuntimeError(UsageError):
    """Tools are to be called from programs, and nothing can run one."""

    def __init__(self, mode: str) -> None:
        super().__init__(
            f"mode {mode!r} needs a runtime to run programs in: "
            "CodeMode(registry, runtime=ProcessRuntime()), or make the registry with mode='native'"
        )


class MissingGeneratorError(UsageError):
    """The SDK cannot be written in the language of the runtime."""

    def __init__(self, language: str, known: Sequence[str]) -> None:
        super().__init__(
            f"no SDK generator writes {language!r}, the language of the runtime; known are "
            f"{', '.join(map(repr, known)) or 'none'}: give another with generators={{…}}"
        )
        self.language = language


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestAssembly(Assembly):
    """What a request begins with, and what its calls will find.

    Attributes:
        view: The tools that were announced; programs of this request call these and no others.
        scope: Whose request it is.
        language: Of its programs; `None` where it can run none.
        isolation: Of the runtime; likewise.
    """

    view: View
    scope: Scope
    language: str | None = None
    isolation: str | None = None


class Announcer:
    """Assembles what requests begin with, and logs it when it has changed.

    Args:
        run_code: What runs programs, if anything does.
        session: Where headers are logged.
        generators: Writers of the SDK by language.
        sdk_tokens: The budget of the SDK's text; no limit if `None`.
    """

    def __init__(
        self,
        run_code: RunCode | None,
        session: Session,
        generators: Mapping[str, SdkGenerator],
        sdk_tokens: int | None,
    ) -> None:
        self._run_code = run_code
        self._session = session
        self._generators = dict(generators)
        self._budget = None if sdk_tokens is None else SdkBudget(tokens=sdk_tokens)
        self._header: HeaderAssembled | None = None

    async def announce(self, scope: Scope, prompt: Prompt) -> RequestAssembly:
        """Return what the next request of a scope begins with; see `CodeMode.assemble`."""
        view = scope.view()
        tools = [_wire(tool.wire_name, tool) for tool in view.native]
        sections = []
        runtime = None
        if takes_programs(view):
            run_code = self._needed(view)
            runtime = run_code.runtime
            tools.append(_wire(RUN_CODE, run_code.definition(Execution(view=view))))
            sdk_text = self._sdk(view, runtime.language)
            sections = code_sections(view.mode, sdk_text, runtime.language, view.native)
        made = await prompt.assemble(scope=scope, tools=tools, sections=sections)
        assembly = RequestAssembly(
            system=made.system,
            tools=made.tools,
            sections=made.sections,
            view=view,
            scope=scope,
            language=None if runtime is None else runtime.language,
            isolation=None if runtime is None else runtime.isolation,
        )
        self._log(assembly)
        return assembly

    def _needed(self, view: View) -> RunCode:
        if self._run_code is None:
            raise MissingRuntimeError(view.mode)
        return self._run_code

    def _sdk(self, view: View, language: str) -> str:
        if language not in self._generators:
            raise MissingGeneratorError(language, sorted(self._generators))
        generator = self._generators[language]
        return generator.generate(view.code, form="prompt", budget=self._budget).text

    def _log(self, assembly: RequestAssembly) -> None:
        """Log what requests begin with, where it is not what the last one began with."""
        before = self._header
        if before is not None and (before.system, before.tools) == (
            assembly.system,
            assembly.tools,
        ):
            return
        reason: HeaderReason = "change"
        if before is None:
            reason = "resume" if self._session.resumed else "initial"
        self._header = HeaderAssembled(
            reason=reason,
            mode=assembly.view.mode,
            system=assembly.system,
            tools=assembly.tools,
            language=assembly.language,
            isolation=assembly.isolation,
        )
        self._session.emit(self._header)


def takes_programs(view: View) -> bool:
    """Whether a model of this view is offered `run_code`."""
    return view.mode != "native" or bool(view.code)


def _wire(name: str, tool: ToolDefinition) -> WireTool:
    return {
        "name": name,
        "description": tool.description,
        "input_schema": dict(tool.input_schema),
    }
