"""The short forms: what there is by group, where the whole of it would be too much."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import groupby

from codemode.sdk.entries import Entry
from codemode.sdk.literals import comment
from codemode.sdk.notes import first_sentence
from codemode.sdk.plan import TOOLS, Place, discovery_name, places

_SUMMARY = 80


def summary_of(entry: Entry) -> str:
    """Return the first line of a description, cut to a line's length."""
    lines = entry.description.strip().splitlines()
    said = first_sentence(" ".join(lines[0].split())) if lines else ""
    return said if len(said) <= _SUMMARY else said[: _SUMMARY - 1] + "…"


def heading(entries: Sequence[Entry]) -> str:
    """Return what says how many tools there are and how a program finds them."""
    name = discovery_name(place.holder for place in _places(entries).values())
    return (
        f"# {len(entries):,} tools. In programs, `await {name}.search(query='words')` finds some,\n"
        f"# and `await {name}.describe(name='…')` returns the typed stub of one."
    )


def _places(entries: Sequence[Entry]) -> dict[str, Place]:
    return places((entry.name, entry.namespace, entry.member) for entry in entries)


def grouped(entries: Sequence[Entry]) -> list[tuple[str, list[tuple[str, Entry]]]]:
    """Return the tools by group: the namespace, or the first word of the name if it is shared.

    Returns:
        Group and members, each a name and a tool, sorted.
    """
    where = _places(entries)
    keyed = []
    for entry in entries:
        place = where[entry.name]
        if place.holder != TOOLS:
            keyed.append((place.holder, place.member, entry))
        else:
            keyed.append((f"tools {_first_word(entry.name)}", entry.name, entry))
    keyed.sort(key=lambda row: row[:2])
    groups = [
        (group, [(name, entry) for _, name, entry in rows])
        for group, rows in groupby(keyed, key=lambda row: row[0])
    ]
    lone = [row for group, rows in groups if len(rows) == 1 and " " in group for row in rows]
    shared = [(group, rows) for group, rows in groups if len(rows) > 1 or " " not in group]
    return [*([(TOOLS, lone)] if lone else []), *shared]


def _first_word(name: str) -> str:
    match = re.match(r"[^\W_]+", name)
    return match[0] if match else name[:1]


def _title(group: str) -> str:
    """Return how a group is shown: `github`, or `tools.browser_*`."""
    return f"{TOOLS}.{group.removeprefix('tools ')}*" if " " in group else group


def write_index(entries: Sequence[Entry], *, summaries: bool) -> str:
    """Return the names of all tools by group, with first lines or without."""
    lines = [heading(entries)]
    for group, rows in grouped(entries):
        lines.append(f"# {comment(_title(group))} ({len(rows)}):")
        if summaries:
            lines += [f"#  {comment(f'{name}: {summary_of(entry)}')}" for name, entry in rows]
        else:
            lines.append(f"#  {comment(', '.join(name for name, _ in rows))}")
    return "\n".join(lines) + "\n"


def write_namespaces(entries: Sequence[Entry], fits: Callable[[str], bool]) -> str:
    """Return the groups with the number of their tools: the largest, if not all fit.

    The heading is there in any case.
    """
    groups = sorted(grouped(entries), key=lambda group: (-len(group[1]), group[0]))
    start = heading(entries)

    def shown(count: int) -> str:
        parts = [f"{_title(group)} ({len(rows)})" for group, rows in groups[:count]]
        rest = sum(len(rows) for _, rows in groups[count:])
        parts += [f"and {rest:,} more"] if rest else []
        return f"{start}\n# {comment(', '.join(parts))}\n" if parts else f"{start}\n"

    low, high = 0, len(groups)
    while low < high:
        middle = (low + high + 1) // 2
        if fits(shown(middle)):
            low = middle
        else:
            high = middle - 1
    return shown(low)
