"""From the tools of a host to what a guest is told of calling them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, Final, Literal, TypeAlias

from codemode.runtime import (
    CodeBindingNamespace,
    CodeBindingParameter,
    CodeBindingSignature,
    JsonKind,
)
from codemode.sdk.entries import Tool
from codemode.sdk.facts import ParameterFacts, ToolFacts, ValueKind, tool_facts

#: By global, then by member.
Signatures: TypeAlias = Mapping[str, Mapping[str, CodeBindingSignature]]

#: The namespace that has every tool, under its own name.
_ALL: Final = "tools"

_KINDS: Final[dict[ValueKind, JsonKind]] = {
    "None": "null",
    "bool": "boolean",
    "dict": "object",
    "float": "number",
    "int": "integer",
    "list": "array",
    "str": "string",
}
_OTHERS: Final[dict[str, Literal["rejected", "unsaid", "accepted"]]] = {
    "accepted": "accepted",
    "refused": "rejected",
    "unsaid": "unsaid",
}


def signatures_of(tools: Iterable[Tool]) -> Signatures:
    """Return the signatures of the members of each global of a program.

    The global `tools` has every tool under its name; others have those of their namespace.
    """
    found: dict[str, dict[str, CodeBindingSignature]] = {_ALL: {}}
    for fact in tool_facts(tools):
        signature = _signature(fact)
        found[_ALL][fact["name"]] = signature
        if fact["namespace"] is not None and fact["member"] is not None:
            found.setdefault(fact["namespace"], {})[fact["member"]] = signature
    return found


def signed(
    namespaces: Iterable[CodeBindingNamespace], signatures: Signatures
) -> list[CodeBindingNamespace]:
    """Return namespaces that say what calls of their members look like.

    A run with them is checked before it begins. A namespace of which nothing is known, such as
    one for discovery, is not looked into.
    """
    return [replace(one, signatures=signatures.get(one.global_name)) for one in namespaces]


def _signature(fact: ToolFacts) -> CodeBindingSignature:
    parameters = {name: _parameter(one) for name, one in fact["parameters"].items()}
    return CodeBindingSignature(parameters=parameters, others=_OTHERS[fact["extra"]])


def _parameter(fact: ParameterFacts) -> CodeBindingParameter:
    kinds, values = fact["kinds"], fact["values"]
    scalars: Any = None if values is None else tuple(values)
    return CodeBindingParameter(
        required=fact["required"],
        kinds=None if kinds is None else tuple(_KINDS[kind] for kind in kinds),
        values=scalars,
        text=fact["text"],
    )
