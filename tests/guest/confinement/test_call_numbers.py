"""The tables of call numbers agree with the kernel's own headers."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from codemode_guest.confinement import call_numbers, seccomp
from codemode_guest.confinement.call_numbers import MACHINES, NEWEST, number, numbers_of

#: Where Debian, and others alike, install them. aarch64 has the generic numbers.
HEADERS = {
    "x86_64": ("x86_64-linux-gnu/asm/unistd_64.h", "asm/unistd_64.h"),
    "aarch64": ("asm-generic/unistd.h",),
}


def told(machine: str) -> dict[str, int]:
    """The numbers that the header of a machine defines."""
    places = [Path("/usr/include") / place for place in HEADERS[machine]]
    found = next((place for place in places if place.exists()), None)
    if found is None:
        pytest.skip(f"the kernel's headers for {machine} are not installed")
    defined = re.findall(r"#define __NR(?:3264)?_(\w+)\s+(\d+)", found.read_text(encoding="utf-8"))
    return {name: int(value) for name, value in defined}


@pytest.mark.parametrize("machine", MACHINES)
def test_a_table_says_what_the_headers_say(machine: str) -> None:
    """A wrong number would permit another call than the one that is named."""
    headers = told(machine)

    assert {name: headers.get(name) for name in numbers_of(machine)} == dict(numbers_of(machine))


@pytest.mark.parametrize("machine", MACHINES)
def test_a_call_that_a_table_leaves_out_is_one_that_the_machine_lacks(machine: str) -> None:
    """Else the filter would pass it over in silence."""
    headers = told(machine)
    used = {*seccomp.ALLOWED, *seccomp.KILLED, "tgkill", "clone3"}

    assert not {name for name in used - numbers_of(machine).keys() if name in headers}


@pytest.mark.parametrize("machine", MACHINES)
def test_no_known_call_has_a_number_beyond_the_newest(machine: str) -> None:
    """What is beyond fails as if the kernel were older."""
    assert max(numbers_of(machine).values()) <= NEWEST


def test_a_machine_without_a_table_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """The reason of a missing layer says what is missing."""
    monkeypatch.setattr(call_numbers, "numbers", dict)

    with pytest.raises(ValueError, match=f"known for a {os.uname().machine} machine"):
        number("seccomp")
