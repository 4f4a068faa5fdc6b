"""The Python generator: reads each tool once, and writes the fullest text that fits."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import TypeVar

from codemode.sdk.entries import Entry, Tool, entries_of, fingerprint
from codemode.sdk.field_memory import FieldMemory
from codemode.sdk.index_form import heading, write_index, write_namespaces
from codemode.sdk.prompt_form import write_prompt
from codemode.sdk.signature import Signature, signature_of
from codemode.sdk.stub_form import write_stub
from codemode.sdk.tokens import Tokenizer, installed_tokenizer
from codemode.sdk.vocabulary import Form, Level, SdkBudget, SdkText

K = TypeVar("K")
V = TypeVar("V")

#: Tools and texts that are remembered: those of a few large catalogues and their scopes.
_MOST_SIGNATURES = 20_000
_MOST_TEXTS = 16

_CHARACTERS = Tokenizer("characters", len)


class PythonSdk:
    """Writes Python. Remembers what it read of each tool, and its latest texts.

    Args:
        read: Reads one tool; what it returns for a tool must be the same each time. Unless
            given, it is `signature_of`, which remembers what it reads of fields.
    """

    language = "python"

    def __init__(self, read: Callable[[Entry], Signature] | None = None) -> None:
        self._read_one = read or partial(signature_of, known_fields=FieldMemory())
        self._signatures: dict[str, Signature] = {}
        self._texts: dict[object, SdkText] = {}
        self._latest: dict[object, tuple[tuple[Tool, ...], SdkText]] = {}

    def generate(
        self, tools: Iterable[Tool], *, form: Form = "prompt", budget: SdkBudget | None = None
    ) -> SdkText:
        """Return the text of a set of tools, shortened to fit the budget.

        A stub is never shortened: it is for machines, and a part of it would be wrong.
        """
        held = tuple(tools)
        budget = budget if form == "prompt" else None
        asked = (form, budget)
        latest = self._latest.get(asked)
        if latest is not None and _is_same(latest[0], held):
            return latest[1]
        entries = entries_of(held)
        prints = tuple(map(fingerprint, entries))
        text = self._texts.get((asked, prints))
        if text is None:
            text = self._write(entries, prints, form, budget)
            if all(prints):
                _remember(self._texts, (asked, prints), text, _MOST_TEXTS)
        _remember(self._latest, asked, (held, text), _MOST_TEXTS)
        return text

    def _write(
        self,
        entries: Sequence[Entry],
        prints: Sequence[str],
        form: Form,
        budget: SdkBudget | None,
    ) -> SdkText:
        if budget is None:
            signatures = self._read(entries, prints)
            text = write_prompt(signatures) if form == "prompt" else write_stub(signatures)
            return _sized(text, "full", _CHARACTERS, "characters")
        limit = budget.tokens or budget.characters or 0
        tokenizer = installed_tokenizer() if budget.tokens else _CHARACTERS

        def fits(text: str) -> bool:
            return tokenizer.count(text) <= limit

        unit = "tokens" if budget.tokens else "characters"
        # Not even read where there are far too many to show.
        affordable = sum(len(entry.name) + 4 for entry in entries) < limit * 8
        steps = self._steps(entries, prints) if affordable else iter(())
        for level, text in steps:
            if fits(text):
                return _sized(text, level, tokenizer, unit)
        return _sized(write_namespaces(entries, fits), "namespaces", tokenizer, unit)

    def _steps(
        self, entries: Sequence[Entry], prints: Sequence[str]
    ) -> Iterator[tuple[Level, str]]:
        """Every shorter text than the last, down to the names alone."""
        signatures = self._read(entries, prints)
        yield "full", write_prompt(signatures)
        yield "signatures", f"{heading(entries)}\n{write_prompt(signatures, detail='brief')}"
        yield "index", write_index(entries, summaries=True)
        yield "index", write_index(entries, summaries=False)

    def _read(self, entries: Sequence[Entry], prints: Sequence[str]) -> list[Signature]:
        signatures = []
        for entry, name in zip(entries, prints, strict=True):
            known = self._signatures.get(name) if name else None
            if known is None:
                known = self._read_one(entry)
                if name:
                    _remember(self._signatures, name, known, _MOST_SIGNATURES)
            signatures.append(known)
        return signatures


def _is_same(known: tuple[Tool, ...], given: tuple[Tool, ...]) -> bool:
    """Say whether these are the very same definitions. A dict may have changed since."""
    return len(known) == len(given) and all(
        a is b and not isinstance(a, dict) for a, b in zip(known, given, strict=True)
    )


def _remember(memory: dict[K, V], key: K, value: V, most: int) -> None:
    """Keep a value; the oldest one goes when there are too many."""
    memory[key] = value
    if len(memory) > most:
        del memory[next(iter(memory))]


def _sized(text: str, level: Level, tokenizer: Tokenizer, unit: str) -> SdkText:
    return SdkText(
        text=text,
        level=level,
        size=tokenizer.count(text),
        unit="tokens" if unit == "tokens" else "characters",
        counted_by=tokenizer.name,
    )
