"""An entry as one line of JSON, and back.

Anybody may have written a log, so every field that is read is checked against its record.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, Final, get_args, get_type_hints

import pydantic

from codemode.errors import RuntimeFault
from codemode.runtime import ABSENT
from codemode.session.events import FORMAT_VERSION, Entry, Event
from codemode_guest import values

#: By the name that a line carries.
KINDS: Final[Mapping[str, type[Event]]] = {kind.kind: kind for kind in get_args(Event)}

_FIELDS: Final = {kind: tuple(f.name for f in dataclasses.fields(kind)) for kind in KINDS.values()}


class MalformedEntryError(RuntimeFault):
    """A line that this version of the library cannot have written."""

    def __init__(self, why: str) -> None:
        super().__init__(f"not an entry of a session: {why}")


def encoded_fields(event: Event) -> dict[str, bytes]:
    """Return the JSON of each field that the event has."""
    present = ((name, getattr(event, name)) for name in _FIELDS[type(event)])
    return {name: _field(value) for name, value in present if value is not ABSENT}


def line_of(entry: Entry, fields: Mapping[str, bytes], elsewhere: Mapping[str, object]) -> bytes:
    """Write an entry, with its newline.

    Args:
        entry: For its number, time and kind.
        fields: The JSON of those fields that stand in the line.
        elsewhere: For each field that does not: `file` and `bytes`.
    """
    head = b'{"v":%d,"seq":%d,"at_ms":%d,"event":%s' % (
        FORMAT_VERSION,
        entry.seq,
        entry.at_ms,
        values.encoded_text(entry.event.kind),
    )
    body = b"".join(b',"%s":%s' % (name.encode(), value) for name, value in fields.items())
    tail = b',"elsewhere":' + values.encode(elsewhere) if elsewhere else b""
    return head + body + tail + b"}\n"


def entry_of(line: bytes, fetch: Callable[[str], bytes]) -> Entry:
    """Read an entry back. Fields that a later version may have added are left out.

    Args:
        line: With or without its newline.
        fetch: Returns the bytes of a file that a field was put in.

    Raises:
        MalformedEntryError: If it is none.
    """
    try:
        told = values.decode(line)
    except values.MalformedJsonError as error:
        raise MalformedEntryError(str(error)) from None
    if type(told) is not dict:
        raise MalformedEntryError("it is no object")
    if told.get("v") != FORMAT_VERSION:
        raise MalformedEntryError(
            f"format version {told.get('v')!r}, and this library reads {FORMAT_VERSION}"
        )
    seq, at_ms, kind = (told.get(name) for name in ("seq", "at_ms", "event"))
    if type(seq) is not int or type(at_ms) is not int or kind not in KINDS:
        raise MalformedEntryError(f"seq {seq!r}, at_ms {at_ms!r}, event {kind!r}")
    told |= {name: _fetched(place, fetch) for name, place in _places(told).items()}
    return Entry(seq=seq, at_ms=at_ms, event=_event(KINDS[str(kind)], told))


def _field(value: object) -> bytes:
    if type(value) is str:
        return values.encoded_text(value)
    if isinstance(value, Mapping) and type(value) is not dict:
        value = dict(value)  # such as a read-only view of one
    try:
        return values.encode(value)
    except values.LossyValueError:
        # Printed text may spell one character as two surrogates. It is here to be read.
        return json.dumps(value).encode()


def _places(told: dict[str, object]) -> dict[str, object]:
    places = told.get("elsewhere", {})
    if type(places) is not dict:
        raise MalformedEntryError(f"elsewhere {places!r}")
    return places


def _fetched(place: object, fetch: Callable[[str], bytes]) -> object:
    match place:
        case {"file": str(file)}:
            try:
                return values.decode(fetch(file))
            except (OSError, values.MalformedJsonError) as error:
                raise MalformedEntryError(f"its file {file!r}: {error}") from None
    raise MalformedEntryError(f"a field is elsewhere, but not in a file: {place!r}")


@cache
def _model(kind: str) -> type[pydantic.BaseModel]:
    """A model with the fields of a record; strictly, pydantic makes no record of a dict."""
    record = KINDS[kind]
    hints = get_type_hints(record)
    fields: dict[str, Any] = {
        field.name: (hints[field.name], ... if field.default is dataclasses.MISSING else None)
        for field in dataclasses.fields(record)
    }
    return pydantic.create_model(record.__name__, __config__={"strict": True}, **fields)


def _event(kind: type[Event], told: dict[str, object]) -> Event:
    fields = {name: told[name] for name in _FIELDS[kind] if name in told}
    try:
        checked = _model(kind.kind).model_validate(fields)
    except pydantic.ValidationError as error:
        detail = error.errors()[0]
        place = ".".join(map(str, detail["loc"]))
        raise MalformedEntryError(f"{kind.kind}, field {place!r}: {detail['msg']}") from None
    arguments: dict[str, Any] = {name: getattr(checked, name) for name in fields}
    return kind(**arguments)
