"""The configuration file that commands share, and what they tell of themselves."""

from __future__ import annotations

import logging
import sys
from pathlib import Path
from typing import Final

import click

from codemode.bridge.configuration import Configuration, ConfigurationError
from codemode.cli.refusal import Refusal

# By how often `-v` was given.
_LEVELS: Final = (logging.WARNING, logging.INFO, logging.DEBUG)

config_option = click.option(
    "--config",
    type=click.Path(path_type=Path),
    help="A codemode.toml; by default the nearest, from here upwards.",
)
verbose_option = click.option(
    "-v",
    "--verbose",
    count=True,
    help="Tell on standard error where in the host a tool failed; with -vv, what MCP servers "
    "write to theirs, too.",
)


def read_settings(config: Path | None) -> Configuration:
    """Return the configuration that was named, or the nearest, or the defaults.

    Raises:
        Refusal: If it cannot be read, or says what cannot be.
    """
    try:
        return Configuration.find() if config is None else Configuration.load(config)
    except ConfigurationError as error:
        raise Refusal(str(error)) from None


def log_to_stderr(verbose: int) -> None:
    """Write warnings to standard error, and of ours as much as was asked for."""
    logging.basicConfig(stream=sys.stderr, format="%(name)s: %(message)s", level=logging.WARNING)
    level = _LEVELS[min(verbose, len(_LEVELS) - 1)]
    logging.getLogger("codemode").setLevel(level)
    if level > logging.DEBUG:
        silence_mcp_client()


def silence_mcp_client() -> None:
    """Have no traceback for each line of a server that is no message; our notes tell of them."""
    logging.getLogger("mcp.client").setLevel(logging.CRITICAL)
