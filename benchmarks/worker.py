"""Measure one peer in this process, through pyperf, and write its suite to a file.

    python -m benchmarks.worker PEER TASKS VALUES FILE
    python -m benchmarks.worker PEER            prints what it is, as JSON

Each value is one piece of work, so that the spread is that of single runs. `compare` starts one of
these per peer and round, as pyperf's own manager would, but all peers in turn.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import sys
from typing import Any

import pyperf

from benchmarks.peers import MissingPeerError, Peer, adapter
from benchmarks.work import TASKS


def described(key: str) -> dict[str, Any]:
    """What the peer is, or what it lacks here."""
    try:
        kind = adapter(key)
        return {
            "key": key,
            "title": kind.title,
            "confines": kind.confines,
            "process": kind.process,
            "version": kind.version(),
            "why_not": {
                task: kind.why_not.get(task, "") for task in TASKS if task not in kind.programs
            },
        }
    except MissingPeerError as error:
        return {"key": key, "missing": str(error)}


def measure(key: str, tasks: list[str], values: int, file: str) -> None:
    """Do the tasks one after the other, `values` times each."""
    peer: Peer = adapter(key)()
    # pyperf's worker mode: it has no part in how often a loop goes round.
    runner = pyperf.Runner()
    runner.parse_args(["--worker", "--quiet", "-l1", "-w1", f"-n{values}", "-o", file])
    with asyncio.Runner() as loop:
        loop.run(peer.open())
        for task in TASKS:
            if task in tasks and task in peer.programs:
                runner.args.values = 1 if task in peer.once else values
                runner.args.warmups = 0 if task in peer.once else 1
                runner.bench_time_func(
                    f"{key}:{task}", lambda _loops, task=task: loop.run(peer.measure(task))
                )
        with contextlib.suppress(Exception):  # measured already
            loop.run(peer.close())


if __name__ == "__main__":
    if len(sys.argv) == 2:
        print(json.dumps(described(sys.argv[1])))
    else:
        measure(sys.argv[1], sys.argv[2].split(","), int(sys.argv[3]), sys.argv[4])
        # Some peers' threads abort now and then as the interpreter ends; the work is done.
        sys.stdout.flush()
        os._exit(0)
