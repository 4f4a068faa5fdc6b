"""The calls of one run, begun in the order in which they were made, and what became of each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codemode.runtime.vocabulary import CodeCall

if TYPE_CHECKING:
    from collections.abc import Awaitable

    from codemode.runtime.vocabulary import Binding, CallState


class CallBook:
    """Numbers calls from 1 and keeps the state of each, for backends and their reports."""

    def __init__(self) -> None:
        self._names: list[tuple[str, str]] = []
        self._states: list[CallState] = []

    def __len__(self) -> int:
        return len(self._names)

    def enter(self, global_name: str, member: str) -> int:
        """Enter a call as pending and return its number."""
        self._names.append((global_name, member))
        self._states.append("pending")
        return len(self._names)

    def is_pending(self, number: int) -> bool:
        """Whether nothing has become of a call yet."""
        return self._states[number - 1] == "pending"

    def settle(self, number: int, state: CallState) -> None:
        """Note what became of a call; what is noted last holds."""
        self._states[number - 1] = state

    def calls(self) -> tuple[CodeCall, ...]:
        """Return them all as they are now."""
        return tuple(
            CodeCall(id=number, global_name=global_name, member=member, state=state)
            for number, ((global_name, member), state) in enumerate(
                zip(self._names, self._states, strict=True), 1
            )
        )


def begin_call(binding: Binding, args: object) -> Awaitable[object]:
    """Call a binding and return what is to be awaited, which raises what the call did.

    For backends, to do at once and in order: a binding may take its place in a queue by being
    called.
    """
    try:
        return binding(args)
    except BaseException as error:  # as if it had raised when it was awaited
        return _raising(error)


async def _raising(error: BaseException) -> object:
    raise error
