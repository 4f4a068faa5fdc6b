"""What was read of the fields of tools, so that what many tools share is read once."""

from __future__ import annotations

from codemode.sdk.tree import Field

#: What is remembered of fields: so many, of schemas this long, this near to the root. Ten
#: characters are a level at least, so that none of them reaches `reading.MAX_LEVELS`.
_MOST_FIELDS, _LONGEST_SCHEMA, _SHALLOW = 5_000, 500, 8
#: An object with more is read anew.
_FEW_PROPERTIES = 4


class FieldMemory:
    """Remembers fields by name and schema: tools share most of what they take and give.

    Only of schemas that mean the same in any document, at any level.
    """

    def __init__(self) -> None:
        self._known: dict[str, Field] = {}

    def key(self, name: str, schema: object, level: int, *, required: bool) -> str:
        """Return what tells a field from others; nothing for one that is not remembered."""
        if level > _SHALLOW or _is_long(schema):
            return ""
        try:
            text = repr(schema)
        except (RecursionError, ValueError):
            # Too deep, or an integer of too many digits.
            return ""
        if len(text) > _LONGEST_SCHEMA or "ef'" in text:
            return ""
        return f"{required:d}{name}\0{text}"

    def get(self, key: str) -> Field | None:
        """Return what was kept."""
        return self._known.get(key)

    def keep(self, key: str, field: Field) -> None:
        """Remember a field; the oldest one goes when there are too many."""
        if key:
            self._known[key] = field
            if len(self._known) > _MOST_FIELDS:
                del self._known[next(iter(self._known))]


def _is_long(schema: object) -> bool:
    """Say whether a schema, or that of a list's items, has many properties.

    Such are seldom alike, and long to compare; their own fields are remembered one by one.
    """
    if not isinstance(schema, dict):
        return False
    for part in (schema, schema.get("items")):
        listed = part.get("properties") if isinstance(part, dict) else None
        if isinstance(listed, dict) and len(listed) > _FEW_PROPERTIES:
            return True
    return False
