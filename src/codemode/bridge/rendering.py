"""The outcome of a run, as the model that wrote the program reads it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

from codemode.bridge.shown_values import shown_value
from codemode.runtime import ABSENT, CodeRunFailure, CodeRunResult, FailureKind
from codemode.tools import SubCall

_SILENT: Final = (
    "(The program neither printed nor returned anything. Print or return what you need.)"
)
_MAX_LISTED: Final = 12
_MAX_ARGUMENTS: Final = 80
_MAX_WHY: Final = 160

_HEADLINES: Final[Mapping[FailureKind, str]] = MappingProxyType(
    {
        "exception": "The program failed",
        "timeout": "The program was stopped: it used up a budget",
        "abort": "The program was stopped from outside",
        "worker-exit": "The program's process died",
        "invalid-output": "The program ended, but what it returned cannot be shown",
        "output-limit": "The program put out too much",
    }
)
_NEXT: Final[Mapping[FailureKind, str]] = MappingProxyType(
    {
        "exception": "Correct the program and send it again",
        "timeout": "Do less in one program, or overlap the calls with asyncio.gather",
        "abort": "The program itself may be right; run it again only if it is still wanted",
        "worker-exit": "Use less memory and fewer objects at once, for example page by page",
        "invalid-output": "Return plain JSON values: dicts with text keys, lists, text, numbers",
        "output-limit": "Print and return less: counts, the first items, the fields that matter",
    }
)
_NOT_BEGUN: Final = "No tool was called. Correct the program and send it again."
#: The line of the program that is shown, where a model has put it into Markdown.
_FENCE: Final = "\n    ```"
_FENCED: Final = "Send the program alone, without ``` before and after it."


def rendered_success(result: CodeRunResult) -> str:
    """Return the printed lines and then the value, or what to do if there is neither."""
    parts = list(result.logs)
    if result.value is not ABSENT:
        parts.append(shown_value(result.value))
    return _showable("\n".join(parts)) if parts else _SILENT


def rendered_failure(
    failure: CodeRunFailure, logs: Sequence[str], calls: Sequence[SubCall], open_calls: int
) -> str:
    """Return what kind of failure, where, what was printed, which calls were made, what to do.

    Args:
        failure: Why there is no value.
        logs: The printed lines.
        calls: Those that were started and ended, in order of submission.
        open_calls: How many more the program had made, which never began.
    """
    began = failure.phase != "compile"
    headline = _HEADLINES[failure.kind] if began else "The program was not begun"
    parts = [f"{headline} ({failure.kind}).", failure.message]
    if logs:
        parts += ["", "Printed until then:", *logs]
    if not began:
        parts += ["", _NOT_BEGUN, *([_FENCED] if _FENCE in failure.message else [])]
        return _showable("\n".join(parts))
    if calls or open_calls:
        parts += ["", "Tool calls until then:", *_listed(calls)]
        if open_calls:
            parts.append(f"  {open_calls} more had not begun and did nothing")
    parts += ["", _next_step(failure, calls)]
    return _showable("\n".join(parts))


def _next_step(failure: CodeRunFailure, calls: Sequence[SubCall]) -> str:
    step = _NEXT[failure.kind]
    if not calls:
        return f"{step}. No tool was called."
    if any(_effect(call) == "unknown" for call in calls):
        step += "; find out first what became of the calls of unknown outcome"
    if any(call.result.failure is None for call in calls):
        step += (
            "; the calls that are done stay done, so do not make them again unless that is harmless"
        )
    return f"{step}."


def _listed(calls: Sequence[SubCall]) -> list[str]:
    """The last calls one by one, those before them counted."""
    before, last = calls[:-_MAX_LISTED], calls[-_MAX_LISTED:]
    lines = []
    if before:
        counts = Counter((call.call.name, _state(call)) for call in before)
        lines = [f"  {count} times {name}: {state}" for (name, state), count in counts.items()]
        lines.append("  then:")
    return [*lines, *(_line(call) for call in last)]


def _line(sub: SubCall) -> str:
    why = f" ({_shortened(sub.result.failure.message, _MAX_WHY)})" if sub.result.failure else ""
    return f"  {sub.call.name}({_arguments(sub)}): {_state(sub)}{why}"


def _arguments(sub: SubCall) -> str:
    written = (
        f"{name}={json.dumps(value, ensure_ascii=False)}"
        for name, value in sub.call.arguments.items()
    )
    try:
        return _shortened(", ".join(written), _MAX_ARGUMENTS)
    except RecursionError:  # thousands of levels, which nobody reads
        return "…"


def _effect(sub: SubCall) -> str:
    return "committed" if sub.result.failure is None else sub.result.failure.effect


def _state(sub: SubCall) -> str:
    failure = sub.result.failure
    if failure is None:
        return "done"
    return {
        "not-started": "refused, nothing was done",
        "committed": "failed after it was done",
        "unknown": "failed, outcome unknown",
    }[failure.effect]


def _shortened(text: str, max_chars: int) -> str:
    one_line = " ".join(text.split())
    return one_line if len(one_line) <= max_chars else one_line[: max_chars - 1] + "…"


def _showable(text: str) -> str:
    """Escape lone surrogates, which no wire can carry."""
    return text.encode("utf-8", "backslashreplace").decode()
