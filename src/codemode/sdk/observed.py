"""Types learned from results: the shape of what a tool gave, kept as a JSON Schema.

A shape holds keys and types, never a value. Where it is stored is the session's business.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from codemode.sdk.signature import OBSERVED

#: An object with more different keys is a table: its keys are data.
_MOST_KEYS: Final = 60
#: Levels of a result that are looked at, and items of each list.
_LEVELS: Final = 12
_MOST_ITEMS: Final = 200

Schema = dict[str, object]


def observe(shape: Schema | None, value: object) -> Schema:
    """Return the shape of results that includes one more.

    Args:
        shape: What `observe` returned before; None at the first result. It is not changed.
        value: A JSON value.

    Returns:
        A JSON Schema to offer as the tool's output schema. Its `x-observed` counts the
        results, and the SDK text says that it was learned.
    """
    seen = shape.get(OBSERVED, 0) if shape else 0
    known = {key: part for key, part in shape.items() if key != OBSERVED} if shape else None
    merged = merge([known, shape_of(value)] if known is not None else [shape_of(value)])
    return {**merged, OBSERVED: (seen if isinstance(seen, int) else 0) + 1}


def shape_of(value: object, levels: int = _LEVELS) -> Schema:  # noqa: PLR0911 - one a type
    """Return the shape of one JSON value."""
    match value:
        case None:
            return {"type": "null"}
        case bool():
            return {"type": "boolean"}
        case int():
            return {"type": "integer"}
        case float():
            return {"type": "number"}
        case str():
            return {"type": "string"}
        case _ if not levels:
            return {}
        case list() | tuple():
            items = [shape_of(item, levels - 1) for item in value[:_MOST_ITEMS]]
            return {"type": "array", "items": merge(items)} if items else {"type": "array"}
        case dict() if len(value) > _MOST_KEYS:
            inner = [shape_of(item, levels - 1) for item in list(value.values())[:_MOST_ITEMS]]
            return {"type": "object", "additionalProperties": merge(inner)}
        case dict():
            return {
                "type": "object",
                "properties": {str(k): shape_of(item, levels - 1) for k, item in value.items()},
                "required": sorted(map(str, value)),
            }
        case _:
            return {}


def merge(shapes: Iterable[Schema]) -> Schema:
    """Return one shape for values of any of these shapes."""
    by_kind: dict[str, list[Schema]] = {}
    for shape in shapes:
        for each in _alternatives(shape):
            kind = each.get("type")
            if not isinstance(kind, str):
                return {}
            by_kind.setdefault(kind, []).append(each)
    if "number" in by_kind:
        by_kind.pop("integer", None)
    merged = [_merge_kind(kind, by_kind[kind]) for kind in sorted(by_kind)]
    if len(merged) == 1:
        return merged[0]
    return {"anyOf": merged} if merged else {}


def _alternatives(shape: Schema) -> list[Schema]:
    parts = shape.get("anyOf")
    return (
        [part for part in parts if isinstance(part, dict)] if isinstance(parts, list) else [shape]
    )


def _merge_kind(kind: str, shapes: list[Schema]) -> Schema:
    if kind == "array":
        items = [part for shape in shapes if isinstance(part := shape.get("items"), dict)]
        return {"type": kind, "items": merge(items)} if items else {"type": kind}
    if kind == "object":
        return _merge_objects(shapes)
    return {"type": kind}


def _merge_objects(shapes: list[Schema]) -> Schema:
    keys: dict[str, list[Schema]] = {}
    tables: list[Schema] = []
    needed: set[str] | None = None
    for shape in shapes:
        properties = shape.get("properties")
        if not isinstance(properties, dict):
            rest = shape.get("additionalProperties")
            tables.append(rest if isinstance(rest, dict) else {})
            continue
        for key, part in properties.items():
            keys.setdefault(key, []).append(part)
        required = shape.get("required")
        own = set(required) if isinstance(required, list) else set()
        needed = own if needed is None else needed & own
    if tables or len(keys) > _MOST_KEYS:
        parts = [part for listed in keys.values() for part in listed]
        return {"type": "object", "additionalProperties": merge([*tables, *parts])}
    return {
        "type": "object",
        "properties": {key: merge(keys[key]) for key in sorted(keys)},
        "required": sorted(needed or ()),
    }
