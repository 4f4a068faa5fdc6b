"""Handles of what was done to a registry, and what its listeners are told."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from types import TracebackType
from typing import Literal, Self

ChangeKind = Literal["tools", "restriction", "presentation", "hooks", "scope"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolsChange:
    """Something about the tools of a registry is different now.

    Attributes:
        kind: What: its tools, a restriction, the presentation, hooks, or a scope that was closed.
        scope: The name of the scope in which; empty for the registry itself.
        names: The tools in question, where it is about some.
    """

    kind: ChangeKind
    scope: str
    names: tuple[str, ...] = ()


class Registration:
    """Undoes, when closed, exactly what it was returned for. Closing it again does nothing."""

    def __init__(self, undo: Callable[[], object]) -> None:
        self._undo: Callable[[], object] | None = undo

    def close(self) -> None:
        """Undo it."""
        undo, self._undo = self._undo, None
        if undo is not None:
            undo()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()
