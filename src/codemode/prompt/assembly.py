"""What a request begins with: the system text and the tools."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from codemode.errors import UsageError
from codemode.prompt.sections import RenderedSection

#: A tool as a model is told of it: `name`, `description`, `input_schema`.
WireTool = Mapping[str, object]


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """An assembly in the making; `dataclasses.replace` makes another of it.

    Attributes:
        sections: In order, empty ones left out.
        tools: In order.
    """

    sections: tuple[RenderedSection, ...]
    tools: tuple[WireTool, ...]

    def without(self, *names: str) -> Draft:
        """Return it less these sections."""
        kept = tuple(section for section in self.sections if section.name not in names)
        return Draft(sections=kept, tools=self.tools)


@dataclass(frozen=True, slots=True, kw_only=True)
class Assembly:
    """What a request begins with, final.

    Attributes:
        system: The system text.
        tools: The tools, each a dict of `name`, `description` and `input_schema`.
        sections: The names of the sections that the text is made of.
    """

    system: str
    tools: Sequence[WireTool]
    sections: tuple[str, ...] = ()


class TwoCompleteSectionsError(UsageError):
    """Two sections each claim to be the whole system text."""

    def __init__(self, first: str, second: str) -> None:
        super().__init__(
            f"the prompt sections {first!r} and {second!r} are both complete, and only one "
            "can be all of the system text; remove one, or add it in another scope"
        )


def assembly_of(draft: Draft) -> Assembly:
    """Return what a draft says, once nobody changes it any more.

    Raises:
        TwoCompleteSectionsError: If two sections are complete.
    """
    complete = [section for section in draft.sections if section.complete]
    if len(complete) > 1:
        raise TwoCompleteSectionsError(complete[0].name, complete[1].name)
    sections = [section for section in complete or draft.sections if section.text]
    return Assembly(
        system="\n\n".join(section.text for section in sections),
        tools=list(draft.tools),
        sections=tuple(section.name for section in sections),
    )
