"""The tools of these tests: what is said of them, and strict stand-ins that hold them to it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from codemode.runtime import (
    CodeBindingErrorClass,
    CodeBindingNamespace,
    CodeBindingParameter,
    CodeBindingSignature,
)
from codemode.runtime.vocabulary import Binding

_ITEMS = [
    {"id": 1, "name": "lamp", "price": 19.5},
    {"id": 2, "name": "desk", "price": 120.0},
    {"id": 3, "name": "chair", "price": 45.25},
]
_KINDS: dict[str, Any] = {
    "null": type(None),
    "boolean": bool,
    "integer": int,
    "number": (int, float),
    "string": str,
    "array": list,
    "object": dict,
}


def _needs(*kinds: Any) -> CodeBindingParameter:
    return CodeBindingParameter(required=True, kinds=kinds)


def _takes(*kinds: Any) -> CodeBindingParameter:
    return CodeBindingParameter(kinds=kinds)


def _one_of(*values: str, required: bool = False) -> CodeBindingParameter:
    return CodeBindingParameter(values=values, required=required)


def _signature(
    others: Any = "rejected", /, **parameters: CodeBindingParameter
) -> CodeBindingSignature:
    return CodeBindingSignature(parameters=parameters, others=others)


TOOLS = {
    "search": _signature(
        query=_needs("string"), limit=_takes("integer"), sort=_one_of("asc", "desc")
    ),
    "get_item": _signature(id=_needs("integer", "string")),
    "list_items": _signature(page=_needs("integer")),
    "create_issue": _signature(
        title=_needs("string"),
        body=_takes("string"),
        labels=_takes("array"),
        assignee=_takes("string", "null"),
    ),
    "send": _signature(to=_needs("string"), text=_needs("string"), urgent=_takes("boolean")),
    "convert": _signature(
        amount=_needs("number"), currency=_one_of("EUR", "USD", "GBP", required=True)
    ),
    "save": _signature(key=_needs("string"), value=CodeBindingParameter(required=True)),
    "now": _signature(),
    "note": _signature("accepted", text=_needs("string")),
    "find": _signature("unsaid", name=_needs("string")),
    "read-file": _signature(path=_needs("string")),
}
GITHUB = {
    "search_issues": _signature(repo=_needs("string"), state=_one_of("open", "closed")),
    "comment": _signature(number=_needs("integer"), body=_needs("string")),
}


def _answer(name: str, arguments: dict[str, Any]) -> object:
    if arguments.get("id") == -1:
        raise ValueError("there is no such item")
    answers = {
        "get_item": {"id": arguments.get("id"), "name": "lamp", "price": 19.5},
        "search": {"items": _ITEMS if arguments.get("query") != "nothing" else [], "total": 3},
        "list_items": {"items": _ITEMS, "next": {1: 2, 2: 3}.get(arguments.get("page", 0))},
        "search_issues": [{"number": 7, "title": "Crash"}],
        "read-file": "3 errors, 14 warnings",
        "convert": 21.45,
        "now": "12:00",
    }
    return answers.get(name, {"done": True})


def _strict(name: str, signature: CodeBindingSignature) -> Binding:
    """Make a binding that rejects just what its signature says it does."""

    async def invoke(sent: object) -> object:
        assert isinstance(sent, dict)
        for key, one in signature.parameters.items():
            if one.required and key not in sent:
                raise TypeError(f"{key} is missing")
        for key, value in sent.items():
            if key not in signature.parameters:
                if signature.others == "rejected":
                    raise TypeError(f"there is no {key}")
                continue
            one = signature.parameters[key]
            if one.values is not None and value not in one.values:
                raise TypeError(f"{key} is none of the values")
            if one.kinds is not None and not any(_is(value, kind) for kind in one.kinds):
                raise TypeError(f"{key} is of the wrong kind")
        return _answer(name, sent)

    return invoke


def _is(value: object, kind: str) -> bool:
    if kind != "boolean" and isinstance(value, bool):
        return False
    if kind == "integer" and isinstance(value, float):
        return value.is_integer()
    return isinstance(value, _KINDS[kind])


def _namespace(
    global_name: str, members: Mapping[str, CodeBindingSignature], *, checked: bool
) -> CodeBindingNamespace:
    return CodeBindingNamespace(
        global_name=global_name,
        functions={name: _strict(name, signature) for name, signature in members.items()},
        error_class=CodeBindingErrorClass(name="ToolCallError", member_name_property="tool_name"),
        signatures=members if checked else None,
    )


def namespaces(*, checked: bool) -> list[CodeBindingNamespace]:
    """Return the namespaces of these tests, with or without what is said of them."""
    return [
        _namespace("tools", TOOLS, checked=checked),
        _namespace("github", GITHUB, checked=checked),
    ]


def programs(file: str) -> dict[str, str]:
    """Return the programs of a text file beside this one, by title."""
    text = Path(__file__).with_name(file).read_text(encoding="utf-8")
    found = {}
    for section in text.split("=== ")[1:]:
        title, _, program = section.partition("\n")
        assert title not in found
        found[title] = program
    return found
