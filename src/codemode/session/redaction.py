"""Black out secrets, wherever in an event they stand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace
from typing import Any, Final, TypeVar

from codemode.session.events import Event

#: What stands in a secret's place.
REDACTED: Final = "[redacted]"

_T = TypeVar("_T", bound=Event)


def redacted(event: _T, secrets: Sequence[str]) -> _T:
    """Return the event with every secret blacked out, in keys too; itself if it has none."""
    changes: dict[str, Any] = {}
    for field in fields(event):
        value = getattr(event, field.name)
        cleared = _cleared(value, secrets)
        if cleared is not value:
            changes[field.name] = cleared
    return replace(event, **changes) if changes else event


def _blacked_out(text: str, secrets: Sequence[str]) -> str:
    for secret in secrets:
        if secret in text:
            text = text.replace(secret, REDACTED)
    return text


def _cleared(root: object, secrets: Sequence[str]) -> object:
    """Return a copy without the secrets, or `root` itself if there are none in it.

    Values may be thousands of levels deep, so nothing here calls itself.
    """
    if not any(secret in text for text in _texts(root) for secret in secrets):
        return root
    top: list[object] = [root]
    # Containers whose parts are still those of the original.
    pending: list[Any] = [top]
    while pending:
        container = pending.pop()
        for key in range(len(container)) if type(container) is list else tuple(container):
            part = container[key]
            if isinstance(part, str):
                container[key] = _blacked_out(part, secrets)
            elif isinstance(part, list | tuple):
                container[key] = list(part)
                pending.append(container[key])
            elif isinstance(part, dict):
                container[key] = {_blacked_out(name, secrets): part[name] for name in part}
                pending.append(container[key])
    return top[0]


def _texts(root: object) -> list[str]:
    found: list[str] = []
    pending = [root]
    while pending:
        part = pending.pop()
        if isinstance(part, str):
            found.append(part)
        elif isinstance(part, list | tuple):
            pending.extend(part)
        elif isinstance(part, dict):
            found.extend(part)
            pending.extend(part.values())
    return found
