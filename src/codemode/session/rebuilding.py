"""Requests as they were, out of a log."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from codemode.errors import RuntimeFault
from codemode.session.events import (
    Entry,
    HeaderAssembled,
    MessageAdded,
    RequestSent,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedRequest:
    """All that a request was made of; a wire form makes the same bytes of it again.

    Attributes:
        api: The wire form.
        system: The system text.
        tools: What the model was told of the tools.
        messages: The conversation so far, each as it was sent.
        parameters: What else was in the body.
        body_sha256: Of the bytes that were sent.
    """

    api: str
    system: str
    tools: Sequence[object]
    messages: Sequence[object]
    parameters: Mapping[str, object]
    body_sha256: str


def recorded_requests(entries: Iterable[Entry]) -> Iterator[RecordedRequest]:
    """Yield every request of a session, in order.

    What runs and tools did between two messages is no part of a request, so it is passed over.

    Raises:
        RuntimeFault: If a request comes before any header.
    """
    header: HeaderAssembled | None = None
    messages: list[object] = []
    for entry in entries:
        match entry.event:
            case HeaderAssembled() as header:
                pass
            case MessageAdded(message=message):
                messages.append(message)
            case RequestSent(api=api, parameters=parameters, body_sha256=digest):
                if header is None:
                    raise RuntimeFault(
                        f"entry {entry.seq} is a request, and no header comes before it; "
                        "the beginning of the log is missing"
                    )
                yield RecordedRequest(
                    api=api,
                    system=header.system,
                    tools=header.tools,
                    messages=tuple(messages),
                    parameters=parameters,
                    body_sha256=digest,
                )
