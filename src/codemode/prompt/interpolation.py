"""`{{name}}` in the host's own sections: filled in strictly, or refused with the reason."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from codemode.errors import UsageError
from codemode_guest.near import nearest

# A group, or half of one: braces that stand alone are a mistake that should not reach a model.
_GROUP: Final = re.compile(r"\{\{([^{}]*)\}\}|\{\{|\}\}")
_NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_.]*")


class InterpolationError(UsageError):
    """A section names a variable that there is not, or has braces that are no group."""

    def __init__(self, section: str, why: str) -> None:
        super().__init__(
            f"the prompt section {section!r}: {why}; "
            "add the section with interpolate=False if its braces are meant as they stand"
        )
        self.section = section


def named_in(section: str, text: str) -> tuple[str, ...]:
    """Return the variables that a text names, in order, each once.

    Raises:
        InterpolationError: If there are braces that are no `{{name}}`.
    """
    return tuple(dict.fromkeys(_name(section, text, match) for match in _GROUP.finditer(text)))


def interpolate(section: str, text: str, variables: Mapping[str, str]) -> str:
    """Return the text with each `{{name}}` replaced; what is put in is not looked at again.

    Raises:
        InterpolationError: If a name is unknown, or there are braces that are no `{{name}}`.
    """

    def fill(match: re.Match[str]) -> str:
        name = _name(section, text, match)
        if name not in variables:
            raise InterpolationError(section, f"no variable {name!r}{_hint(name, variables)}")
        return variables[name]

    return _GROUP.sub(fill, text)


def _name(section: str, text: str, match: re.Match[str]) -> str:
    name = (match[1] or "").strip()
    if not _NAME.fullmatch(name):
        line = text.count("\n", 0, match.start()) + 1
        raise InterpolationError(section, f"line {line} has {match[0]!r}, which is no {{{{name}}}}")
    return name


def _hint(name: str, variables: Mapping[str, str]) -> str:
    if not variables:
        return "; there are none"
    near = nearest(name, variables)
    return f"; did you mean {near!r}?" if near else f"; there are {', '.join(variables)}"
