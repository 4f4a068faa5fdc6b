"""Every way in which Python's own parser and compiler fail, as a finding."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from codemode_guest.lines import lines_of
from codemode_guest.policy.findings import Finding, Refusal
from codemode_guest.policy.walk import character_column

_T = TypeVar("_T")


def attempt(step: Callable[[], _T], lines: tuple[str, ...]) -> _T:
    """Take a step of the compiler's, whose every way to fail is a fault of the program.

    Raises:
        Refusal: If it fails; the finding is the program's fault.
    """
    try:
        return step()
    except SyntaxError as error:
        finding = _of_syntax_error(error, lines)
    except UnicodeEncodeError as error:
        finding = _of_surrogate(error, lines)
    except (RecursionError, MemoryError):
        # The parser says MemoryError when its own stack is full.
        finding = _fault("it is nested too deeply to be compiled; write it in smaller parts")
    except (ValueError, OverflowError, SystemError) as error:
        finding = _fault(str(error) or type(error).__name__)
    raise Refusal((finding,)) from None


def _of_syntax_error(error: SyntaxError, lines: tuple[str, ...]) -> Finding:
    line = error.lineno if error.lineno and 0 < error.lineno <= len(lines) else None
    source_line = None if line is None else lines[line - 1]
    column = error.offset if error.offset and error.offset > 0 else None
    if column is not None and source_line is not None and error.text is None:
        # From the compiler, which counts bytes; the parser counts characters.
        column = character_column(source_line, column - 1)
    return Finding(
        line=line,
        column=column,
        source_line=source_line,
        kind="syntax",
        type_name=type(error).__name__,
        reason=error.msg or "invalid syntax",
        substitute=None,
    )


def _of_surrogate(error: UnicodeEncodeError, lines: tuple[str, ...]) -> Finding:
    before = lines_of(error.object[: error.start])
    return Finding(
        line=len(before),
        column=len(before[-1]) + 1,
        source_line=lines[len(before) - 1],
        kind="syntax",
        type_name="SyntaxError",
        reason="a lone surrogate is no character",
        substitute=r"write it as an escape, such as '\ud800', in a string",
    )


def _fault(reason: str) -> Finding:
    return Finding(
        line=None,
        column=None,
        source_line=None,
        kind="syntax",
        type_name="SyntaxError",
        reason=reason,
        substitute=None,
    )
