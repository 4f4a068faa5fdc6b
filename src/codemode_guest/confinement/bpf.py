"""A small assembler for seccomp filters: tests of one system call, then a verdict.

Sources: the kernel's Documentation/userspace-api/seccomp_filter.rst, include/uapi/linux/filter.h
and seccomp.h. Both machines known here are little-endian: the lower half of an argument first.
"""

from __future__ import annotations

import errno
from collections.abc import Sequence
from dataclasses import dataclass
from struct import Struct
from typing import Final

# Classic BPF: load a word of the call's record; compare; mask; jump; return.
_LOAD: Final = 0x20
_IF_EQUAL: Final = 0x15
_IF_AT_LEAST: Final = 0x35
_MASK: Final = 0x54
_JUMP: Final = 0x05
_RETURN: Final = 0x06

#: Offsets in the record of a call, `struct seccomp_data`.
_NUMBER: Final = 0
_MACHINE: Final = 4
_ARGUMENTS: Final = 16

ALLOW: Final = 0x7FFF0000
KILL_PROCESS: Final = 0x80000000
_FAIL: Final = 0x00050000
#: The call fails, as if this process were not permitted.
REFUSE: Final = _FAIL | errno.EPERM
#: The call fails, as if the kernel were older than it.
UNKNOWN: Final = _FAIL | errno.ENOSYS

#: One instruction, as the kernel reads it: code, jump if true, jump if false, operand.
INSTRUCTION: Final = Struct("=HBBI")
_ALL_BITS: Final = 2**32 - 1
#: So many are compared one by one.
_FEW: Final = 4
#: A jump that is not known yet.
_FAILED: Final = -1

Instruction = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class Test:
    """A test of the lower half of one argument of a call.

    The kernel itself reads the arguments that are tested this way as 32 bits, or knows no flag
    beyond them.

    Attributes:
        argument: Its position, from 0.
        values: One of these it must be.
        mask: What of it is looked at.
    """

    argument: int
    values: tuple[int, ...]
    mask: int = _ALL_BITS

    def code(self) -> list[Instruction]:
        """Return instructions that go on behind themselves, or to `_FAILED`."""
        load = [(_LOAD, 0, 0, _ARGUMENTS + 8 * self.argument)]
        if self.mask != _ALL_BITS:
            load.append((_MASK, 0, 0, self.mask))
        *others, last = self.values
        # Each match leaves out the comparisons that are left.
        compare = [(_IF_EQUAL, len(others) - i, 0, value) for i, value in enumerate(others)]
        return [*load, *compare, (_IF_EQUAL, 0, _FAILED, last)]


@dataclass(frozen=True, slots=True)
class IsNull:
    """A test that an argument is a null pointer, both halves of it.

    Attributes:
        argument: Its position, from 0.
    """

    argument: int

    def code(self) -> list[Instruction]:
        """Return instructions that go on behind themselves, or to `_FAILED`."""
        offset = _ARGUMENTS + 8 * self.argument
        return [
            (_LOAD, 0, 0, offset),
            (_IF_EQUAL, 0, _FAILED, 0),
            (_LOAD, 0, 0, offset + 4),
            (_IF_EQUAL, 0, _FAILED, 0),
        ]


Tests = Sequence[Test | IsNull]


def only_on(audit_arch: int) -> list[Instruction]:
    """Kill a process that calls in the way of another machine, then load the call's number."""
    return [
        (_LOAD, 0, 0, _MACHINE),
        (_IF_EQUAL, 1, 0, audit_arch),
        (_RETURN, 0, 0, KILL_PROCESS),
        (_LOAD, 0, 0, _NUMBER),
    ]


def from_number(lowest: int, verdict: int) -> list[Instruction]:
    """Give one verdict to all calls from a number on."""
    return [(_IF_AT_LEAST, 0, 1, lowest), (_RETURN, 0, 0, verdict)]


def call(number: int, verdict: int, tests: Tests = ()) -> list[Instruction]:
    """Give a verdict to one call, or `REFUSE` where a test of its arguments fails."""
    body = [instruction for test in tests for instruction in test.code()]
    body.append((_RETURN, 0, 0, verdict))
    if tests:
        body.append((_RETURN, 0, 0, REFUSE))
    last = len(body) - 1
    for i, (code, if_true, if_false, operand) in enumerate(body):
        if if_false == _FAILED:
            body[i] = code, if_true, last - i - 1, operand
    return [(_IF_EQUAL, 0, len(body), number), *body]


def choose(calls: Sequence[tuple[int, list[Instruction]]], otherwise: int) -> list[Instruction]:
    """Find the call among these by halving, and give one verdict to all others.

    The kernel runs through a new filter once for each number there is, so that a long list of
    comparisons would cost every guest a tenth of a millisecond.

    Args:
        calls: Numbers, ascending, each with what `call` has made of it.
        otherwise: The verdict.
    """
    if len(calls) <= _FEW:
        found = [instruction for _, body in calls for instruction in body]
        return [*found, (_RETURN, 0, 0, otherwise)]
    middle = len(calls) // 2
    lower, upper = choose(calls[:middle], otherwise), choose(calls[middle:], otherwise)
    # A comparison cannot jump further than 255 instructions; this can.
    return [(_IF_AT_LEAST, 0, 1, calls[middle][0]), (_JUMP, 0, 0, len(lower)), *lower, *upper]
