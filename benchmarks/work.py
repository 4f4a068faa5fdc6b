"""The work that every peer is given: six tasks, and the programs for them in two languages.

A program is the body of a function: it ends with `return`. Calls and the clock are spelled by the
peer's `Dialect`, everything else is the same for all that speak Python. What a program returns is
checked, so that nobody is quick at something else.
"""

from __future__ import annotations

import math
import textwrap
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal, get_args

Task = Literal["cold", "reused", "call", "gathered", "rows", "compute"]
TASKS: Final[tuple[Task, ...]] = get_args(Task)

TITLES: Final[Mapping[Task, str]] = {
    "cold": "cold run",
    "reused": "reused run",
    "call": "call in turn",
    "gathered": "call gathered",
    "rows": "10,000 rows",
    "compute": "compute",
}
#: Calls of one program, in turn or at once.
CALLS: Final = 500
ROWS: Final = [
    {"id": n, "name": f"row {n}", "price": n * 0.25, "tags": ["new", "sale"]} for n in range(10_000)
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialect:
    """How a peer's programs spell what is not plain Python.

    Attributes:
        echo: A call of the tool `echo` with the text `hello`.
        count: The number of rows that a call of the tool `table` gave.
        gather: All of `CALLS` calls at once; None where the peer has no such thing.
        cpu_clock: What tells CPU time; the wall clock where a peer has nothing else.
    """

    echo: str
    count: str
    gather: str | None = None
    cpu_clock: str = "time.process_time()"


def awaited(echo: str, count: str, **more: str) -> Dialect:
    """A dialect in which tools are coroutine functions, given a call of each."""
    gather = f"await asyncio.gather(*[{echo} for _ in range({CALLS})])"
    return Dialect(echo=f"await {echo}", count=count, gather=gather, **more)


_KERNELS: Final = """
def collatz():
    steps = 0
    for start in range(1, 300):
        n = start
        while n != 1:
            n = n // 2 if n % 2 == 0 else 3 * n + 1
            steps = steps + 1
    return steps
def primes():
    limit = 6000
    composite = [False] * (limit + 1)
    found = 0
    for n in range(2, limit + 1):
        if not composite[n]:
            found = found + 1
            for multiple in range(n * n, limit + 1, n):
                composite[multiple] = True
    return found
def words():
    counts = {}
    for word in ("to be or not to be that is the question " * 900).split():
        counts[word] = counts.get(word, 0) + 1
    return counts["be"]
def text():
    lines = []
    for n in range(5000):
        lines.append(f"{n % 97}: item {n}")
    return len("; ".join(lines).upper())
def order():
    rows = [[n * 7919 % 10007, n] for n in range(4000)]
    rows.sort(key=lambda row: row[0] % 100)
    return rows[0][1]
def lattice():
    return paths(7, 7)
def paths(right, down):
    return 1 if right == 0 or down == 0 else paths(right - 1, down) + paths(right, down - 1)
seconds = []
results = []
for kernel in (collatz, primes, words, text, order, lattice):
    took = []
    for _ in range(3):
        began = {clock}
        result = kernel()
        took.append({clock} - began)
    took.sort()
    seconds.append(took[0])
    results.append(result)
return [seconds, results]
"""

_SCRIPT_KERNELS: Final = """
function collatz() {
  let steps = 0;
  for (let start = 1; start < 300; start++)
    for (let n = start; n !== 1; steps++) n = n % 2 === 0 ? Math.floor(n / 2) : 3 * n + 1;
  return steps;
}
function primes() {
  const limit = 6000, composite = new Array(limit + 1).fill(false);
  let found = 0;
  for (let n = 2; n <= limit; n++) {
    if (composite[n]) continue;
    found++;
    for (let multiple = n * n; multiple <= limit; multiple += n) composite[multiple] = true;
  }
  return found;
}
function words() {
  const counts = {};
  for (const word of "to be or not to be that is the question ".repeat(900).trim().split(" "))
    counts[word] = (counts[word] ?? 0) + 1;
  return counts["be"];
}
function text() {
  const lines = [];
  for (let n = 0; n < 5000; n++) lines.push(`${n % 97}: item ${n}`);
  return lines.join("; ").toUpperCase().length;
}
function order() {
  const rows = Array.from({ length: 4000 }, (_, n) => [n * 7919 % 10007, n]);
  rows.sort((a, b) => a[0] % 100 - b[0] % 100);
  return rows[0][1];
}
const paths = (right, down) =>
  right === 0 || down === 0 ? 1 : paths(right - 1, down) + paths(right, down - 1);
const lattice = () => paths(7, 7);
const seconds = [], results = [];
for (const kernel of [collatz, primes, words, text, order, lattice]) {
  const took = [];
  let result;
  for (let turn = 0; turn < 3; turn++) {
    const began = performance.now();
    result = kernel();
    took.push((performance.now() - began) / 1000);
  }
  seconds.push(Math.min(...took));
  results.push(result);
}
return [seconds, results];
"""


def _timed(work: str, value: str) -> str:
    return (
        f"import time\nbegan = time.perf_counter()\n{work}\n"
        f"return [time.perf_counter() - began, {value}]"
    )


def programs(dialect: Dialect) -> dict[Task, str]:
    """The programs in Python, of the tasks that the dialect has words for."""
    in_turn = f"for _ in range({CALLS}):\n    text = {dialect.echo}"
    made: dict[Task, str] = {
        "cold": "return 1 + 1",
        "reused": "return 1 + 1",
        "call": _timed(in_turn, "text"),
        "rows": _timed(f"rows = {dialect.count}", "rows"),
        "compute": "import time\n"
        + _KERNELS.replace("{clock}", dialect.cpu_clock).removeprefix("\n"),
    }
    if dialect.gather is not None:
        made["gathered"] = "import asyncio\n" + _timed(f"texts = {dialect.gather}", "texts[-1]")
    return made


def scripts() -> dict[Task, str]:
    """The same in JavaScript, where tools are `await tools.echo({text})`."""
    timed = "const began = performance.now();\n{}\nreturn [(performance.now() - began) / 1000, {}];"
    call = 'tools.echo({ text: "hello" })'
    at_once = f"Promise.all(Array.from({{ length: {CALLS} }}, () => {call}))"
    return {
        "cold": "return 1 + 1;",
        "reused": "return 1 + 1;",
        "call": timed.format(
            f"let text;\nfor (let n = 0; n < {CALLS}; n++) text = await {call};", "text"
        ),
        "gathered": timed.format(f"const texts = await {at_once};", "texts.at(-1)"),
        "rows": timed.format("const rows = await tools.table({});", "rows.length"),
        "compute": _SCRIPT_KERNELS,
    }


#: What the second part of the value is, where a program measures itself.
_RIGHT: Final[Mapping[Task, object]] = {
    "call": "hello",
    "gathered": "hello",
    "rows": len(ROWS),
    "compute": [14151, 783, 1800, 73368, 0, 3432],
}


def cost(task: Task, value: Any, seconds: float) -> float:
    """What one piece of the work took, in seconds: a run, a call, the rows, a kernel on average.

    Args:
        task: Whose program ran.
        value: What the program returned.
        seconds: The whole run, as its host saw it.

    Raises:
        ValueError: If the value is wrong.
    """
    if task in {"cold", "reused"}:
        if value != 2:
            raise ValueError(f"{task}: 1 + 1 gave {value!r}")
        return seconds
    measured, result = value
    if result != _RIGHT[task]:
        raise ValueError(f"{task}: {result!r} instead of {_RIGHT[task]!r}")
    if task == "compute":
        return math.exp(sum(map(math.log, measured)) / len(measured))
    return float(measured) / (1 if task == "rows" else CALLS)


def as_function(program: str, call: str = "main()") -> str:
    """The program as a function, and a call of it, for peers without a `return` at the top."""
    return f"def main():\n{textwrap.indent(program, '    ')}\n{call}"
