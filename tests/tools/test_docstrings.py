"""Docstrings in each of the usual styles give the same descriptions."""

from __future__ import annotations

from typing import Annotated

import pytest
from pydantic import Field

from codemode.tools import define
from codemode.tools.docstrings import read_docstring

GOOGLE = """Search a folder.

    Hidden files are left out.

    Args:
        path: Where to look,
            relative to the workspace.
        limit (int, optional): How many at most.

    Returns:
        The paths.

    Raises:
        ToolCallError: If there is no such folder.
    """
NUMPY = """Search a folder.

    Hidden files are left out.

    Parameters
    ----------
    path : str
        Where to look,
        relative to the workspace.
    limit : int, optional
        How many at most.

    Returns
    -------
    list
        The paths.

    Raises
    ------
    ToolCallError
        If there is no such folder.
    """
SPHINX = """Search a folder.

    Hidden files are left out.

    :param path: Where to look,
        relative to the workspace.
    :param int limit: How many at most.
    :returns: The paths.
    :raises ToolCallError: If there is no such folder.
    """


def search(path: str, limit: int = 3) -> list[str]:
    return [path] * limit


@pytest.mark.parametrize("docstring", [GOOGLE, NUMPY, SPHINX], ids=["google", "numpy", "sphinx"])
def test_every_style_describes_the_tool_and_each_parameter(
    docstring: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is said of a parameter goes to its schema, the rest stays the description."""
    monkeypatch.setattr(search, "__doc__", docstring)

    definition = define(search)

    assert (
        "Search a folder.\n\nHidden files are left out.\n\nReturns: The paths.\n\n"
        "Raises ToolCallError: If there is no such folder."
    ) == definition.description
    assert {
        "type": "object",
        "additionalProperties": False,
        "properties": {
            "path": {"type": "string", "description": "Where to look, relative to the workspace."},
            "limit": {"type": "integer", "default": 3, "description": "How many at most."},
        },
        "required": ["path"],
    } == definition.input_schema


@pytest.mark.parametrize(
    "docstring",
    [
        "Do it: all of it.\n\n    Note: this has colons, and\n      an indented line.",
        "Parameters.\n\n    Parameters\n    ----------\n    :param\n    ",
        "",
    ],
)
def test_a_docstring_of_no_style_is_the_description_as_it_stands(
    docstring: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is lost and nothing rewritten."""
    monkeypatch.setattr(search, "__doc__", docstring)

    read = read_docstring(search)

    assert {} == read.parameters
    assert docstring.split() == read.description.split()


def test_what_the_annotation_says_of_a_parameter_has_the_last_word() -> None:
    """Two descriptions do not add up."""

    def both(n: Annotated[int, Field(description="From the annotation.", ge=1)]) -> None:
        """Do it.

        Args:
            n: From the docstring.
            gone: A parameter that there was once.
        """

    properties = define(both).input_schema["properties"]

    assert {
        "n": {"type": "integer", "description": "From the annotation.", "minimum": 1}
    } == properties
