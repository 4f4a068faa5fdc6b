"""What the command line names is read, or refused with what, where and what to do."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from codemode.cli.refusal import Refusal
from codemode.cli.sources import load_tools, read_program
from codemode.runtime import CodeBindingNamespace
from codemode.tools import ToolRegistry

TOOLS = """
from codemode.runtime import CodeBindingNamespace
from codemode.tools import ToolRegistry
from dataclasses import dataclass
import beside

@dataclass
class Point:
    x: int

registry = ToolRegistry()
github = CodeBindingNamespace(global_name="github", functions={})
number = 7

@registry.tool
def point(x: int = beside.X) -> Point:
    return Point(x)
"""


@pytest.fixture
def tools(tmp_path: Path) -> Path:
    """A tools file, named like a module of ours, that imports a module beside it."""
    (tmp_path / "beside.py").write_text("X = 4\n")
    path = tmp_path / "click.py"
    path.write_text(TOOLS)
    return path


@pytest.fixture(autouse=True)
def _restored_imports(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take back what loading a tools file does to this process."""
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.setattr(sys, "modules", dict(sys.modules))


def refusal(spec: object) -> str:
    with pytest.raises(Refusal) as refused:
        load_tools(str(spec))
    return refused.value.message


async def test_a_registry_in_a_file_is_loaded_with_its_tools(tools: Path) -> None:
    """The file can import what lies beside it, as any script can, and hides no module."""
    click = sys.modules["click"]

    registry = load_tools(f"{tools}:registry")

    assert isinstance(registry, ToolRegistry)
    assert {"x": 4} == await registry.binding_namespace().functions["point"]({})
    assert click is sys.modules["click"]


def test_a_namespace_in_a_file_is_taken_as_it_is(tools: Path) -> None:
    """Whoever wants another global than `tools` makes the namespace."""
    found = load_tools(f"{tools}:github")

    assert isinstance(found, CodeBindingNamespace)
    assert "github" == found.global_name


@pytest.mark.parametrize("spec", ["tools.py", ":registry", "tools.py:", ""])
def test_tools_without_file_or_name_are_refused_with_the_form(spec: str) -> None:
    """The message shows what to write."""
    assert "does not say which tools; write FILE.py:NAME" in refusal(spec)


def test_a_missing_tools_file_is_named(tmp_path: Path) -> None:
    """The path is shown as it was given."""
    assert f"there is no file '{tmp_path}/none.py'; check the path" in refusal(
        f"{tmp_path}/none.py:registry"
    )


@pytest.mark.parametrize(
    "name,told",
    [
        ("regsitry", "defines no 'regsitry'; did you mean 'registry'?"),
        ("zzz", "defines no 'zzz'; did you mean 'registry'?"),
        ("number", "'number' is of type int; a ToolRegistry or a CodeBindingNamespace is needed"),
    ],
)
def test_a_name_that_is_no_registry_is_refused_with_one_that_is(
    tools: Path, name: str, told: str
) -> None:
    """A slip of the pen costs one more attempt, not a look into the file."""
    assert told in refusal(f"{tools}:{name}")


def test_a_file_without_any_registry_is_told_how_to_make_one(tmp_path: Path) -> None:
    """There is nothing to suggest but the way."""
    (tmp_path / "empty.py").touch()

    assert "make one there: registry = codemode.ToolRegistry()" in refusal(
        f"{tmp_path}/empty.py:registry"
    )


@pytest.mark.parametrize(
    "source,told",
    [
        ("x = 1\ny = 1 / 0\n", "line 2, raised ZeroDivisionError: division by zero\n  y = 1 / 0"),
        ("import json\njson.loads('[')", "line 2, raised JSONDecodeError: "),
        ("raise SystemExit", "line 1, raised SystemExit\n  raise SystemExit"),
        ("x = 1\nif True print()", "line 2, does not parse: SyntaxError: "),
        ("import nothing_of_that_name", "raised ModuleNotFoundError: No module named"),
        ("from codemode.tools import define_tools", "line 1, raised ImportError: cannot import"),
    ],
)
def test_a_tools_file_that_raises_is_shown_with_its_own_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, source: str, told: str
) -> None:
    """The line of that file, however deep the exception came from, and no traceback of ours."""
    (tmp_path / "tools.py").write_text(source)
    monkeypatch.chdir(tmp_path)

    message = refusal("tools.py:registry")

    assert message.startswith("the tools file tools.py, line ")
    assert told in message
    assert "Traceback" not in message


def test_a_program_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    """Missing, a folder, or bytes that are no UTF-8."""
    latin = tmp_path / "latin.py"
    latin.write_bytes(b"print('\xe9')")

    for path, told in {
        str(tmp_path / "none.py"): "No such file or directory; give the path of a Python file",
        str(tmp_path): "Is a directory; give the path",
        str(latin): "is not UTF-8 (byte 7)",
    }.items():
        with pytest.raises(Refusal) as refused:
            read_program(path)
        assert repr(path) in refused.value.message
        assert told in refused.value.message
