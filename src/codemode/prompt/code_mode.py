"""Our own sections: the rule of code mode, and the SDK."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from codemode.prompt.sections import RULE_BAND, SDK_BAND, Section

SDK_SECTION: Final = "tools:sdk"
RULE_SECTION: Final = "tools:code-only"

_FENCES: Final = re.compile("``+")

_RULE: Final = (
    "`run_code` is the only tool that you can call directly. Every tool below is called from "
    "inside the program that you give it."
)
_HEADING: Final = "Tools for programs (`run_code`), as {language} sees them:"


def code_sections(
    mode: str, sdk_text: str, language: str, native: Sequence[object]
) -> list[Section]:
    """Return our sections of a mode; a host may shadow or remove them by their names.

    No tool's text is ever interpolated: braces in a description are a description.

    Args:
        mode: `native` has none.
        sdk_text: What the SDK's generator wrote.
        language: Of programs.
        native: Tools that the model can call directly beside `run_code`.
    """
    if mode == "native":
        return []
    heading = _HEADING.format(language=language.capitalize())
    # A description may hold a fence of its own.
    fence = max(_FENCES.findall(sdk_text), key=len, default="``") + "`"
    sections = [
        Section(
            name=SDK_SECTION,
            text=f"{heading}\n\n{fence}{language}\n{sdk_text.strip()}\n{fence}",
            order=SDK_BAND,
            interpolate=False,
        )
    ]
    if mode == "code" and not native:
        sections.append(Section(name=RULE_SECTION, text=_RULE, order=RULE_BAND, interpolate=False))
    return sections
