"""What all objects of ours have in common that a program may hold."""

from __future__ import annotations

from typing import NoReturn


class Sealed:
    """Cannot be copied: a copy would be taken apart on the way, and shown to the program.

    What a subclass holds is in slots of the form `_x_`, which no program may name. They are not
    listed: a program's metaclass decides what a class of its own inherits, and may leave out the
    method below, but copying then finds nothing to show.
    """

    __slots__ = ()

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        slots = vars(cls).get("__slots__")
        if type(slots) is tuple and any(name[:1] == name[-1:] == "_" for name in slots):
            type.__delattr__(cls, "__slots__")

    def __reduce_ex__(self, protocol: object) -> NoReturn:
        raise TypeError(f"a {type(self).__name__!r} object cannot be copied")
