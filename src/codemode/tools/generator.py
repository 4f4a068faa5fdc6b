"""What writes the SDK text of a language: this room is given one and knows none."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, Protocol

from codemode.tools.definition import ToolDefinition

SdkForm = Literal["prompt", "stub"]


class SdkText(Protocol):
    """Generated text, and whatever its generator knows of it."""

    @property
    def text(self) -> str:
        """The text."""


class SdkGenerator(Protocol):
    """Writes what a model is told of the tools that its programs can call."""

    @property
    def language(self) -> str:
        """Of the programs."""

    def generate(
        self, tools: Iterable[ToolDefinition], *, form: SdkForm, budget: object | None
    ) -> SdkText:
        """Return the text: the same, to the byte, for the same tools in whatever order."""
