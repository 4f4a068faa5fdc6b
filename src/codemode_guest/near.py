"""Which name may have been meant by one that does not exist."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import Final

#: Nobody mistypes a longer one, and the time to compare two grows with both.
_MAX_CHARACTERS: Final = 200


def nearest(name: str, known: Iterable[str], *, likeness: float = 0.6) -> str | None:
    """Return the known name that is most like this one; `None` if none is.

    Args:
        name: Any text, a stranger's too.
        known: The names that there are. One that differs in capitals, `_` and `-` only comes
            before all others.
        likeness: The least that will do, from 0 to 1, as `difflib` counts it.
    """
    if len(name) > _MAX_CHARACTERS:
        return None
    there, folded = list(known), _folded(name)
    alike = [one for one in there if _folded(one) == folded]
    found = alike or difflib.get_close_matches(name, there, n=1, cutoff=likeness)
    return next(iter(found), None)


def _folded(name: str) -> str:
    return name.casefold().replace("_", "").replace("-", "")
