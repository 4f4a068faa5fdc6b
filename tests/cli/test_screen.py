"""What a person sees on a terminal, and what a file gets."""

from __future__ import annotations

import io

import anyio
import pytest

from codemode.cli.screen import Progress, show
from codemode.runtime import CodeBindingNamespace


class Stream(io.StringIO):
    """A text stream that may be a terminal."""

    def __init__(self, *, terminal: bool, encoding: str = "utf-8") -> None:
        super().__init__()
        self._terminal = terminal
        self._encoding = encoding

    def isatty(self) -> bool:
        return self._terminal

    @property
    def encoding(self) -> str:  # type: ignore[override]  # the base class has it writable
        return self._encoding


CONTROLS = "".join(map(chr, (*range(0x20), *range(0x7F, 0xA0))))


def test_a_terminal_gets_no_control_character_but_newline_and_tab() -> None:
    """What a program prints cannot move the cursor, set the title or type an answer."""
    terminal = Stream(terminal=True)

    show(f"{CONTROLS}é", terminal)

    shown = terminal.getvalue()
    assert {"\n", "\t"} == {char for char in shown if char in CONTROLS}
    assert r"\x00" in shown
    assert r"\x1b" in shown
    assert shown.endswith("\\x9fé\n")


def test_a_pipe_gets_the_text_as_it_is() -> None:
    """Escaping is for eyes; another program reads what was printed."""
    pipe = Stream(terminal=False)

    show(CONTROLS, pipe)

    assert CONTROLS + "\n" == pipe.getvalue()


@pytest.mark.parametrize("encoding,shown", [("utf-8", "é\\udc80\n"), ("ascii", "\\xe9\\udc80\n")])
def test_what_the_encoding_cannot_write_is_escaped(encoding: str, shown: str) -> None:
    """A lone surrogate, or a poor locale, does not end the command with an error."""
    pipe = Stream(terminal=False, encoding=encoding)

    show("é\udc80", pipe)

    assert shown == pipe.getvalue()


async def test_progress_counts_calls_made_and_calls_that_are_open() -> None:
    """A call is open from its start until it ends, and an error ends it too."""
    progress = Progress(now=iter([10.0, 13.4, 13.4]).__next__)
    lines: list[str] = []

    async def look(arguments: object) -> object:
        lines.append(progress.line())
        raise ValueError(arguments)

    watched = progress.watch(CodeBindingNamespace(global_name="t", functions={"look": look}))
    with pytest.raises(ValueError, match="7"):
        await watched.functions["look"](7)
    lines.append(progress.line())

    assert ["running 3 s, calls: 1 made, 1 open", "running 3 s, calls: 1 made, 0 open"] == lines


async def test_the_line_of_a_short_run_is_never_shown() -> None:
    """Nothing flickers by; only what was drawn is erased."""
    terminal = Stream(terminal=True)

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(Progress().keep_showing, terminal)
        await anyio.lowlevel.checkpoint()
        tasks.cancel_scope.cancel()

    assert "" == terminal.getvalue()
