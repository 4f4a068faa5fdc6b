"""Run a program in a process of its own, which `preload` has changed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]

_SCRIPT = (
    "import sys; from codemode_guest import world; from tests.guest.world.programs import run; "
    "world.preload(); sys.__stdout__.write(run(sys.argv[1]))"
)


def disarmed(program: str) -> str:
    """Run a text there, with no static policy; return what it printed."""
    found = subprocess.run(
        [sys.executable, "-c", _SCRIPT, program],
        cwd=ROOT, capture_output=True, text=True, timeout=60, check=True,
    )  # fmt: skip
    return found.stdout
