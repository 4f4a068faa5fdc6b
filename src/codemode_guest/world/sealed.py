"""What all objects of ours have in common that a program may hold."""

from __future__ import annotations

from typing import NoReturn


class Sealed:
    """Cannot be copied: a copy would be taken apart on the way, and shown to the program.

    What a subclass holds is in slots of the form `_x_`, which no program may name.
    """

    __slots__ = ()

    def __reduce_ex__(self, protocol: object) -> NoReturn:
        raise TypeError(f"a {type(self).__name__!r} object cannot be copied")
