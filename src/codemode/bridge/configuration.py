"""All that can be set, in one model: from code, `codemode.toml` or pyproject.toml."""

from __future__ import annotations

import os
import tomllib
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Annotated, Final, Self

import pydantic
import pydantic_core
from pydantic import BaseModel, Field, Strict

from codemode.bridge.code_mode import (
    DEFAULT_CONTENT_CHARS,
    DEFAULT_KEPT_CHARS,
    DEFAULT_SDK_TOKENS,
    CodeMode,
)
from codemode.errors import UsageError
from codemode.process import ProcessRuntime, ProcessRuntimeConfig
from codemode.prompt import REST, Prompt, ToolOrder
from codemode.session import LogFile, Session
from codemode.tools import ApprovalHandler, Scope, ToolRegistry, ToolsConfig
from codemode_guest.near import nearest

_FILE: Final = "codemode.toml"
_PROJECT: Final = "pyproject.toml"

#: A list in TOML, for which strict pydantic would want a tuple.
_Texts = Annotated[tuple[str, ...], Strict(strict=False)]


class ConfigurationError(UsageError):
    """A configuration that cannot be, all of what is wrong with it.

    Attributes:
        problems: One line each, beginning with the key.
    """

    def __init__(self, source: str, problems: list[str]) -> None:
        self.problems = tuple(problems)
        super().__init__(f"{source}: " + "; ".join(problems))


class Configuration(ToolsConfig):
    """What a host sets once, for all its agents, with `mode` and whatever else a registry takes.

    Attributes:
        tool_order: The tools of a request by their wire names, `*` for all others.
        max_content_chars: How much of one result a model is shown; the whole is kept.
        max_kept_chars: How much of such results is kept in all; the oldest go first, and the
            latest stays however long it is.
        sdk_tokens: The budget of the SDK's text.
        checks: Whether a program that is certain to fail at a call of a tool is not even begun.
        log: The file of the session, relative to the configuration's folder; none if left out.
        redact_env: Environment variables whose values must not stand in the log.
        runtime: The budgets of programs.
    """

    tool_order: _Texts = (REST,)
    max_content_chars: Annotated[int, Field(ge=200)] = DEFAULT_CONTENT_CHARS
    max_kept_chars: Annotated[int, Field(ge=0)] = DEFAULT_KEPT_CHARS
    sdk_tokens: Annotated[int, Field(ge=100)] = DEFAULT_SDK_TOKENS
    checks: bool = True
    log: str | None = None
    redact_env: _Texts = ()
    runtime: ProcessRuntimeConfig = Field(default_factory=ProcessRuntimeConfig)

    @classmethod
    def of(cls, settings: Mapping[str, object], *, source: str = "the configuration") -> Self:
        """Check settings.

        Raises:
            ConfigurationError: If a key is unknown or a value wrong; all of them at once.
        """
        try:
            made = cls.model_validate(dict(settings))
        except pydantic.ValidationError as error:
            raise ConfigurationError(source, [_problem(cls, e) for e in error.errors()]) from None
        try:
            ToolOrder(made.tool_order)
        except UsageError as error:
            raise ConfigurationError(source, [str(error)]) from None
        return made

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """Read a file: a pyproject.toml for its `[tool.codemode]`, any other as a whole.

        Raises:
            ConfigurationError: If it cannot be read, is no TOML, or says what cannot be.
        """
        file = Path(path)
        try:
            told = tomllib.loads(file.read_text(encoding="utf-8"))
        except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
            why = error.strerror if isinstance(error, OSError) else None
            raise ConfigurationError(str(file), [why or str(error)]) from None
        if file.name == _PROJECT:
            told = told.get("tool", {}).get("codemode", {})
        made = cls.of(told, source=str(file))
        if made.log is None:
            return made
        return made.model_copy(update={"log": str(file.parent / made.log)})

    @classmethod
    def find(cls, folder: str | os.PathLike[str] = ".") -> Self:
        """Read the nearest configuration of a folder or those above it; the defaults if none.

        Raises:
            ConfigurationError: As `load`, or if one folder has both kinds.
        """
        here = Path(folder).resolve()
        for place in (here, *here.parents):
            found = [file for file in (place / _FILE, place / _PROJECT) if _configures(file)]
            if len(found) > 1:
                raise ConfigurationError(
                    str(place), [f"{_FILE} and [tool.codemode] of {_PROJECT}; keep one of them"]
                )
            if found:
                return cls.load(found[0])
        return cls()

    def registry(self, *, approval: ApprovalHandler | None = None) -> ToolRegistry:
        """Return an empty registry as configured.

        Args:
            approval: Asks a person where a policy wants it.
        """
        return ToolRegistry(
            mode=self.mode, max_parallel_calls=self.max_parallel_calls, approval=approval
        )

    @asynccontextmanager
    async def opened(
        self, tools: Scope, *, prompt: Prompt | None = None
    ) -> AsyncIterator[CodeMode]:
        """Give an open `CodeMode` over these tools, with a runtime, log and prompt of its own.

        Raises:
            RuntimeFault: If the machine or the log's file does not do.
        """
        secrets = [os.environ[name] for name in self.redact_env if os.environ.get(name)]
        async with AsyncExitStack() as opened:
            log = opened.enter_context(LogFile(self.log)) if self.log is not None else None
            codemode = CodeMode(
                tools,
                runtime=ProcessRuntime(self.runtime),
                prompt=Prompt(tool_order=self.tool_order) if prompt is None else prompt,
                session=Session(log, redact=secrets),
                max_content_chars=self.max_content_chars,
                max_kept_chars=self.max_kept_chars,
                sdk_tokens=self.sdk_tokens,
                checks=self.checks,
            )
            yield await opened.enter_async_context(codemode)


def _configures(file: Path) -> bool:
    if file.name != _PROJECT or not file.is_file():
        return file.is_file()
    try:
        return "codemode" in tomllib.loads(file.read_text(encoding="utf-8")).get("tool", {})
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError):
        return False  # whoever it belongs to will hear of it


def _problem(model: type[BaseModel], detail: pydantic_core.ErrorDetails) -> str:
    *above, key = detail["loc"]
    place = ".".join(map(str, detail["loc"]))
    if detail["type"] != "extra_forbidden":
        return f"{place}: {detail['msg']}, not {detail['input']!r}"
    known = _keys(model, above)
    near = nearest(str(key), known, likeness=0.5)
    hint = f"did you mean {near!r}?" if near else f"there are {', '.join(known)}"
    return f"{place}: there is no such key; {hint}"


def _keys(model: type[BaseModel], path: list[int | str]) -> list[str]:
    """The keys that there are where an unknown one stands."""
    for step in path:
        inner = model.model_fields[str(step)].annotation
        if not (isinstance(inner, type) and issubclass(inner, BaseModel)):
            return []
        model = inner
    return list(model.model_fields)
