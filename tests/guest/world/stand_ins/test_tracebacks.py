"""An exception as text shows the program's own frames, and no other."""

from __future__ import annotations

from codemode_guest.policy import MAIN
from tests.guest.world.programs import run

RAISE = """
import traceback, functools
def inner(x):
    return {}[x]
def outer(x):
    try:
        return functools.reduce(lambda a, b: inner(b), [1, x])
    except KeyError as error:
        raise ValueError("outer") from error
"""


def test_a_chain_shows_the_programs_frames() -> None:
    """Causes are there, and each frame is a line of the program."""
    source = (
        RAISE
        + """
try:
    outer(2)
except ValueError:
    print(traceback.format_exc(), end="")
"""
    )
    printed = run(source)
    assert printed.startswith("Traceback (most recent call last):\n")
    assert printed.endswith("in outer\nValueError: outer\n")
    assert "KeyError: 2\n\nThe above exception was the direct cause" in printed
    files = [line.split(",")[0] for line in printed.splitlines() if line.startswith("  File")]
    assert 5 == len(files)
    assert {'  File "<program>"'} == set(files)


def test_frames_of_ours_are_left_out() -> None:
    """A guard of ours that raises leaves no trace of itself."""
    source = """
import traceback
try:
    getattr(1, "__class__")
except AttributeError:
    traceback.print_exc()
"""
    assert 1 == run(source).count("File ")


def test_all_forms_give_the_same_text() -> None:
    """With the exception alone, with the three of old, and printed."""
    source = (
        RAISE
        + """
import io
try:
    outer(2)
except ValueError as error:
    text = "".join(traceback.format_exception(error))
    print(text == "".join(traceback.format_exception(type(error), error, None)))
    file = io.StringIO()
    traceback.print_exception(error, file=file)
    print(text == file.getvalue() == traceback.format_exc())
    print(traceback.format_exception_only(error))
print([traceback.format_exc()])
"""
    )
    assert "True\nTrue\n['ValueError: outer\\n']\n['NoneType: None\\n']\n" == run(source)


def test_a_group_shows_its_members() -> None:
    """Each member has its own frames."""
    source = """
import traceback
async def fail():
    raise KeyError("x")
try:
    async with asyncio.TaskGroup() as group:
        group.create_task(fail())
except ExceptionGroup:
    print(traceback.format_exc())
"""
    printed = run(source)
    assert "KeyError: 'x'" in printed
    assert 2 == printed.count('File "<program>"')
    assert printed.count('File "') == 2


def test_the_body_of_a_program_is_a_module() -> None:
    """The function that the policy wraps it in is not named."""
    source = f"""
import logging, traceback
def {MAIN}():
    logging.basicConfig(format="%(funcName)s", force=True)
    logging.warning("")
    int("x")
try:
    {MAIN}()
except ValueError:
    print(traceback.format_exc())
"""
    printed = run(source)
    assert MAIN not in printed
    assert 3 == printed.count("<module>")
