"""Run `everything.txt`, which uses a bit of everything, and report each open and import.

    python -m tests.guest.world.everything

Prints what the program printed, then one line for each audit event.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from codemode_guest import world
from tests.guest.world.programs import run

WATCHED = ("open", "import", "os.listdir", "os.scandir")

PROGRAM = Path(__file__).with_suffix(".txt").read_text(encoding="utf-8")


def main() -> None:
    """Run the program and report."""
    world.preload()
    world.seed(1)
    run("pass")  # the loop of these tests opens its own sockets
    events: list[str] = []
    watching = True

    def watch(event: str, args: tuple[object, ...]) -> None:
        # A name that is found among the loaded modules raises no event.
        if watching and event in WATCHED:
            events.append(f"{event} {args[:2]}")

    sys.addaudithook(watch)
    printed = run(PROGRAM)
    watching = False
    os.write(1, "\n".join([printed, *events]).encode())


if __name__ == "__main__":
    main()
