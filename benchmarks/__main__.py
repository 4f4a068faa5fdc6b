"""`python -m benchmarks compare` and `python -m benchmarks scale` measure, and write to docs/."""

from __future__ import annotations

from pathlib import Path

import click

from benchmarks import compare as comparing
from benchmarks import scale as scaling
from benchmarks.peers import PEERS

_DOCS = click.option(
    "--docs",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    default=Path("docs"),
    help="Where benchmarks.md is, and JSON and plots go.",
)


@click.group()
def main() -> None:
    """Measure codemode; nothing is asserted."""


@main.command()
@_DOCS
@click.option("--rounds", default=5, show_default=True)
@click.option("--values", default=10, show_default=True, help="Of each task in each round.")
@click.option(
    "--peer", "peers", type=click.Choice(list(PEERS)), multiple=True, help="Default: all."
)
def compare(docs: Path, rounds: int, values: int, peers: tuple[str, ...]) -> None:
    """Beside the peers and the bare machine; takes some five minutes."""
    comparing.main(docs, rounds=rounds, values=values, peers=peers or tuple(PEERS))


@main.command()
@_DOCS
@click.option("--rounds", default=3, show_default=True, help="Of each size; the least counts.")
def scale(docs: Path, rounds: int) -> None:
    """How cost grows with the size of the work."""
    scaling.main(docs, rounds=rounds)


if __name__ == "__main__":
    main()
