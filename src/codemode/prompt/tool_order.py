"""The order of the tools in a request."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from codemode.errors import UsageError
from codemode_guest.near import nearest

#: Stands for all tools that an order does not name; no tool on the wire can be called so.
REST: Final = "*"


class ToolOrder:
    """Named tools first or last, all others between, by name.

    Args:
        names: Tools as they are called on the wire, and `REST` exactly once.
    """

    def __init__(self, names: Sequence[str] = (REST,)) -> None:
        """Keep a copy.

        Raises:
            UsageError: If a name stands twice, or `REST` is missing.
        """
        twice = next((name for name in names if names.count(name) > 1), None)
        if twice is not None:
            raise UsageError(f"tool_order names {twice!r} twice; leave one out")
        if REST not in names:
            raise UsageError(
                f"tool_order {list(names)!r} does not say where all other tools go; "
                f"put {REST!r} there"
            )
        self._names = tuple(names)

    def sorted(self, there: Collection[str]) -> list[str]:
        """Return these names in order.

        Raises:
            UsageError: If the order names a tool that is not among them.
        """
        for name in self._names:
            if name != REST and name not in there:
                near = nearest(name, there)
                hint = f"did you mean {near!r}?" if near else f"there are {sorted(there)}"
                raise UsageError(f"tool_order names {name!r}, which no request has; {hint}")
        rest = sorted(set(there).difference(self._names))
        at = self._names.index(REST)
        return [*self._names[:at], *rest, *self._names[at + 1 :]]
