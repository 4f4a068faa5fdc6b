"""Functions whose code is moved are the functions that they were; new objects lie together."""

from __future__ import annotations

import subprocess
import sys

from codemode_guest.compacting import gather_code

#: New objects of some size lie on as many pages as need be, in a process with holes in its memory.
_NEW_OBJECTS = """
import sys
from codemode_guest.compacting import fill_holes
made = [bytes(31) for _ in range(40_000)]
del made[::100]
if sys.argv[1] == "filled":
    kept = fill_holes()
new = [bytes(31) for _ in range(100)]
print(len({id(obj) // 4096 for obj in new}))
"""


def test_what_is_called_gets_a_copy_of_its_code_and_nothing_else_does() -> None:
    """It is the same function, and equal code, in another place; no profile is left."""

    def called(number: int, *, by: int = 2) -> int:
        return number * by

    def not_called() -> None:
        return None

    before = called.__code__, not_called.__code__
    gather_code(lambda: called(1))

    assert called.__code__ is not before[0]
    assert called.__code__ == before[0]
    assert not_called.__code__ is before[1]
    assert 42 == called(14, by=3)
    assert sys.getprofile() is None


def test_where_holes_are_filled_new_objects_lie_on_few_pages() -> None:
    """Without, they lie wherever another one was."""

    def pages(case: str) -> int:
        ran = subprocess.run(
            [sys.executable, "-c", _NEW_OBJECTS, case], capture_output=True, check=True, text=True
        )
        return int(ran.stdout)

    assert pages("filled") < 8 < pages("with holes")
