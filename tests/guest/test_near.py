"""A slip is told from a name that is merely unknown."""

from __future__ import annotations

import pytest

from codemode_guest.near import nearest

KNOWN = ["list_items", "listings", "get-user"]


@pytest.mark.parametrize(
    "name,meant",
    [
        ("lst_items", "list_items"),
        ("listItems", "list_items"),
        ("LISTINGS", "listings"),
        ("get_user", "get-user"),
        ("weather", None),
        ("", None),
    ],
)
def test_the_name_that_is_most_like_it_is_meant(name: str, meant: str | None) -> None:
    """One that is written in another style comes before one that shares more letters."""
    assert meant == nearest(name, KNOWN)


def test_how_like_it_must_be_is_for_the_caller_to_say() -> None:
    """Where few names are known, a guess that is far off is still the best."""
    assert nearest("items", KNOWN, likeness=0.9) is None
    assert "list_items" == nearest("items", KNOWN, likeness=0.5)


def test_a_name_that_nobody_mistypes_is_compared_with_nothing() -> None:
    """Its length is a stranger's to choose; at once, or this takes a minute."""
    long = "ab" * 1_000_000

    assert nearest(long, [long[1:], *KNOWN]) is None
