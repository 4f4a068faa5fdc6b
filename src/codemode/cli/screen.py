"""What a person sees: a program's output made harmless, and a line about a run under way."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from typing import Final, TextIO

import anyio

from codemode.runtime import Binding, CodeBindingNamespace

# Everything that can move a cursor, change a title or answer for the user; a program's
# output has no business with the terminal it happens to end in. Newline and tab stay.
_CONTROLS: Final = {
    code: f"\\x{code:02x}" for code in (*range(0x20), *range(0x7F, 0xA0)) if code not in b"\n\t"
}
# A shorter run is over before anyone could have read the line.
_PATIENCE_S: Final = 1.0
_REFRESH_S: Final = 0.2
_ERASE_LINE: Final = "\r\x1b[K"


def show(text: str, stream: TextIO) -> None:
    """Print a program's text and a newline; escape what a terminal would obey."""
    if stream.isatty():
        text = text.translate(_CONTROLS)
    # A lone surrogate is text to Python and to JSON, but to no encoding.
    encoding = stream.encoding or "utf-8"
    stream.write(text.encode(encoding, "backslashreplace").decode(encoding) + "\n")


class Progress:
    """Counts the calls of one run, and can show them beside the time."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._started_s = now()
        self._made = 0
        self._open = 0

    def watch(self, namespace: CodeBindingNamespace) -> CodeBindingNamespace:
        """Return the same namespace with its calls counted here."""
        functions = {name: self._counted(call) for name, call in namespace.functions.items()}
        return replace(namespace, functions=functions)

    def line(self) -> str:
        """Say what the run is doing, in less than 80 columns."""
        elapsed_s = self._now() - self._started_s
        return f"running {elapsed_s:.0f} s, calls: {self._made} made, {self._open} open"

    async def keep_showing(self, terminal: TextIO) -> None:
        """Rewrite one line until cancelled, then erase it."""
        await anyio.sleep(_PATIENCE_S)
        try:
            while True:
                terminal.write(_ERASE_LINE + self.line())
                terminal.flush()
                await anyio.sleep(_REFRESH_S)
        finally:
            terminal.write(_ERASE_LINE)
            terminal.flush()

    def _counted(self, call: Binding) -> Binding:
        async def counted(arguments: object) -> object:
            self._made += 1
            self._open += 1
            try:
                return await call(arguments)
            finally:
                self._open -= 1

        return counted
