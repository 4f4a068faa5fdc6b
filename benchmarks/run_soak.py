"""Ten thousand mixed runs, well-behaved, hostile, killed and cancelled: what grows meanwhile?

    python benchmarks/run_soak.py [--runs 10000] [--at-once 8] [--spare 1]

Prints, after each tenth, the descriptors and memory of the host and the processes below it, and
at the end how the runs ended. Exits with 1 if descriptors or processes have grown since the first
tenth, or memory by more than 16 MiB.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import random
import sys
import time
from collections import Counter
from typing import Final

import anyio
import psutil

from codemode import (
    AbortSignal,
    CodeBindingNamespace,
    CodeRunRequest,
    ProcessRuntime,
    ProcessRuntimeConfig,
)

_MIB: Final = 2**20
_MAX_GROWTH_BYTES: Final = 16 * _MIB

#: How often, and what.
_MIX: Final = {
    "returns": (30, "return {'a': [1, 2.5, None]}"),
    "prints": (10, "for n in range(50):\n    print(n)"),
    "calls": (
        15,
        "import asyncio\nreturn await asyncio.gather(*(tools.echo(n=n) for n in range(20)))",
    ),
    "sends much": (3, "return len(await tools.echo(text='x' * 500_000))"),
    "raises": (8, "raise ValueError('on purpose')"),
    "does not parse": (3, "def :"),
    "is refused": (3, "().__class__.__mro__"),
    "waits for ever": (3, "import asyncio\nawait asyncio.Event().wait()"),
    "spins": (4, "while True:\n    try:\n        while True: pass\n    except BaseException: pass"),
    "takes memory": (2, "kept = []\nwhile True:\n    kept.append('x' * 10**6 + str(len(kept)))"),
    "floods": (3, "while True:\n    print('x' * 1_000)"),
    "leaves a task": (3, "import asyncio\ntask = asyncio.create_task(asyncio.sleep(9))\nreturn 1"),
    "overflows the stack": (
        2,
        (
            "import itertools\nchain = iter([1])\n"
            "for _ in range(200_000):\n    chain = itertools.chain(chain)\nlist(chain)"
        ),
    ),
    "is killed": (4, "await tools.kill_one()\nimport asyncio\nawait asyncio.sleep(0.05)"),
    "is cancelled": (4, "await tools.forever()"),
    "is aborted": (3, "await tools.echo()\nwhile True: pass"),
}


class Soak:
    """The runs and what they came to."""

    def __init__(self, runtime: ProcessRuntime, runs: int) -> None:
        self.endings: Counter[str] = Counter()
        self._runtime = runtime
        self._left = runs
        self._dice = random.Random(0)  # noqa: S311 - the same mix each time
        self._bindings = [
            CodeBindingNamespace(
                global_name="tools",
                functions={"echo": echo, "forever": forever, "kill_one": self._kill_one},
            )
        ]

    async def work(self, on_tenth: int) -> None:
        """Run one after the other until a tenth of all is done."""
        while self._left > on_tenth:
            self._left -= 1
            names = list(_MIX)
            (name,) = self._dice.choices(names, [_MIX[each][0] for each in names])
            await self._run(name, self._dice.random() * 0.02)

    async def _run(self, name: str, after_s: float) -> None:
        signal = AbortSignal()
        request = CodeRunRequest(program=_MIX[name][1], bindings=self._bindings, signal=signal)
        ending = "cancelled"
        async with anyio.create_task_group() as group:
            if name == "is cancelled":
                group.cancel_scope.deadline = anyio.current_time() + after_s
            elif name == "is aborted":
                group.start_soon(abort_after, signal, after_s)
            error = (await self._runtime.run(request)).error
            ending = "success" if error is None else error.kind
            group.cancel_scope.cancel()
        self.endings[f"{name}: {ending}"] += 1

    async def _kill_one(self, _args: object) -> None:
        """Kill any guest, which may be another's than the caller's."""
        found = psutil.Process().children(recursive=True)
        deep = [process for process in found if process.ppid() != os.getpid()]
        if deep:
            with contextlib.suppress(psutil.NoSuchProcess):
                self._dice.choice(deep).kill()


async def echo(args: object) -> object:
    """Answer at once."""
    return args


async def forever(_args: object) -> None:
    """Never answer."""
    await anyio.sleep_forever()


async def abort_after(signal: AbortSignal, seconds: float) -> None:
    """Abort, unless the run ends before that."""
    await anyio.sleep(seconds)
    signal.abort("soaked")


async def soak(runs: int, at_once: int, spare: int) -> bool:
    """Run them all and tell whether nothing has grown."""
    config = ProcessRuntimeConfig(
        compute_ms=150,
        max_wall_ms=10_000,
        memory_bytes=160 * _MIB,
        max_output_bytes=2**16,
        spare_guests=spare,
    )
    started, measures = time.monotonic(), []
    async with ProcessRuntime(config) as runtime:
        work = Soak(runtime, runs)
        print("   runs  seconds  descriptors  processes  MiB of the host")
        for tenth in range(1, 11):
            async with anyio.create_task_group() as group:
                for _ in range(at_once):
                    group.start_soon(work.work, runs - runs * tenth // 10)
            await quiet(1 + spare)
            measures.append(measured())
            descriptors, processes, rss = measures[-1]
            print(
                f"{runs * tenth // 10:7}  {time.monotonic() - started:7.1f}  {descriptors:11}  "
                f"{processes:9}  {rss / _MIB:15.1f}",
                flush=True,
            )
    for ending, count in sorted(work.endings.items()):
        print(f"{count:7}  {ending}")
    print("left when it was closed:", len(psutil.Process().children(recursive=True)), "processes")
    first, last = measures[0], measures[-1]
    grown = last[2] - first[2]
    return last[0] <= first[0] and last[1] <= 1 + spare and grown <= _MAX_GROWTH_BYTES


async def quiet(processes: int) -> None:
    """Wait, for a while, until nothing but the template and the spares is there."""
    with anyio.move_on_after(10):
        while len(psutil.Process().children(recursive=True)) > processes:  # noqa: ASYNC110
            await anyio.sleep(0.05)


def measured() -> tuple[int, int, int]:
    """Descriptors of the host, processes below it, and the host's memory in bytes."""
    host = psutil.Process()
    return host.num_fds(), len(host.children(recursive=True)), host.memory_info().rss


def main() -> None:
    """Read the options and soak."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=10_000)
    parser.add_argument("--at-once", type=int, default=8)
    parser.add_argument("--spare", type=int, default=1)
    options = parser.parse_args()
    if not anyio.run(soak, options.runs, options.at_once, options.spare):
        sys.exit("something has grown")


if __name__ == "__main__":
    main()
