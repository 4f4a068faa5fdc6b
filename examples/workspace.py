"""Tools over one folder: list, read and search its files, and tell facts about them.

The folder is the environment variable WORKSPACE, or the current one. Nothing outside it can
be reached: every path is walked from the open folder, component by component, and a symbolic
link is never followed, wherever it leads.

    codemode run examples/largest_modules.py --tools examples/workspace.py:registry
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from fnmatch import fnmatchcase
from io import StringIO
from pathlib import Path, PurePosixPath
from typing import Annotated, BinaryIO, Final

from pydantic import Field

from codemode import ToolCallError, ToolRegistry

MAX_FILE_BYTES: Final = 16 * 2**20
MAX_LINE_CHARS: Final = 500

Start = Annotated[int, Field(ge=0)]
Limit = Annotated[int, Field(ge=1, le=5_000)]


@dataclass(frozen=True, slots=True, kw_only=True)
class FileList:
    """Some of the files that match, in the order of their paths.

    `next` is the `start` of the next page, or `None` after the last.
    """

    files: list[str]
    next: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    """Some lines of a file; `next` as in `FileList`."""

    text: str
    next: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """A line that holds what was searched for, cut at 500 characters."""

    path: str
    line: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Matches:
    """What a search found; `unread` lists the files that are too large or no text.

    `more` says that the limit cut the search short.
    """

    matches: list[Match]
    unread: list[str]
    more: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """What the file system says of one file."""

    path: str
    size_bytes: int
    modified: datetime
    executable: bool


class Workspace:
    """The files below one folder."""

    def __init__(self, root: Path) -> None:
        if not root.is_dir():
            raise NotADirectoryError(f"{str(root)!r} is not a folder; set WORKSPACE to one")
        self._root = root

    def list_files(
        self, pattern: str = "*", start: Start = 0, limit: Limit = 1_000, *, hidden: bool = False
    ) -> FileList:
        """List files, links and folders left out.

        `*` in the pattern stands for any text, slashes too: `src/*.py` goes all the way down.
        Names that start with a dot are passed over, unless `hidden`; so are
        names that are not UTF-8, which no tool could be asked for.
        """
        found = sorted(self._matching(pattern, hidden=hidden))
        end = start + limit
        return FileList(files=found[start:end], next=end if end < len(found) else None)

    def read_text(self, path: str, start: Start = 0, limit: Limit = 5_000) -> Text:
        """Read lines of a UTF-8 file, counted from 0."""
        lines = StringIO(self._text(path)).readlines()
        end = start + limit
        return Text(text="".join(lines[start:end]), next=end if end < len(lines) else None)

    def search_text(self, text: str, pattern: str = "*", limit: Limit = 200) -> Matches:
        """Find the lines that hold a text as it stands, in the files that match the pattern.

        Lines are numbered from 1.
        """
        matches: list[Match] = []
        unread: list[str] = []
        for path in sorted(self._matching(pattern, hidden=False)):
            try:
                lines = StringIO(self._text(path)).readlines()
            except ToolCallError:
                unread.append(path)
                continue
            for number, line in enumerate(lines, start=1):
                if text in line:
                    if len(matches) == limit:
                        return Matches(matches=matches, unread=unread, more=True)
                    matches.append(
                        Match(path=path, line=number, text=line.rstrip("\n")[:MAX_LINE_CHARS])
                    )
        return Matches(matches=matches, unread=unread, more=False)

    def file_facts(self, path: str) -> Facts:
        """Tell the size of a file, when it was changed, and whether it can be executed."""
        with self._open(path) as file:
            status = os.fstat(file.fileno())
        return Facts(
            path=path,
            size_bytes=status.st_size,
            modified=datetime.fromtimestamp(status.st_mtime, UTC),
            executable=bool(status.st_mode & stat.S_IXUSR),
        )

    def _matching(self, pattern: str, *, hidden: bool) -> Iterator[str]:
        root = os.open(self._root, os.O_RDONLY | os.O_DIRECTORY)
        try:
            for folder, folders, names, at in os.fwalk(".", dir_fd=root):
                if not hidden:
                    folders[:] = [name for name in folders if not name.startswith(".")]
                    names = [name for name in names if not name.startswith(".")]  # noqa: PLW2901
                for name in names:
                    path = f"{folder}/{name}".removeprefix("./")
                    if _is_utf8(path) and fnmatchcase(path, pattern) and _is_file(name, at):
                        yield path
        finally:
            os.close(root)

    def _text(self, path: str) -> str:
        with self._open(path) as file:
            size = os.fstat(file.fileno()).st_size
            content = file.read(MAX_FILE_BYTES + 1)
        if len(content) > MAX_FILE_BYTES:
            raise ToolCallError(
                f"{path!r} has {size} bytes; only files up to {MAX_FILE_BYTES} bytes are read"
            )
        try:
            text = content.decode()
        except UnicodeDecodeError as error:
            raise ToolCallError(
                f"{path!r} is not UTF-8 text (byte {error.start}); file_facts tells its size"
            ) from None
        if "\0" in text:
            raise ToolCallError(f"{path!r} is not text (it holds NUL); file_facts tells its size")
        return text

    @contextmanager
    def _open(self, path: str) -> Iterator[BinaryIO]:
        """Open a regular file below the root.

        Each component is opened relative to the one before and never through a link, so a
        folder that is swapped for a link meanwhile leads nowhere either.
        """
        try:
            descriptor = self._descend(path)
        except OSError as error:
            linked = error.errno == errno.ELOOP
            why = "it is a link, and links are not followed" if linked else error.strerror
            raise ToolCallError(f"cannot open {path!r}: {why}") from None
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            os.close(descriptor)
            raise ToolCallError(f"{path!r} is not a file; list_files tells what there is")
        with open(descriptor, "rb") as file:  # noqa: PTH123 - a descriptor, not a path
            yield file

    def _descend(self, path: str) -> int:
        parts = PurePosixPath(path).parts
        if not parts or parts[0] == "/" or ".." in parts or "\0" in path:
            raise ToolCallError(
                f"{path!r} is no path below the workspace; write it as list_files does"
            )
        flags = os.O_RDONLY | os.O_NOFOLLOW
        at = os.open(self._root, os.O_RDONLY | os.O_DIRECTORY)
        try:
            for part in parts[:-1]:
                below = os.open(part, flags | os.O_DIRECTORY, dir_fd=at)
                os.close(at)
                at = below
            # Without O_NONBLOCK, opening a pipe would wait for its writer.
            return os.open(parts[-1], flags | os.O_NONBLOCK, dir_fd=at)
        finally:
            os.close(at)


def _is_utf8(path: str) -> bool:
    """Whether the path can be told to a program, and so be asked for."""
    return path.isascii() or path == path.encode(errors="replace").decode()


def _is_file(name: str, at: int) -> bool:
    try:
        return stat.S_ISREG(os.stat(name, dir_fd=at, follow_symlinks=False).st_mode)
    except FileNotFoundError:
        return False  # it went away while the folder was read


def offer(root: Path) -> ToolRegistry:
    """Return the tools over one folder."""
    workspace = Workspace(root)
    registry = ToolRegistry()
    registry.tool(workspace.list_files)
    registry.tool(workspace.read_text)
    registry.tool(workspace.search_text)
    registry.tool(workspace.file_facts)
    return registry


registry = offer(Path(os.environ.get("WORKSPACE", ".")))
