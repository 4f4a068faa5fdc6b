"""The command `codemode`: parse, call the library, print.

Owns arguments, exit statuses and what a terminal shows. Decides nothing about programs,
tools or processes. Everything else is below it; nothing imports it. The core is
`run.run`, the command that runs one program.
"""

from codemode.cli.main import main

__all__ = ["main"]
