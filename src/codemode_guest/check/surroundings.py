"""What the check knows of what a program finds."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from codemode_guest.calls import NamespaceSpec


@dataclass(frozen=True, slots=True, kw_only=True)
class World:
    """What a program finds beside what it binds itself.

    Attributes:
        namespaces: What the host offers; those without signatures are not looked into.
        names: All global names, builtins included.
        modules: What can be imported.
    """

    namespaces: Sequence[NamespaceSpec]
    names: Collection[str]
    modules: Collection[str]
