"""From figures to Markdown. Nothing here measures, and nothing is left out that was measured."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from benchmarks.work import TASKS, TITLES, Task

Record = Mapping[str, Any]
_UNITS: Final = ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns"))
_BYTES: Final = ((2**20, "MiB"), (2**10, "KiB"), (1, "B"))


def spread(values: Sequence[float]) -> dict[str, float]:
    """Median, least and most, and how many there were."""
    return {
        "median": statistics.median(values),
        "least": min(values),
        "most": max(values),
        "values": len(values),
    }


def digits(number: float, figures: int = 3) -> str:
    """The number with so many significant figures, never as a power of ten."""
    if not number:
        return "0"
    places = figures - 1 - math.floor(math.log10(abs(number)))
    return f"{round(number, places):,.{max(places, 0)}f}"


def _in(number: float, units: Sequence[tuple[float, str]]) -> tuple[float, str]:
    return next((pair for pair in units if number >= pair[0]), units[-1])


def duration(seconds: float) -> str:
    """The time in the unit that suits it."""
    size, unit = _in(seconds, _UNITS)
    return f"{digits(seconds / size)} {unit}"


def size(count: float) -> str:
    """The bytes in the unit that suits them."""
    unit_bytes, unit = _in(count, _BYTES)
    return f"{digits(count / unit_bytes)} {unit}"


def cell(found: Mapping[str, float]) -> str:
    """A median with the least and the most of the values, all in one unit."""
    scale, unit = _in(found["median"], _UNITS)
    least, most = (digits(found[end] / scale, 2) for end in ("least", "most"))
    return f"**{digits(found['median'] / scale)} {unit}** ({least} to {most})"


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table; what is in a cell stays in it."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(
        "| " + " | ".join(text.replace("|", "\\|").replace("\n", " ") for text in line) + " |"
        for line in lines
    )


def setting(machine: Mapping[str, Any], command: str) -> str:
    """One paragraph on where the figures come from."""
    return (
        f"Recorded {machine['date']} by `{command}` on {machine['cores']} cores of "
        f"{machine['processor']}, {machine['memory_gib']} GiB, {machine['kernel']}, "
        f"{machine['python']}, load {machine['load']} before. Layers of confinement in force: "
        f"{', '.join(machine['layers'])}."
    )


def peers_table(record: Record) -> str:
    """Every peer and task, then why some are missing, then versions."""
    head = ["", "runs in", "confined by", *TITLES.values()]
    rows, notes, versions = [], [], []
    for peer in record["peers"]:
        if "missing" in peer:
            notes.append(f"- {peer['key']}: skipped. {peer['missing']}")
            continue
        tasks = peer["tasks"]
        cells = [cell(tasks[task]) if task in tasks else "–" for task in TASKS]
        rows.append([peer["title"], peer["process"], peer["confines"], *cells])
        absent = [f"{TITLES[task]}: {why}" for task, why in peer["why_not"].items() if why]
        if absent:
            notes.append(f"- {peer['title']}: {'; '.join(absent)}.")
        notes += [f"- {peer['title']}: FAILED. {reason}" for reason in peer.get("failed", [])]
        versions.append(peer["version"])
    known = ", ".join(dict.fromkeys(versions))
    return "\n\n".join(
        [table(head, rows), "Not measured:\n\n" + "\n".join(notes), f"Versions: {known}."]
    )


def losses(record: Record) -> str:
    """For each task, who is quicker than codemode at its best, and at what price."""
    measured = [
        peer for peer in record["peers"] if "tasks" in peer and "bare:" not in peer["title"]
    ]
    lines = []
    for task in TASKS:
        ours = [_median(p, task) for p in measured if p["title"].startswith("codemode")]
        best = min(ours, default=math.inf)
        quicker = (
            sorted((_median(peer, task), peer) for peer in measured if _median(peer, task) < best)
            if math.isfinite(best)
            else []
        )
        told = [
            f"{peer['title']} ({digits(best / median, 2)} times; {peer['process']} process, "
            f"{peer['confines']})"
            if peer["process"] != "a worker, reused"
            else f"{peer['title']} ({digits(best / median, 2)} times; {peer['confines']})"
            for median, peer in quicker
            if not peer["title"].startswith("codemode")
        ]
        if told:
            lines.append(f"- {TITLES[task]}: {', '.join(told)}")
    return "Quicker than codemode's best:\n\n" + ("\n".join(lines) or "- nobody")


def _median(peer: Mapping[str, Any], task: Task) -> float:
    found = peer["tasks"].get(task)
    return math.inf if found is None else float(found["median"])


def targets_table(record: Record) -> str:
    """The targets and what became of each."""
    rows = [
        [
            target["what"],
            target["measured"],
            target["reference"],
            digits(target["ratio"]),
            f"{'at least' if target['floor'] else 'at most'} {target['bound']:g}",
            "yes" if target["met"] else "**no**",
        ]
        for target in record["targets"]
    ]
    return table(["", "measured", "beside", "figure", "target", "met"], rows)


def put(text: str, name: str, block: str) -> str:
    """The text with this block between its marks `<!-- name -->` and `<!-- end of name -->`.

    Raises:
        ValueError: If the marks are not there.
    """
    begin, end = f"<!-- {name} -->", f"<!-- end of {name} -->"
    before, mark, rest = text.partition(begin)
    _, closing, after = rest.partition(end)
    if not mark or not closing:
        raise ValueError(f"there is no {begin} … {end} to write between")
    return f"{before}{begin}\n{block}\n{end}{after}"
