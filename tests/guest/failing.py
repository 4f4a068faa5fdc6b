"""Run a program that fails, in this process and under the policy, and keep what it raised."""

from __future__ import annotations

from codemode_guest import world
from codemode_guest.failure import Described, described
from codemode_guest.policy import MAIN, Program, compile_program
from tests.guest.loops import Script, ScriptedLoop


def fail(source: str) -> tuple[BaseException, Program]:
    """Return what the program let through, and the program."""
    program = compile_program(source)
    names = world.new_globals(output=lambda _text: None)
    exec(program.code, names)  # noqa: S102 - what is tested
    main = names.pop(MAIN)
    assert callable(main)
    with ScriptedLoop(Script()) as loop:
        try:
            loop.run_until_complete(main())
        except BaseException as error:
            return error, program
    raise AssertionError("the program did not fail")


def failure(source: str) -> Described:
    """Return how the failure of a program is described."""
    return described(*fail(source))
