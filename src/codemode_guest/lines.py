"""The lines of a program, as Python numbers them."""

from __future__ import annotations

import re
from typing import Final

_LINE_END: Final = re.compile(r"\r\n|\r|\n")


def lines_of(source: str) -> tuple[str, ...]:
    """Split a program into lines as the parser does: not at form feeds and their like."""
    return tuple(_LINE_END.split(source))
