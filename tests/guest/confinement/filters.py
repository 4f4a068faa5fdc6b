"""A seccomp filter carried out in Python, as the kernel would, for any machine."""

from __future__ import annotations

from struct import Struct
from typing import Final

from codemode_guest.confinement.bpf import Instruction

_CALL: Final = Struct("<IIQ6Q")
_WORD: Final = Struct("<I")


def verdict(
    code: list[Instruction], *, machine: int, call: int, arguments: tuple[int, ...] = ()
) -> int:
    """Return what the filter says of a call.

    Args:
        code: The filter.
        machine: As the kernel calls it.
        call: Its number.
        arguments: Its arguments, 64 bits each; those left out are zeros.
    """
    padded = (*arguments, 0, 0, 0, 0, 0, 0)[:6]
    record = _CALL.pack(call, machine, 0, *(value % 2**64 for value in padded))
    word, at = 0, 0
    # A jump forwards only, so it comes to an end, or beyond the last one.
    while True:
        operation, if_true, if_false, operand = code[at]
        at += 1
        match operation:
            case 0x20:
                (word,) = _WORD.unpack_from(record, operand)
            case 0x54:
                word &= operand
            case 0x15:
                at += if_true if word == operand else if_false
            case 0x35:
                at += if_true if word >= operand else if_false
            case 0x05:
                at += operand
            case 0x06:
                return operand
            case _:
                raise AssertionError(f"no instruction of seccomp's: {operation:#x}")
