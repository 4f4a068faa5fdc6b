"""All zones of the package tzdata are in memory."""

from __future__ import annotations

import io
from zoneinfo import ZoneInfo

import pytest

from codemode_guest.world.zones import available_timezones, zone_files


def test_every_zone_can_be_made_from_memory() -> None:
    """Each file is a zone's."""
    for key, content in zone_files().items():
        assert key == ZoneInfo.from_file(io.BytesIO(content), key=key).key


@pytest.mark.parametrize("key", ["UTC", "Europe/Paris", "America/New_York", "Asia/Kolkata"])
def test_the_usual_zones_are_there(key: str) -> None:
    """Under their usual names."""
    assert key in available_timezones()
