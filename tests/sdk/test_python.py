"""The generator keeps what it has read: an unchanged set costs nothing, a changed tool one."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass, field
from typing import Any

import pytest

from codemode.sdk import GENERATORS, UnknownLanguageError, UnnamedToolError, render_sdk
from codemode.sdk.entries import Entry
from codemode.sdk.python import PythonSdk
from codemode.sdk.signature import Signature, signature_of
from tests.sdk.checking import STRING, raw, tool


@dataclass(frozen=True)
class Definition:
    """The part of a `ToolDefinition` that the generator reads."""

    name: str
    description: str = ""
    input_schema: dict[str, Any] = field(default_factory=dict)
    output_schema: dict[str, Any] | None = None
    namespace: str | None = None
    member: str | None = None


class Counting:
    """A generator, and the names of the tools that it reads, as it reads them."""

    def __init__(self) -> None:
        self.read: list[str] = []
        self.generate = PythonSdk(self._read).generate

    def _read(self, entry: Entry) -> Signature:
        self.read.append(entry.name)
        return signature_of(entry)


def test_an_unchanged_set_gives_the_very_same_text() -> None:
    """By definition or by content, in any order: nothing is read or written again."""
    generator = Counting()
    definitions = [Definition(name) for name in "abc"]
    entries = [tool(name, x=STRING) for name in "abc"]
    first, second = generator.generate(definitions), generator.generate(entries)

    assert first is generator.generate(definitions)
    assert second is generator.generate([tool(name, x=STRING) for name in "cab"])
    assert list("abcabc") == generator.read


def test_of_a_changed_set_only_the_changed_tool_is_read() -> None:
    """One new description among a hundred tools is one reading."""
    generator = Counting()
    entries = [tool(f"t{number}", x=STRING) for number in range(100)]
    generator.generate(entries)
    generator.read.clear()
    entries[7] = tool("t7", description="New.", x=STRING)

    assert "New." in generator.generate(entries).text
    assert ["t7"] == generator.read


def test_what_is_remembered_of_one_tool_s_fields_changes_no_other_s() -> None:
    """The same words may mean another type elsewhere, or be required there and not here."""
    at = {"x": {"$ref": "#/$defs/T"}, "y": {**STRING, "format": "uri"}, "z": {"enum": [1]}}
    entries = [
        raw("a", {"properties": at, "required": ["y"], "$defs": {"T": STRING}}),
        raw("b", {"properties": {**at, "z": {"enum": [True]}}, "$defs": {"T": {"type": "null"}}}),
        raw("c", {"properties": {"l": {"items": {"properties": at}}}, "$defs": {"T": {}}}),
    ]
    together = PythonSdk()
    together.generate(entries)
    for entry in entries:
        assert PythonSdk().generate([entry]).text == together.generate([entry]).text


def test_a_dict_that_was_changed_in_place_is_seen() -> None:
    """Only definitions are trusted to stay what they are."""
    generator = Counting()
    entry = tool("f", x=STRING)
    generator.generate([entry])
    entry["description"] = "Changed."
    assert "Changed." in generator.generate([entry]).text


def test_the_text_does_not_depend_on_the_hash_seed() -> None:
    """Checklist 43: two processes with other seeds write the same bytes."""
    program = (
        "import sys; sys.path.insert(0, '.')\n"
        "from codemode.sdk import render_sdk\n"
        "from tests.sdk.test_hostile import BROKEN, NAMES\n"
        "tools = [{'name': n, 'inputSchema': {'properties': dict.fromkeys(NAMES, s)}}"
        " for n, s in zip(NAMES, BROKEN)]\n"
        "print(render_sdk(tools), render_sdk(tools, form='stub'))"
    )
    texts = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
            timeout=60,
        ).stdout
        for seed in ("1", "2")
    }
    assert 1 == len(texts)


def test_an_unknown_language_is_refused_by_the_names_of_those_that_there_are() -> None:
    """Checklist 38: the message names the known ones."""
    assert "python" in GENERATORS
    with pytest.raises(UnknownLanguageError, match=r"'cobol'.*'python'"):
        render_sdk([], language="cobol")


def test_an_entry_without_a_name_is_refused() -> None:
    """It could not be called; the message shows it."""
    with pytest.raises(UnnamedToolError, match="inputSchema"):
        render_sdk([{"inputSchema": {}}])
