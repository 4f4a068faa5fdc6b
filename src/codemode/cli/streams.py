"""The standard streams of the command: all three open, and standard output the program's alone."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout

_STREAMS = ((0, "stdin", "r"), (1, "stdout", "w"), (2, "stderr", "w"))


def open_missing_streams() -> None:
    """Open on nothing what the caller has closed, so that no file takes its number."""
    for fd, name, mode in _STREAMS:
        if getattr(sys, name) is None:
            opened = os.open(os.devnull, os.O_RDWR)
            if opened != fd:
                os.dup2(opened, fd)
                os.close(opened)
            setattr(sys, name, os.fdopen(fd, mode, encoding="utf-8", closefd=False))


@contextmanager
def output_of_tools_on_stderr() -> Iterator[None]:
    """Send to standard error what is written to standard output, by child processes too."""
    sys.stdout.flush()
    kept = os.dup(1)
    os.dup2(2, 1)
    try:
        with redirect_stdout(sys.stderr):
            yield
    finally:
        os.dup2(kept, 1)
        os.close(kept)
