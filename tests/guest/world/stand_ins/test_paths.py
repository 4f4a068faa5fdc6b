"""Paths are text: what computes with them works, what touches files says why not."""

from __future__ import annotations

import pytest

from tests.guest.world.disarmed import disarmed
from tests.guest.world.programs import run, run_natively

SAME = {
    "pure paths": """
from pathlib import PurePath, PurePosixPath, PureWindowsPath
for kind in (PurePath, PurePosixPath, PureWindowsPath):
    path = kind("a/b") / "c.tar.gz"
    print(path, path.name, path.stem, path.suffixes, path.parent, path.parts, path.is_absolute())
    print(path.with_suffix(".x"), path.relative_to("a"), path.match("*.gz"), path.as_posix())
    print(kind("/x/../y").joinpath("z"), sorted([kind("b"), kind("a")]), path == kind(str(path)))
    print(hash(path) == hash(kind(str(path))), list(path.parents), path.is_relative_to("a"))
    try:
        path.relative_to("q")
    except ValueError as error:
        print("no")
print(PureWindowsPath("C:/a\\\\b").drive, PureWindowsPath("C:/A") == PureWindowsPath("c:/a"))
print(PurePosixPath(PureWindowsPath("a\\\\b")), PurePosixPath("/a b").as_uri())""",
    "os.path": """
import os, os.path
from os.path import join, splitext as split
from pathlib import PurePath
print(join("a", "b/", "c"), split("x.tar.gz"), os.path.basename("/a/b"), os.path.dirname("/a/b"))
print(os.path.normpath("a/../b//c"), os.path.isabs("/"), os.path.commonpath(["/a/b", "/a/c"]))
print(os.sep, os.linesep == "\\n", os.fspath(PurePath("x")), os.path.split("a/b"))""",
}


@pytest.mark.parametrize("case", SAME)
def test_what_a_program_sees_is_what_the_library_does(case: str) -> None:
    """The same text prints the same on plain CPython."""
    assert run_natively(SAME[case]) == disarmed(SAME[case])


def test_a_path_computes_and_says_why_it_reads_no_file() -> None:
    """`Path` is there, since everybody writes it; every method of files names the way out."""
    source = """
from pathlib import Path
path = Path("data") / "report.csv"
print(path.with_suffix(".json"), type(path.parent).__name__, isinstance(path, Path))
for attempt in (lambda: path.read_text(), lambda: Path.cwd(), lambda: path.exists()):
    try:
        attempt()
    except AttributeError as error:
        print(error)
"""
    reasons = [
        f"Path.{name} is not available: a program has no files; call a tool"
        for name in ("read_text", "cwd", "exists")
    ]
    assert ["data/report.json Path True", *reasons] == run(source).splitlines()
