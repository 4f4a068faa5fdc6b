"""The agent's loop over a chat endpoint: a scripted one, or a real one where there is a key."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from codemode.adapters import openai_chat, recorded_bodies
from codemode.session import (
    HeaderAssembled,
    RunStarted,
    SubCallSettled,
    SubCallStarted,
    ToolReturned,
    read_log,
)
from tests.examples.chat_server import calls, says, serving

CHECKOUT = Path(__file__).parents[2]
LOOP = CHECKOUT / "examples" / "agent_loop.py"

# What the model may do: run a shell command in one folder.
TOOLS = '''
import subprocess
from pathlib import Path

from codemode import ToolRegistry

registry = ToolRegistry()
FOLDER = Path(__file__).parent / "folder"


@registry.tool
def shell(command: str) -> dict[str, str | int]:
    """Run a shell command in the folder; return its output and status."""
    done = subprocess.run(command, shell=True, cwd=FOLDER, capture_output=True, text=True)
    return {"output": done.stdout, "status": done.returncode}
'''
TASK = (
    "Write one program that makes two calls of the shell: the first writes the numbers from 1 "
    "to 5 into numbers.txt, one a line, in this order; the second counts the lines of that "
    "file. Then answer with nothing but: numbers.txt has N lines."
)
PROGRAM = """\
await tools.shell(command="seq 1 5 > numbers.txt")
counted = await tools.shell(command="wc -l < numbers.txt")
print(counted["output"].strip(), "lines")
"""
SCRIPT = calls(PROGRAM), says(lambda result: f"numbers.txt has {result}.")


def run_loop(folder: Path, url: str, task: str = TASK, **env: str) -> str:
    """What the agent answers; its tools, log and files are in the folder."""
    (folder / "tools.py").write_text(TOOLS)
    (folder / "folder").mkdir()
    surroundings = {
        "PATH": os.environ["PATH"],
        "OPENAI_API_KEY": "none",
        "OPENAI_BASE_URL": url,
        "SESSION_LOG": str(folder / "session.jsonl"),
        **env,
    }
    done = subprocess.run(
        [sys.executable, LOOP, folder / "tools.py", task],
        env=surroundings,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert (0, "") == (done.returncode, done.stderr)
    return done.stdout


def check_what_happened(folder: Path, answer: str) -> None:
    """What must be true whoever the model was."""
    entries = list(read_log(folder / "session.jsonl"))
    events = [entry.event for entry in entries]
    # Whatever there is to call, the request offers one tool.
    headers = [event for event in events if isinstance(event, HeaderAssembled)]
    assert [("initial", "code")] == [(header.reason, header.mode) for header in headers]
    assert ["run_code"] == [tool["name"] for tool in headers[0].tools if isinstance(tool, dict)]
    assert "def shell(" in headers[0].system
    # Two calls of one program, each with its parent, settled before the outer result.
    starts = [event for event in events if isinstance(event, SubCallStarted)]
    settled = {event.call_id for event in events if isinstance(event, SubCallSettled)}
    of_run = {event.call_id for event in events if isinstance(event, RunStarted)}
    ids = [start.call_id for start in starts if start.parent_id == starts[-1].parent_id]
    assert [f"{starts[-1].parent_id}:code:{n}" for n in range(1, len(ids) + 1)] == ids
    assert len(ids) >= 2
    assert {start.parent_id for start in starts} <= of_run
    assert {start.call_id for start in starts} == settled
    # What results, and what the model makes of it.
    assert "1\n2\n3\n4\n5\n" == (folder / "folder" / "numbers.txt").read_text()
    assert "numbers.txt has 5 lines." == answer.strip()


def test_a_model_composes_two_calls_in_one_program(tmp_path: Path) -> None:
    """One header, correlated dispatches, a file and a curated answer (checklist 61, 102)."""
    with serving(*SCRIPT) as (url, bodies):
        answer = run_loop(tmp_path, url)

    check_what_happened(tmp_path, answer)
    assert bodies == list(recorded_bodies(read_log(tmp_path / "session.jsonl"), openai_chat))
    returned = [
        entry.event
        for entry in read_log(tmp_path / "session.jsonl")
        if isinstance(entry.event, ToolReturned)
    ]
    assert [[{"type": "text", "text": "5 lines"}]] == [event.content for event in returned]


@pytest.mark.skipif("OPENAI_API_KEY" not in os.environ, reason="OPENAI_API_KEY is not set")
def test_a_real_model_composes_two_calls_in_one_program(tmp_path: Path) -> None:
    """The same, with the endpoint and the model of the environment."""
    keyed = {name: os.environ[name] for name in os.environ if name.startswith("OPENAI_")}
    url = os.environ.get("OPENAI_BASE_URL", "https://api.openai.com/v1")

    answer = run_loop(tmp_path, url, **keyed)

    check_what_happened(tmp_path, answer)


def test_several_calls_of_one_reply_are_answered_in_order(tmp_path: Path) -> None:
    """A failed program among them is a result like any other."""
    script = calls("return 1", "raise ValueError('two')", "return 3"), says(str)

    with serving(*script) as (url, bodies):
        answer = run_loop(tmp_path, url, "Count.")

    assert "3\n" == answer
    assert b"ValueError: two" in bodies[1]


def test_the_loop_is_forty_lines() -> None:
    """Short enough to be copied."""
    source = LOOP.read_text().partition('"""\n\nfrom __future__')[2]
    code = [line for line in source.splitlines() if line.strip()]

    assert len(code) <= 40
