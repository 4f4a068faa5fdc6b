"""Finding tools from inside a program: pure functions over a set of tools."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TypedDict

from codemode.errors import UsageError
from codemode.sdk import plan
from codemode.sdk.entries import Entry, Tool, entries_of
from codemode.sdk.index_form import summary_of
from codemode.sdk.plan import places
from codemode.sdk.signature import signature_of
from codemode.sdk.stub_form import write_stub
from codemode_guest.near import nearest

#: Letters of a part of a word that still means the word.
_LEAST_PART = 3
#: A word in the name says more than one in the description, a whole word more than a part.
_NAME_WORD, _NAME_PART, _TEXT_WORD, _TEXT_PART = 12, 6, 3, 1
#: What counts of a query, and what is shown of a name: a program may send megabytes, and each word
#: is looked for in every tool while the host waits.
_MAX_QUERY, _MAX_WORDS = 1_000, 16
_MAX_NAME = 200


class Found(TypedDict):
    """One tool that a search found; `call` is the expression that reaches it."""

    name: str
    call: str
    summary: str


class UnknownToolNameError(UsageError):
    """There is no tool of this name to describe."""

    def __init__(self, name: str, known: Iterable[str]) -> None:
        near = nearest(name, known)
        hint = f"did you mean {near!r}?" if near else "search for one by words"
        super().__init__(f"there is no tool {name!r:.{_MAX_NAME}}; {hint}")
        self.name = name


def search_tools(tools: Iterable[Tool], query: str, *, limit: int = 20) -> list[Found]:
    """Return the tools that a query is about, the best first, by name among equals.

    Args:
        tools: To search.
        query: Words; a tool that has more of them comes first. None lists all, by name. Only the
            first 16 count.
        limit: The most that are returned.
    """
    entries = entries_of(tools)
    where = places((entry.name, entry.namespace, entry.member) for entry in entries)
    words = list(dict.fromkeys(_words(query[:_MAX_QUERY])))[:_MAX_WORDS]
    ranked = [(-_score(entry, words), entry) for entry in entries]
    if words:
        ranked = [row for row in ranked if row[0]]
        ranked.sort(key=lambda row: (row[0], row[1].name))
    return [
        Found(name=entry.name, call=where[entry.name].call, summary=summary_of(entry))
        for _, entry in ranked[: max(limit, 0)]
    ]


def _score(entry: Entry, words: list[str]) -> int:
    name = _words(f"{entry.namespace or ''} {entry.member or ''} {entry.name}")
    listed = entry.input_schema.get("properties") if isinstance(entry.input_schema, dict) else None
    text = _words(f"{entry.description} {' '.join(listed) if isinstance(listed, dict) else ''}")
    name_words, text_words = set(name), set(text)
    score = 0
    for word in words:
        if word in name_words:
            score += _NAME_WORD
        elif any(word in part or part in word for part in name_words if len(part) >= _LEAST_PART):
            score += _NAME_PART
        if word in text_words:
            score += _TEXT_WORD
        elif any(part.startswith(word) for part in text_words):
            score += _TEXT_PART
    return score


def _words(text: str) -> list[str]:
    """Return the words of a text or of a name in any style, without their plural."""
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", text)
    return [
        word[:-1] if len(word) > _LEAST_PART and word.endswith("s") else word
        for word in re.findall(r"[^\W_]+", spaced.casefold())
    ]


def describe_tool(tools: Iterable[Tool], name: str) -> str:
    """Return the full stub of one tool, as if there were no other.

    Args:
        tools: All of them.
        name: The tool's, or the expression that calls it.

    Raises:
        UnknownToolNameError: If there is none.
    """
    entries = entries_of(tools)
    where = places((entry.name, entry.namespace, entry.member) for entry in entries)
    known = {where[entry.name].call: entry for entry in entries}
    known |= {entry.name: entry for entry in entries}
    entry = known.get(name)
    if entry is None:
        raise UnknownToolNameError(name, [entry.name for entry in entries])
    return write_stub([signature_of(entry)], alone=True)


def discovery_name(tools: Iterable[Tool]) -> str:
    """Return the global under which programs search and describe these tools.

    `catalog`, or another where that is a namespace of tools.
    """
    return plan.discovery_name(entry.namespace for entry in entries_of(tools) if entry.namespace)
