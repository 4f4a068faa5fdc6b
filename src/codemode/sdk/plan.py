"""The names of one text: globals, their members, types, and what Python's own are called."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from codemode.sdk.names import Namer, camel, is_plain_name
from codemode.sdk.signature import Signature
from codemode.sdk.spelling import WORDS

#: Globals of ours, which no namespace of tools can be.
TOOLS = "tools"
ERROR = "ToolCallError"
DISCOVERY = "catalog"


@dataclass(frozen=True, slots=True, kw_only=True)
class Holder:
    """One global and the tools on it, by member name."""

    name: str
    members: tuple[tuple[str, Signature], ...]

    @property
    def plain(self) -> list[tuple[str, Signature]]:
        """The members that are reached as attributes."""
        return [member for member in self.members if is_plain_name(member[0])]

    @property
    def odd(self) -> list[tuple[str, Signature]]:
        """The members that are reached by subscript only."""
        return [member for member in self.members if not is_plain_name(member[0])]


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where programs find a tool: a global, and the name of the member on it."""

    holder: str
    member: str

    @property
    def call(self) -> str:
        """The expression that reaches it."""
        plain = is_plain_name(self.member)
        return f"{self.holder}.{self.member}" if plain else f"{self.holder}[{self.member!r}]"


def places(
    tools: Iterable[tuple[str, str | None, str | None]],
) -> dict[str, Place]:
    """Return where each tool is shown, by name.

    Args:
        tools: Name, namespace and member of each. A namespace that no global can be called,
            and a second tool of one member name, leave the tool on `tools`.
    """
    found: dict[str, Place] = {}
    taken: set[tuple[str, str]] = set()
    for name, namespace, member in tools:
        place = Place(holder=TOOLS, member=name)
        if namespace is not None and member is not None and _is_global(namespace):
            spaced = (namespace, member)
            if spaced not in taken:
                taken.add(spaced)
                place = Place(holder=namespace, member=member)
        found[name] = place
    return found


def _is_global(namespace: str) -> bool:
    return namespace.isascii() and is_plain_name(namespace) and namespace not in (TOOLS, ERROR)


def discovery_name(namespaces: Iterable[str]) -> str:
    """Return the global under which programs search and describe tools."""
    taken = set(namespaces)
    chosen, number = DISCOVERY, 1
    while chosen in taken:
        chosen = "tool_catalog" if number == 1 else f"tool_catalog{number}"
        number += 1
    return chosen


def holders_of(signatures: Sequence[Signature], *, everything: bool) -> list[Holder]:
    """Return the globals of a set of tools, `tools` first.

    Args:
        signatures: Sorted by name.
        everything: Keep a tool that has a namespace on `tools` as well.
    """
    where = places((s.entry.name, s.entry.namespace, s.entry.member) for s in signatures)
    members: dict[str, list[tuple[str, Signature]]] = {TOOLS: []}
    for signature in signatures:
        place = where[signature.entry.name]
        members.setdefault(place.holder, []).append((place.member, signature))
        if everything and place.holder != TOOLS:
            members[TOOLS].append((signature.entry.name, signature))
    return [
        Holder(name=name, members=tuple(sorted(members[name], key=lambda member: member[0])))
        for name in (TOOLS, *sorted(set(members) - {TOOLS}))
    ]


class Names:
    """Gives out the names of one text."""

    def __init__(self, holders: Iterable[Holder]) -> None:
        held = list(holders)
        taken = {holder.name for holder in held}
        taken |= {name for holder in held for name, _ in holder.plain}
        taken |= {TOOLS, ERROR, discovery_name(taken)}
        self.namer = Namer(taken | set(WORDS))
        #: What each word is called; only those are here whose name a tool has.
        self.words: dict[str, str] = {
            word: self.namer.unique(f"{word}_") for word in WORDS if word in taken
        }
        # Any JSON value: the one type that a text defines for itself.
        self.words["Json"] = self.namer.unique("Json")

    def type_name(self, text: str) -> str:
        """Return a name for a type."""
        return self.namer.unique(camel(text))


def imports(used: set[str], words: Mapping[str, str]) -> list[str]:
    """Return the import lines that a text with these words needs."""
    lines = []
    for module in ("builtins", "typing"):
        names = [
            f"{word} as {words[word]}" if word in words else word
            for word in sorted(used)
            if WORDS.get(word) == module and (module == "typing" or word in words)
        ]
        if names:
            lines.append(f"from {module} import {', '.join(names)}")
    return lines
