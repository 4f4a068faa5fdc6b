"""What the threat model states as fact."""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path
from typing import Final

import pytest

from codemode.process import Confinement
from codemode_guest.confinement import LAYERS
from tests.hostile.attacks import ATTACKS

CHECKOUT: Final = Path(__file__).parents[2]
PAGE: Final = (CHECKOUT / "docs" / "threat-model.md").read_text(encoding="utf-8")


def test_every_layer_has_its_row_in_order() -> None:
    """With what it stops and the test that shows it."""
    rows = re.findall(r"^\| `(\w+)` \| [PG] \| .+ \| `tests/.+` \|$", PAGE, re.MULTILINE)

    assert list(LAYERS) == rows


def test_every_test_that_it_names_is_there() -> None:
    """A claim whose test was moved is a claim without one."""
    named = set(re.findall(r"`(tests/[\w/.]+)`", PAGE))

    assert named
    assert [] == [name for name in named if not (CHECKOUT / name).exists()]


@pytest.mark.skipif(sys.platform != "linux", reason="nothing is required elsewhere")
def test_the_layers_that_it_says_are_required_by_default_are() -> None:
    """By name."""
    (sentence,) = re.findall(r"By default (`[^.]+`) are required on Linux", PAGE)

    assert set(re.findall(r"`(\w+)`", sentence)) == set(Confinement().layers("required"))


def test_the_attacks_are_as_many_as_it_says() -> None:
    """Some ninety."""
    assert 85 <= len(ATTACKS) <= 95


def test_the_door_is_in_no_package_that_is_released() -> None:
    """The wheel is of two packages, and what switches the policy off is in neither."""
    project = tomllib.loads((CHECKOUT / "pyproject.toml").read_text(encoding="utf-8"))
    packages = project["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]
    released = [path for package in packages for path in (CHECKOUT / package).rglob("*.py")]
    door = (CHECKOUT / "tests/hostile/door.py").read_text(encoding="utf-8")
    (opened,) = re.findall(r"^    (guest\.run_program) = ", door, re.MULTILINE)

    assert ["src/codemode", "src/codemode_guest"] == packages
    assert not {"door.py", "attacks.py"} & {path.name for path in released}
    assert [] == [path for path in released if f"{opened} =" in path.read_text(encoding="utf-8")]
