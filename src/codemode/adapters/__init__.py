"""Adapters: other people's APIs and frameworks, one file each, and nothing of them below.

Owns the wire forms of the providers' APIs as plain functions over JSON, and `Dialogue`, which
keeps a conversation over one of them on record. A framework's adapter imports it where it is
used, behind an extra of its name. Everything but `cli` is below. Start at `dialogue.py`.
"""

from codemode.adapters import anthropic_messages, openai_chat, openai_responses
from codemode.adapters.dialogue import Dialogue, recorded_bodies
from codemode.adapters.wire import Reply, RequestedCall, WireForm

__all__ = [
    "Dialogue",
    "Reply",
    "RequestedCall",
    "WireForm",
    "anthropic_messages",
    "openai_chat",
    "openai_responses",
    "recorded_bodies",
]
