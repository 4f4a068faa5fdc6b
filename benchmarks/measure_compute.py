"""What computing costs under the policy in a guest, beside plain CPython, in one run.

    python benchmarks/measure_compute.py [--rounds N]

Each workload measures its own CPU time. Rounds alternate between a guest, plain Python, and plain
Python once more, whose ratio to itself is the noise of this machine; the best round of each
counts. The workloads called guarded are checked while they run, or go through stand-ins; the mean
is of the others. Nothing is asserted.
"""

from __future__ import annotations

import statistics
import sys
import textwrap
from typing import Final

import anyio

from codemode import CodeRunRequest, ProcessRuntime, ProcessRuntimeConfig

WORKLOADS: Final = {
    "queens": """
        def place(row, columns, left, right):
            if row == 8:
                return 1
            return sum(
                place(row + 1, columns | {c}, left | {row - c}, right | {row + c})
                for c in range(8)
                if c not in columns and row - c not in left and row + c not in right
            )
        for _ in range(4):
            place(0, frozenset(), frozenset(), frozenset())
    """,
    "matrices": """
        n = 64
        a = [[(i * j) % 7 for j in range(n)] for i in range(n)]
        b = [list(column) for column in zip(*a)]
        [[sum(x * y for x, y in zip(row, column)) for column in b] for row in a]
    """,
    "words": """
        import re
        from collections import Counter, defaultdict
        text = "the quick brown fox, jumps over the lazy dog; " * 3000
        by_length = defaultdict(Counter)
        for word in re.findall(r"[a-z]+", text):
            by_length[len(word)][word] += 1
        sorted(by_length[3].items(), key=lambda pair: (-pair[1], pair[0]))
    """,
    "records": """
        from dataclasses import dataclass, replace
        @dataclass(order=True)
        class Item:
            price: float
            name: str
            tags: list
        items = [Item(i * 37 % 1000 / 4, f"item {i}", ["a"] * (i % 3)) for i in range(8000)]
        items.sort()
        total = {}
        for item in items:
            total[item.name[-1]] = total.get(item.name[-1], 0) + item.price
        [replace(item, price=0.0) for item in items[:2000]]
    """,
    "generators": """
        def numbers():
            for n in range(150_000):
                yield n
        def squares(source):
            for n in source:
                if n % 3:
                    yield n * n
        sum(n for n in squares(numbers()) if n & 1)
    """,
    "classes": """
        class Shape:
            def __init__(self, size):
                self._size = size
                self.__cache = None
            @property
            def area(self):
                if self.__cache is None:
                    self.__cache = self._area()
                return self.__cache
        class Square(Shape):
            def _area(self):
                return self._size ** 2
        class Circle(Shape):
            def _area(self):
                return 3.14 * self._size ** 2
        for _ in range(4):
            sum(shape.area for n in range(6000) for shape in (Square(n), Circle(n)))
    """,
    "events": """
        def step(state, event):
            match event:
                case {"kind": "add", "value": int(value)}:
                    return state + value
                case ["scale", factor] if factor > 0:
                    return state * factor % 1_000_003
                case ("reset" | "clear", *_):
                    return 0
                case _:
                    return state
        state = 1
        events = [{"kind": "add", "value": 3}, ["scale", 5], ("reset",), "other"]
        for n in range(60_000):
            state = step(state, events[n * 7 % 4])
    """,
    "errors": """
        def parse(text):
            try:
                return int(text)
            except ValueError as error:
                return str(error)[:3]
        for _ in range(12_000):
            [parse(text) for text in ("1", "x", "22", "", "3.5")]
    """,
    "guarded: tasks": """
        async def work(n):
            await asyncio.sleep(0)
            return n
        for _ in range(10):
            await asyncio.gather(*(work(n) for n in range(300)))
    """,
    "guarded: private names of others": """
        class Money:
            def __init__(self, cents):
                self._cents = cents
            def __add__(self, other):
                return Money(self._cents + other._cents)
            def __lt__(self, other):
                return self._cents < other._cents
        total = Money(0)
        for n in range(60_000):
            total = total + Money(n)
    """,
    "guarded: str.format": """
        row = "{:>6} {:<10} {:.2f}"
        for n in range(60_000):
            row.format(n, "name", n / 7)
    """,
    "guarded: getattr": """
        class Point:
            def __init__(self):
                self.x, self.y = 1, 2
        point = Point()
        for n in range(60_000):
            getattr(point, "x") + getattr(point, "y", 0) + getattr(point, "z", 0)
    """,
}


def program_of(workload: str) -> str:
    """A program that returns the CPU seconds that the workload took, in a function."""
    body = textwrap.indent(textwrap.dedent(workload), "    ")
    return (
        f"import asyncio, time\nasync def work():\n{body}\n"
        "start = time.process_time()\nawait work()\nreturn time.process_time() - start\n"
    )


async def _in_guest(runtime: ProcessRuntime, program: str) -> float:
    result = await runtime.run(CodeRunRequest(program=program))
    if not isinstance(result.value, float):
        raise SystemExit(f"a workload did not run: {result.error}")
    return result.value


async def _plainly(program: str) -> float:
    body = textwrap.indent(program, "    ")
    source = f"import asyncio\nasync def main():\n{body}\nprint(asyncio.run(main()))"
    found = await anyio.run_process([sys.executable, "-I", "-c", source])
    return float(found.stdout)


async def main(rounds: int) -> None:
    """Print a line for each workload, and the geometric means."""
    ratios, noise = [], []
    async with ProcessRuntime(ProcessRuntimeConfig(spare_guests=1)) as runtime:
        for name, workload in WORKLOADS.items():
            program = program_of(workload)
            ours, plain, again = [], [], []
            for _ in range(rounds):
                ours.append(await _in_guest(runtime, program))
                plain.append(await _plainly(program))
                again.append(await _plainly(program))
            ratio, drift = min(ours) / min(plain), min(again) / min(plain)
            if not name.startswith("guarded"):
                ratios.append(ratio)
                noise.append(drift)
            print(f"{name:34} {min(ours) * 1e3:8.1f} ms   plain {min(plain) * 1e3:8.1f} ms", end="")
            print(f"   ratio {ratio:5.2f}   plain again {drift:5.2f}", flush=True)
    print(f"geometric mean of the unguarded {statistics.geometric_mean(ratios):.3f}", end="")
    print(f", of plain against plain {statistics.geometric_mean(noise):.3f}")


if __name__ == "__main__":
    named = sys.argv[sys.argv.index("--rounds") + 1] if "--rounds" in sys.argv else "5"
    anyio.run(main, int(named))
