"""Hosts in processes of their own, as root and as an ordinary user, and what their guests got."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import pytest

HOST: Final = Path(__file__).with_name("host.py")
#: Nobody's in particular.
ORDINARY: Final = 54321
DEADLINE_S: Final = 100
IS_ROOT: Final = os.getuid() == 0

Attack = tuple[str, Sequence[Any]]


def carry_out(
    user: int | None,
    runtimes: Sequence[tuple[Any, Sequence[Attack]]],
    container: dict[str, Sequence[Any]] | None = None,
) -> Any:
    """What came of attacks, for each confinement with which a runtime is opened.

    Args:
        user: Who the host is; None for who runs the tests.
        runtimes: Confinements, each with its attacks.
        container: The calls that it refuses, and the capabilities that root keeps in it.
    """
    plan = json.dumps({"user": user, "container": container, "runtimes": runtimes})
    done = subprocess.run(
        [sys.executable, str(HOST), plan],
        capture_output=True,
        text=True,
        timeout=DEADLINE_S,
        check=False,
    )
    assert 0 == done.returncode, done.stderr
    return json.loads(done.stdout)


USERS: Final = [
    pytest.param(None, id="as root" if IS_ROOT else "as an ordinary user"),
    pytest.param(
        ORDINARY,
        id="as an ordinary user of root's",
        marks=pytest.mark.skipif(not IS_ROOT, reason="who is not root is an ordinary user"),
    ),
]


@pytest.fixture(scope="module", params=USERS)
def user(request: pytest.FixtureRequest) -> int | None:
    """Who the host is."""
    found: int | None = request.param
    return found
