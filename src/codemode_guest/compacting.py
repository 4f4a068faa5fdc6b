"""Memory arranged so that what a run writes to lies on few pages.

After a fork the first write to each page copies it, and the interpreter writes to whatever it
runs, calls or reads: it counts references there. A guest has an eighth less to copy for this.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Collection
from types import CodeType, FunctionType
from typing import Final

#: Python keeps pools of objects of the same size, up to this one, in steps of this. Source:
#: CPython's Objects/obmalloc.c.
_LARGEST: Final = 512
_STEP: Final = 16
_HEADER: Final = sys.getsizeof(b"")
#: As much of each size as there are holes of the most frequent one: 800 of 64 bytes.
_HOLES_BYTES: Final = 50_000


def gather_code(run: Callable[[], object]) -> Collection[CodeType]:
    """Give every function that is called a copy of its code, the copies side by side.

    An import leaves the code that a run needs among that which it does not: 300 functions, 120 KB,
    on 220 pages. As copies they take 76.

    Args:
        run: Calls them. What it leaves running keeps its code.

    Returns:
        What the code was, to be kept: without it there would be holes.
    """
    called: set[CodeType] = set()
    sys.setprofile(lambda frame, *_: called.add(frame.f_code))
    try:
        run()
    finally:
        sys.setprofile(None)
    for function in gc.get_objects():
        if type(function) is FunctionType and function.__code__ in called:
            function.__code__ = function.__code__.replace()
    return called


def fill_holes() -> list[bytes]:
    """Fill the holes that are left between objects, so that new ones are put side by side.

    Returns:
        What is in them, to be kept.
    """
    return [
        bytes(size - _HEADER)
        for size in range(-(-_HEADER // _STEP) * _STEP, _LARGEST + 1, _STEP)
        for _ in range(_HOLES_BYTES // size)
    ]
