"""The prompt form: the types of a set of tools as a model reads them, each thing said once."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal

from codemode.sdk.calls import Call, call_of, others_name, parameter, receiver
from codemode.sdk.literals import comment, docstring, quote
from codemode.sdk.names import is_keyword_name
from codemode.sdk.notes import first_sentence, restates
from codemode.sdk.plan import Holder, Names, holders_of, imports
from codemode.sdk.records import Style, fields_of, json_alias, remark, write_shape
from codemode.sdk.shapes import Aliases, Shape, Shapes, alike, name_shapes
from codemode.sdk.signature import Signature
from codemode.sdk.spelling import Speller, shown_default
from codemode.sdk.tree import Field

Detail = Literal["full", "brief"]
_STYLE = Style(indent=" ", gap=" ")
#: A program cannot count on keys of a result that are not listed.
_RESULT_STYLE = Style(indent=" ", gap=" ", says_open=False)
#: Characters of a description that the brief text keeps, of what is said of a result, and of
#: what is said of a key of one.
_BRIEF = 100
_RESULT = 60
_RESULT_KEY = 40
#: A comment of this length that stands beside one name more than twice is said once, above
#: all; one of that length if it does so twice.
_LONG_ENOUGH, _VERY_LONG, _TWICE = 20, 60, 2
#: Characters of an alias beside its name and its type, and of a type that is plainer without.
_ALIAS, _PLAIN = 16, 20
UNDECLARED = "# -> Any: the tool declares no result; print one to see its shape."
#: A number, a unit, a format or a condition.
_HOW_TO_READ = re.compile(
    r"[\d/%(\"`:=]|\b(in|as|if|when|only|unless|per|or|ISO|UTC|not|null)\b", re.IGNORECASE
)
COMMON = "# Of arguments of these names, where no comment stands beside them:"


def write_prompt(signatures: Sequence[Signature], *, detail: Detail = "full") -> str:
    """Return the text for a set of tools, sorted by name."""
    return _Writer(signatures, detail).text()


class _Writer:
    def __init__(self, signatures: Sequence[Signature], detail: Detail) -> None:
        self._full = detail == "full"
        self._holders = holders_of(signatures, everything=False)
        self._calls = {s.entry.name: call_of(s) for s in signatures}
        self._shapes = _gathered(signatures, self._calls)
        own = Names(self._holders)
        self._own = own
        self._same = alike(self._shapes)
        names = name_shapes(self._shapes, own.namer, self._same)
        self._names = Aliases(self._shapes, names, own.namer, _is_shorter, least_uses=2).names()
        self._said = {
            name: [_parameter_note(item) for item in call.keywords]
            for name, call in self._calls.items()
        }
        self._beside = dict(self._shape_notes())
        self._common = self._repeated() if self._full else {}
        self._undeclared = any(signature.returns is None for signature in signatures)
        self._used: set[str] = set()

    def text(self) -> str:
        """Return imports, what is said once, types, tools."""
        body = [
            self._shape(self._names[key], shape)
            for key, shape in self._shapes.by_key.items()
            if key in self._names and key not in self._same
        ]
        body += [self._holder(holder) for holder in self._holders]
        said = [UNDECLARED] if self._undeclared else []
        if self._common:
            said.append(COMMON)
            said += [f"# {name}: {comment(note)}" for name, note in sorted(self._common.items())]
        if "Json" in self._used:
            speller = self._speller()
            said.append(json_alias(speller))
            self._used |= speller.used
        return "\n".join([*imports(self._used, self._own.words), *said, *body, ""])

    # --- what is said beside types ------------------------------------------------------

    def _shape_notes(self) -> Iterator[tuple[str, list[str]]]:
        shown = self._shapes.by_key
        likes: dict[str, list[str]] = {}
        for key, stands in self._same.items():
            likes.setdefault(stands, [stands]).append(key)
        for key, shape in shown.items():
            if key in self._same or key not in self._names:
                continue
            fields = fields_of(shape.node)
            if shape.taken:
                yield key, [remark(item) for item in fields]
                continue
            # One type for several results says of a key what they all do.
            same = [fields_of(shown[like].node) for like in likes.get(key, [key])]
            notes = [
                {_result_note(item, self._names[key]) for item in items}
                for items in zip(*same, strict=True)
            ]
            yield key, [said.pop() if len(said) == 1 else "" for said in notes]

    def _repeated(self) -> dict[str, str]:
        """Return the comments that are said once, by the name that they stand beside.

        A name is left out if some argument of that name has no comment at all: the common one
        would seem to be meant for it. Keys of results are not looked at.
        """
        found: Counter[tuple[str, str]] = Counter()
        for name, call in self._calls.items():
            found.update(zip((item.name for item in call.keywords), self._said[name], strict=True))
        for key, notes in self._beside.items():
            shape = self._shapes.by_key[key]
            if shape.taken:
                names = (item.name for item in fields_of(shape.node))
                found.update(zip(names, notes, strict=True))
        silent = {name for name, note in found if not note}
        often = [
            (-times, name, note)
            for (name, note), times in found.items()
            if times > 1 and len(note) >= (_VERY_LONG if times == _TWICE else _LONG_ENOUGH)
        ]
        common: dict[str, str] = {}
        for _, name, note in sorted(often):
            if name not in silent and is_keyword_name(name):
                common.setdefault(name, note)
        return common

    def _unsaid(self, names: Iterable[Field], notes: Sequence[str]) -> list[str]:
        """Return the comments that are still to be said beside these names."""
        if not self._full:
            return [""] * len(notes)
        common = self._common
        if not common:
            return list(notes)
        return [
            "" if common.get(item.name) == note else note
            for item, note in zip(names, notes, strict=True)
        ]

    # --- types and tools ----------------------------------------------------------------

    def _speller(self) -> Speller:
        return Speller(self._names, self._own.words, anything="Json")

    def _shape(self, name: str, shape: Shape) -> str:
        speller = self._speller()
        said = self._beside[shape.node.key]
        if shape.taken or not self._full:
            said = self._unsaid(fields_of(shape.node), said)
        style = _STYLE if shape.taken else _RESULT_STYLE
        text = write_shape(name, shape.node, speller, style, said)
        self._used |= speller.used
        return text

    def _holder(self, holder: Holder) -> str:
        class_name = self._own.type_name(holder.name)
        speller = self._speller()
        lines: list[str] = []
        odd: list[tuple[str, str]] = []
        for member, signature in holder.odd:
            protocol = self._own.type_name(member)
            lines.append(f"class {protocol}({speller.word('Protocol')}):")
            lines.append(self._method("__call__", signature, speller))
            odd.append((quote(member), protocol))
        if odd and not holder.plain:
            # Subscripts alone are what a TypedDict says in fewer words than overloads.
            lines.append(f"{class_name} = {speller.word('TypedDict')}({quote(class_name)}, {{")
            lines += [f" {member}: {protocol}," for member, protocol in odd]
            lines.append("})")
        else:
            lines += self._class(class_name, holder, odd, speller)
        self._used |= speller.used
        return "\n".join([*lines, f"{holder.name}: {class_name}"])

    def _class(
        self, name: str, holder: Holder, odd: Sequence[tuple[str, str]], speller: Speller
    ) -> list[str]:
        overload = f" @{speller.word('overload')}\n" if len(odd) > 1 else ""
        lines = [self._method(member, signature, speller) for member, signature in holder.plain]
        lines += [
            f"{overload} def __getitem__(self, _: {speller.word('Literal')}[{member}])"
            f" -> {protocol}: ..."
            for member, protocol in odd
        ]
        return [f"class {name}:", *(lines or [" pass"])]

    def _method(self, name: str, signature: Signature, speller: Speller) -> str:
        call = self._calls[signature.entry.name]
        rows = self._parameters(call, signature, speller)
        returns = signature.returns
        result = speller.word("Any") if returns is None else speller.spell(returns)
        start = f" async def {name}({receiver(call.keywords)}"
        end = f") -> {result}: {_doc(signature, full=self._full)}"
        if not any(note for _, note in rows):
            return start + "".join(f", {text}" for text, _ in rows) + end
        # The first row is the star, which has no comment.
        inner = [f"  {text}," + (f" # {note}" if note else "") for text, note in rows[1:]]
        return "\n".join([f"{start}, {rows[0][0]},", *inner, f" {end}"])

    def _parameters(
        self, call: Call, signature: Signature, speller: Speller
    ) -> list[tuple[str, str]]:
        """Return each parameter with its comment."""
        if call.whole is not None:
            return [(f"args: {speller.spell(call.whole)}", "")]
        rows = [("*", "")] if call.keywords else []
        said = self._unsaid(call.keywords, self._said[signature.entry.name])
        rows += [
            (parameter(item, speller), comment(note))
            for item, note in zip(call.keywords, said, strict=True)
        ]
        more = signature.arguments.more
        if call.others is not None:
            given = f"{speller.word('Unpack')}[{speller.spell(call.others)}]"
            rows.append((f"**{others_name(call.keywords)}: {given}", ""))
        elif more is not None:
            rows.append((f"**{others_name(call.keywords)}: {speller.spell(more)}", ""))
        return rows


def _parameter_note(item: Field) -> str:
    return remark(item, default=item.required or shown_default(item) is None)


def _result_note(item: Field, owner: str) -> str:
    """Return the first sentence on a key of a result, if it is short and says how to read it.

    The rest is in the stub: results are read with their values at hand, and what is said of
    them made the text of some catalogues longer than what it stands for.
    """
    said = first_sentence(item.note)
    telling = len(said) <= _RESULT_KEY and _HOW_TO_READ.search(said)
    return said if telling and not restates(said, item.name, owner) else ""


def _cut(text: str, length: int) -> str:
    return text if len(text) <= length else text[: length - 1] + "…"


def _doc(signature: Signature, *, full: bool) -> str:
    said = " ".join(signature.entry.description.split())
    parts = [said if full else _cut(said, _BRIEF)] if said else []
    if full and signature.returns_note:
        parts.append(f"Returns: {_cut(signature.returns_note, _RESULT)}")
    if signature.observed:
        parts.append(f"[result observed in {signature.observed} calls, not declared]")
    return docstring(" ".join(parts)) if parts else "..."


def _gathered(signatures: Sequence[Signature], calls: Mapping[str, Call]) -> Shapes:
    shapes = Shapes()
    for signature in signatures:
        call = calls[signature.entry.name]
        for item in call.keywords:
            shapes.gather(item.node, item.name, taken=True)
        for record in (call.others, call.whole):
            if record is not None:
                shapes.gather(record, record.hint[1], taken=True)
        if signature.arguments.more is not None:
            shapes.gather(signature.arguments.more, "more", taken=True)
    for signature in signatures:
        if signature.returns is not None:
            shapes.gather(signature.returns, f"{signature.entry.name} result", taken=False)
    return shapes


def _is_shorter(uses: int, length: int, name: int) -> bool:
    """Say whether an alias saves characters."""
    return uses > 1 and uses * (length - name) > length + name + _ALIAS and length > _PLAIN
