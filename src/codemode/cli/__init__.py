"""The command `codemode`: parse, call the library, print.

Owns arguments, exit statuses and what a terminal shows. Decides nothing about programs,
tools or processes. Everything else is below it; nothing imports it. The core is
`run.run`, the command that runs one program.
"""

from __future__ import annotations

import sys

__all__ = ["main"]

#: 128 and the number of SIGINT, as shells have it.
_INTERRUPTED = 130


def main() -> None:
    """Run the command.

    It is imported here, under a guard: that takes long enough to be interrupted.
    """
    try:
        from codemode.cli.main import main as command  # noqa: PLC0415 - see above

        command()
    except KeyboardInterrupt:
        sys.stderr.write("interrupted before the program had started\n")
        sys.exit(_INTERRUPTED)
