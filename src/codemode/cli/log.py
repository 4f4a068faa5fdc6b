"""`codemode log`: a session as a tree, from its log."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Final

import click

from codemode.cli.refusal import Refusal
from codemode.cli.screen import show
from codemode.cli.tree import Tree
from codemode.errors import CodemodeError
from codemode.session import read_log

_EXAMPLE: Final = "\b\nExample:\n  codemode log session.jsonl --full"


@click.command(epilog=_EXAMPLE, short_help="Show a session from its log.")
@click.argument("file", metavar="FILE")
@click.option("--full", is_flag=True, help="Show programs, texts and values whole.")
def log(file: str, *, full: bool) -> None:
    """Show a session from its log: requests, runs, the calls of their programs, failures.

    Each line begins with the time since the session did. A log that is being written can be
    shown as well.
    """
    try:
        empty = True
        for line in _lines(file, full=full):
            show(line, sys.stdout)
            empty = False
    except CodemodeError as error:
        raise Refusal(str(error)) from None
    if empty:
        click.echo(f"{file!r} is empty: no session has been opened on it yet", err=True)


def _lines(file: str, *, full: bool) -> Iterator[str]:
    tree = Tree(full=full)
    for entry in read_log(file):
        yield from tree.lines(entry)
    yield from tree.unfinished()
