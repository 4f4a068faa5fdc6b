"""Codemode beside its peers and beside the bare machine, on the same work, in one run.

Each round starts one process per peer (`worker`), one peer after the other, so that a noisy moment
of the machine hits one round of each and no peer alone. The median, the least and the most of all
values of all rounds count.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import pyperf

from benchmarks import machine, plots, report, targets
from benchmarks.work import TASKS

#: In which the slowest peer does all its work.
_ROUND_S: Final = 120


def _output(*arguments: str) -> str:
    command = [sys.executable, "-m", *arguments]
    try:
        done = subprocess.run(
            command, check=False, capture_output=True, text=True, timeout=_ROUND_S
        )
    except subprocess.TimeoutExpired:
        raise RuntimeError(f"took more than {_ROUND_S} s") from None
    if done.returncode:
        silent = f"ended with status {done.returncode} and without a word"
        raise RuntimeError((done.stderr.strip().splitlines() or [silent])[-1])
    return done.stdout


class Comparison:
    """The figures of all rounds so far."""

    def __init__(self, peers: Sequence[str], values: int) -> None:
        self.values: dict[str, list[float]] = defaultdict(list)
        self.peers = [json.loads(_output("benchmarks.worker", key)) for key in peers]
        self._per_round = values

    def round(self) -> None:
        """Measure every peer once more; one that fails is noted and tried no more."""
        for peer in self.peers:
            if "missing" not in peer and "failed" not in peer:
                self._measure(peer)
        try:
            for name, value in json.loads(_output("benchmarks.capacity")).items():
                self.values[name].append(value)
        except RuntimeError as error:
            print(f"capacity: {error}", file=sys.stderr)

    def _measure(self, peer: dict[str, Any]) -> None:
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "suite.json")
            try:
                _output(
                    "benchmarks.worker",
                    peer["key"],
                    ",".join(TASKS),
                    str(self._per_round),
                    str(file),
                )
            except RuntimeError as error:
                peer["failed"] = [str(error)]
            if file.exists():  # up to where it failed
                for bench in pyperf.BenchmarkSuite.load(str(file)).get_benchmarks():
                    self.values[bench.get_name()].extend(bench.get_values())

    def record(self, where: dict[str, object], command: str) -> dict[str, Any]:
        """Everything that was found, ready for JSON."""
        for peer in self.peers:
            if "missing" not in peer:
                found = {task: self.values.get(f"{peer['key']}:{task}") for task in TASKS}
                peer["tasks"] = {task: report.spread(v) for task, v in found.items() if v}
        return {
            "command": command,
            "machine": where,
            "targets": targets.judged(self.values),
            "peers": self.peers,
        }


def measured(peers: Sequence[str], *, rounds: int, values: int) -> dict[str, Any]:
    """Measure these peers, and return everything that was found, ready for JSON."""
    where = machine.described()
    comparison = Comparison(peers, values)
    for number in range(1, rounds + 1):
        comparison.round()
        print(f"round {number} of {rounds}", flush=True)
    return comparison.record(where, f"tox -e bench -- compare --rounds {rounds} --values {values}")


def told(record: dict[str, Any]) -> dict[str, str]:
    """Return the blocks of the page, by name."""
    setting = report.setting(record["machine"], record["command"])
    return {
        "targets": report.targets_table(record),
        "peers": "\n\n".join([setting, report.peers_table(record), report.losses(record)]),
    }


def write(record: dict[str, Any], blocks: dict[str, str], docs: Path) -> None:
    """Write table, JSON and plot into the folder `docs`."""
    (docs / "benchmarks.json").write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    page = docs / "benchmarks.md"
    text = page.read_text(encoding="utf-8")
    for name, block in blocks.items():
        text = report.put(text, name, block)
    page.write_text(text, encoding="utf-8")
    plots.compared(record, docs / "benchmarks.svg")
