"""Everything that would be opened or imported later, done before."""

from __future__ import annotations

import asyncio
import contextlib
import datetime
import hashlib
import importlib
from typing import Final

from codemode_guest.policy import compile_program
from codemode_guest.world import text_codecs, zones
from codemode_guest.world.awaiting import Driven
from codemode_guest.world.disarming import disarm
from codemode_guest.world.imports import (
    ALWAYS_THERE,
    explain_import,
    explain_name,
    facades,
    public_names,
)

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


#: After so many calls the interpreter has specialized a function; 3.11 waits for 8.
_WARM_AFTER: Final = 16

#: What models write, a line of each kind.
_SAMPLE: Final = """
import json
from collections import Counter
async def ask(text: str, *more, limit=3):
    found = await tools.search(query=text, limit=limit)
    return [item["name"].lower() for item in found["items"] if item.get("name")]
class Seen:
    def __init__(self, names): self._names = set(names)
    def __contains__(self, name): return name in self._names
seen, total, counts = Seen(("a", "b")), 0, Counter()
for name, count in {"a": 1, "b": 2}.items():
    try:
        if name in seen and not count > 2: total += count
        else: counts[name] -= 1
    except (KeyError, ValueError) as error:
        print(f"{name!r}: {error}")
results = await asyncio.gather(*(ask(name) for name in "ab"))
best = sorted(results, key=lambda names: (-len(names), names))[:10]
return {"total": total, "best": best, "text": json.dumps([1.5, None, True])}
"""


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
    _warm_up()


def _warm_up() -> None:
    """Compile a program several times, so that the interpreter has made our code fast.

    It writes into the code for that, and so, after a fork, into memory that was shared.
    """
    for _ in range(_WARM_AFTER):
        compile_program(
            _SAMPLE,
            explain_import=explain_import,
            explain_name=explain_name,
            public_names=public_names,
            always_there=(ALWAYS_THERE,),
        )


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
