"""Values as a model reads them."""

from __future__ import annotations

from typing import Final

from codemode_guest.values import encode, encoded_text

_INDENT: Final = 2
#: Five levels stand on lines of their own; what is deeper is written in one.
_MAX_INDENT: Final = 10


def shown_value(value: object) -> str:
    """Return text as it is, and any other value as indented JSON. `None` is `null`."""
    return value if isinstance(value, str) else _written(value, 0)


def _written(value: object, indent: int) -> str:
    if not isinstance(value, dict | list) or not value or indent >= _MAX_INDENT:
        return encode(value).decode()
    inner = indent + _INDENT
    if isinstance(value, dict):
        parts = [f"{encoded_text(key).decode()}: {_written(value[key], inner)}" for key in value]
    else:
        parts = [_written(part, inner) for part in value]
    opening, closing = "{}" if isinstance(value, dict) else "[]"
    between = ",\n" + " " * inner
    return f"{opening}\n{' ' * inner}{between.join(parts)}\n{' ' * indent}{closing}"
