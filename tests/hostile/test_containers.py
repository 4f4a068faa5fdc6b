"""In containers that refuse namespaces, the layers that are left hold every attack.

Not the container engines themselves: a host that is refused the same calls and has the same
capabilities. Sources: moby/profiles, seccomp/default.json, which Kubernetes' RuntimeDefault has
alike, and the engines' default set of capabilities.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import pytest

from codemode.process import ProcessRuntimeConfig
from tests.hostile.attacks import ATTACKS
from tests.hostile.conftest import IS_ROOT, ORDINARY, carry_out
from tests.hostile.test_attacks import ARGUMENTS, FACTS

pytestmark = pytest.mark.skipif(
    sys.platform != "linux" or not IS_ROOT, reason="only root can play a container"
)

#: What the default profile permits with CAP_SYS_ADMIN only, and of that what matters here.
WITHOUT_ADMIN: Final = (
    *("unshare", "setns", "mount", "umount2", "pivot_root", "open_tree", "move_mount", "fsopen"),
    *("fsconfig", "fsmount", "fspick", "mount_setattr", "bpf", "perf_event_open"),
)
#: Docker's default set. Source: moby, daemon/pkg/oci/caps/defaults.go.
DOCKER: Final = (0, 1, 3, 4, 5, 6, 7, 8, 10, 13, 18, 27, 29, 31)
NAMESPACES: Final = {
    *("user_namespace", "pid_namespace", "network_namespace", "mount_namespace", "ipc_namespace"),
}


@dataclass(frozen=True, slots=True)
class Container:
    """Who the host is in it, what it refuses, what root keeps, and what is missing for that."""

    user: int | None
    refuse: Sequence[str]
    keep: Sequence[int]
    missing: set[str]


CONTAINERS: Final = {
    "docker": Container(None, WITHOUT_ADMIN, DOCKER, NAMESPACES),
    "a restricted pod": Container(ORDINARY, WITHOUT_ADMIN, (), NAMESPACES),
    "an old kernel in a pod": Container(
        ORDINARY,
        (*WITHOUT_ADMIN, "landlock_create_ruleset"),
        (),
        {*NAMESPACES, "landlock"},
    ),
}
DEFAULT: Final = ProcessRuntimeConfig().confinement.model_dump()
TRIED: Final = {name: ARGUMENTS.get(name, []) for name in ATTACKS if name not in FACTS}


@pytest.mark.parametrize("name", CONTAINERS)
def test_what_a_container_leaves_holds_every_attack(name: str) -> None:
    """The default configuration opens, tells what is missing, and nothing is gained."""
    container = CONTAINERS[name]
    (found,) = carry_out(
        container.user,
        [(DEFAULT, list(TRIED.items()))],
        {"refuse": container.refuse, "keep": container.keep},
    )
    missing = {fact["layer"] for fact in found["layers"] if not fact["active"]}
    gained = [
        attack
        for attack, outcome in zip(TRIED, found["outcomes"], strict=True)
        if "gained" in outcome
    ]

    assert container.missing == missing
    assert [] == gained


@pytest.fixture(scope="module")
def faults() -> list[Any]:
    """Why runtimes did not open in a container that refuses seccomp as well."""
    refused = {"refuse": [*WITHOUT_ADMIN, "seccomp"], "keep": DOCKER}
    return [found["fault"] for found in carry_out(None, [(DEFAULT, []), ("strict", [])], refused)]


def test_a_missing_layer_that_is_required_is_told_at_the_start(faults: list[Any]) -> None:
    """By name, with the system's reason and with what to allow."""
    fault, _ = faults

    assert "seccomp is missing (Operation not permitted): use x86-64 or aarch64" in fault
    assert "permit the seccomp call in the container's own profile" in fault
    assert "set its field of `Confinement` to 'best-effort'" in fault
    assert "_namespace" not in fault


def test_the_strict_profile_requires_every_layer(faults: list[Any]) -> None:
    """All that are missing are told at once."""
    _, fault = faults

    assert all(f"{layer} is missing" in fault for layer in {*NAMESPACES, "seccomp"})
    assert "user.max_user_namespaces" in fault
