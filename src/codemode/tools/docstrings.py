"""Docstrings read: what a function is for, and what each of its parameters is."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import docstring_parser
from docstring_parser.common import DocstringMeta, DocstringParam


@dataclass(frozen=True, slots=True, kw_only=True)
class FunctionDocs:
    """A docstring in parts.

    Attributes:
        description: All of it but the parameters.
        parameters: Their descriptions by name.
    """

    description: str
    parameters: Mapping[str, str]


def read_docstring(function: Callable[..., object]) -> FunctionDocs:
    """Read a docstring in Google's, NumPy's or Sphinx' style, whichever it is.

    One that follows none of them is the description as it stands.
    """
    text = inspect.getdoc(function) or ""
    try:
        read = docstring_parser.parse(text)
    except docstring_parser.ParseError:
        return FunctionDocs(description=text, parameters={})
    parameters = {
        param.arg_name: " ".join(param.description.split())
        for param in read.params
        if param.description
    }
    if not parameters:
        return FunctionDocs(description=text, parameters={})
    rest = [meta for meta in read.meta if not isinstance(meta, DocstringParam)]
    blocks = [(read.description or "").strip(), *map(_block, rest)]
    return FunctionDocs(description="\n\n".join(filter(None, blocks)), parameters=parameters)


def _block(meta: DocstringMeta) -> str:
    """Write `Returns: …` or `Raises ToolCallError: …` of one section."""
    what, *names = meta.args
    heading = " ".join([what.capitalize(), *names])
    return f"{heading}: {meta.description or ''}".strip()
