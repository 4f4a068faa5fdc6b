"""The command group, and what all commands share."""

from __future__ import annotations

import click

from codemode.cli.check import check
from codemode.cli.doctor import doctor
from codemode.cli.init import init
from codemode.cli.log import log
from codemode.cli.run import run
from codemode.cli.sdk import sdk
from codemode.cli.serve import serve


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="codemode", message="%(prog)s %(version)s")
def main() -> None:
    """Run Python programs that a model wrote, with your tools, in a locked-down process.

    Exit status: 0 on success, 1 when the program failed, 2 when nothing was run because
    of a usage error or because this machine lacks something, 128 plus the signal's number
    (130 for Ctrl-C) when the program was stopped by one.
    """


main.add_command(run)
main.add_command(check)
main.add_command(sdk)
main.add_command(log)
main.add_command(doctor)
main.add_command(serve)
main.add_command(init)
