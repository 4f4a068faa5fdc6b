"""From the text of a program to code under the policy, or to all that keeps it from that."""

from __future__ import annotations

import ast
import re
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import CodeType
from typing import Final, TypeVar

from codemode_guest.frames import FILENAME
from codemode_guest.policy.body import finish, wrap
from codemode_guest.policy.findings import Finding, Refusal
from codemode_guest.policy.transformer import Policy
from codemode_guest.policy.walk import Reading, character_column

_T = TypeVar("_T")

#: A model's longest programs are a tenth of this. Compiling takes some 30 ms for each 40 kB, so
#: this is a fifth of a second, spent before anybody can see what the program does.
MAX_SOURCE_BYTES: Final = 256 * 1024

#: The parser takes expressions of some 10,000 levels (3.13), and the walk is at most three calls
#: a level deep. They are calls from Python to Python, which take no room on the C stack.
_WALK_DEPTH: Final = 50_000

#: What the compiler may recurse, measured in its own nested calls: below the depth at which it
#: would overflow a C stack of 8 MB, and what Python itself takes when it compiles from text.
_COMPILE_DEPTH: Final = 3_000

_LINE_END: Final = re.compile("\r\n|\r|\n")


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """A program that passed.

    Attributes:
        code: Of a module that defines one async function, `MAIN`, and guards of the policy's own.
        source_lines: The program's lines without their ends, for tracebacks.
    """

    code: CodeType
    source_lines: tuple[str, ...]


def compile_program(
    source: str,
    *,
    explain_import: Callable[[str], str | None] | None = None,
    public_names: Callable[[str], Iterable[str]] | None = None,
) -> Program:
    """Compile a program, which is the body of an async function.

    Args:
        source: Its text. It is not evaluated, and a coding cookie in it means nothing.
        explain_import: For the full name of a module, what to write instead; None when it can be
            imported. Without it any module passes, and fails at run time. An import inside a
            `try` that expects `ImportError` always passes.
        public_names: The names that `from module import *` binds. Without it, or where it names
            none, a star import is refused.

    Raises:
        Refusal: If it does not parse, or is refused; all that is wrong is in it.
    """
    lines = tuple(_LINE_END.split(source))
    if len(source.encode(errors="replace")) > MAX_SOURCE_BYTES:
        raise Refusal((_too_large(source),))
    with warnings.catch_warnings():
        # A doubtful escape in a string literal is no reason to write to standard error.
        warnings.simplefilter("ignore")
        tree = _attempt(lambda: ast.parse(source, FILENAME), lines)
        policy = Policy(
            Reading(source_lines=lines, explain_import=explain_import, public_names=public_names)
        )
        with _recursion_limit(_WALK_DEPTH):
            _attempt(lambda: policy.visit(tree), lines)
        code = _compiled(tree, policy, lines)
    return Program(code=code, source_lines=lines)


def _compiled(tree: ast.Module, policy: Policy, lines: tuple[str, ...]) -> CodeType:
    """Compile what the policy has read; some faults show only here."""
    findings = list(policy.findings)
    if any(finding.kind == "syntax" for finding in findings):
        raise Refusal(_in_order(findings))
    guards = policy.own_guards()
    module = wrap(tree, policy.top_level_names(), guards)
    try:
        with _recursion_limit(_COMPILE_DEPTH):
            code = _attempt(
                lambda: compile(
                    module, FILENAME, "exec", flags=policy.future_flags, dont_inherit=True
                ),
                lines,
            )
    except Refusal as refusal:
        raise Refusal(_in_order([*findings, *refusal.findings])) from None
    if findings:
        raise Refusal(_in_order(findings))
    return finish(code, guards)


def _attempt(step: Callable[[], _T], lines: tuple[str, ...]) -> _T:
    """Take a step of the compiler's, whose every way to fail is a fault of the program."""
    try:
        return step()
    except SyntaxError as error:
        finding = _of_syntax_error(error, lines)
    except UnicodeEncodeError as error:
        finding = _of_surrogate(error, lines)
    except (RecursionError, MemoryError):
        # The parser says MemoryError when its own stack is full.
        finding = _of_text("it is nested too deeply to be compiled; write it in smaller parts")
    except (ValueError, OverflowError, SystemError, TypeError) as error:
        finding = _of_text(str(error) or type(error).__name__)
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
    before = _LINE_END.split(error.object[: error.start])
    return Finding(
        line=len(before),
        column=len(before[-1]) + 1,
        source_line=lines[len(before) - 1],
        kind="syntax",
        type_name="SyntaxError",
        reason="a lone surrogate is no character",
        substitute=r"write it as an escape, such as '\ud800', in a string",
    )


def _of_text(reason: str) -> Finding:
    return Finding(
        line=None,
        column=None,
        source_line=None,
        kind="syntax",
        type_name="SyntaxError",
        reason=reason,
        substitute=None,
    )


def _too_large(source: str) -> Finding:
    return Finding(
        line=None,
        column=None,
        source_line=None,
        kind="policy",
        type_name="PolicyError",
        reason=f"the program has {len(source)} characters; at most {MAX_SOURCE_BYTES} bytes run",
        substitute="fetch long texts and tables with a tool, or split the work into several runs",
    )


def _in_order(findings: list[Finding]) -> tuple[Finding, ...]:
    return tuple(sorted(findings, key=lambda found: (found.line or 0, found.column or 0)))


@contextmanager
def _recursion_limit(depth: int) -> Iterator[None]:
    """Allow deeper recursion for one step, never less than there was."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, depth))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)
