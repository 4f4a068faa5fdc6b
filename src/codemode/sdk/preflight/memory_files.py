"""Files for mypy that are in memory: the stubs of the standard library, and what is checked."""

from __future__ import annotations

import hashlib
import os
import stat
from pathlib import Path

from mypy.fscache import FileSystemCache


class MemoryFiles(FileSystemCache):
    """All the files that there are for mypy; after it is made, no other is ever looked for.

    Args:
        folder: Read whole, with what is in it.
    """

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self._texts: dict[str, bytes] = {}
        self._folders: dict[str, set[str]] = {}
        for path in folder.rglob("*"):
            if path.suffix in (".pyi", ".typed") or path.name == "VERSIONS":
                self.write(str(path), path.read_bytes())

    def write(self, path: str, text: bytes) -> None:
        """Have a file hold a text from now on."""
        inner = Path(path)
        for outer in inner.parents:
            self._folders.setdefault(str(outer), set()).add(inner.name)
            inner = outer
        self._texts[path] = text

    def stat_or_none(self, path: str) -> os.stat_result | None:
        """Return what `os.stat` would, of which mypy reads kind and size."""
        if path in self._texts:
            mode, size = stat.S_IFREG, len(self._texts[path])
        elif path.rstrip("/") in self._folders:
            mode, size = stat.S_IFDIR, 0
        else:
            return None
        return os.stat_result((mode, hash(path) & 0xFFFF_FFFF, 0, 1, 0, 0, size, 0, 0, 0))

    def listdir(self, path: str) -> list[str]:
        """Return the names in a folder."""
        try:
            return sorted(self._folders[os.path.normpath(path)])
        except KeyError:
            raise FileNotFoundError(path) from None

    def read(self, path: str) -> bytes:
        """Return what a file holds now."""
        try:
            return self._texts[path]
        except KeyError:
            raise FileNotFoundError(path) from None

    def hash_digest(self, path: str) -> str:
        """Return what tells one content from another."""
        return hashlib.sha256(self.read(path)).hexdigest()
