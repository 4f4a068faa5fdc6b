"""Types as Python source: expressions, and the classes that they name."""

from __future__ import annotations

from collections.abc import Mapping

from codemode.sdk.literals import in_literal, scalar
from codemode.sdk.tree import (
    Again,
    Anything,
    Array,
    Choice,
    Defined,
    Field,
    Missing,
    Node,
    Nothing,
    Record,
    Scalar,
    Table,
    Values,
)

#: Every name that a generated type may use. A tool or namespace of that name gets the
#: name, and the type is imported under another.
WORDS = {
    **dict.fromkeys(
        ("str", "int", "float", "bool", "list", "dict", "object", "Exception"), "builtins"
    ),
    **dict.fromkeys(
        (
            "Any",
            "Callable",
            "Coroutine",
            "Iterator",
            "Literal",
            "Mapping",
            "Never",
            "NotRequired",
            "Protocol",
            "Required",
            "Sequence",
            "TypeAlias",
            "TypedDict",
            "Union",
            "Unpack",
            "overload",
        ),
        "typing",
    ),
}
#: Above this, `A | B | …` nests deeper than Python's parser likes.
_MOST_BARS = 20


class Speller:
    """Writes type expressions and notes which names they use.

    Args:
        names: The names of records, definitions and aliases, by the node's key.
        words: What each of `WORDS` is called in this text.
        anything: The type of any JSON value; one of `words`, or an alias of the text's own.
        read_only: Write lists and tables as what is only read, so that a `list[int]` may be
            sent for a list of numbers, and one tool's result as another's argument.
        opens: Write an object that accepts keys which it does not list so that a checker
            accepts them too.
    """

    def __init__(
        self,
        names: Mapping[str, str],
        words: Mapping[str, str],
        *,
        anything: str,
        read_only: bool = False,
        opens: bool = False,
    ) -> None:
        self._names = names
        self._words = words
        self._anything = anything
        self._read_only = read_only
        self._opens = opens
        self.used: set[str] = set()

    def word(self, word: str) -> str:
        """Return what one of `WORDS` is called here, and note that it is used."""
        self.used.add(word)
        return self._words.get(word, word)

    def spell(self, node: Node) -> str:
        """Return the expression of a type: its name, if it has one."""
        name = self._names.get(node.key)
        if name is None:
            return self.write(node)
        self.used.add(name)
        if self._opens and isinstance(node, Record) and node.extra == "accepted":
            return f"{name} | {self.word('Mapping')}[{self.word('str')}, {self.any()}]"
        return name

    def any(self) -> str:
        """Return the type of any JSON value."""
        return self.word(self._anything)

    def write(self, node: Node) -> str:  # noqa: PLR0911 - one case a type
        """Return the expression of a type by its content."""
        match node:
            case Scalar(kind="None"):
                return "None"
            case Scalar(kind=kind):
                return self.word(kind)
            case Values(values=values):
                return self._values(values)
            case Array(item=item):
                # A text is a sequence of texts, and should not pass for a list of them.
                loose = self._read_only and not _may_be_text(item)
                return f"{self.word('Sequence' if loose else 'list')}[{self.spell(item)}]"
            case Table(names=names, value=value):
                key = self._values(names.values) if names else self.word("str")
                table = self.word("Mapping" if self._read_only else "dict")
                return f"{table}[{key}, {self.spell(value)}]"
            case Choice(members=members):
                return self._choice([self.spell(member) for member in members])
            case Nothing():
                return self.word("Never")
            case Defined(node=inner):
                return self.spell(inner)
            case Anything() | Again() | Record():
                return self.any()

    def _values(self, values: tuple[object, ...]) -> str:
        inside = [scalar(value) or "" for value in values if in_literal(value)]
        parts = [f"{self.word('Literal')}[{', '.join(inside)}]"] if inside else []
        parts += [self.word("int")] if len(inside) < len(values) else []
        return " | ".join(parts)

    def _choice(self, texts: list[str]) -> str:
        distinct = list(dict.fromkeys(texts))
        if len(distinct) <= _MOST_BARS:
            return " | ".join(distinct)
        return f"{self.word('Union')}[{', '.join(distinct)}]"


def _may_be_text(node: Node) -> bool:
    match node:
        case Scalar(kind=kind):
            return kind == "str"
        case Values(values=values):
            return any(isinstance(value, str) for value in values)
        case Choice(members=members):
            return any(map(_may_be_text, members))
        case Anything() | Again() | Defined():
            return True
        case _:
            return False


def shown_default(item: Field) -> str | None:
    """Return a default as source, if there is one and a checker accepts it for the type."""
    if item.default is Missing.DEFAULT or not _is_of(item.node, item.default):
        return None
    return scalar(item.default)


def _is_of(node: Node, value: object) -> bool:
    match node:
        case Anything():
            return True
        case Scalar(kind=kind):
            own = type(value).__name__
            return own == kind or (kind, value) == ("None", None) or (kind, own) == ("float", "int")
        case Values(values=values):
            return any(type(value) is type(each) and value == each for each in values)
        case Choice(members=members):
            return any(_is_of(member, value) for member in members)
        case _:
            return False
