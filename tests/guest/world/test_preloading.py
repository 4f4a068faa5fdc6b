"""After `preload`, a process runs programs without opening or importing anything."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]


def test_a_program_that_uses_everything_opens_and_imports_nothing() -> None:
    """An audit hook sees no open and no import while all facades are used."""
    found = subprocess.run(
        [sys.executable, "-m", "tests.guest.world.everything"],
        cwd=ROOT, capture_output=True, text=True, timeout=60, check=True,
    )  # fmt: skip
    printed, _, events = found.stdout.partition("\ndone\n")
    assert "" == events.strip()
    assert printed.endswith("was never awaited")
    assert "" == found.stderr


def test_the_hook_sees_what_is_not_preloaded() -> None:
    """Without `preload`, a codec is imported at its first use."""
    script = (
        "from tests.guest.world import everything; everything.world.preload = lambda: None; "
        'everything.PROGRAM = \'print("x".encode("idna"))\'; everything.main()'
    )
    found = subprocess.run(
        [sys.executable, "-c", script],
        cwd=ROOT, capture_output=True, text=True, timeout=60, check=True,
    )  # fmt: skip
    assert "import ('encodings.idna'" in found.stdout
