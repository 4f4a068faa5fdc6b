"""Run test methods of the standard library's own test suite as programs.

    python benchmarks/run_stdlib_tests.py [--show] [test_module ...]

A method becomes a program with the parts of its module that it uses, and a small `TestCase` in
place of `unittest`, which programs do not have. What does not run to its end is run once more by
plain Python: a method that fails there, too, was not whole without its suite, and is not counted.
Prints how many ran, and how many were refused or failed for which reason; with `--show`, each.
"""

from __future__ import annotations

import ast
import collections
import copy
import importlib.util
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import anyio

from codemode import CodeRunRequest, CodeRunResult, ProcessRuntime, ProcessRuntimeConfig

#: About the language, and about modules that programs may import.
MODULES: Final = (
    "array asyncgen augassign base64 binascii bisect bool bytes calendar class cmath collections "
    "compare complex contains contextlib copy coroutines csv dataclasses decorators descr dict "
    "dictcomps dictviews difflib enum enumerate except_star exception_group exceptions extcall "
    "float format fractions fstring functools generators genexps grammar graphlib hashlib heapq "
    "html int ipaddress isinstance iter itertools json keywordonlyarg list listcomps long math "
    "memoryview named_expressions numeric_tower operator opcodes patma positional_only_arg pow "
    "pprint property raise random range re richcmp scope set setcomps slice sort statistics "
    "string struct super textwrap time tuple type_params typechecks typing unary unicodedata "
    "unpack unpack_ex urlparse userdict userlist userstring uuid warnings with yield_from zlib"
)

TEST_CASE: Final = Path(__file__).with_name("stdlib_test_case.txt").read_text(encoding="utf-8")

#: A module gives at most so many methods, so that no one decides the figure.
PER_MODULE: Final = 25

#: What belongs to the suite itself; a decorator that needs it is left out.
_SUITE: Final = ("test", "unittest", "doctest")

#: What a method may still use of the suite by itself, in an import of its own.
_OF_SUITE: Final = re.compile(r"\bunittest\b|\btest\.\w|\b_test\w+|\bsupport\b")

PLAIN: Final = """
import ast, asyncio, sys
tree = ast.parse(sys.stdin.read())
main = ast.parse("async def main(): pass")
bound = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
defs = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
bound |= {n.name for n in tree.body if isinstance(n, defs)}
main.body[0].body = [ast.Global(names=sorted(bound), lineno=1, col_offset=0), *tree.body]
exec(compile(ast.fix_missing_locations(main), "<program>", "exec"))
assert asyncio.run(main()) == "ok"
"""

_Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


class Suite:
    """A module of tests, to be taken apart."""

    def __init__(self, path: Path) -> None:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        self.statements = [node for node in tree.body if not isinstance(node, ast.If)]
        self.binder = {name: node for node in self.statements for name in _bound(node)}
        self.of_suite = {
            name
            for node in self.statements
            if isinstance(node, ast.Import | ast.ImportFrom) and _module(node) in _SUITE
            for name in _bound(node)
        }

    def programs(self) -> Iterator[tuple[str, str]]:
        """Yield each test method that needs nothing of the suite, as a program."""
        for cls in self.statements:
            if isinstance(cls, ast.ClassDef) and self._is_case(cls):
                for method in cls.body:
                    if isinstance(method, ast.FunctionDef) and method.name.startswith("test"):
                        program = self._program(cls, method.name)
                        if program is not None:
                            yield f"{cls.name}.{method.name}", program

    def _is_case(self, cls: ast.ClassDef) -> bool:
        for base in cls.bases:
            if ast.unparse(base) in ("unittest.TestCase", "TestCase"):
                return True
            inner = self.binder.get(base.id) if isinstance(base, ast.Name) else None
            if isinstance(inner, ast.ClassDef) and self._is_case(inner):
                return True
        return False

    def _program(self, case: ast.ClassDef, method: str) -> str | None:
        kept: dict[int, ast.stmt] = {}
        wanted = [case.name]
        while wanted:
            name = wanted.pop()
            if name in self.of_suite:
                if name not in ("unittest", "TestCase"):
                    return None
                continue
            node = self.binder.get(name)
            if node is None or id(node) in kept:
                continue
            if isinstance(node, ast.ClassDef) and self._is_case(node):
                node = self._cut_down(node, method, is_case=node is case)
                kept[id(self.binder[name])] = node
            else:
                kept[id(node)] = node
            wanted += _used(node)
        body = [kept[id(node)] for node in self.statements if id(node) in kept]
        text = "\n".join(map(ast.unparse, body)).replace("unittest.TestCase", "TestCase")
        if _OF_SUITE.search(text):
            return None
        return f'{TEST_CASE}\n{text}\nawait run({case.name}("{method}"))\nreturn "ok"\n'

    def _cut_down(self, case: ast.ClassDef, method: str, *, is_case: bool) -> ast.ClassDef:
        """Keep one test of a case, and the methods and attributes that it uses."""
        own = {part.name: part for part in case.body if isinstance(part, _Definition)}
        kept = {name for name in own if name in ("setUp", "tearDown", "setUpClass", method)}
        wanted = list(kept)
        while wanted:
            for name in _attributes(own[wanted.pop()]):
                if (
                    name in own
                    and name not in kept
                    and (not name.startswith("test") or not is_case)
                ):
                    kept.add(name)
                    wanted.append(name)
        body = [
            _undecorated(part, self.of_suite) if isinstance(part, _Definition) else part
            for part in case.body
            if getattr(part, "name", None) in kept or not isinstance(part, _Definition)
        ]
        cut = copy.copy(case)
        cut.body, cut.decorator_list = body or [ast.Pass()], []
        return cut


def _undecorated(part: _Definition, of_suite: set[str]) -> _Definition:
    part.decorator_list = [
        decorator for decorator in part.decorator_list if not of_suite & set(_used(decorator))
    ]
    return part


def _module(node: ast.Import | ast.ImportFrom) -> str:
    name = node.module or "" if isinstance(node, ast.ImportFrom) else node.names[0].name
    return name.partition(".")[0]


def _bound(node: ast.stmt) -> Iterator[str]:
    if isinstance(node, _Definition):
        yield node.name
    elif isinstance(node, ast.Import | ast.ImportFrom):
        yield from ((name.asname or name.name.partition(".")[0]) for name in node.names)
    elif isinstance(node, ast.Assign | ast.AnnAssign):
        for part in ast.walk(node):
            if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store):
                yield part.id


def _used(node: ast.AST) -> list[str]:
    return [part.id for part in ast.walk(node) if isinstance(part, ast.Name)]


def _attributes(node: ast.AST) -> Iterator[str]:
    yield from (part.attr for part in ast.walk(node) if isinstance(part, ast.Attribute))


def programs(modules: list[str]) -> Iterator[tuple[str, str]]:
    """Yield the names of test methods with their programs."""
    spec = importlib.util.find_spec("test")
    if spec is None or spec.origin is None:
        raise SystemExit("this Python was installed without its test suite")
    for module in modules:
        path = Path(spec.origin).parent / f"test_{module}.py"
        if path.exists():
            found = list(Suite(path).programs())
            # Spread over the module, not its beginning.
            for name, program in found[:: max(1, len(found) // PER_MODULE)][:PER_MODULE]:
                yield f"{module}.{name}", program


async def _passes_plainly(program: str) -> bool:
    command = [sys.executable, "-W", "ignore", "-c", PLAIN]
    try:
        with anyio.fail_after(30):
            found = await anyio.run_process(
                command, input=program.encode(), check=False, stderr=subprocess.DEVNULL
            )
    except TimeoutError:
        return False
    return found.returncode == 0


def _reasons(result: CodeRunResult) -> list[str]:
    """Why a program did not run, without names of its own, so that kinds can be counted."""
    error = result.error
    if error is None:
        return ["it returned something else"]
    lines = error.message.splitlines()
    if error.phase != "compile":
        return [f"failed: {lines[0][:90]}"]
    found = [re.sub(r"^line \d+: ", "", line) for line in lines if line.startswith("line ")]
    return sorted({f"refused: {line.partition(';')[0][:90]}" for line in found or lines[:1]})


async def main(arguments: list[str]) -> int:
    """Run them all, and print what became of them."""
    show = "--show" in arguments
    modules = [argument.removeprefix("test_") for argument in arguments if argument != "--show"]
    ran, counts = 0, collections.Counter[str]()
    outcomes = collections.Counter[str]()
    async with ProcessRuntime(ProcessRuntimeConfig(compute_ms=20_000)) as runtime:
        for name, program in programs(modules or MODULES.split()):
            result = await runtime.run(CodeRunRequest(program=program))
            if result.value == "ok":
                ran += 1
                continue
            if not await _passes_plainly(program):
                outcomes["not whole without the suite"] += 1
                continue
            reasons = _reasons(result)
            outcomes[reasons[0].partition(":")[0]] += 1
            counts.update(reasons)
            if show:
                print(f"{name}: {reasons}", flush=True)
    for reason, count in counts.most_common():
        print(f"{count:5} {reason}")
    print(f"{ran} ran, {dict(outcomes)}")
    return 0


if __name__ == "__main__":
    sys.exit(anyio.run(main, sys.argv[1:]))
