"""`codemode run`: one program, its tools and its budgets; what came of it is printed."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NoReturn

import anyio
import click

from codemode.cli.budgets import budget_options, configure
from codemode.cli.mcp_files import read_entries
from codemode.cli.outcome import print_json, print_text
from codemode.cli.refusal import Refusal
from codemode.cli.screen import Progress
from codemode.cli.settings import config_option, log_to_stderr, read_settings, verbose_option
from codemode.cli.sources import read_program
from codemode.cli.streams import open_missing_streams, output_of_tools_on_stderr
from codemode.cli.tool_options import mcp_option, tools_option
from codemode.cli.toolbox import Toolbox
from codemode.errors import CodemodeError
from codemode.process import ProcessRuntime, ProcessRuntimeConfig
from codemode.runtime import AbortSignal, CodeRunRequest, CodeRunResult

_STOPPING: Final = (signal.SIGINT, signal.SIGTERM)
_STOPPED_BY: Final = 128

_EXAMPLE: Final = (
    "\b\n"
    "Example:\n"
    "  codemode run program.py --tools tools.py:registry --mcp servers.json --compute-ms 5000"
)


@click.command(epilog=_EXAMPLE, short_help="Run a program.")
@click.argument("program", metavar="PROGRAM.py")
@tools_option
@mcp_option
@click.option("--json", "as_json", is_flag=True, help="Print the outcome as one JSON object.")
@config_option
@verbose_option
@budget_options
def run(  # noqa: PLR0913 - one parameter an option
    program: str,
    tools: Sequence[str],
    mcp: Sequence[Path],
    *,
    as_json: bool,
    config: Path | None,
    verbose: int,
    **budgets: int | str | None,
) -> NoReturn:
    """Run a program from a file, or (-) from standard input, in a process of its own.

    What it prints and returns goes to standard output, why it failed to standard error; so
    does what the tools themselves print. Sizes may be written 512M. A budget that is not given
    is that of the configuration, under [runtime].
    """
    open_missing_streams()
    if verbose:
        log_to_stderr(verbose)
    stopped_by: list[int] = []
    try:
        budget = configure(budgets, read_settings(config).runtime)
        source = read_program(program)
        entries = read_entries(mcp)
        with output_of_tools_on_stderr():
            toolbox = Toolbox.of(tools, entries)
            outcome = anyio.run(_run, budget, source, toolbox, stopped_by)
    except KeyboardInterrupt:
        click.echo("interrupted before the program had started", err=True)
        _leave(_STOPPED_BY + signal.SIGINT)
    if isinstance(outcome, CodemodeError):
        raise Refusal(str(outcome))
    try:
        if as_json:
            print_json(outcome, sys.stdout.buffer)
        else:
            print_text(outcome, sys.stdout, sys.stderr)
        sys.stdout.flush()
    except BrokenPipeError:
        os._exit(_STOPPED_BY + signal.SIGPIPE)  # nobody reads any more
    except OSError as error:
        click.echo(f"Error: the outcome cannot be written: {error}; free the output", err=True)
        os._exit(2)
    if stopped_by and outcome.error is not None and outcome.error.kind == "abort":
        _leave(_STOPPED_BY + stopped_by[0])
    _leave(int(outcome.error is not None))


async def _run(
    config: ProcessRuntimeConfig, program: str, toolbox: Toolbox, stopped_by: list[int]
) -> CodeRunResult | CodemodeError:
    """Run the program, watched by whoever sits at the terminal."""
    progress, abort = Progress(), AbortSignal()
    async with anyio.create_task_group() as beside:
        beside.start_soon(_abort_when_stopped, abort, stopped_by)
        if sys.stderr.isatty():
            beside.start_soon(progress.keep_showing, sys.stderr)
        # A misuse comes back as a value, since a task group would wrap the exception.
        try:
            async with toolbox.opened() as bindings, ProcessRuntime(config) as runtime:
                watched = [progress.watch(namespace) for namespace in bindings]
                request = CodeRunRequest(program=program, bindings=watched, signal=abort)
                outcome: CodeRunResult | CodemodeError = await runtime.run(request)
        except CodemodeError as error:
            outcome = error
        beside.cancel_scope.cancel()
    return outcome


async def _abort_when_stopped(abort: AbortSignal, stopped_by: list[int]) -> None:
    """Abort the run at the first signal, so that its output is kept; at the second, exit."""
    with anyio.open_signal_receiver(*_STOPPING) as signals:
        async for number in signals:
            if stopped_by:
                # What the run still waits for is not waited for; no guest outlives its host.
                os._exit(_STOPPED_BY + number)
            stopped_by.append(number)
            abort.abort(f"{number.name} stopped the command; the program and its process are gone")


def _leave(status: int) -> NoReturn:
    """Exit, and wait for no tool that the run has left behind in its thread."""
    sys.stdout.flush()
    sys.stderr.flush()
    if any(not thread.daemon for thread in threading.enumerate()[1:]):
        os._exit(status)
    raise SystemExit(status)
