"""The budgets of the process backend as options, one for each of its configuration."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Final, TypeVar

import click
import pydantic

from codemode.cli.descriptions import descriptions
from codemode.cli.refusal import Refusal
from codemode.process import PROFILES, ProcessRuntimeConfig

# Of many runs; a command makes one, for which nothing need be forked ahead.
_OF_MANY_RUNS: Final = {"guests_per_template", "max_concurrent_runs", "spare_guests"}
_UNITS: Final = {"": 1, "K": 2**10, "M": 2**20, "G": 2**30}


F = TypeVar("F", bound=Callable[..., object])


def _size(text: str) -> int:
    """Read a number of bytes: `1048576`, `1024K` and `1M` are the same."""
    match = re.fullmatch(r"(-?\d+)([KMG]?)(?:iB|B)?", text, re.IGNORECASE)
    if match is None:
        raise click.BadParameter(f"{text!r} is no size; write bytes, or a number with K, M or G")
    return int(match[1]) * _UNITS[match[2].upper()]


def budget_options(command: F) -> F:
    """Give a command one option for each budget that can be set, under the budget's own name."""
    described = descriptions(ProcessRuntimeConfig)
    command = click.option(
        "--confinement",
        type=click.Choice(PROFILES),
        help="What is asked of the layers that `codemode doctor` shows: all of them (strict), "
        "what there is, or nothing. Default: the essential ones, and of the others what there is.",
    )(command)
    for name, field in reversed(ProcessRuntimeConfig.model_fields.items()):
        if name not in {"confinement", *_OF_MANY_RUNS}:
            is_size = name.endswith("_bytes")
            command = click.option(
                _flag(name),
                type=_size if is_size else int,
                metavar="SIZE" if is_size else "N",
                help=f"{described.get(name, '')} Default: {field.default:,}.",
            )(command)
    return command


def configure(
    given: Mapping[str, int | str | None], otherwise: ProcessRuntimeConfig
) -> ProcessRuntimeConfig:
    """Return the configuration of one run.

    Args:
        given: Budgets by their names, `None` where nothing was said.
        otherwise: What holds for those.

    Raises:
        Refusal: If one is out of its range.
    """
    chosen = {name: value for name, value in given.items() if value is not None}
    try:
        return ProcessRuntimeConfig.model_validate({**dict(otherwise), "spare_guests": 0, **chosen})
    except pydantic.ValidationError as error:
        wrong = (
            f"{_flag(str(detail['loc'][0])) if detail['loc'] else 'the budgets'} "
            f"{detail['input']}: {detail['msg']}"
            for detail in error.errors()
        )
        raise Refusal("; ".join(wrong)) from None


def _flag(name: str) -> str:
    return "--" + name.replace("_", "-")
