"""What one host can hold of codemode: runs at once, runs a second, and the memory of a guest.

python -m benchmarks.capacity       prints one JSON object
"""

from __future__ import annotations

import json
import statistics
import time
from typing import Final

import anyio
import psutil

from codemode import CodeBindingNamespace, CodeRunRequest, ProcessRuntime, ProcessRuntimeConfig

WAIT_S: Final = 0.5
_AT_ONCE: Final = 200
_WEIGHED: Final = 20
_SUSTAINED_S: Final = 3
_ABREAST: Final = 4


async def run(runtime: ProcessRuntime, program: str, seconds: float = WAIT_S) -> object:
    """The value of a program that may call `tools.wait`."""

    async def wait(_args: object) -> int:
        await anyio.sleep(seconds)
        return 1

    bindings = [CodeBindingNamespace(global_name="tools", functions={"wait": wait})]
    result = await runtime.run(CodeRunRequest(program=program, bindings=bindings))
    if result.error is not None:
        raise RuntimeError(result.error.message)
    return result.value


async def seconds_of_crowd(runtime: ProcessRuntime, runs: int, wait_s: float = WAIT_S) -> float:
    """How long so many runs take together, each of which waits for a tool."""
    began = time.perf_counter()
    async with anyio.create_task_group() as group:
        for _ in range(runs):
            group.start_soon(run, runtime, "return await tools.wait()", wait_s)
    return time.perf_counter() - began


async def _runs_per_second(runtime: ProcessRuntime) -> float:
    done = 0
    began = time.perf_counter()

    async def one_after_the_other() -> None:
        nonlocal done
        while time.perf_counter() - began < _SUSTAINED_S:
            await run(runtime, "return 1 + 1")
            done += 1

    async with anyio.create_task_group() as group:
        for _ in range(_ABREAST):
            group.start_soon(one_after_the_other)
    return done / (time.perf_counter() - began)


def private_bytes(process: psutil.Process) -> int:
    """What the process has for itself alone.

    Raises:
        psutil.Error: If it has ended, or belongs to somebody else.
    """
    return int(process.memory_full_info().uss)


async def _memory(runtime: ProcessRuntime) -> tuple[float, int]:
    """Private memory of a waiting guest (the median) and all memory of the template."""
    async with anyio.create_task_group() as group:
        for _ in range(_WEIGHED):
            group.start_soon(run, runtime, "return await tools.wait()")
        await anyio.sleep(WAIT_S / 2)
        (template,) = psutil.Process().children()
        guests = [private_bytes(guest) for guest in template.children()]
        resident = template.memory_info().rss
    return statistics.median(guests), resident


async def main() -> None:
    """Measure all of it once, in a runtime with the defaults."""
    async with ProcessRuntime(ProcessRuntimeConfig()) as runtime:
        await run(runtime, "return 1")
        crowd = await seconds_of_crowd(runtime, _AT_ONCE)
        guest, template = await _memory(runtime)
        found = {
            "crowd": crowd,
            "sustained": await _runs_per_second(runtime),
            "guest": guest,
            "template": template,
        }
    print(json.dumps(found))


if __name__ == "__main__":
    anyio.run(main)
