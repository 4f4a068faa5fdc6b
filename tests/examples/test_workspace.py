"""The workspace tools reach everything below their folder, and nothing else."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from codemode import ToolCallError
from examples.workspace import MAX_FILE_BYTES, offer


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A workspace with a secret beside it and links that lead there."""
    (tmp_path / "secret.txt").write_text("secret")
    root = tmp_path / "workspace"
    (root / "src" / "deep").mkdir(parents=True)
    (root / "src" / "a.py").write_text("one\ntwo = TODO\nthree")
    (root / "src" / "deep" / "b.py").write_text("TODO\n" * 4)
    (root / ".hidden" / "folder").mkdir(parents=True)
    (root / ".hidden" / "folder" / "c.py").write_text("TODO")
    (root / "picture.bin").write_bytes(b"\x89PNG\0\xff")
    (root / "link.txt").symlink_to("../secret.txt")
    (root / "near.py").symlink_to("src/a.py")
    (root / "out").symlink_to("..")
    os.mkfifo(root / "pipe")
    return root


async def call(root: Path, tool: str, **arguments: object) -> Any:
    """What a program would get."""
    return await offer(root).binding_namespace().functions[tool](arguments)


async def test_files_are_listed_in_order_without_links_pipes_and_hidden_names(root: Path) -> None:
    """Only regular files that the other tools can open, and every one of those."""
    listed = await call(root, "list_files")

    assert {"files": ["picture.bin", "src/a.py", "src/deep/b.py"], "next": None} == listed


async def test_a_star_in_a_pattern_goes_through_folders(root: Path) -> None:
    """Hidden folders only if they are asked for."""
    hidden = await call(root, "list_files", pattern="*.py", hidden=True)

    assert [".hidden/folder/c.py", "src/a.py", "src/deep/b.py"] == hidden["files"]
    assert ["src/a.py", "src/deep/b.py"] == (await call(root, "list_files", pattern="s*"))["files"]


async def test_pages_follow_each_other_without_gap_or_overlap(root: Path) -> None:
    """`next` is the start of the next page, and None after the last, also when it is full."""
    first = await call(root, "list_files", limit=2)
    second = await call(root, "list_files", limit=2, start=first["next"])

    assert {"files": ["picture.bin", "src/a.py"], "next": 2} == first
    assert {"files": ["src/deep/b.py"], "next": None} == second
    assert {"text": "one\ntwo = TODO\n", "next": 2} == await call(
        root, "read_text", path="src/a.py", limit=2
    )
    assert {"text": "three", "next": None} == await call(
        root, "read_text", path="src/a.py", start=2, limit=1
    )


async def test_a_search_tells_where_what_was_left_out_and_whether_there_is_more(
    root: Path,
) -> None:
    """Nothing is left out in silence."""
    found = await call(root, "search_text", text="TODO", limit=2)

    assert {
        "matches": [
            {"path": "src/a.py", "line": 2, "text": "two = TODO"},
            {"path": "src/deep/b.py", "line": 1, "text": "TODO"},
        ],
        "unread": ["picture.bin"],
        "more": True,
    } == found


async def test_facts_are_told_of_a_file_that_is_no_text(root: Path) -> None:
    """Size, time and mode need no decoding."""
    os.utime(root / "picture.bin", (0, 0))

    assert {
        "path": "picture.bin",
        "size_bytes": 6,
        "modified": "1970-01-01T00:00:00Z",
        "executable": False,
    } == await call(root, "file_facts", path="picture.bin")


@pytest.mark.parametrize("tool", ["read_text", "file_facts"])
@pytest.mark.parametrize(
    "path,told",
    [
        ("link.txt", "it is a link, and links are not followed"),
        ("near.py", "it is a link, and links are not followed"),
        ("out/secret.txt", "cannot open 'out/secret.txt'"),
        ("../secret.txt", "is no path below the workspace"),
        ("src/../../secret.txt", "is no path below the workspace"),
        ("/etc/hostname", "is no path below the workspace"),
        ("src/\0a.py", "is no path below the workspace"),
        ("", "is no path below the workspace"),
        ("src", "'src' is not a file"),
        ("pipe", "'pipe' is not a file"),
        ("src/none.py", "cannot open 'src/none.py': No such file or directory"),
    ],
)
async def test_no_path_leads_out_of_the_folder(root: Path, tool: str, path: str, told: str) -> None:
    """Dots, links (inward ones too), pipes and folders are refused with what they are."""
    with pytest.raises(ToolCallError) as refused:
        await call(root, tool, path=path)

    assert told in str(refused.value)


async def test_a_folder_swapped_for_a_link_leads_nowhere(root: Path) -> None:
    """What was a folder when it was listed is still not followed as a link when it is read."""
    (path,) = (await call(root, "list_files", pattern="*b.py"))["files"]
    (root / "src" / "deep").rename(root / "moved")
    (root / "src" / "deep").symlink_to(root / "moved")

    with pytest.raises(ToolCallError, match=f"cannot open '{path}'"):
        await call(root, "read_text", path=path)


async def test_what_is_no_text_or_too_large_is_refused_with_the_reason(root: Path) -> None:
    """A binary file names the byte; a huge one its size and the limit, read only up to it."""
    with (root / "huge.log").open("wb") as huge:
        huge.truncate(MAX_FILE_BYTES + 1)
    (root / "nul.txt").write_bytes(b"a\0b")

    for path, told in {
        "picture.bin": r"'picture.bin' is not UTF-8 text \(byte 0\)",
        "nul.txt": "'nul.txt' is not text",
        "huge.log": f"'huge.log' has {MAX_FILE_BYTES + 1} bytes; only files up to",
    }.items():
        with pytest.raises(ToolCallError, match=told):
            await call(root, "read_text", path=path)


async def test_a_name_that_is_not_utf8_does_not_spoil_the_list(root: Path) -> None:
    """Such a name could not be told to a program; the others still are."""
    (root / "src" / os.fsdecode(b"\xff.py")).touch()

    assert ["src/a.py", "src/deep/b.py"] == (await call(root, "list_files", pattern="*.py"))[
        "files"
    ]


async def test_the_workspace_leaves_no_descriptor_open(root: Path) -> None:
    """However a call ends, what it opened is closed."""
    before = sorted(Path("/proc/self/fd").iterdir())
    for path in ("src/a.py", "src/deep/b.py", "out/secret.txt", "pipe", "src/none/x"):
        with suppress(ToolCallError):
            await call(root, "read_text", path=path)
    await call(root, "list_files")

    assert before == sorted(Path("/proc/self/fd").iterdir())


def test_a_root_that_is_no_folder_is_refused_at_once(root: Path) -> None:
    """The mistake shows when the tools are made, and says what to set."""
    with pytest.raises(NotADirectoryError, match="is not a folder; set WORKSPACE to one"):
        offer(root / "picture.bin")
