"""`codemode log` shows a session as a readable tree."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from codemode.cli.main import main
from codemode.cli.tree import Tree
from codemode.session import (
    ApprovalAnswered,
    ApprovalAsked,
    Entry,
    Event,
    HeaderAssembled,
    LogFile,
    MessageAdded,
    Noted,
    RequestSent,
    RunEnded,
    RunStarted,
    SessionOpened,
    SubCallSettled,
    SubCallStarted,
    ToolCalled,
    ToolReturned,
    ToolStarted,
)

COMMAND = Path(sys.executable).with_name("codemode")
PROGRAM = "import asyncio\n\npage = await tools.list_items(page=1)\nreturn len(page)"

RUN = RunStarted(call_id="c1", program=PROGRAM, seed=7, language="python", isolation="process")


def sub_call(number: int, tool: str, arguments: object) -> SubCallStarted:
    return SubCallStarted(
        call_id=f"c1:code:{number}", parent_id="c1", root_id="c1", tool=tool, arguments=arguments
    )


def text(words: str) -> list[object]:
    return [{"type": "text", "text": words}]


SESSION: list[Event] = [
    SessionOpened(product="0.1.0"),
    HeaderAssembled(
        reason="initial", mode="code", system="x" * 1_500, tools=[{}], language="python",
        isolation="process",
    ),
    MessageAdded(message={"role": "user", "content": "How many?"}),
    RequestSent(api="openai-chat", parameters={"model": "m-1"}, body_sha256="00"),
    ToolCalled(call_id="c1", tool="run_code", arguments={"code": PROGRAM}),
    ToolStarted(call_id="c1", tool="run_code", arguments={"code": PROGRAM}),
    RUN,
    sub_call(1, "list_items", {"page": 1}),
    sub_call(2, "remove", {"id": 5}),
    SubCallSettled(
        call_id="c1:code:1", parent_id="c1", tool="list_items", content=text("…"),
        value=[1, 2], wall_ms=12.34,
    ),
    ApprovalAsked(call_id="c1:code:2", tool="remove", reason="it removes"),
    ApprovalAnswered(call_id="c1:code:2", outcome="denied", waited_ms=3_000),
    SubCallSettled(
        call_id="c1:code:2", parent_id="c1", tool="remove", content=text("no"), is_error=True,
        failure={"code": "DENIED", "message": "not now\n  line 3", "effect": "not-started"},
        wall_ms=3_001,
    ),
    RunEnded(
        call_id="c1", logs=["a"], value=2,
        report={
            "calls": 2, "errors": 1, "wall_ms": 3_100.0, "compute_ms": 4.5, "queued_ms": 0.1,
            "parked_ms": 3_000.0, "bytes_in": 1_234, "bytes_out": 5_678,
        },
    ),
    ToolReturned(call_id="c1", tool="run_code", content=text("a\n2"), wall_ms=3_105.0),
    Noted(topic="weather", body={"sun": True}),
]  # fmt: skip

TREE = """\
     0.000  session begun 1970-01-01 00:00:10 UTC, codemode 0.1.0
     0.010  header (initial): mode code, python (process), 1 tool, 1,500 characters of system text
     0.020  message {"role":"user","content":"How many?"}
     0.030  request to m-1 (openai-chat)
     0.040  run_code (c1)
     0.060    program, seed 7
                | import asyncio
                |\x20
                | page = await tools.list_items(page=1)
                | return len(page)
     0.090    1. list_items {"page":1} -> [1,2]  12.3 ms
     0.100    asked for approval of remove: it removes
     0.110    approval: denied after 3.0 s
     0.120    2. remove {"id":5} failed: DENIED, effect not-started: not now  3.0 s
     0.130    ended with 2, 1 line printed
              2 calls, 1 failed; 1,234 bytes in, 5,678 out
              wall 3.1 s, compute 4.5 ms, queued 0.1 ms, parked 3.0 s
     0.140  run_code (c1) answered after 3.1 s
              | a
              | 2
     0.150  note weather: {"sun":true}
"""


def entries(*events: Event) -> list[Entry]:
    return [Entry(seq=n + 1, at_ms=10_000 + 10 * n, event=event) for n, event in enumerate(events)]


def shown(*events: Event, full: bool = False) -> str:
    tree = Tree(full=full)
    lines = [line for entry in entries(*events) for line in tree.lines(entry)]
    return "\n".join([*lines, *tree.unfinished(), ""])


def log_of(path: Path, *events: Event) -> Path:
    with LogFile(path) as log:
        for entry in entries(*events):
            log.write(entry)
    return path


def invoke(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, ["log", *map(str, arguments)])


def test_a_session_is_shown_as_a_tree_with_times_and_failures(tmp_path: Path) -> None:
    """Requests, runs, the calls of their programs, approvals and results, in order."""
    command = [str(COMMAND), "log", str(log_of(tmp_path / "session.jsonl", *SESSION))]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)

    assert (0, TREE, "") == (done.returncode, done.stdout, done.stderr)


def test_a_failed_run_shows_its_kind_and_first_line() -> None:
    """The rest is in the result that follows."""
    failed = RunEnded(
        call_id="c1", logs=[], error={"kind": "exception", "message": "KeyError: 'a'\n  line 3"}
    )

    assert "ended: exception: KeyError: 'a'\n" in shown(failed)


def test_a_failed_call_says_why_on_its_own_line() -> None:
    """Code, what is known of the effect, and the first line of the message."""
    failure = {"code": "CODE_RUN_FAILED", "effect": "committed", "message": "it failed\nat line 3"}
    failed = ToolReturned(
        call_id="c1", tool="run_code", content=[], is_error=True, failure=failure, wall_ms=9.5
    )

    assert (
        "run_code (c1) failed after 9.5 ms: CODE_RUN_FAILED, effect committed: it failed\n"
    ) in shown(failed)


def test_calls_without_an_end_are_named_last() -> None:
    """They are under way, or the host stopped (checklist 103)."""
    assert (
        "         …  run_code (c1): no end on record\n"
        "         …    1. list_items: no end on record\n"
    ) in shown(*SESSION[4:8])


def test_long_programs_and_values_are_shortened_unless_asked_for_whole() -> None:
    """`--full` shows all of them."""
    program = "\n".join(f"line_{n} = {'x' * 150!r}" for n in range(20))
    run = replace(RUN, program=program)

    brief, whole = shown(run), shown(run, full=True)

    assert "| … 14 more lines" in brief
    assert max(map(len, brief.splitlines())) < 130
    assert program.splitlines()[-1] in whole


def test_a_log_with_a_wrong_line_is_refused_by_its_number(tmp_path: Path) -> None:
    """What stands before it is shown."""
    path = log_of(tmp_path / "session.jsonl", *SESSION[:2])
    path.write_text(path.read_text() + "nonsense\n")

    done = invoke(path)

    assert 2 == done.exit_code
    assert "session begun" in done.stdout
    assert "line 3 is not an entry" in done.stderr


def test_an_empty_log_is_said_to_be_empty(tmp_path: Path) -> None:
    """Silence would leave open whether it was read at all."""
    (tmp_path / "session.jsonl").touch()

    done = invoke(tmp_path / "session.jsonl")

    assert (0, "") == (done.exit_code, done.stdout)
    assert "session.jsonl' is empty: no session has been opened on it yet" in done.stderr


@pytest.mark.parametrize("name", ["missing.jsonl", "."])
def test_a_file_that_cannot_be_read_is_a_usage_error(tmp_path: Path, name: str) -> None:
    """With what to do about it."""
    done = invoke(tmp_path / name)

    assert 2 == done.exit_code
    assert "give the path of a log" in done.stderr
