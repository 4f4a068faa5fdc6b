"""Sections of the system text, in bands, global or of one scope."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final

#: Who the model is.
IDENTITY_BAND: Final = -100
#: What the host wants of it: the default.
HOST_BAND: Final = 0
#: The rule that `run_code` is the only tool to be called, where it is.
RULE_BAND: Final = 99
#: How to use tools: 100 to 199.
GUIDANCE_BAND: Final = 100
#: The SDK, among the guidance.
SDK_BAND: Final = 150

#: Text, or what gives it when a prompt is assembled; `None` and empty text leave it out.
LazyText = str | Callable[[], str | Awaitable[str | None] | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A part of the system text.

    Attributes:
        name: Such as `host:persona`; in a scope it shadows the global one of that name.
        text: Or what gives it.
        order: Sections are sorted by it, then by name; see the bands.
        complete: It is all of the system text, and every other section is left out.
        interpolate: Whether `{{name}}` in its text is a variable.
    """

    name: str
    text: LazyText
    order: int = HOST_BAND
    complete: bool = False
    interpolate: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class RenderedSection:
    """A section with its text, as listeners see it."""

    name: str
    text: str
    order: int = HOST_BAND
    complete: bool = False


async def text_of(text: LazyText) -> str:
    """Return the text, asking for it if it is lazy."""
    if callable(text):
        given = text()
        text = (await given if inspect.isawaitable(given) else given) or ""
    return text
