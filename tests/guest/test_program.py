"""A program is run in a process of its own, and its end is the process's last word."""

from __future__ import annotations

from typing import Any

import pytest

from codemode_guest.program import completion
from codemode_guest.values import decode
from tests.guest.children import Ended, child_on_a_bridge, run_child

RUN = """
import socket, sys
from codemode_guest.bridge import Bridge, leave
from codemode_guest.calls import Calls, NamespaceSpec, install
from codemode_guest.loop import GuestLoop
from codemode_guest.program import run_program
from codemode_guest.window import Window
from codemode_guest.world import new_globals
bridge = Bridge(socket.socket(fileno=int(sys.argv[1])))
((source, max_value_bytes),) = bridge.receive(None)
window = Window(max_calls=8, max_bytes=2**20, max_parts=10_000)
calls = Calls(bridge, window, max_args_bytes=2**20, max_args_parts=10_000)
names = install([NamespaceSpec("tools", ("echo",), "ToolCallError", "tool_name")], calls)
loop = GuestLoop(bridge, calls.receive)
done = run_program(
    source,
    names,
    loop=loop,
    offered=new_globals(output=bridge.log),
    max_value_bytes=max_value_bytes,
    max_value_parts=10_000,
)
bridge.send(*done)
leave()
"""


def run(source: str, *, max_value_bytes: int = 2**20) -> tuple[dict[str, Any], str, Ended]:
    """Run a program in a child: what it reported, what it printed, how its process ended.

    Its calls of `tools.echo` are answered with their arguments.
    """
    printed = ""
    with child_on_a_bridge(RUN) as peer:
        peer.send([source, max_value_bytes])
        while True:
            frame: list[Any] = peer.next()
            if frame[0] == "log":
                printed += frame[1]
            elif frame[0] == "call":
                peer.send(["reply", frame[1], True, frame[4]])
            elif frame[0] == "done":
                ended = peer.end()
                assert [] == peer.frames
                return frame[1], printed, ended


def test_the_returned_value_is_the_completion_value() -> None:
    """Checklist 81: printed before it, and the process ends well, having said nothing else."""
    done, printed, ended = run('print("hi")\nreturn {"a": [1, (2.5, None)]}')

    assert ({"value": {"a": [1, [2.5, None]]}}, "hi\n") == (done, printed)
    assert (0, "", "") == (ended.status, ended.stdout, ended.stderr)


@pytest.mark.parametrize("source,done", [("x = 1", {}), ("return", {}), ("", {})])
def test_a_program_that_returns_nothing_has_no_value(source: str, done: object) -> None:
    """Checklist 92: an empty program is a program."""
    assert done == run(source)[0]


def test_a_program_that_returns_none_has_a_value() -> None:
    """Checklist 92: it said so."""
    assert {"value": None} == run("return None")[0]


def test_top_level_await_calls_the_host() -> None:
    """Checklist 81: a reply is received while the program waits."""
    assert {"value": {"x": [1]}} == run("return await tools.echo(x=[1])")[0]


def test_a_failure_is_reported_with_what_was_printed_before() -> None:
    """Checklist 75: the process itself ends well: its program's failure is not its own."""
    done, printed, ended = run('print("before")\nraise ValueError("no")')

    assert "before\n" == printed
    assert ("exception", "ValueError", 2) == (
        done["failure"]["kind"],
        done["failure"]["exception_type"],
        done["failure"]["line"],
    )
    assert (0, "") == (ended.status, ended.stderr)


@pytest.mark.parametrize("source", ["x = = 1", "import os\nos.system('x')", "x = 1; yield x"])
def test_a_program_that_may_not_run_is_reported_as_of_the_compile_phase(source: str) -> None:
    """Checklist 91."""
    done, printed, _ = run(source)

    assert ("exception", "compile") == (done["failure"]["kind"], done["failure"]["phase"])
    assert "" == printed


@pytest.mark.parametrize(
    "source,exception_type",
    [
        ("raise SystemExit(3)", "SystemExit"),
        ("raise KeyboardInterrupt", "KeyboardInterrupt"),
        ("import asyncio\nraise asyncio.CancelledError", "CancelledError"),
        (
            "import asyncio\nasyncio.current_task().cancel()\nawait asyncio.sleep(1)",
            "CancelledError",
        ),
    ],
)
def test_no_exception_ends_the_process_unreported(source: str, exception_type: str) -> None:
    """Checklist 88."""
    done, _, ended = run(source)

    assert exception_type == done["failure"]["exception_type"]
    assert 0 == ended.status


def test_what_a_task_lets_through_the_loop_is_reported() -> None:
    """Asyncio lets an exit out of a task unwind the loop; here too it is the program's end."""
    done, _, _ = run(
        """import asyncio
async def leave():
    raise SystemExit("from a task")
task = asyncio.create_task(leave())
await asyncio.sleep(60)"""
    )

    assert "SystemExit" == done["failure"]["exception_type"]
    assert "from a task" in done["failure"]["message"]


def test_tasks_that_are_left_behind_get_no_further_turn() -> None:
    """The value is what it was when the body returned; nothing is printed after the end."""
    done, printed, _ = run(
        """import asyncio
async def work():
    try:
        while True:
            print("working")
            await asyncio.sleep(0)
    finally:
        print("cleaned up")
asyncio.create_task(work())
await asyncio.sleep(0)
return 1"""
    )

    assert ({"value": 1}, "working\n") == (done, printed)


def test_the_programs_own_exit_functions_do_not_run() -> None:
    """The process ends at once: nothing in it is worth a farewell."""
    _, printed, ended = run(
        """class Loud:
    def __del__(self):
        print("deleted")
kept = Loud()
return 1"""
    )

    assert ("", "") == (printed, ended.stderr)


def test_a_lossy_value_is_invalid_output() -> None:
    """Checklist 75, 93: with its path and a hint."""
    done, _, _ = run("return {'a': [0, {1}]}")

    message = (
        "the returned value is not lossless JSON: $.a[1]: a set is not JSON; "
        "use sorted(x) or list(x)"
    )
    assert {"failure": {"kind": "invalid-output", "message": message}} == done


@pytest.mark.parametrize("max_value_bytes,fits", [(11, False), (12, True), (13, True)])
def test_a_value_is_bounded_to_the_byte(max_value_bytes: int, fits: bool) -> None:  # noqa: FBT001
    """Checklist 98: ten characters and their quotes."""
    done, _, _ = run("return 'x' * 10", max_value_bytes=max_value_bytes)

    assert fits is (done == {"value": "x" * 10})
    assert fits or done["failure"]["kind"] == "output-limit"


def test_a_value_without_an_end_is_reported() -> None:
    """Checklist 87, 93: one that contains itself, and one that doubles itself forty times."""
    cyclic, _, _ = run("a = [1]\na.append(a)\nreturn a")
    doubling, _, _ = run("a = 0\nfor _ in range(40):\n    a = [a, a]\nreturn a")

    assert "invalid-output" == cyclic["failure"]["kind"]
    assert "$[1]: the value contains itself" in cyclic["failure"]["message"]
    assert "output-limit" == doubling["failure"]["kind"]


def test_a_value_with_a_key_of_the_programs_own_is_invalid_output() -> None:
    """Checklist 89: a key is not asked for its words, which might be an exception."""
    done, _, _ = run(
        """class Key:
    def __repr__(self):
        raise KeyError("mine")
return {(Key(),): 1}"""
    )

    assert "invalid-output" == done["failure"]["kind"]


@pytest.mark.parametrize(
    "source,exception_type,told",
    [
        ('raise ValueError("\\ud83d" + "\\ude00")', "ValueError", "ValueError: "),
        ("d = {10**5000: 1}\nd['x']", "KeyError", "KeyError: 'x'"),
    ],
    ids=["surrogates", "long integer"],
)
def test_a_failure_that_is_hard_to_tell_is_told_as_itself(
    source: str, exception_type: str, told: str
) -> None:
    """Checklist 75, 95: not as the failure to tell it."""
    done, _, ended = run(source)

    assert exception_type == done["failure"]["exception_type"]
    assert done["failure"]["message"].startswith(told)
    assert 0 == ended.status


def test_completion_gives_the_json_of_a_value() -> None:
    """Without a process: what the run of the in-memory runtime uses too."""
    assert b'{"a":[1,-0.0]}' == completion({"a": [1, -0.0]}, 100)


OUT_OF_MEMORY = """
import json, resource
from codemode_guest.program import completion
value = ["x" * 2**27, "x" * 2**27]
with open("/proc/self/statm") as statm:
    size = int(statm.read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (size + 2**20, size + 2**20))
print(json.dumps(completion(value, 2**30)))
"""


def test_a_value_that_there_is_no_memory_to_write_is_told_as_of_the_run() -> None:
    """Checklist 83: the program had been compiled, and had run, when it happened."""
    ended = run_child(OUT_OF_MEMORY)

    found = decode(ended.stdout.encode())
    assert isinstance(found, dict)
    assert ("memory", "run", "MemoryError") == (
        found["kind"],
        found["phase"],
        found["exception_type"],
    )
