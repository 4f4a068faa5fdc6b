"""What a type cannot say, in few words: ranges, patterns, formats, defaults, examples."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from types import MappingProxyType

#: Longest JSON value that is quoted in a remark, in characters.
_LONGEST_VALUE = 60
_MOST_EXAMPLES = 3
_LEAST = ">= "
#: What generators write for "an integer": the range in which a double is exact.
_EXACT = 2**53 - 1


def brief(value: object) -> str:
    """Return a JSON value on one line, cut to a length that a comment bears."""
    try:
        text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    except (RecursionError, TypeError, ValueError):
        return "…"
    return text if len(text) <= _LONGEST_VALUE else text[: _LONGEST_VALUE - 1] + "…"


def remarks(schema: Mapping[str, object]) -> list[str]:
    """Return what the keywords of one schema (not of its parts) say beside its type."""
    said: list[str] = []
    if REMARKABLE.isdisjoint(schema):
        return said
    for word, value in schema.items():
        if word == "pattern" and "format" in schema and len(str(value)) > _LONGEST_VALUE:
            # Generators write beside a format how they check it.
            continue
        phrase = _PHRASES.get(word)
        if phrase is not None and (text := phrase(value)):
            said.append(text)
    for words, unit in _RANGES:
        if schema.keys().isdisjoint(words):
            continue
        low, high, above, below = map(schema.get, words)
        text = _range(low, high, above, below)
        if unit and text.startswith(_LEAST):
            text = f"{text.removeprefix(_LEAST)}+"
        if text:
            said.append(f"{text}{unit}")
    return said


def _range(low: object, high: object, above: object, below: object) -> str:
    # Draft 04: a boolean beside the bound.
    if above is True:
        low, above = None, low
    if below is True:
        high, below = None, high
    at_least, at_most = _bound(low), _bound(high)
    over, under = _bound(above), _bound(below)
    if at_least and at_most:
        return at_least if at_least == at_most else f"{at_least}..{at_most}"
    marks = ((">=", at_least), (">", over), ("<=", at_most), ("<", under))
    return ", ".join(f"{sign} {bound}" for sign, bound in marks if bound)


def _bound(value: object) -> str:
    if isinstance(value, bool) or not isinstance(value, int | float) or abs(value) >= _EXACT:
        return ""
    if isinstance(value, float) and not math.isfinite(value):
        return ""
    return f"{value:g}" if isinstance(value, float) else str(value)


def _flag(word: str) -> Callable[[object], str]:
    return lambda value: word if value is True else ""


def _valued(words: str) -> Callable[[object], str]:
    return lambda value: words.format(brief(value))


def _examples(value: object) -> str:
    given = value if isinstance(value, list) else [value]
    shown = ", ".join(brief(example) for example in given[:_MOST_EXAMPLES])
    return f"e.g. {shown}" if shown else ""


def _needs(value: object) -> str:
    if not isinstance(value, Mapping):
        return ""
    return ", ".join(
        f"{key} needs {' and '.join(map(str, needed))}"
        for key, needed in value.items()
        if isinstance(needed, list) and needed
    )


_PHRASES: Mapping[str, Callable[[object], str]] = MappingProxyType(
    {
        "pattern": lambda value: f"/{value}/" if isinstance(value, str) else "",
        "format": lambda value: value if isinstance(value, str) else "",
        "multipleOf": _valued("multiple of {}"),
        "uniqueItems": _flag("distinct"),
        "contains": _valued("holds {}"),
        "minContains": _valued("at least {} such"),
        "maxContains": _valued("at most {} such"),
        "contentEncoding": lambda value: value if isinstance(value, str) else "",
        "contentMediaType": lambda value: value if isinstance(value, str) else "",
        "contentSchema": _valued("holding {}"),
        "not": _valued("not {}"),
        "dependentRequired": _needs,
        "dependencies": _needs,
        "examples": _examples,
        "example": _examples,
        "deprecated": _flag("deprecated"),
        "readOnly": _flag("read-only"),
        "writeOnly": _flag("write-only"),
    }
)

# Least, most, more than, less than, and the unit.
_RANGES = (
    (("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"), ""),
    (("minLength", "maxLength", "", ""), " chars"),
    (("minItems", "maxItems", "", ""), " items"),
    (("minProperties", "maxProperties", "", ""), " keys"),
)

#: The keywords that this module has words for.
REMARKABLE = frozenset(_PHRASES).union(*(group for group, _ in _RANGES)) - {""}
