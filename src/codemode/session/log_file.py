"""The append-only log: one line of JSON for each entry, and large fields in files beside it."""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
import re
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Final, Self

from codemode.errors import RuntimeFault, UsageError
from codemode.session.codec import MalformedEntryError, encoded_fields, entry_of, line_of
from codemode.session.events import SessionOpened

if TYPE_CHECKING:
    from types import TracebackType

    from codemode.session.events import Entry

#: What is longer as JSON goes into a file of its own, so that a log can be paged through.
DEFAULT_INLINE_BYTES: Final = 64 * 1024

_BLOCK: Final = 64 * 1024
#: How much of the torn end of a line is told of.
_MAX_TORN: Final = 200
# Only what `_put_aside` itself makes: a log from elsewhere must not name another file.
_FILE_NAME: Final = re.compile(r"[0-9a-f]{64}\.json")


class LogFault(RuntimeFault):
    """A log cannot be written or read."""

    def __init__(self, path: Path, why: str, cure: str) -> None:
        super().__init__(f"the session log {str(path)!r}: {why}; {cure}")
        self.path = path


class LogFile:
    """A log on disk that one process writes. A crash costs at most the line being written.

    Each line goes to the system in one write, before what it tells of goes on; whether the
    disk has it is the system's affair, which a crash of this process does not change.

    Args:
        path: Of the log. Large fields go to files in the folder `<path>.values`.
        inline_bytes: The longest field, as JSON, that stands in its line.
    """

    def __init__(
        self, path: str | os.PathLike[str], *, inline_bytes: int = DEFAULT_INLINE_BYTES
    ) -> None:
        """Open it, and mend its last line if a crash has torn it.

        Raises:
            LogFault: If it cannot be opened, is no log, or another process writes it.
        """
        self.path = Path(path)
        self._inline_bytes = inline_bytes
        self._next_seq = 1
        #: What a session begins with; the session writes it.
        self.opened: SessionOpened
        try:
            self._fd = os.open(
                self.path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600
            )
        except OSError as error:
            raise LogFault(self.path, error.strerror or "", "choose another path") from None
        try:
            self._lock()
            self.opened = self._mend()
        except BaseException:
            os.close(self._fd)
            raise

    @property
    def next_seq(self) -> int:
        """The number of the next entry."""
        return self._next_seq

    def write(self, entry: Entry) -> None:
        """Append one entry.

        Raises:
            LogFault: If the disk does not take it.
            UsageError: If the log is closed.
        """
        if self._fd < 0:
            raise UsageError(f"the session log {str(self.path)!r} is closed; open it anew")
        fields, elsewhere = encoded_fields(entry.event), {}
        try:
            for name, value in fields.items():
                if len(value) > self._inline_bytes:
                    elsewhere[name] = self._put_aside(value)
            inline = {name: fields[name] for name in fields if name not in elsewhere}
            _write_whole(self._fd, line_of(entry, inline, elsewhere))
        except OSError as error:
            raise LogFault(self.path, error.strerror or "", "free the disk") from None
        self._next_seq = entry.seq + 1

    def close(self) -> None:
        """Let the file go; a second call does nothing."""
        # With the number of a closed descriptor a late write could hit a stranger's file.
        fd, self._fd = self._fd, -1
        if fd >= 0:
            os.close(fd)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def _lock(self) -> None:
        try:
            fcntl.flock(self._fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise LogFault(self.path, "another process writes it", "give each its own") from None

    def _mend(self) -> SessionOpened:
        """Take out a torn last line, and find out where to go on."""
        lines = _last_lines(self._fd)
        torn, product = b"", version("codemode")
        if lines and not lines[-1].endswith(b"\n"):
            torn = lines.pop()
            with contextlib.suppress(MalformedEntryError):
                # Whole but for its newline: the crash came between two bytes of no meaning.
                entry_of(torn, self._fetch)
                _write_whole(self._fd, b"\n")
                lines.append(torn)
                torn = b""
            if torn:
                os.ftruncate(self._fd, os.fstat(self._fd).st_size - len(torn))
        if lines:
            try:
                self._next_seq = entry_of(lines[-1], self._fetch).seq + 1
            except MalformedEntryError as error:
                raise LogFault(self.path, f"its last line is {error}", "choose another") from None
        shown = torn[:_MAX_TORN].decode(errors="replace")
        return SessionOpened(product=product, resumed=bool(lines) or bool(torn), torn=shown)

    def _fetch(self, name: str) -> bytes:
        return _read_aside(self.path, name)

    def _put_aside(self, value: bytes) -> dict[str, object]:
        """Write a field to a file of its own, named after what is in it."""
        folder = _folder(self.path)
        folder.mkdir(mode=0o700, exist_ok=True)
        name = f"{hashlib.sha256(value).hexdigest()}.json"
        if not (folder / name).exists():
            # Under its own name only when it is whole: the line that refers to it comes later.
            part = folder / f"{name}.part"
            fd = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
            try:
                _write_whole(fd, value)
            finally:
                os.close(fd)
            part.rename(folder / name)
        return {"file": name, "bytes": len(value)}


def read_log(path: str | os.PathLike[str]) -> Iterator[Entry]:
    """Yield the entries of a log, which may be being written. A torn last line is left out.

    Raises:
        LogFault: If it cannot be read, or a line before the last is not an entry.
    """
    log = Path(path)
    try:
        with log.open("rb") as lines:
            for number, line in enumerate(lines, 1):
                if not line.endswith(b"\n"):
                    return
                try:
                    yield entry_of(line, lambda name: _read_aside(log, name))
                except MalformedEntryError as error:
                    raise LogFault(log, f"line {number} is {error}", "mend that line") from None
    except OSError as error:
        raise LogFault(log, error.strerror or "", "give the path of a log") from None


def _folder(log: Path) -> Path:
    return log.with_name(f"{log.name}.values")


def _read_aside(log: Path, name: str) -> bytes:
    if not _FILE_NAME.fullmatch(name):
        raise MalformedEntryError(f"a field in the file {name!r}, which is no name of ours")
    return (_folder(log) / name).read_bytes()


def _write_whole(fd: int, data: bytes) -> None:
    """Write all of it; one write unless a signal or a full disk comes between."""
    view = memoryview(data)
    while view:
        view = view[os.write(fd, view) :]


def _last_lines(fd: int) -> list[bytes]:
    """Return the last one or two lines of a file, with their newlines, without reading it all."""
    at = os.fstat(fd).st_size
    tail = b""
    while at and tail[:-1].count(b"\n") < 2:  # noqa: PLR2004 - a line begins behind a newline
        size = min(at, _BLOCK)
        at -= size
        tail = os.pread(fd, size, at) + tail
    # Not `splitlines` of bytes, which ends a line at a carriage return too.
    *whole, rest = tail.split(b"\n")
    lines = [line + b"\n" for line in whole]
    return [*lines, rest][-2:] if rest else lines[-2:]
