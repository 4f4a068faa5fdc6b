"""The decision for each public name of each module that a program may import.

A name is offered as the module has it, replaced by a stand-in, or left out for a reason. A test
compares the table with the modules of the running Python, so a name that a new version brings
waits for a decision. It is data alone: `imports` makes facades of it, `reference` a page of the
documentation. Names that not every version has are written `name>=3.12` or `name<3.13`.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

#: Reasons that many names share.
IMPORTED: Final = "it is another module's, imported there for that module's own use"
INTERNAL: Final = "it is a detail of the module, documented nowhere"
COMMAND: Final = "it is the module's own command or self-test"
SYSTEM: Final = "a program has no files, processes, threads or network; call a tool"

_NAME: Final = re.compile(r"([\w.:*]+)((?:(?:>=|<)3\.\d+)*)")
_MARK: Final = re.compile(r"(>=|<)3\.(\d+)")


@dataclass(frozen=True, slots=True, kw_only=True)
class ModuleTable:
    """The decisions for one module.

    Attributes:
        offered: Names that are handed out as the module has them.
        replaced: How a stand-in differs from what the module has, by name.
        left_out: Why names are not offered, by the names.
        rest: Why no other name is offered, in a module of which a program may have a few; without
            it, each public name is listed.
    """

    offered: str = ""
    replaced: Mapping[str, str] = field(default_factory=dict)
    left_out: Mapping[str, str] = field(default_factory=dict)
    rest: str = ""

    def offered_here(self) -> tuple[str, ...]:
        """Return the offered names that the running Python has."""
        return tuple(here(self.offered))

    def replaced_here(self) -> dict[str, str]:
        """Return the replaced names that the running Python has, with their differences."""
        return {name: how for names, how in self.replaced.items() for name in here(names)}

    def left_out_here(self) -> dict[str, str]:
        """Return the names left out on the running Python, with their reasons."""
        return {name: why for names, why in self.left_out.items() for name in here(names)}


def here(names: str) -> Iterator[str]:
    """Yield the names that the running Python has."""
    for entry in names.split():
        match = _NAME.fullmatch(entry)
        if match is None:
            raise ValueError(f"{entry!r} is no name with an optional version")
        name, marks = match.groups()
        if all(
            (relation == ">=") == (sys.version_info >= (3, int(minor)))
            for relation, minor in _MARK.findall(marks)
        ):
            yield name
