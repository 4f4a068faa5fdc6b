"""Print what came of a run, for a person or for another program."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import BinaryIO, TextIO

from codemode.cli.screen import show
from codemode.runtime import ABSENT, CodeRunResult
from codemode_guest.values import encode


def print_json(result: CodeRunResult, stream: BinaryIO) -> None:
    """Write the result as one object on one line, in UTF-8.

    `value` is left out when there is none; of the failure, what is not known.
    """
    error = result.error
    told = {
        **({} if result.value is ABSENT else {"value": result.value}),
        "logs": list(result.logs),
        "error": error and {key: v for key, v in asdict(error).items() if v is not None},
    }
    stream.write(encode(told) + b"\n")


def print_text(result: CodeRunResult, stdout: TextIO, stderr: TextIO) -> None:
    """Write printed lines as they are, then the value; a failure goes to `stderr`."""
    for line in result.logs:
        show(line, stdout)
    if result.value is not ABSENT:
        show(_readable(result.value), stdout)
    if result.error is not None:
        stdout.flush()
        show(f"{result.error.kind}: {result.error.message}", stderr)


def _readable(value: object) -> str:
    if isinstance(value, str):
        return value
    try:
        return json.dumps(value, ensure_ascii=False, indent=2)
    except RecursionError:
        # Thousands of levels, which nobody reads indented.
        return encode(value).decode()
