"""How tests hear what a guest says: the bytes, without a socket and without a thread."""

from __future__ import annotations

from collections.abc import Iterator

from codemode.process.conversation import Conversation, Event
from codemode.process.decoding import items_of


def heard(conversation: Conversation, data: bytes) -> Iterator[Event]:
    """Yield the events that these bytes are, until one is a violation."""
    for body in conversation.bodies(data):
        yield conversation.hear(body, items_of(body))
