"""The stub form: every object a TypedDict, both ways to call, for checkers and editors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from codemode.sdk.calls import others_name, parameter, receiver
from codemode.sdk.literals import docstring, quote
from codemode.sdk.names import is_keyword_name
from codemode.sdk.plan import ERROR, Holder, Names, discovery_name, holders_of, imports
from codemode.sdk.reading import FROM_DEFINITION
from codemode.sdk.records import Style, fields_of, json_alias, remark, write_shape
from codemode.sdk.shapes import Aliases, Shapes, name_shapes
from codemode.sdk.signature import Signature
from codemode.sdk.spelling import Speller
from codemode.sdk.tree import Record, digest

_INDENT = "    "
#: Characters of a type that may stand inside another.
_LONGEST = 1_000
_STYLE = Style(indent=_INDENT, gap="  ")


def write_stub(signatures: Sequence[Signature], *, alone: bool = False) -> str:
    """Return a stub file for a set of tools, sorted by name.

    Args:
        signatures: The tools.
        alone: Write them only, without what every program has beside them.
    """
    return _Writer(signatures).text(alone=alone)


class _Writer:
    def __init__(self, signatures: Sequence[Signature]) -> None:
        self._signatures = signatures
        self._holders = holders_of(signatures, everything=True)
        self._own = Names(self._holders)
        # Named first, so that what a tool is called depends on no shape of another's.
        self._tools = {s.entry.name: self._own.type_name(s.entry.name) for s in signatures}
        self._arguments = {
            signature.entry.name: [_named(signature, n) for n in range(len(signature.choices))]
            for signature in signatures
        }
        self._taken, self._given = self._gathered()
        namer = self._own.namer
        names = name_shapes(self._taken, namer)
        self._input_names = Aliases(self._taken, names, namer, _is_long, least_uses=1).names()
        names = name_shapes(self._given, namer)
        self._output_names = Aliases(self._given, names, namer, _is_long, least_uses=1).names()
        self._used: set[str] = set()

    def _gathered(self) -> tuple[Shapes, Shapes]:
        """Return the shapes of arguments and of results, which are written differently."""
        taken, given = Shapes(), Shapes()
        for signature in self._signatures:
            name = signature.entry.name
            for record in self._arguments[name]:
                taken.gather(record, record.hint[1], taken=True)
            for item in signature.arguments.fields:
                taken.gather(item.node, item.name, taken=True)
            if signature.returns is not None:
                given.gather(signature.returns, f"{name} result", taken=False)
        return taken, given

    def text(self, *, alone: bool) -> str:
        """Return imports, types, tools, and what every program has beside them."""
        blocks = self._shapes(self._taken, self._input_names)
        blocks += self._shapes(self._given, self._output_names)
        blocks += [self._tool(signature) for signature in self._signatures]
        blocks += [self._holder(holder) for holder in self._holders]
        if not alone:
            blocks += [self._error(), self._discovery()]
        speller = self._output()
        own = [json_alias(speller)] if "Json" in self._used else []
        self._used |= speller.used
        head = imports(self._used, self._own.words)
        return "\n\n".join(["\n".join(head), *own, *blocks]) + "\n"

    def _input(self) -> Speller:
        return Speller(
            self._input_names,
            self._own.words,
            anything="Json",
            read_only=True,
            opens=True,
        )

    def _output(self) -> Speller:
        return Speller(self._output_names, self._own.words, anything="Any")

    def _shapes(self, shapes: Shapes, names: dict[str, str]) -> list[str]:
        blocks = []
        for key, shape in shapes.by_key.items():
            if key in names:
                speller = self._input() if shapes is self._taken else self._output()
                said = [remark(item) for item in fields_of(shape.node)]
                blocks.append(write_shape(names[key], shape.node, speller, _STYLE, said))
                self._used |= speller.used
        return blocks

    def _tool(self, signature: Signature) -> str:
        """Return the class of one tool's callable."""
        taken, given = self._input(), self._output()
        returns = signature.returns
        result = given.word("Any") if returns is None else given.spell(returns)
        calls = [f"args: {self._choices(signature, taken)}, /"]
        arguments = signature.arguments
        if all(is_keyword_name(item.name) for item in arguments.fields if item.required):
            keywords = [item for item in arguments.fields if is_keyword_name(item.name)]
            rows = [parameter(item, taken) for item in keywords]
            rows = ["*", *rows] if rows else []
            if arguments.more is not None:
                rows.append(f"**{others_name(keywords)}: {taken.spell(arguments.more)}")
            calls.insert(0, ", ".join(rows))
        lines = [f"class {self._tools[signature.entry.name]}({given.word('Protocol')}):"]
        lines.append(_INDENT + (docstring(doc_of(signature)) if doc_of(signature) else "..."))
        for call in calls:
            if len(calls) > 1:
                lines.append(f"{_INDENT}@{given.word('overload')}")
            start = ", ".join(part for part in (_receiver(signature), call) if part)
            lines.append(f"{_INDENT}async def __call__({start}) -> {result}: ...")
        self._used |= taken.used | given.used
        return "\n".join(lines)

    def _choices(self, signature: Signature, speller: Speller) -> str:
        records = self._arguments[signature.entry.name]
        return " | ".join(dict.fromkeys(speller.spell(record) for record in records))

    def _holder(self, holder: Holder) -> str:
        speller = self._output()
        name = self._own.type_name(holder.name)
        lines = [f"class {name}({speller.word('Protocol')}):"]
        lines += [f"{_INDENT}{member}: {self._tools[s.entry.name]}" for member, s in holder.plain]
        # By a name that is only known at run time, or of a plain tool.
        anyone = (
            f"{speller.word('Callable')}[..., {speller.word('Coroutine')}"
            f"[{speller.word('Any')}, {speller.word('Any')}, {speller.word('Any')}]]"
        )
        rows = [
            (f"{speller.word('Literal')}[{quote(member)}]", self._tools[s.entry.name])
            for member, s in holder.odd
        ]
        for key, value in [*rows, (speller.word("str"), anyone)]:
            if rows:
                lines.append(f"{_INDENT}@{speller.word('overload')}")
            lines.append(f"{_INDENT}def __getitem__(self, name: {key}, /) -> {value}: ...")
        whole, text = speller.word("object"), speller.word("str")
        lines += [
            f"{_INDENT}def __contains__(self, name: {whole}, /) -> {speller.word('bool')}: ...",
            f"{_INDENT}def __iter__(self) -> {speller.word('Iterator')}[{text}]: ...",
            f"{_INDENT}def __len__(self) -> {speller.word('int')}: ...",
        ]
        self._used |= speller.used
        return "\n".join([*lines, "", f"{holder.name}: {name}"])

    def _error(self) -> str:
        speller = self._output()
        base, text = speller.word("Exception"), speller.word("str")
        self._used |= speller.used
        return f"class {ERROR}({base}):\n{_INDENT}tool_name: {text}"

    def _discovery(self) -> str:
        """Return the global by which a program searches and describes tools."""
        speller = self._output()
        global_name = discovery_name(holder.name for holder in self._holders)
        name = self._own.type_name(global_name)
        text = speller.word("str")
        rows = f"{speller.word('list')}[{speller.word('dict')}[{text}, {text}]]"
        self._used |= speller.used
        return (
            f"class {name}({speller.word('Protocol')}):\n"
            f"{_INDENT}async def search(self, *, query: {text}, limit: "
            f"{speller.word('int')} = 20) -> {rows}: ...\n"
            f"{_INDENT}async def describe(self, *, name: {text}) -> {text}: ...\n\n"
            f"{global_name}: {name}"
        )


def _named(signature: Signature, number: int) -> Record:
    """Return one of the objects that a tool takes, under the tool's name, for that tool alone."""
    record, name = signature.choices[number], signature.entry.name
    ending = "" if number == 0 else str(number + 1)
    return replace(
        record, key=f"A{digest(name)}{ending}", hint=(FROM_DEFINITION, f"{name}_args{ending}")
    )


def _is_long(uses: int, length: int, name: int) -> bool:
    """Say whether a type is too long to stand inside another.

    However often it is used: what one tool uses must not change the text of another.
    """
    del uses, name
    return length > _LONGEST


def _receiver(signature: Signature) -> str:
    return receiver(signature.arguments.fields)


def doc_of(signature: Signature) -> str:
    """Return the documentation of a tool, on one line."""
    parts = [" ".join(signature.entry.description.split())]
    if signature.returns is None:
        parts.append("[no result is declared]")
    if signature.returns_note:
        parts.append(f"Returns: {signature.returns_note}")
    if signature.observed:
        parts.append(f"[result observed in {signature.observed} calls, not declared]")
    return " ".join(part for part in parts if part)
