"""TypedDicts as Python source, in either of their two forms."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from codemode.sdk.literals import comment, quote
from codemode.sdk.names import is_keyword_name
from codemode.sdk.notes import annotated
from codemode.sdk.remarks import brief
from codemode.sdk.spelling import Speller
from codemode.sdk.tree import Anything, Defined, Field, Missing, Node, Record


@dataclass(frozen=True, slots=True, kw_only=True)
class Style:
    """How a form is laid out.

    Attributes:
        indent: One level of it.
        gap: What stands between code and `#`.
        says_open: Say of an object that it may have other keys, of any kind.
    """

    indent: str
    gap: str
    says_open: bool = True

    def comment(self, text: str) -> str:
        """Return a comment to put behind a line of code."""
        return f"{self.gap}# {comment(text)}" if text else ""


def remark(item: Field, *, default: bool = True) -> str:
    """Return all that is said beside the type of a field.

    Args:
        item: The field.
        default: Its default too, where no parameter shows it.
    """
    facts = item.facts
    if default and item.default is not Missing.DEFAULT and item.default is not None:
        facts = f"{facts}; default {brief(item.default)}".removeprefix("; ")
    return annotated(item.note, facts)


def write_record(
    name: str, record: Record, speller: Speller, style: Style, remarks: Sequence[str]
) -> str:
    """Return the definition of a TypedDict under a name, with a comment for each field."""
    spelled = [(item, speller.spell(item.node)) for item in record.fields]
    needed = sum(item.required for item in record.fields)
    # Whichever marks need fewer characters: `Required[]` and `total=False`, or `NotRequired[]`.
    total = needed * 10 + 13 < (len(spelled) - needed) * 13
    rows = [
        (item.name, _marked(item, text, speller, total=total), style.comment(said))
        for (item, text), said in zip(spelled, remarks, strict=True)
    ]
    typed = speller.word("TypedDict")
    said = style.comment(about(record, speller, says_open=style.says_open))
    # Beside a key called `list`, a class cannot say `list[str]`.
    if all(is_keyword_name(key) and key not in speller.used for key, _, _ in rows):
        start = f"class {name}({typed}{', total=False' if total else ''}):{said}"
        return _as_class(start, rows, style.indent)
    start = f"{name} = {typed}({quote(name)}, {{{said}"
    return _as_call(start, rows, style.indent, "}, total=False)" if total else "})")


def _marked(item: Field, text: str, speller: Speller, *, total: bool) -> str:
    if total and item.required:
        return f"{speller.word('Required')}[{text}]"
    if not total and not item.required:
        return f"{speller.word('NotRequired')}[{text}]"
    return text


#: Key, type, comment.
Rows = list[tuple[str, str, str]]


def _as_class(start: str, rows: Rows, indent: str) -> str:
    lines = [f"{indent}{key}: {text}{said}" for key, text, said in rows]
    return "\n".join([start, *(lines or [f"{indent}pass"])])


def _as_call(start: str, rows: Rows, indent: str, end: str) -> str:
    """Write the form in which keys are strings: for keys that are no names, or shadow a type."""
    lines = [f"{indent}{quote(key)}: {quote(text)},{said}" for key, text, said in rows]
    return "\n".join([start, *lines, end])


def about(record: Record, speller: Speller, *, says_open: bool) -> str:
    """Return what is said of a record as a whole: its description, and its other keys."""
    parts = [record.doc] if record.doc else []
    more = record.more if record.extra == "accepted" else None
    if more is not None and (says_open or not isinstance(more, Anything)):
        parts.append(f"other keys too: {speller.spell(more)}")
    return "; ".join(parts)


def fields_of(node: Node) -> tuple[Field, ...]:
    """Return the fields of a shape that is a record."""
    inner = node.node if isinstance(node, Defined) else node
    return inner.fields if isinstance(inner, Record) else ()


def write_shape(
    name: str, node: Node, speller: Speller, style: Style, remarks: Sequence[str]
) -> str:
    """Return the definition of a type under a name, with a comment for each field."""
    inner = node.node if isinstance(node, Defined) else node
    if isinstance(inner, Record):
        return write_record(name, inner, speller, style, remarks)
    text = speller.write(inner)
    # Quoted: it refers to itself.
    written = quote(text) if isinstance(node, Defined) else text
    return f"{name}: {speller.word('TypeAlias')} = {written}"


def json_alias(speller: Speller) -> str:
    """Return the definition of any JSON value: wide enough for tuples and TypedDicts too."""
    scalars = " | ".join(map(speller.word, ("bool", "int", "float", "str")))
    array = f"{speller.word('Sequence')}[{speller.word('Any')}]"
    table = f"{speller.word('Mapping')}[{speller.word('str')}, {speller.word('Any')}]"
    alias = f"{speller.word('Json')}: {speller.word('TypeAlias')}"
    return f"{alias} = None | {scalars} | {array} | {table}"
