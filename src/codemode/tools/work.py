"""The body of one call: run in its wrappers and its time, its value checked and rendered."""

from __future__ import annotations

import logging
import math
from collections.abc import Sequence
from functools import partial
from typing import Final, cast

import anyio

from codemode.runtime import rejection_words
from codemode.tools.contract import no_object
from codemode.tools.definition import ToolCall, ToolContext, ToolDefinition
from codemode.tools.errors import Effect, ToolCallError
from codemode.tools.hooks import Execute, Proceed
from codemode.tools.parts import Part, TextPart
from codemode.tools.results import ToolOutput, ToolResult
from codemode_guest.values import decode, encode

_log: Final = logging.getLogger("codemode.tools")


class Work:
    """What the body of a call does, and what comes of it.

    Attributes:
        effect: What would be known of the effect if the call failed now.
    """

    def __init__(self, call: ToolCall, context: ToolContext) -> None:
        self._call = call
        self._context = context
        # Nothing is run where there is none.
        self._tool = cast("ToolDefinition", call.definition)
        self._content: tuple[Part, ...] = ()
        self._value_json = b""
        self.effect: Effect = "not-started"

    def accept(self) -> dict[str, object]:
        """Return arguments for the body, which are its own to change.

        Raises:
            ToolCallError: If they do not fit.
        """
        snapshot = self._call.arguments_json
        if snapshot[:1] != b"{":
            raise no_object(decode(snapshot))
        return self._tool.checks().accept(snapshot)

    async def run(self, arguments: dict[str, object]) -> None:
        """Run the body once, and keep its value.

        Raises:
            ToolCallError: If it fails, takes too long, or returns what it does not declare.
        """
        tool, context = self._tool, self._context
        if self.effect == "not-started":
            self.effect = "unknown"
        else:
            # An attempt before this one may have said more than its value.
            context.deferred.clear()
            context.concludes_turn = False
        try:
            if tool.timeout_ms is None:
                returned = await tool.perform(arguments, context)
            else:
                returned = await self._in_time(tool.timeout_ms, arguments)
        except ToolCallError:
            raise
        except (Exception, SystemExit) as error:
            raise tool_failed(error, "unknown") from error
        except anyio.get_cancelled_exc_class() as error:
            # Ours and the caller's cancellations go on; one that the tool made up does not.
            if anyio.current_effective_deadline() == -math.inf:
                raise
            raise ToolCallError("the tool was cancelled") from error
        self.effect = "committed"
        self.keep(returned)

    async def run_in(self, wrappers: Sequence[Execute], arguments: dict[str, object]) -> None:
        """Let wrappers run the body, as often as they like, and keep the value that they return.

        Raises:
            ToolCallError: As `run`, or if one of them fails.
        """
        unused = [arguments]

        async def proceed() -> object:
            # A second attempt gets arguments of its own: the first may have changed them.
            await self.run(unused.pop() if unused else self.accept())
            return decode(self._value_json)

        for wrapper in reversed(wrappers):
            proceed = partial(self._wrapped, wrapper, proceed)
        value = await proceed()
        if not self._has_kept(value):
            self.keep(value)

    def keep(self, returned: object) -> None:
        """Check a value and render it.

        Raises:
            ToolCallError: If it does not fit, or cannot be rendered.
        """
        value, content = returned, None
        if isinstance(returned, ToolOutput):
            value, content = returned.value, returned.content
        self._value_json = self._tool.checks().settle(value)
        self._content = tuple(self._rendered() if content is None else content)

    def result(self) -> ToolResult:
        """Return the success."""
        return ToolResult(content=self._content, value_json=self._value_json)

    def _has_kept(self, value: object) -> bool:
        """Whether the wrappers have passed on what the body returned, unchanged."""
        try:
            return encode(value) == self._value_json
        except ValueError:
            return False

    async def _in_time(self, timeout_ms: float, arguments: dict[str, object]) -> object:
        with anyio.move_on_after(timeout_ms / 1000):
            return await self._tool.perform(arguments, self._context)
        raise ToolCallError(
            f"it took longer than its {timeout_ms:g} ms", code="TOOL_TIMEOUT", retryable=True
        )

    async def _wrapped(self, wrapper: Execute, proceed: Proceed) -> object:
        try:
            return await wrapper(self._call, proceed)
        except ToolCallError:
            raise
        except TimeoutError as error:
            raise ToolCallError(
                "it took longer than the host allows", code="TOOL_TIMEOUT", retryable=True
            ) from error
        except Exception as error:
            raise hook_failed(self._call, wrapper, error, self.effect) from error

    def _rendered(self) -> Sequence[Part]:
        render = self._tool.render
        if render is None:
            return (TextPart(_shown(self._value_json)),)
        try:
            rendered = render(self._call.arguments, decode(self._value_json))
        except Exception as error:
            raise hook_failed(self._call, render, error, self.effect) from error
        return (TextPart(rendered),) if isinstance(rendered, str) else rendered


def hook_failed(call: ToolCall, hook: object, error: Exception, effect: Effect) -> ToolCallError:
    """Return what a model is told of a hook that fails; the host is told all of it."""
    _log.warning("a hook of %r failed: %r", call.name, hook, exc_info=error)
    failed = ToolCallError(
        f"a hook of the host failed: {_words(error)}", code="HOOK_FAILED", effect=effect
    )
    failed.__cause__ = error
    return failed


def tool_failed(error: BaseException, effect: Effect) -> ToolCallError:
    """Return what a program is told of what a tool raised, a lone error in a group unpacked."""
    cause = error
    while isinstance(error, BaseExceptionGroup) and len(error.exceptions) == 1:
        error = error.exceptions[0]
    if isinstance(error, ToolCallError):
        return error
    failed = ToolCallError(_words(error), effect=effect)
    failed.__cause__ = cause
    return failed


def _words(error: BaseException) -> str:
    name, words = type(error).__name__, rejection_words(error)
    return name if words == name else f"{name}: {words}"


def _shown(value_json: bytes) -> str:
    """Return text as it is, any other value as its JSON."""
    return cast("str", decode(value_json)) if value_json[:1] == b'"' else value_json.decode()
