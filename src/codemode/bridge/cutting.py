"""Cut long text in the middle, and keep the whole where it can be fetched."""

from __future__ import annotations

from collections import OrderedDict
from typing import Final

from codemode.errors import UsageError

#: Of what is shown, so much is the beginning; the rest is the end.
_HEAD_SHARE: Final = 0.7
#: A cut moves to the end of a line if one is so near.
_NEAR: Final = 200


def head_and_tail(text: str, max_chars: int) -> tuple[str, str]:
    """Return the beginning and the end of a longer text, cut between lines where it can be."""
    head_chars = int(max_chars * _HEAD_SHARE)
    head, tail = text[:head_chars], text[len(text) - (max_chars - head_chars) :]
    line_end = head.rfind("\n", max(0, head_chars - _NEAR))
    if line_end >= 0:
        head = head[: line_end + 1]
    line_start = tail.find("\n", 0, _NEAR)
    if line_start >= 0:
        tail = tail[line_start + 1 :]
    return head, tail


class KeptOutputs:
    """Outputs that were shown in part, whole, the latest of them.

    Args:
        max_chars: How much is kept in all; the oldest goes first, the latest never.
    """

    def __init__(self, max_chars: int) -> None:
        self._max_chars = max_chars
        self._texts: OrderedDict[str, str] = OrderedDict()
        self._chars = 0

    def __bool__(self) -> bool:
        """Whether there is any."""
        return bool(self._texts)

    def keep(self, name: str, text: str) -> None:
        """Keep one under a name; another one of that name is let go."""
        self._chars -= len(self._texts.pop(name, ""))
        self._texts[name] = text
        self._chars += len(text)
        while self._chars > self._max_chars and len(self._texts) > 1:
            self._chars -= len(self._texts.popitem(last=False)[1])

    def whole(self, name: str) -> str:
        """Return one.

        Raises:
            UsageError: If there is none of that name, or none any more.
        """
        if name not in self._texts:
            there = ", ".join(map(repr, self._texts)) or "none"
            raise UsageError(f"there is no output {name!r}; the host has kept {there}")
        return self._texts[name]


def shown_in_part(name: str, text: str, kept: KeptOutputs, max_chars: int, how: str = "") -> str:
    """Return the text, or its beginning and end with a mark between, and keep the whole.

    Args:
        name: Under which it is kept.
        text: What there is to show.
        kept: Where.
        max_chars: How much is shown; the mark comes on top.
        how: Tells a model how to read the rest, with `{start}` for where that begins.
    """
    if len(text) <= max_chars:
        return text
    kept.keep(name, text)
    head, tail = head_and_tail(text, max_chars)
    left_out = len(text) - len(head) - len(tail)
    told = how.format(name=name, start=len(head))
    mark = (
        f"[… {left_out:,} of {len(text):,} characters left out; "
        f"the host keeps the whole as {name!r}{told} …]"
    )
    return "\n".join((head.removesuffix("\n"), mark, tail))
