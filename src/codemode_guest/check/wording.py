"""What is said about names and members that are not there, and about calls that are none."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Final

from codemode_guest.calls import spelling, suggestion
from codemode_guest.near import nearest

if TYPE_CHECKING:
    from codemode_guest.calls import NamespaceSpec
    from codemode_guest.check.surroundings import World

_MAX_SHOWN: Final = 80


def unknown_member(
    spec: NamespaceSpec, name: str, namespaces: Collection[NamespaceSpec]
) -> tuple[str, str]:
    """Say that a namespace has no such member, and what it has.

    Args:
        spec: The namespace.
        name: The name that it was asked for.
        namespaces: All of them: another may have it.
    """
    reason = f"{spec.global_name} has no member {_shown(name)}"
    for other in namespaces:
        if other is not spec and name in other.members:
            return reason, f"did you mean {spelling(other.global_name, name)}?"
    return reason, suggestion(name, spec.members).removeprefix("; ")


def unbound(name: str, world: World, own: Collection[str]) -> tuple[str, str | None]:
    """Say that nothing binds a name, and what may be meant.

    Args:
        name: The name.
        world: What the program finds.
        own: The names that it binds itself.
    """
    reason = f"the name {_shown(name)} is not defined"
    if name in world.modules:
        return reason, f"write import {name} at the top"
    for spec in world.namespaces:
        if name in spec.members:
            return reason, f"did you mean {spelling(spec.global_name, name)}?"
    near = nearest(name, [*own, *world.names], likeness=0.75)
    return reason, f"did you mean {near}?" if near else None


def _shown(name: str) -> str:
    return repr(name if len(name) <= _MAX_SHOWN else name[:_MAX_SHOWN] + "…")
