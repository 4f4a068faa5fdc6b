"""The text beside a type: descriptions, and what a type cannot say."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache

from codemode.sdk.document import Document
from codemode.sdk.literals import in_literal
from codemode.sdk.remarks import brief, remarks

#: Levels below a field (a list's items, a choice's branches) whose notes go to the field.
_LEVELS = 4
#: Characters after which no deeper note is added to a field's.
_ENOUGH = 600
#: A schema of these keywords alone has a description, and nothing else to say.
_PLAIN = frozenset(("type", "description", "properties", "required"))
#: Keywords that hold schemas whose notes go to the field.
_PARTED = frozenset(
    (
        *("$ref", "items", "prefixItems", "anyOf", "oneOf", "allOf", "if"),
        *("patternProperties", "propertyNames", "additionalProperties"),
    )
)
#: Keywords that may say what has no type.
_ODD = frozenset(("$ref", "$dynamicRef", "enum", "const"))
_STANDARD = frozenset(("string", "integer", "number", "boolean", "null", "object", "array"))


class Notes:
    """Writes the notes of one document's schemas."""

    def __init__(self, document: Document) -> None:
        self._document = document

    def note(self, schema: object, name: str = "") -> tuple[str, str]:
        """Return the description of a schema, and what else no type says, a line each.

        Args:
            schema: Any JSON value.
            name: Of the field, so that a title which only repeats it is left out.
        """
        if not isinstance(schema, dict):
            return "", ""
        return self._note(schema, name, _LEVELS)

    def own(self, schema: object) -> str:
        """Return the description of a definition."""
        description = schema.get("description") if isinstance(schema, dict) else None
        return folded(description) if isinstance(description, str) else ""

    def _note(self, schema: Mapping[str, object], name: str, levels: int) -> tuple[str, str]:
        text = self.own(schema)
        title = schema.get("title")
        kind = schema.get("type")
        standard = isinstance(kind, str) and kind in _STANDARD
        if standard and _PLAIN.issuperset(schema):
            return text, ""
        if not text and isinstance(title, str) and _letters(title) != _letters(name):
            text = folded(title)
        facts = remarks(schema)
        facts += self._defaults(schema)
        if not standard or not _ODD.isdisjoint(schema):
            facts += self._odd(schema)
        if levels and len(text) < _ENOUGH and not _PARTED.isdisjoint(schema):
            facts += [part for part in self._parts(schema, name, levels) if part]
        return text, "; ".join(dict.fromkeys(folded(fact) for fact in facts))

    def _inner(self, schema: Mapping[str, object], name: str, levels: int) -> str:
        return annotated(*self._note(schema, name, levels - 1))

    def _defaults(self, schema: Mapping[str, object]) -> list[str]:
        """Return a default that no parameter list can show."""
        default = schema.get("default")
        return [f"default {brief(default)}"] if isinstance(default, list | dict) and default else []

    def _odd(self, schema: Mapping[str, object]) -> Iterator[str]:
        """Say what was widened because it has no type."""
        kind = schema.get("type")
        kinds = kind if isinstance(kind, list) else [kind]
        for each in kinds:
            if each is not None and not (isinstance(each, str) and each in _STANDARD):
                yield f"type {brief(each)}"
        for word in ("$ref", "$dynamicRef"):
            reference = schema.get(word)
            if isinstance(reference, str) and self._document.find(reference) is None:
                yield f"see {brief(reference)}"
        listed = schema.get("enum", [schema["const"]] if "const" in schema else [])
        if isinstance(listed, list) and not all(map(_is_literal, listed)):
            yield f"one of {', '.join(map(brief, listed[:12]))}"

    def _parts(self, schema: Mapping[str, object], name: str, levels: int) -> Iterator[str]:
        reference = schema.get("$ref")
        found = self._document.find(reference) if isinstance(reference, str) else None
        target = found[1] if found is not None else None
        # An object's own description stands with its class.
        if isinstance(target, dict) and "properties" not in target:
            yield self._inner(target, name, levels)
        items, first = schema.get("items"), schema.get("prefixItems")
        if isinstance(items, list):
            items, first = schema.get("additionalItems"), items
        if isinstance(items, dict) and (said := self._inner(items, name, levels)):
            yield f"each: {said}"
        if isinstance(first, list) and first:
            yield f"in order: {', '.join(map(_word, first))}"
        yield from self._branches(schema, name, levels)
        yield from self._keys(schema, levels)

    def _branches(self, schema: Mapping[str, object], name: str, levels: int) -> Iterator[str]:
        for word in ("anyOf", "oneOf", "allOf"):
            parts = schema.get(word)
            if not isinstance(parts, list):
                continue
            sets = [_requirement(part) for part in parts]
            if word != "allOf" and all(sets):
                yield "either " + " or ".join(sets)
                continue
            for part in parts[:20]:
                if isinstance(part, dict) and (said := self._inner(part, name, levels)):
                    yield said
        if "if" in schema:
            yield f"if {brief(schema['if'])}"

    def _keys(self, schema: Mapping[str, object], levels: int) -> Iterator[str]:
        patterns = schema.get("patternProperties")
        if isinstance(patterns, dict) and patterns:
            yield "keys " + ", ".join(f"/{brief(pattern)}/" for pattern in patterns)
        names = schema.get("propertyNames")
        if isinstance(names, dict) and (said := "; ".join(remarks(names))):
            yield f"keys: {said}"
        rest = schema.get("additionalProperties")
        if isinstance(rest, dict) and "properties" not in rest:
            said = self._inner(rest, "", levels)
            yield f"each: {said}" if said else ""


def annotated(note: str, facts: str) -> str:
    """Return a description and facts as one text."""
    return f"{note} [{facts}]" if note and facts else note or facts


def folded(text: str) -> str:
    """Return a text with every run of white space as one space."""
    return " ".join(text.split())


_WORD, _HUMP = re.compile(r"[^\W_]+"), re.compile(r"(?<=[a-z])(?=[A-Z])")
#: The end of a sentence, which "e.g." is not.
_SENTENCE_END = re.compile(r"(?<=[^.]{3}[^.])\.(?= +[A-Z`'\"])|(?<=\w{3})\.$")
#: Words with which a description can say no more than the name it describes.
_FILLERS = frozenset(
    [
        "a",
        "an",
        "and",
        "are",
        "array",
        "as",
        "associated",
        "at",
        "be",
        "boolean",
        "by",
        "contains",
        "current",
        "flag",
        "for",
        "from",
        "given",
        "has",
        "have",
        "if",
        "in",
        "indicates",
        "is",
        "it",
        "its",
        "list",
        "number",
        "object",
        "of",
        "on",
        "or",
        "related",
        "representing",
        "result",
        "results",
        "string",
        "text",
        "that",
        "the",
        "this",
        "to",
        "total",
        "unique",
        "value",
        "was",
        "were",
        "when",
        "where",
        "whether",
        "which",
        "with",
    ]
)


def first_sentence(text: str) -> str:
    """Return a text up to the end of its first sentence, without the full stop."""
    end = _SENTENCE_END.search(text)
    return text[: end.start()] if end else text


def restates(note: str, *names: str) -> bool:
    """Say whether a description only repeats the words of names."""
    if not note:
        return True
    known = {_stem(word) for name in names for word in _words(name)}
    return all(word in _FILLERS or _stem(word) in known for word in _words(note))


@lru_cache(maxsize=4096)
def _words(text: str) -> tuple[str, ...]:
    return tuple(_WORD.findall(_HUMP.sub(" ", text).casefold()))


def _stem(word: str) -> str:
    return word.removesuffix("s")


def _letters(text: str) -> str:
    return "".join(char for char in text.casefold() if char.isalnum())


def _is_literal(value: object) -> bool:
    return not isinstance(value, float | list | dict) and in_literal(value)


def _requirement(part: object) -> str:
    """Return the keys that a branch requires, if that is all it says."""
    if not isinstance(part, dict) or not part.keys() <= {"required", "not", "title"}:
        return ""
    needed = part.get("required")
    return " and ".join(map(str, needed)) if isinstance(needed, list) else ""


def _word(schema: object) -> str:
    if not isinstance(schema, dict):
        return "any"
    title = schema.get("title") or schema.get("description")
    return folded(brief(title or schema.get("const") or schema.get("type") or "any"))
