"""Everything that would be opened or imported later, done before."""

from __future__ import annotations

import asyncio
import contextlib
import datetime
import hashlib
import importlib
from typing import Final

from codemode_guest.world import text_codecs, zones
from codemode_guest.world.awaiting import Driven
from codemode_guest.world.disarming import disarm
from codemode_guest.world.imports import facades

#: What the library imports only when a function is called.
_LAZY: Final = (
    "_pydatetime",  # 3.12: datetime.strptime
    "_pylong",  # 3.12: arithmetic with very long integers
    "_strptime",  # time.strptime
    "_suggestions",  # 3.13: did-you-mean of a traceback
    "ast",  # a traceback's carets
    "inspect",  # typing.Protocol
    "linecache",  # a warning's source line
    "tokenize",
    "tracemalloc",
    "unicodedata",  # "\\N{BULLET}"
)


def preload() -> None:
    """Make this process one that serves programs: all it needs in memory, the library disarmed.

    Call once, in a process that does nothing else: it changes the standard library.
    """
    for name in _LAZY:
        with contextlib.suppress(ImportError):  # not in every version
            importlib.import_module(name)
    facades()
    zones.serve_from_memory()
    text_codecs.serve_from_memory()
    _use_once()
    disarm()


def _use_once() -> None:
    """Use what reads its own configuration at its first use."""
    for name in hashlib.algorithms_available:
        with contextlib.suppress(ValueError):  # known to the library, not to its build
            hashlib.new(name)
    datetime.datetime.strptime("2000-01-01", "%Y-%m-%d")  # noqa: DTZ007 - the date is no matter
    # asyncio remembers which types are coroutines, and asks an abstract class the first time.
    coroutine = asyncio.sleep(0)
    asyncio.iscoroutine(Driven(coroutine))
    coroutine.close()
