"""What a guest's interpreter writes to its standard error: evidence, and not to be trusted."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import anyio

from codemode.process.guest import MAX_STDERR_BYTES
from codemode_guest.frames import FILENAME

if TYPE_CHECKING:
    from codemode.process.guest import Guest

#: How long a guest gets to say which line it is at before it is killed. It answers within a
#: millisecond or, having been stopped or beaten, never.
_LAST_LINE_S: Final = 0.1

_LINE_SAID: Final = re.compile(rf'File "{re.escape(FILENAME)}", line (\d{{1,9}})')

# The module frame is the outermost: the program was not on the stack, it waited for something.
_STACK_TOLD: Final = re.compile(rf"{_LINE_SAID.pattern} |in <module>\n")


class LastWords:
    """Collects the interpreter's own words during one run.

    Attributes:
        text: So far, at most 64 KiB.
    """

    def __init__(self, guest: Guest) -> None:
        self.text = ""
        self._guest = guest

    @property
    def line(self) -> int | None:
        """The innermost line of the program that they name."""
        found = _LINE_SAID.search(self.text)
        return int(found.group(1)) if found else None

    def hear(self) -> bool:
        """Keep what has been said since; False when there was nothing, or enough."""
        said = self._guest.stderr()
        self.text = (self.text + said)[:MAX_STDERR_BYTES]
        return bool(said) and len(self.text) < MAX_STDERR_BYTES

    async def ask_line(self) -> int | None:
        """Ask which line the program is at; None if it is at none, or doesn't say."""
        self._guest.ask_where_it_is()
        with anyio.move_on_after(_LAST_LINE_S):
            # It comes in pieces, from the innermost frame outwards.
            while not _STACK_TOLD.search(self.text):
                await self._guest.wait_stderr_written()
                if not self.hear():
                    break
        return self.line
