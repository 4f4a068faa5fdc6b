"""Shapes: the types of a set of tools that need a name, each once, however many tools use it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TypeAlias

from codemode.sdk.literals import scalar
from codemode.sdk.names import Namer, camel
from codemode.sdk.tree import (
    Array,
    Choice,
    Defined,
    Node,
    Record,
    Scalar,
    Table,
    Values,
)

#: Values of a literal after which it is long in any case.
_ENOUGH = 50

#: Characters of a type's text beside what it is made of: `list[]`, `dict[str, ]`.
_OWN_LENGTHS: Mapping[type, int] = MappingProxyType(
    {Scalar: 4, Array: 6, Table: 11, Choice: 0, Values: 9}
)

Named: TypeAlias = Record | Defined | Values | Choice


@dataclass(slots=True)
class Shape:
    """A type that is, or may be, written under a name."""

    node: Named
    hint: tuple[int, str]
    uses: int = 1
    #: Some tool takes it; what tools only return can be said in fewer words.
    taken: bool = True


class Shapes:
    """Gathers the shapes of types, in the order in which they are first met."""

    def __init__(self) -> None:
        self.by_key: dict[str, Shape] = {}

    def gather(self, node: Node, name: str, *, taken: bool) -> None:  # noqa: C901 - one case a type
        """Add every shape in a type.

        Args:
            node: The type.
            name: What to call a part that has no name of its own.
            taken: It is of an argument. Those are to be gathered before results.
        """
        # A stack and not recursion: a shape may be as deep as its schema.
        waiting: list[tuple[Node, str]] = [(node, name)]
        while waiting:
            current, called = waiting.pop()
            match current:
                case Record(fields=fields, more=more):
                    if self._met(current, current.hint, taken=taken):
                        continue
                    inner = [(item.node, item.name) for item in fields]
                    if more is not None:
                        inner.append((more, f"{called} value"))
                    waiting.extend(reversed(inner))
                case Defined(node=held, hint=hint):
                    if not self._met(current, hint, taken=taken):
                        # The definition has the name; a record in it must not get a second.
                        waiting.extend((each, called) for each in children(held))
                case Values():
                    self._met(current, (8, called), taken=taken)
                case Choice(members=members):
                    if self._met(current, (8, called), taken=taken):
                        continue
                    waiting.extend((member, called) for member in reversed(members))
                case Array(item=item):
                    waiting.append((item, called))
                case Table(value=value):
                    waiting.append((value, called))
                case _:
                    pass

    def _met(self, node: Named, hint: tuple[int, str], *, taken: bool) -> bool:
        """Count one use; say whether the shape was known."""
        known = self.by_key.get(node.key)
        if known is None:
            self.by_key[node.key] = Shape(node, hint, taken=taken)
            return False
        known.uses += 1
        known.hint = min(known.hint, hint)
        return True


def children(node: Node) -> Iterable[Node]:
    """Return the types that a type is made of."""
    match node:
        case Record(fields=fields, more=more):
            return [*(item.node for item in fields), *((more,) if more else ())]
        case Choice(members=members):
            return members
        case Array(item=item):
            return (item,)
        case Table(value=value):
            return (value,)
        case Defined(node=inner):
            return (inner,)
        case _:
            return ()


def alike(shapes: Shapes) -> dict[str, str]:
    """Return which shape can stand for which, by key: their types differ in no more than words.

    Only what no tool takes is replaced: beside a parameter the words count.
    """
    by_names: dict[tuple[str, ...], list[tuple[str, Record]]] = {}
    for key, shape in shapes.by_key.items():
        if isinstance(shape.node, Record):
            names = tuple(item.name for item in shape.node.fields)
            by_names.setdefault(names, []).append((key, shape.node))
    groups = [group for group in by_names.values() if len(group) > 1]
    same: dict[str, str] = {}
    found = True
    # Again, as long as there are more: two are alike once those inside them are.
    while found:
        found = False
        for group in groups:
            first: dict[object, str] = {}
            for key, record in group:
                if key in same:
                    continue
                stands = first.setdefault(_form(record, same), key)
                if stands != key and not shapes.by_key[key].taken:
                    same |= {like: stands for like, other in same.items() if other == key}
                    same[key] = stands
                    found = True
    return same


def _form(record: Record, same: Mapping[str, str]) -> object:
    """Return what tells one record's type from another's."""
    fields = tuple((item.required, _shape_key(item.node, same)) for item in record.fields)
    more = None if record.more is None else _shape_key(record.more, same)
    return record.extra, more, record.doc, fields


def _shape_key(node: Node, same: Mapping[str, str]) -> str:
    """Return the key that a type would have if like ones in it were one."""
    match node:
        case Record(key=key):
            return same.get(key, key)
        case Array(item=item):
            return f"[{_shape_key(item, same)}]"
        case Choice(members=members):
            return f"({'|'.join(_shape_key(member, same) for member in members)})"
        case Table(value=value, names=None, extra=extra):
            return f"{{{_shape_key(value, same)}:{extra}}}"
        case _:
            return node.key


def name_shapes(
    shapes: Shapes, namer: Namer, same: Mapping[str, str] | None = None
) -> dict[str, str]:
    """Return a name for every record and recursive definition, by key.

    Args:
        shapes: All shapes.
        namer: Gives out the names.
        same: Which are named by another, as `alike` has it.
    """
    replaced = same or {}
    named = {
        key: shape
        for key, shape in shapes.by_key.items()
        if isinstance(shape.node, Record | Defined) and key not in replaced
    }
    # The best names first, so that a number goes to what had no good one; then as they are met.
    ranked = sorted(named.items(), key=lambda pair: pair[1].hint)
    names = {key: namer.unique(camel(shape.hint[1])) for key, shape in ranked}
    return names | {key: names[stands] for key, stands in replaced.items()}


class Aliases:
    """Names for unions and literals that are better written once.

    Args:
        shapes: All shapes.
        names: Of those that have one already.
        namer: Gives out the others.
        worth: Says of the number of uses, the length of the text and that of its name
            whether an alias is better.
        least_uses: Types that are used less often need not be looked at.
    """

    def __init__(
        self,
        shapes: Shapes,
        names: Mapping[str, str],
        namer: Namer,
        worth: Callable[[int, int, int], bool],
        *,
        least_uses: int,
    ) -> None:
        self._shapes = shapes.by_key
        self._names = dict(names)
        self._namer = namer
        self._worth = worth
        self._least_uses = least_uses
        self._lengths: dict[str, int] = {}

    def names(self) -> dict[str, str]:
        """Return the names of all, by key."""
        for shape in self._shapes.values():
            if shape.uses >= self._least_uses and isinstance(shape.node, Values | Choice):
                self._length(shape.node)
        return self._names

    def _length(self, node: Node) -> int:
        """Return about how long the text of a type is, naming those inside it first."""
        known = self._names.get(node.key)
        if known is not None:
            return len(known)
        length = self._lengths.get(node.key)
        if length is None:
            inner = [self._length(child) for child in children(node)]
            length = _OWN_LENGTHS.get(type(node), 6) + sum(inner)
            if isinstance(node, Choice):
                length += 3 * len(inner) - 3
            if isinstance(node, Values):
                length += sum(len(scalar(value) or "") + 2 for value in node.values[:_ENOUGH])
            shape = self._shapes.get(node.key)
            if shape is not None and isinstance(node, Values | Choice):
                name = camel(shape.hint[1])
                if self._worth(shape.uses, length, len(name)):
                    self._names[node.key] = name = self._namer.unique(name)
                    return len(name)
            self._lengths[node.key] = length
        return length
