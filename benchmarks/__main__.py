"""`python -m benchmarks compare` and `python -m benchmarks scale` measure, and write to docs/."""

from __future__ import annotations

from pathlib import Path

import click

from benchmarks import compare as comparing
from benchmarks import scale as scaling
from benchmarks.peers import PEERS

_FOLDER = click.Path(path_type=Path, exists=True, file_okay=False)
_DOCS_HELP = "Where benchmarks.md is, and JSON and plots go."


@click.group()
def main() -> None:
    """Measure codemode; nothing is asserted."""


@main.command()
@click.option("--docs", type=_FOLDER, default=Path("docs"), help=_DOCS_HELP)
@click.option("--rounds", default=5, show_default=True)
@click.option("--values", default=10, show_default=True, help="Of each task in each round.")
@click.option(
    "--peer",
    "peers",
    type=click.Choice(list(PEERS)),
    multiple=True,
    help="Only these; then nothing is written. Default: all.",
)
def compare(docs: Path, rounds: int, values: int, peers: tuple[str, ...]) -> None:
    """Beside the peers and the bare machine; takes some five minutes."""
    record = comparing.measured(peers or tuple(PEERS), rounds=rounds, values=values)
    blocks = comparing.told(record)
    print("\n\n".join(blocks.values()))
    if not peers:
        comparing.write(record, blocks, docs)


@main.command()
@click.option("--docs", type=_FOLDER, default=Path("docs"), help=_DOCS_HELP)
@click.option("--rounds", default=3, show_default=True, help="Of each size; the least counts.")
def scale(docs: Path, rounds: int) -> None:
    """How cost grows with the size of the work; takes some three minutes a round."""
    scaling.main(docs, rounds=rounds)


if __name__ == "__main__":
    main()
