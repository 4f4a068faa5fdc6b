"""Each layer stops something by itself: with it alone the attack fails, without it it succeeds.

So the claims of `test_attacks` do not rest on one layer that hides what the others lack, and a
layer that ceases to work fails its own test here.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import pytest

from codemode_guest.confinement import LAYERS, Layer
from tests.hostile.conftest import IS_ROOT, Attack, carry_out

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="Linux confines")


@dataclass(frozen=True, slots=True)
class Trial:
    """An attack on one layer.

    Attributes:
        attack: Its name.
        arguments: What it needs to know.
        refused: What the layer makes of it.
        beside: The layers without which this one cannot be had, or the attack makes no sense.
        for_root: Whether only root has what the attack tries to use.
    """

    attack: str
    refused: str
    arguments: Sequence[Any] = ()
    beside: Sequence[Layer] = ()
    for_root: bool = False


#: Who is not root has no other namespace without one of users.
_APART: Final[tuple[Layer, ...]] = ("user_namespace",)

TRIALS: Final[dict[Layer, Trial]] = {
    "resource_limits": Trial("take much memory", "ENOMEM", [2**29]),
    # A setuid program starts, but as who had started it.
    "no_new_privileges": Trial(
        "a setuid program", "65534", ["$setuid"], ("unprivileged_user",), for_root=True
    ),
    "unprivileged_user": Trial("read a file", "EACCES", ["$private"], for_root=True),
    "capabilities": Trial("chroot", "EPERM", for_root=True),
    "seccomp": Trial("a network socket", "EPERM", beside=("no_new_privileges",)),
    "landlock": Trial("open a file", "EACCES", beside=("no_new_privileges",)),
    "user_namespace": Trial("the host's environment", "EACCES", ["$pid"]),
    "pid_namespace": Trial("ask for the host", "ESRCH", ["$pid"], _APART),
    "network_namespace": Trial("connect", "ENETUNREACH", ["$port"], _APART),
    "mount_namespace": Trial("list /etc", "ENOENT", beside=_APART),
    "ipc_namespace": Trial("shared memory by key", "ENOENT", ["$key"], _APART),
}


@pytest.fixture(scope="module")
def files() -> Iterator[dict[str, str]]:
    """A program that runs as root whoever starts it, and a file that is root's alone."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        private, setuid = folder / "private", folder / "id"
        private.write_text("hush", encoding="ascii")
        private.chmod(0o600)
        shutil.copy(shutil.which("id") or "/usr/bin/id", setuid)
        setuid.chmod(0o4755)
        yield {"$setuid": str(setuid), "$private": str(private)}


@pytest.fixture(scope="module")
def got(user: int | None, files: dict[str, str]) -> dict[Layer, list[Any]]:
    """For each layer what its attack got with it and without it, and which layers were active."""
    runtimes: dict[frozenset[Layer], list[Attack]] = {}
    places = []
    for layer, trial in TRIALS.items():
        if not is_tried(layer, trial, user):
            continue
        attack = trial.attack, [files.get(a, a) for a in trial.arguments]
        for layers in (frozenset({*trial.beside, layer}), frozenset(trial.beside)):
            # One runtime serves all attacks that want the same layers.
            attacks = runtimes.setdefault(layers, [])
            places.append((layer, layers, len(attacks)))
            attacks.append(attack)
    answers = carry_out(user, [(confined_by(layers), of) for layers, of in runtimes.items()])
    found = dict(zip(runtimes, answers, strict=True))
    got: dict[Layer, list[Any]] = {}
    for layer, layers, at in places:
        facts = {fact["layer"]: fact["active"] for fact in found[layers]["layers"]}
        got.setdefault(layer, []).append((found[layers]["outcomes"][at], facts[layer]))
    return got


#: Asks the kernel without any of our code.
PROBES: Final = {
    "landlock": "libc.syscall(444, None, 0, 1) < 1",
    "namespace": "libc.unshare(0x10000000) != 0",
}


@cache
def is_lacking(what: str) -> bool:
    """Whether this machine itself does not have it: a container, an old kernel."""
    code = f"import ctypes, sys; libc = ctypes.CDLL(None); sys.exit({PROBES[what]})"
    return subprocess.run([sys.executable, "-c", code], check=False).returncode != 0


def is_tried(layer: Layer, trial: Trial, user: int | None) -> bool:
    """Whether the machine has the layer, and the host what the attack tries to use."""
    if any(is_lacking(what) for what in PROBES if layer.endswith(what)):
        return False
    if user is None:
        return IS_ROOT or not trial.for_root
    # To the other layers it is one who the user is: root has shown them.
    return "user_namespace" in {layer, *trial.beside}


def confined_by(layers: frozenset[Layer]) -> dict[str, str]:
    """A confinement of these layers alone."""
    return {layer: "best-effort" if layer in layers else "off" for layer in LAYERS}


@pytest.mark.parametrize("layer", LAYERS)
def test_a_layer_stops_its_attack_alone_and_nothing_else_does(
    got: dict[Layer, list[Any]], layer: Layer
) -> None:
    """Without it the same attack succeeds, and `containment()` tells the two apart."""
    if layer not in got:
        pytest.skip("this user, or this machine, has nothing to show here")
    (with_it, told_with), (without_it, told_without) = got[layer]
    refused = TRIALS[layer].refused

    assert refused in with_it.values()
    assert "gained" in without_it
    assert refused not in without_it.values()
    assert (True, False) == (told_with, told_without)
