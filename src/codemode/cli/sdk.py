"""`codemode sdk`: the types of a set of tools, as a model or a type checker reads them."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final, Literal

import anyio
import click

from codemode.cli.catalogs import read_catalog
from codemode.cli.mcp_files import read_entries
from codemode.cli.refusal import Refusal
from codemode.cli.settings import silence_mcp_client
from codemode.cli.sources import load_registry
from codemode.cli.streams import open_missing_streams, output_of_tools_on_stderr
from codemode.cli.tool_options import catalog_option, mcp_option
from codemode.cli.toolbox import Toolbox
from codemode.errors import CodemodeError
from codemode.sdk import SdkBudget, Tool, generate

_EXAMPLE: Final = "\b\nExample:\n  codemode sdk --mcp servers.json --budget 2000"


@click.command(epilog=_EXAMPLE, short_help="Print what a model reads of a set of tools.")
@click.option(
    "--tools",
    multiple=True,
    metavar="FILE.py:NAME",
    help="A ToolRegistry in a Python file; may be given several times.",
)
@mcp_option
@catalog_option
@click.option(
    "--form",
    type=click.Choice(["prompt", "stub"]),
    default="prompt",
    help="What a model reads (the default), or a stub file for type checkers and editors.",
)
@click.option(
    "--budget",
    type=click.IntRange(min=1),
    metavar="TOKENS",
    help="The most tokens of the prompt form; it is shortened until it fits.",
)
def sdk(
    tools: Sequence[str],
    mcp: Sequence[Path],
    catalog: Sequence[Path],
    form: Literal["prompt", "stub"],
    budget: int | None,
) -> None:
    """Print the SDK text of tools; what became of a budget goes to standard error."""
    open_missing_streams()
    if not (tools or mcp or catalog):
        raise Refusal("no tools; give --tools FILE.py:NAME, --mcp mcp.json or --catalog FILE.json")
    if budget is not None and form == "stub":
        raise Refusal("a stub is never shortened; leave out --budget, or --form stub")
    try:
        with output_of_tools_on_stderr():
            listed: list[Tool] = [tool for spec in tools for tool in load_registry(spec).tools]
            if mcp:
                silence_mcp_client()
                listed += anyio.run(_served, mcp)
        listed += [tool for path in catalog for tool in read_catalog(path)]
        made = generate(listed, form=form, budget=SdkBudget(tokens=budget) if budget else None)
    except CodemodeError as error:
        raise Refusal(str(error)) from None
    # Bytes: the text is the same whatever this terminal's encoding is.
    sys.stdout.buffer.write(made.text.encode())
    if budget is not None:
        click.echo(f"{made.level}: {made.size} tokens, by {made.counted_by}", err=True)
        if made.size > budget:
            raise Refusal(f"even the shortest text is over the budget of {budget} tokens")


async def _served(files: Sequence[Path]) -> tuple[Tool, ...]:
    """Start the servers, and return their tools."""
    toolbox = Toolbox.of((), read_entries(files))
    async with toolbox.opened():
        return toolbox.tools
