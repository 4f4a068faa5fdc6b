"""Parameter lists: what of a tool's arguments Python can name."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from codemode.sdk.names import is_keyword_name
from codemode.sdk.signature import Signature
from codemode.sdk.spelling import Speller, shown_default
from codemode.sdk.tree import Field, Record, record_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """How one tool is called: by keywords, with other keys besides, or with one dict."""

    keywords: tuple[Field, ...]
    others: Record | None
    whole: Record | None


def call_of(signature: Signature) -> Call:
    """Return the call that can say every argument."""
    arguments = signature.arguments
    odd = [item for item in arguments.fields if not is_keyword_name(item.name)]
    if not odd:
        return Call(keywords=arguments.fields, others=None, whole=None)
    if any(item.required for item in odd):
        return Call(keywords=(), others=None, whole=arguments)
    others = record_of(odd, extra="unsaid", hint=(9, f"{signature.entry.name}_others"))
    keywords = tuple(item for item in arguments.fields if is_keyword_name(item.name))
    return Call(keywords=keywords, others=others, whole=None)


def _free(name: str, taken: Iterable[Field]) -> str:
    names = {item.name for item in taken}
    while name in names:
        name += "_"
    return name


def receiver(keywords: Iterable[Field]) -> str:
    """Return a name for a method's first parameter that is none of the others'."""
    return _free("self", keywords)


def others_name(keywords: Iterable[Field]) -> str:
    """Return a name for the parameter that takes all others."""
    return _free("more", keywords)


def parameter(item: Field, speller: Speller) -> str:
    """Return one keyword parameter."""
    text = f"{item.name}: {speller.spell(item.node)}"
    if item.required:
        return text
    return f"{text} = {shown_default(item) or '...'}"
