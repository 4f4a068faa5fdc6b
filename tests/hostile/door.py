"""The door that the released package does not have: a template whose guests run attacks.

A template is started with this module's `main` in the place of its own. It is the template of
the package in all but this: where a guest would compile its program under the policy and run it,
it carries out the attack that the text names, and so it prepares no library for programs and
rehearses none.
"""

from __future__ import annotations

import json
from typing import Any

import attacks  # type: ignore[import-not-found]  # beside this file, for the template alone

from codemode_guest import guest, template, world


def _carry_out(text: str, *_: Any, **__: Any) -> tuple[bytes, ...]:
    name, arguments = json.loads(text)
    outcome = attacks.carry_out(name, arguments)
    return b'["done",{"value":', json.dumps(outcome).encode(), b"}]"


def main(control_fd: int, host_fd: int, settings: str) -> None:
    """Be the template."""
    guest.run_program = _carry_out  # type: ignore[assignment, attr-defined]  # the door
    world.preload = lambda: None
    guest.rehearse = lambda *_: None
    template.main(control_fd, host_fd, settings)
