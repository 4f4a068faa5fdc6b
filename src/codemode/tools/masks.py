"""Restrictions: what a scope lets through of the tools that it has from above."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass

from codemode.tools.errors import ReservedToolError, ScopeError
from codemode.tools.faults import no_such
from codemode.tools.view import RUN_CODE, View


@dataclass(frozen=True, slots=True)
class Mask:
    """One restriction.

    Attributes:
        allow: What passes; `None` is everything that is not denied.
        deny: What does not.
    """

    allow: frozenset[str] | None
    deny: frozenset[str]

    def passes(self, name: str) -> bool:
        """Whether a tool of that name stays visible."""
        return name not in self.deny and (self.allow is None or name in self.allow)

    def named(self) -> list[str]:
        """Return the tools that it is about, sorted."""
        return sorted((self.allow or frozenset()) | self.deny)


def refuse_bad_mask(mask: Mask, above: View | None, own: Container[str]) -> None:
    """Check a restriction before it is laid on a scope.

    Args:
        mask: The restriction.
        above: What the scope has from above; `None` for a registry.
        own: The names of its own tools.

    Raises:
        ScopeError: If it is for a registry, names nothing, or names what it could not hide.
        ReservedToolError: If it names the transport.
    """
    if above is None:
        raise ScopeError("a registry cannot be restricted; restrict a scope of it")
    if not mask.named():
        raise ScopeError("a restriction names tools: restrict(allow=[...]) or deny=[...]")
    for name in mask.named():
        if name == RUN_CODE:
            raise ReservedToolError(name, "restricted")
        if name in own:
            raise ScopeError(f"tool {name!r} is this scope's own; take it out of the scope")
        if above.find(name) is None:
            raise ScopeError(no_such("tool", name, above.names()) + " above this scope")
