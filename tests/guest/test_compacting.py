"""Functions whose code is moved are the functions that they were; new objects lie together."""

from __future__ import annotations

import subprocess
import sys

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

_CALLED_OR_NOT = """
import sys
from codemode_guest.compacting import gather_code

def called(number, *, by=2):
    return number * by

def not_called():
    return None

code, other = called.__code__, not_called.__code__
gather_code(lambda: called(1))
moved = called.__code__ is not code
equal = called.__code__ == code
print([moved, equal, not_called.__code__ is other, called(14, by=3), sys.getprofile()])
"""


def test_what_is_called_gets_a_copy_of_its_code_and_nothing_else_does() -> None:
    """It is the same function, and equal code, in another place; no profile is left.

    In a process of one thread, as a template is.
    """
    ran = subprocess.run(
        [sys.executable, "-c", _CALLED_OR_NOT], capture_output=True, check=True, text=True
    )

    assert "[True, True, True, 42, None]" == ran.stdout.strip()


def test_where_holes_are_filled_new_objects_lie_on_few_pages() -> None:
    """Without, they lie wherever another one was."""

    def pages(case: str) -> int:
        ran = subprocess.run(
            [sys.executable, "-c", _NEW_OBJECTS, case], capture_output=True, check=True, text=True
        )
        return int(ran.stdout)

    assert pages("filled") < 8 < pages("with holes")
