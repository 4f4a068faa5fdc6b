"""From the text of a program to code under the policy, or to all that keeps it from that."""

from __future__ import annotations

import ast
import gc
import sys
import warnings
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import CodeType
from typing import Final, TypeAlias

from codemode_guest.frames import FILENAME
from codemode_guest.lines import lines_of
from codemode_guest.policy.body import finish, wrap
from codemode_guest.policy.faults import attempt
from codemode_guest.policy.findings import Finding, Refusal
from codemode_guest.policy.transformer import Policy
from codemode_guest.policy.walk import Reading

#: A model's longest programs are a tenth of this. Compiling takes some 30 ms for each 40 kB, so
#: this is a fifth of a second, spent before anybody can see what the program does.
MAX_SOURCE_BYTES: Final = 256 * 1024

#: The parser takes expressions of some 10,000 levels (3.13), and the walk is at most three calls
#: a level deep. They are calls from Python to Python, which take no room on the C stack.
_WALK_DEPTH: Final = 50_000

#: What the compiler may recurse, measured in its own nested calls: below the depth at which it
#: would overflow a C stack of 8 MB, and what Python itself takes when it compiles from text.
_COMPILE_DEPTH: Final = 3_000


_Findings: TypeAlias = Collection[Finding]
#: Another reader of a program's tree, who is also given its lines: what it finds that keeps the
#: program from running, and what is said only when something does.
Beside: TypeAlias = Callable[[ast.Module, tuple[str, ...]], tuple[_Findings, _Findings]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """A program that passed.

    Attributes:
        code: Of a module that defines one async function, `MAIN`, and guards of the policy's own.
        source_lines: The program's lines without their ends, for tracebacks.
        possible: What may be wrong with it all the same.
    """

    code: CodeType
    source_lines: tuple[str, ...]
    possible: tuple[Finding, ...] = ()


def compile_program(  # noqa: PLR0913 - each is a part of what the program finds
    source: str,
    *,
    explain_import: Callable[[str], str | None] | None = None,
    explain_name: Callable[[str, str], str | None] | None = None,
    public_names: Callable[[str], Iterable[str]] | None = None,
    always_there: Collection[str] = (),
    provided: Collection[str] = (),
    beside: Beside | None = None,
) -> Program:
    """Compile a program, which is the body of an async function.

    Args:
        source: Its text. A coding cookie in it means nothing, nor does a byte order mark.
        explain_import: For the full name of a module, what to write instead; None when it can be
            imported. Without it any module passes, and fails at run time. An import inside a
            `try` that expects `ImportError` always passes.
        explain_name: For a module and one of its names, the same. It is asked of what is imported
            from a module, and of what is read of a name that stands for a module and nothing
            else, where the program is not ready for it to be missing.
        public_names: The names that `from module import *` binds. Without it, or where it names
            none, a star import is refused.
        always_there: Modules that the program finds without an import.
        provided: Names that the program finds beside Python's own, such as those of bindings.
        beside: Reads the tree before the policy changes it.

    Raises:
        Refusal: If it does not parse, or is refused; all that is wrong is in it.
    """
    source = source.removeprefix("\ufeff")
    lines = lines_of(source)
    if len(source.encode(errors="replace")) > MAX_SOURCE_BYTES:
        raise Refusal((_too_large(source),))
    with warnings.catch_warnings(), _no_collection():
        # A doubtful escape in a string literal is no reason to write to standard error.
        warnings.simplefilter("ignore")
        tree = attempt(lambda: ast.parse(source, FILENAME), lines)
        policy = Policy(
            Reading(
                source_lines=lines,
                explain_import=explain_import,
                explain_name=explain_name,
                public_names=public_names,
                always_there=always_there,
                provided=provided,
            )
        )
        with _recursion_limit(_WALK_DEPTH):
            blocking, others = ((), ()) if beside is None else beside(tree, lines)
            attempt(lambda: policy.visit(tree), lines)
        policy.findings.extend(blocking)
        try:
            code = _compiled(tree, policy, lines)
        except Refusal as refusal:
            raise Refusal(refusal.findings, tuple(others)) from None
    return Program(code=code, source_lines=lines, possible=tuple(others))


def _compiled(tree: ast.Module, policy: Policy, lines: tuple[str, ...]) -> CodeType:
    """Compile what the policy has read; some faults show only here."""
    findings = policy.findings
    if any(finding.kind == "syntax" for finding in findings):
        raise Refusal(_in_order(findings))
    guards = policy.own_guards()
    module = wrap(tree, policy.top_level_names(), guards)

    def compile_module() -> CodeType:
        flags = policy.future_flags
        return finish(compile(module, FILENAME, "exec", flags=flags, dont_inherit=True), guards)

    try:
        with _recursion_limit(_COMPILE_DEPTH):
            code = attempt(compile_module, lines)
    except Refusal as refusal:
        raise Refusal(_in_order([*findings, *refusal.findings])) from None
    if findings:
        raise Refusal(_in_order(findings))
    return code


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
def _no_collection() -> Iterator[None]:
    """Look for no garbage: a tree has many nodes, all in use, and each is looked at in vain."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


@contextmanager
def _recursion_limit(depth: int) -> Iterator[None]:
    """Allow deeper recursion for one step, never less than there was."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, depth))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)
