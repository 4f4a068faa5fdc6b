"""Zone data in memory: a guest may open no file."""

from __future__ import annotations

import io
import zoneinfo
from functools import cache
from importlib import resources
from types import MappingProxyType
from typing import Final
from zoneinfo import _common

_PACKAGE: Final = "tzdata"


@cache
def zone_files() -> MappingProxyType[str, bytes]:
    """Read the file of each zone of the package tzdata, by key."""
    root = resources.files(_PACKAGE)
    keys = root.joinpath("zones").read_text(encoding="utf-8").split()
    folder = root.joinpath("zoneinfo")
    return MappingProxyType({key: folder.joinpath(key).read_bytes() for key in keys})


def available_timezones() -> set[str]:
    """Return the keys of all zones."""
    return set(zone_files())


def serve_from_memory() -> None:
    """Let `zoneinfo` read zones from memory, in this process, for good."""
    zone_files()
    # Without a search path it asks for the package's data, by a function that is looked up anew
    # each time.
    zoneinfo.reset_tzpath(to=())
    vars(_common)["load_tzdata"] = _load


def _load(key: str) -> io.BytesIO:
    try:
        return io.BytesIO(zone_files()[key])
    except KeyError:
        raise zoneinfo.ZoneInfoNotFoundError(f"No time zone found with key {key}") from None
