"""The two plots, as SVG that reads on a light page and on a dark one."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import matplotlib as mpl
from matplotlib import ticker
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from benchmarks.ticks import count_label, ticks, time_label
from benchmarks.work import TASKS, TITLES

mpl.use("svg")
#: Colours by their part: what matplotlib is told, on a light page, on a dark one.
_COLOURS: Final = {
    "ink": ("#010101", "#1f2328", "#e6edf3"),
    "faint": ("#020202", "#59636e", "#9198a1"),
    "grid": ("#030303", "#d1d9e0", "#3d444d"),
    "paper": ("#fefefe", "#ffffff", "#0d1117"),
    "OS layers": ("#040404", "#0969da", "#4493f8"),
    "resource limits": ("#050505", "#bc4c00", "#db6d28"),
    "language rules": ("#060606", "#1a7f37", "#3fb950"),
    "nothing": ("#070707", "#6e7781", "#8b949e"),
}
_KINDS: Final = ("OS layers", "resource limits", "language rules", "nothing")
_INK, _FAINT, _GRID, _PAPER = (_COLOURS[part][0] for part in ("ink", "faint", "grid", "paper"))
_STYLE: Final = {
    "svg.fonttype": "none",
    "svg.hashsalt": "codemode",
    "font.family": ["sans-serif"],
    "font.size": 9,
    "text.color": _INK,
    "axes.edgecolor": _GRID,
    "axes.facecolor": _PAPER,
    "axes.labelcolor": _FAINT,
    "axes.titlesize": 10,
    "axes.titleweight": "bold",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "figure.facecolor": _PAPER,
    "grid.color": _GRID,
    "grid.linewidth": 0.6,
    "xtick.color": _FAINT,
    "ytick.color": _FAINT,
}

#: Labels that fit an axis of one panel.
_LABELS_ACROSS: Final = 3
_LABELS_UP: Final = 5


def _save(figure: Figure, path: Path) -> None:
    figure.savefig(path, format="svg", metadata={"Date": None, "Creator": None})
    text = path.read_text(encoding="utf-8")
    for part, (told, _, _) in _COLOURS.items():
        text = text.replace(told, f"var(--{part.replace(' ', '-')})")
    light, dark = (
        "".join(f"--{part.replace(' ', '-')}:{tones[n]};" for part, tones in _COLOURS.items())
        for n in (1, 2)
    )
    style = (
        f"<style>svg{{{light}}}@media(prefers-color-scheme:dark){{svg{{{dark}}}}}"
        "text{font-family:system-ui,sans-serif!important}</style>"
    )
    text = re.sub(r"(<svg[^>]*>)", rf"\1{style}", text, count=1)
    path.write_text(text, encoding="utf-8")


def _seconds(axis: Any, most: int) -> None:
    low, high = axis.get_view_interval()
    axis.set_major_locator(ticker.FixedLocator(ticks(low, high, most)))
    axis.set_major_formatter(lambda seconds, _: time_label(seconds))
    axis.set_minor_locator(ticker.NullLocator())


def compared(record: Mapping[str, Any], path: Path) -> None:
    """One panel a task, one line a peer: a dot for the median, a bar from the least to the most."""
    peers = [peer for peer in reversed(record["peers"]) if "tasks" in peer]
    with mpl.rc_context(_STYLE):
        figure = Figure(figsize=(12.4, 1.4 + 0.26 * len(peers)), layout="constrained")
        panels = figure.subplots(1, len(TASKS), sharey=True)
        for task, axes in zip(TASKS, panels, strict=True):
            axes.set_title(TITLES[task], loc="left")
            axes.set_xscale("log")
            axes.grid(visible=True, axis="x")
            axes.tick_params(length=0)
            axes.spines["left"].set_visible(False)
            for line, peer in enumerate(peers):
                _mark(axes, line, peer, task)
            low, high = axes.get_xlim()
            axes.set_xlim(min(low, high / 30), high)
            _seconds(axes.xaxis, _LABELS_ACROSS)
            axes.tick_params(axis="x", labelsize=7.5)
        panels[0].set_yticks(range(len(peers)), [peer["title"] for peer in peers])
        for label, peer in zip(panels[0].get_yticklabels(), peers, strict=True):
            label.set_color(_INK)
            label.set_fontweight("bold" if peer["title"].startswith("codemode") else "normal")
        for kind in _KINDS:
            panels[0].plot([], [], "o", color=_COLOURS[kind][0], label=kind)
        figure.legend(
            loc="outside lower center", ncols=4, frameon=False, title="confined by (log scales)"
        )
        _save(figure, path)


def _mark(axes: Axes, line: int, peer: Mapping[str, Any], task: str) -> None:
    found = peer["tasks"].get(task)
    if found is None:
        return
    colour = _COLOURS[peer["confines"]][0]
    axes.plot([found["least"], found["most"]], [line, line], color=colour, linewidth=2, alpha=0.35)
    axes.plot([found["median"]], [line], "o", color=colour, markersize=5)


def grown(panels: Sequence[Mapping[str, Any]], path: Path) -> None:
    """Small multiples of cost over size, each with a line of what in proportion would be.

    Args:
        panels: Each with `title`, `x`, and `series`: by name, pairs of size and seconds.
    """
    tones = [_COLOURS[kind][0] for kind in _KINDS]
    columns = 3
    rows = -(-len(panels) // columns)
    with mpl.rc_context(_STYLE):
        figure = Figure(figsize=(11, 2.7 * rows), layout="constrained")
        grid = figure.subplots(rows, columns).flat
        for panel, axes in zip(panels, grid, strict=False):
            axes.set_title(panel["title"], loc="left")
            axes.set_xscale("log")
            axes.set_yscale("log")
            axes.grid(visible=True)
            axes.set_xlabel(panel["x"])
            for tone, (name, pairs) in zip(tones, panel["series"].items(), strict=False):
                xs, ys = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
                axes.plot(xs, ys, "o-", color=tone, markersize=4, linewidth=1.5, label=name)
            _proportion(axes)
            axes.xaxis.set_major_formatter(lambda count, _: count_label(count))
            _seconds(axes.yaxis, _LABELS_UP)
            axes.tick_params(length=0)
            axes.legend(frameon=False, fontsize=8, loc="upper left")
        for axes in grid:
            axes.set_visible(False)
        _save(figure, path)


def _proportion(axes: Axes) -> None:
    """A dotted line through the last point of the highest series, of slope one."""
    ends = [line.get_xydata()[-1] for line in axes.get_lines()]
    right, top = max(ends, key=lambda point: float(point[1]))
    low, _ = axes.get_ylim()
    left = axes.get_xlim()[0]
    start = max(left, right * low / top)
    axes.plot(
        [start, right],
        [top * start / right, top],
        ":",
        color=_FAINT,
        linewidth=1,
        label="in proportion",
    )
