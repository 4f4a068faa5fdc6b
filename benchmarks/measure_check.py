"""What the check before a run costs, in CPU time: of 100 lines, and of a small program.

python benchmarks/measure_check.py
"""

from __future__ import annotations

import time
from collections.abc import Callable

from codemode_guest.calls import NamespaceSpec
from codemode_guest.program import compiled

_ROUNDS = 50
_LINES = 10
_PART = """
async def part{n}():
    items, page = [], 1
    while page is not None:
        found = await tools.list_items(page=page)
        items += [item for item in found["items"] if item["price"] > {n}]
        page = found["next"]
    return sorted(items, key=lambda item: (-item["price"], item["name"]))
best{n} = await part{n}()
print(f"{{len(best{n})}} items: {{best{n}[0]['name'] if best{n} else 'none'}}")"""
_SMALL = "res = await tools.list_items(page=1)\nreturn [item['name'] for item in res['items']]"
_SIGNATURES = {"list_items": ["rejected", [["page", True, ["integer"], None, "int"]]]}


def _best_ms(work: Callable[[], object]) -> float:
    best_s = float("inf")
    for _ in range(_ROUNDS):
        begun_s = time.process_time()
        work()
        best_s = min(best_s, time.process_time() - begun_s)
    return best_s * 1e3


def main() -> None:
    """Print the cost of compiling with and without the check."""
    hundred = "".join(_PART.format(n=n) for n in range(_LINES))
    for name, source in (("small", _SMALL), (f"{hundred.count(chr(10))} lines", hundred)):
        for words, signatures in (("without", None), ("with", _SIGNATURES)):
            spec = NamespaceSpec("tools", ["list_items"], "ToolCallError", "tool_name", signatures)
            given: dict[str, object] = {"tools": None, "ToolCallError": None}
            cost_ms = _best_ms(lambda: compiled(source, given, [spec]))  # noqa: B023 - at once
            print(f"{name:>10} {words:>8} the check: {cost_ms:6.2f} ms")


if __name__ == "__main__":
    main()
