"""What goes back to the model for one call."""

from __future__ import annotations

from dataclasses import dataclass

from codemode.bridge.report import RunReport
from codemode.runtime import ABSENT
from codemode.tools import Part, ToolFailure, content_text


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What goes back to the model for one call.

    Attributes:
        call_id: Of the call.
        tool: Its tool.
        parts: All there is to show, in order: text first, then images and the like.
        is_error: Whether it failed.
        failure: Why, for the host.
        value: For the host; `ABSENT` for a failure.
        concludes_turn: Whether a tool asks for the turn to end here.
        report: For `run_code`: what the run did and used.
    """

    call_id: str
    tool: str
    parts: tuple[Part, ...]
    is_error: bool = False
    failure: ToolFailure | None = None
    value: object = ABSENT
    concludes_turn: bool = False
    report: RunReport | None = None

    @property
    def content(self) -> str:
        """The text for the model."""
        return content_text(self.parts)
