"""Strategies for what crosses the bridge, and for what almost does."""

from __future__ import annotations

import json
import re

from hypothesis import strategies as st

PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")
_SURROGATES = st.sampled_from("\ud800\ud83d\udbff\udc00\ude00\udfff")
_CHARACTERS = st.characters(exclude_categories=()) | _SURROGATES

#: Text of any code points, pairs of surrogates among them.
any_texts = st.text(_CHARACTERS, max_size=20)
#: Text that comes back as it was.
texts = any_texts.filter(lambda text: PAIR.search(text) is None)

#: Integers that are as long as they may be: too long to be parts of values that are shown.
long_integers = st.integers(1, 4300).map(lambda digits: 1 - 10**digits) | st.integers(0, 4299).map(
    lambda digits: 10**digits
)
_INTEGERS = st.integers() | st.integers(-(2**70), 2**70)
_FLOATS = st.floats(allow_nan=False, allow_infinity=False)
scalars = st.none() | st.booleans() | _INTEGERS | _FLOATS | texts

#: Lossless values.
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(texts, inner, max_size=5),
    max_leaves=20,
)


@st.composite
def documents(draw: st.DrawFn) -> str:
    """JSON as others write it: any white space, escapes and spellings of numbers."""
    written = json.dumps(
        draw(values),
        indent=draw(st.sampled_from(_INDENTS)),
        separators=draw(st.sampled_from([(",", ":"), (" ,", ": "), (", ", " : ")])),
    )
    for common, odd in draw(st.lists(st.sampled_from(_SPELLINGS), max_size=3)):
        spelt = written.replace(common, odd)
        written = spelt if _is_json(spelt) else written
    return written


_INDENTS: list[int | str | None] = [None, 0, 3, "\t", " \r\n"]
_SPELLINGS = [
    ("1", "1e2"),
    ("0", "-0"),
    ("e", "E"),
    ("a", "\\u0061"),
    ("/", "\\/"),
    ("5", "5.0"),
    ("\\ud83d", "\\uD83D"),
    ("\\u00e9", "é"),
    ("\\u007f", "\x7f"),
]


def _is_json(document: str) -> bool:
    try:
        json.loads(document)
    except ValueError:
        return False
    return True


@st.composite
def near_documents(draw: st.DrawFn) -> str:
    """Documents with something put in, taken out or put elsewhere: most are no JSON."""
    text = draw(documents())
    for _ in range(draw(st.integers(1, 3))):
        start = draw(st.integers(0, len(text)))
        end = draw(st.integers(start, min(len(text), start + 3)))
        text = (
            text[:start]
            + draw(st.text('[]{}:,"\\ \n019.eE+-truefalsnN\0é', max_size=3))
            + text[end:]
        )
    return text
