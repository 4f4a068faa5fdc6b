"""The process that runs mypy: it loads all it needs, confines itself as a guest does, and serves.

    python -m codemode.sdk.preflight.type_process

A request is `[program, stub, names]`, the answer `{"found": [[line, column, code, words], …]}` or
`{"failed": words}`; each is JSON in a frame of the bridge's. `names` are the globals of the program
that the stub defines.
"""

from __future__ import annotations

import ast
import json
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import mypy.build
from mypy.modulefinder import BuildSource
from mypy.options import Options
from mypy.server.update import FineGrainedBuildManager

from codemode.sdk.preflight.memory_files import MemoryFiles
from codemode.sdk.preflight.type_source import as_module
from codemode_guest.confinement import LAYERS, GuestConfinement, confine_template
from codemode_guest.frames import FrameDecoder, pack
from codemode_guest.policy.walk import character_column

#: mypy with the standard library in memory takes a third of this.
_MEMORY_BYTES: Final = 2**30
#: Of the whole life of the process; the host starts another.
_CPU_SECONDS: Final = 3_600
_READ_BYTES: Final = 2**16

_PROGRAM: Final = "/check/program.py"
_STUB: Final = "/check/codemode_sdk.pyi"

#: The errors that say something about what a program does with its tools and its world.
_TOLD: Final = frozenset(
    (
        "arg-type",
        "attr-defined",
        "call-arg",
        "call-overload",
        "dict-item",
        "index",
        "list-item",
        "literal-required",
        "name-defined",
        "operator",
        "str-format",
        "typeddict-item",
        "typeddict-unknown-key",
        "union-attr",
        "unused-awaitable",
        "unused-coroutine",
    )
)
#: Those that outside of a call of a tool are mostly about what mypy has guessed of a container.
_OF_CALLS: Final = frozenset(("dict-item", "list-item"))
#: What was inferred as `object` is what mypy finds that unlike values have in common.
_GUESSED: Final = re.compile(
    r'\bobject\b|^Argument \d+ to "\w+" of "(list|dict|set|deque|defaultdict|Counter)"'
    r"|^Invalid index type .* for \"(dict|defaultdict|list)"
)
_MESSAGE: Final = re.compile(r"(.+?):(\d+):(\d+): error: (.*?)(?:  \[([a-z-]+)\])?", re.DOTALL)


class Types:
    """Checks programs one after the other against what mypy has in memory."""

    def __init__(self) -> None:
        options = _options()
        self._files = MemoryFiles(Path(mypy.build.default_data_dir()) / "typeshed")
        self._files.write(_STUB, b"")
        # What most programs import, so that none of them has to wait for it.
        self._files.write(_PROGRAM, b"import asyncio, collections, datetime, json, math, re\n")
        sources = [BuildSource(_PROGRAM, "program"), BuildSource(_STUB, "codemode_sdk")]
        built = mypy.build.build(sources, options, fscache=self._files)
        self._manager = FineGrainedBuildManager(built)
        self._stub = ""

    def check(self, program: str, stub: str, names: list[str]) -> list[tuple[int, int, str, str]]:
        """Return line, column, code and words of each error that is told.

        Args:
            program: Python that parses.
            stub: What its globals are.
            names: Which globals that is.
        """
        # One line before the first of the program, which keeps its columns and its docstring.
        head = f"import asyncio; from codemode_sdk import {', '.join(names)}"
        self._files.write(_PROGRAM, f"{head}\n{as_module(program)}".encode(errors="replace"))
        changed = [("program", _PROGRAM)]
        if stub != self._stub:
            self._files.write(_STUB, stub.encode(errors="replace"))
            self._stub = stub
            changed.insert(0, ("codemode_sdk", _STUB))
        # It keeps the first parse of each file, for which a daemon has another use.
        self._manager.manager.ast_cache.clear()
        messages = self._manager.update(changed, [])
        return list(_told(messages, program, set(names)))


def _options() -> Options:
    options = Options()
    options.allow_redefinition = True
    options.cache_dir = os.devnull
    options.check_untyped_defs = True
    options.color_output = options.error_summary = False
    options.enable_error_code = ["unused-awaitable"]
    options.fine_grained_incremental = options.incremental = True
    options.local_partial_types = True
    options.no_site_packages = True
    options.num_workers = 0
    options.python_executable = None
    options.show_absolute_path = options.show_column_numbers = True
    # The other parser reads files itself, and there are none.
    options.native_parser = False
    options.process_error_codes(error_callback=_impossible)
    return options


def _impossible(words: str) -> None:
    raise AssertionError(words)


def _told(
    messages: list[str], program: str, names: set[str]
) -> Iterator[tuple[int, int, str, str]]:
    lines = program.split("\n")
    calls = list(_calls(program, names))
    for message in messages:
        found = _MESSAGE.fullmatch(message)
        if found is None or found[1] != _PROGRAM:
            continue
        line, words, code = int(found[2]) - 1, found[4], found[5] or ""
        if 0 < line <= len(lines) and code in _TOLD and not _is_guess(line, words, code, calls):
            yield line, character_column(lines[line - 1], int(found[3]) - 1) or 1, code, words


@dataclass(frozen=True, slots=True)
class _Call:
    """Where a call of a tool stands, and whether it has arguments that are not written out."""

    first: int
    last: int
    spreads: bool


def _is_guess(line: int, words: str, code: str, calls: list[_Call]) -> bool:
    """Whether an error is about a type that mypy has guessed and nobody has declared."""
    around = [call for call in calls if call.first <= line <= call.last]
    if any(call.spreads for call in around) and "dict[" in words:
        return True
    return not around and (code in _OF_CALLS or _GUESSED.search(words) is not None)


def _calls(program: str, names: set[str]) -> Iterator[_Call]:
    """Yield each call of something in these globals."""
    for node in ast.walk(ast.parse(program)):
        if isinstance(node, ast.Call):
            inner = node.func
            while isinstance(inner, (ast.Attribute, ast.Subscript)):
                inner = inner.value
            if isinstance(inner, ast.Name) and inner.id in names:
                spreads = any(word.arg is None for word in node.keywords) or any(
                    not isinstance(argument, ast.Dict) or None in argument.keys
                    for argument in node.args
                )
                yield _Call(node.lineno, node.end_lineno or node.lineno, spreads)


def _confine() -> None:
    """Give up what a guest gives up, as far as this system lets it.

    All but the PID namespace, which only a child would be in: the host knows this process.
    """
    parent = os.getppid()
    attempts = confine_template(frozenset(LAYERS) - {"pid_namespace"})
    confinement = GuestConfinement(memory_bytes=_MEMORY_BYTES, cpu_seconds=_CPU_SECONDS)
    confinement.prepare(attempts)
    confinement.begin(parent)
    confinement.complete()


def main() -> None:
    """Serve requests from standard input until it ends."""
    types = Types()
    _confine()
    decoder = FrameDecoder()
    os.write(1, pack(b'{"ready":true}'))
    while data := os.read(0, _READ_BYTES):
        for body in decoder.feed(data):
            program, stub, names = json.loads(body)
            try:
                answer: dict[str, object] = {"found": types.check(program, stub, names)}
            except Exception as error:  # mypy's own, over a program that it did not expect
                answer = {"failed": f"{type(error).__name__}: {error}"}
            _write(pack(json.dumps(answer).encode()))


def _write(frame: bytes) -> None:
    rest = memoryview(frame)
    while rest:
        rest = rest[os.write(1, rest) :]


if __name__ == "__main__":
    main()
