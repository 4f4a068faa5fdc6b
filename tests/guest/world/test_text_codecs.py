"""All codecs of the library are in memory."""

from __future__ import annotations

import codecs
import encodings.aliases

import pytest

from codemode_guest.world.text_codecs import codec_infos, find_codec


@pytest.mark.parametrize(
    "name",
    ["utf-8", "UTF 8", "latin-1", "ISO-8859-1", "u16", "idna", "shift-jis", "cp1252", "rot13"],
)
def test_a_codec_is_found_by_any_of_its_names(name: str) -> None:
    """The same codec that the library finds."""
    found = find_codec(name.lower())
    assert found is not None
    assert codecs.lookup(name).name == found.name


def test_every_alias_that_the_library_finds_is_found() -> None:
    """Nothing that works elsewhere is missing here."""
    for alias in encodings.aliases.aliases:
        try:
            expected = codecs.lookup(alias)
        except LookupError:
            continue
        found = find_codec(alias)
        assert found is not None
        assert expected.name == found.name


def test_an_unknown_name_is_not_found() -> None:
    """The interpreter makes a LookupError of it."""
    assert find_codec("no_such_codec") is None
    assert "aliases" not in codec_infos()
