"""Cards made for a call and its result, whatever a tool's own presenters do."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Final

from codemode.tools.definition import ToolDefinition
from codemode.tools.presentation import Card, GenericCard

_log: Final = logging.getLogger("codemode.tools")


def call_card(definition: ToolDefinition, arguments: dict[str, object]) -> Card:
    """Return how a call may be shown; arguments from a log may be anything.

    A tool's own `present_call` that fails costs a plain card, nothing more.
    """
    plain = GenericCard(title=definition.name, raw_input=arguments)
    present = definition.present_call
    return plain if present is None else (_softly(lambda: present(arguments)) or plain)


def result_card(
    definition: ToolDefinition, arguments: dict[str, object], value: object
) -> Card | None:
    """Return how a result may be shown; `None` leaves it to the rendered content."""
    present = definition.present_result
    return None if present is None else _softly(lambda: present(arguments, value))


def _softly(present: Callable[[], object]) -> Card | None:
    try:
        card = present()
    except Exception:
        _log.debug("a card could not be made", exc_info=True)
        return None
    return card if isinstance(card, Card) else None
