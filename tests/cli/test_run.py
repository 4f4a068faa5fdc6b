"""`codemode run` as a user starts it: a process with arguments, streams and a status."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path

import psutil
import pytest

COMMAND = Path(sys.executable).with_name("codemode")
WAIT = "threading.Event().wait()\n"
TOOLS = f"""
import threading
from codemode import CodeBindingNamespace, ToolRegistry

registry = ToolRegistry()
console = CodeBindingNamespace(global_name="console", functions={{}})

@registry.tool
def double(n: int) -> int:
    print("doubling")
    return 2 * n

@registry.tool
def hold() -> None:
    print("holding", flush=True)
    {WAIT}"""


@pytest.fixture
def tools(tmp_path: Path) -> str:
    """The option that names a file of tools."""
    (tmp_path / "tools.py").write_text(TOOLS)
    return f"--tools={tmp_path}/tools.py:registry"


def run(
    *arguments: str, program: str | bytes = "", timeout: float = 30
) -> subprocess.CompletedProcess[bytes]:
    """What the command printed and with what status it ended; the program is on stdin."""
    sent = program if isinstance(program, bytes) else program.encode()
    return subprocess.run(
        [COMMAND, "run", *arguments],
        input=sent,
        capture_output=True,
        check=False,
        timeout=timeout,
    )


def test_a_program_with_tools_prints_its_lines_and_its_value(tools: str) -> None:
    """Standard output is the program's; what a tool prints goes to standard error."""
    done = run("-", tools, program="print('a')\nreturn await tools.double(n=21)")

    assert (0, b"a\n42\n", b"doubling\n") == (done.returncode, done.stdout, done.stderr)


def test_json_is_one_object_and_nothing_else(tools: str) -> None:
    """A program can read standard output whatever the tools print."""
    done = run("--json", "-", tools, program="print('a')\nreturn await tools.double(n=21)")

    assert 0 == done.returncode
    assert {"value": 42, "logs": ["a"], "error": None} == json.loads(done.stdout)


def test_a_program_in_a_file_runs_without_tools(tmp_path: Path) -> None:
    """Tools are an option; a program that needs none computes."""
    (tmp_path / "p.py").write_text("return sum(range(5))")

    done = run(str(tmp_path / "p.py"))

    assert (0, b"10\n", b"") == (done.returncode, done.stdout, done.stderr)


@pytest.mark.parametrize(
    "program,kind,told",
    [
        ("print('a')\nreturn 1 / 0", b"exception", b"ZeroDivisionError: division by zero"),
        ("print('a'", b"exception", b"SyntaxError"),
        ("print('a')\nwhile True: pass", b"timeout", b"compute_ms"),
        ("print('a')\nreturn {1}", b"invalid-output", b"$"),
    ],
)
def test_a_program_that_fails_is_status_1_and_explained_on_standard_error(
    program: str, kind: bytes, told: bytes
) -> None:
    """The kind comes first, then where and why; no traceback is ours."""
    done = run("-", "--compute-ms", "500", program=program)

    assert 1 == done.returncode
    assert done.stderr.startswith(kind + b": ")
    assert told in done.stderr
    assert b"Traceback" not in done.stderr
    assert done.stdout in {b"a\n", b""}


def test_json_of_a_failure_is_on_standard_output_alone() -> None:
    """Kind, message and place are fields; nobody has to read standard error."""
    done = run("-", "--json", program="print('a')\nreturn 1 / 0")
    told = json.loads(done.stdout)

    assert (1, b"") == (done.returncode, done.stderr)
    assert ["a"] == told["logs"]
    assert ("exception", 2, "ZeroDivisionError") == (
        told["error"]["kind"],
        told["error"]["line"],
        told["error"]["exception_type"],
    )
    assert "value" not in told


def test_a_wrong_argument_reaches_the_program_as_a_tool_call_error(tools: str) -> None:
    """It is the program's mistake: the program can catch it, or fails with its words."""
    program = """
try:
    await tools.double(m=1)
except ToolCallError as error:
    return [error.tool_name, str(error)]
"""
    done = run("-", "--json", tools, program=program)

    name, message = json.loads(done.stdout)["value"]
    assert "double" == name
    assert "there is no argument 'm'" in message


@pytest.mark.parametrize(
    "arguments,told",
    [
        (["none.py"], b"cannot read the program 'none.py': No such file or directory; give"),
        (["-", "--tools=none.py:registry"], b"there is no file 'none.py'; check the path"),
        (["-", "--tools=TOOLS.py:regstry"], b"did you mean 'registry'?"),
        (["-", "--tools=TOOLS.py:console"], b"'console' is a global that the runtime owns"),
        (["-", "--tools=TOOLS.py:registry", "--tools=TOOLS.py:registry"], b"is the global 'tools'"),
        (["-", "--compute-ms=-5"], b"--compute-ms -5: Input should be greater than 0"),
        (["-", "--max-wall-ms=99999999999999"], b"Input should be less than or equal to"),
        (["-", "--jsn"], b"No such option '--jsn'. Did you mean '--json'?"),
        ([], b"Missing argument 'PROGRAM.py'"),
    ],
)
def test_a_usage_error_is_status_2_with_one_message(
    tools: str, arguments: list[str], told: bytes
) -> None:
    """What, where and what to do; nothing on standard output and no traceback."""
    file = tools.removeprefix("--tools=").removesuffix(".py:registry")

    done = run(*(argument.replace("TOOLS", file) for argument in arguments))

    assert (2, b"") == (done.returncode, done.stdout)
    assert told in done.stderr
    assert 1 == done.stderr.count(b"Error: ")
    assert b"Traceback" not in done.stderr


def test_a_program_that_is_no_utf8_is_refused() -> None:
    """Standard input is read as UTF-8, as files are."""
    done = run("-", program=b"print('\xff')")

    assert 2 == done.returncode
    assert b"the program '-' is not UTF-8 (byte 7)" in done.stderr


@contextmanager
def held(
    folder: Path, *arguments: str, stderr: int = subprocess.PIPE
) -> Iterator[subprocess.Popen[bytes]]:
    """A command whose program has printed a line and calls the tool `hold`, which never returns."""
    program = folder / "held.py"
    program.write_text("print('before')\nawait tools.hold()")
    with subprocess.Popen(
        [COMMAND, "run", program, *arguments],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=stderr,
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def wait_until_held(process: subprocess.Popen[bytes]) -> None:
    assert process.stderr is not None
    assert b"holding\n" == process.stderr.readline()


@pytest.mark.parametrize("number,status", [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_stops_the_program_and_its_process_and_keeps_the_output(
    tools: str, tmp_path: Path, number: signal.Signals, status: int
) -> None:
    """Ctrl-C ends a run that waits for good, says so, and leaves nothing running."""
    with held(tmp_path, tools) as process:
        wait_until_held(process)
        below = psutil.Process(process.pid).children(recursive=True)
        process.send_signal(number)
        stdout, stderr = process.communicate(timeout=10)

    assert (status, b"before\n") == (process.returncode, stdout)
    assert stderr.startswith(b"abort: ")
    assert f"{number.name} stopped the command".encode() in stderr
    assert b"Traceback" not in stderr
    assert below
    assert [] == psutil.wait_procs(below, timeout=5)[1]


def test_ctrl_c_while_the_tools_load_ends_the_command_without_a_traceback(tmp_path: Path) -> None:
    """Whatever a tools file waits for, the user can leave."""
    # In short waits: a signal that comes just before a lock is waited for is seen after the wait.
    waits = "import time\nprint('holding', flush=True)\nwhile True:\n    time.sleep(0.05)\n"
    (tmp_path / "slow.py").write_text(waits)
    with held(tmp_path, f"--tools={tmp_path}/slow.py:registry") as process:
        wait_until_held(process)
        process.send_signal(signal.SIGINT)
        stdout, stderr = process.communicate(timeout=10)

    assert (130, b"") == (process.returncode, stdout)
    assert b"interrupted before the program had started\n" == stderr


def test_a_stopped_run_is_json_too(tools: str, tmp_path: Path) -> None:
    """Whoever reads the output finds the lines so far and the kind `abort`."""
    with held(tmp_path, tools, "--json") as process:
        wait_until_held(process)
        process.send_signal(signal.SIGINT)
        stdout, _ = process.communicate(timeout=10)

    assert 130 == process.returncode
    told = json.loads(stdout)
    assert (["before"], "abort") == (told["logs"], told["error"]["kind"])


def test_a_tool_that_never_returns_does_not_hold_up_the_exit(tools: str) -> None:
    """The run ends at its wall budget, and the command with it, whatever its threads do."""
    done = run("-", tools, "--max-wall-ms", "300", program="await tools.hold()", timeout=10)

    assert 1 == done.returncode
    assert b"timeout: " in done.stderr


def test_a_long_run_shows_calls_and_time_on_a_terminal_only(tools: str, tmp_path: Path) -> None:
    """One line, rewritten while the run goes on and erased at its end."""
    ours, theirs = pty.openpty()
    seen = b""
    with held(tmp_path, tools, stderr=theirs) as process:
        os.close(theirs)
        while b"calls: 1 made, 1 open" not in seen:
            seen += os.read(ours, 1024)
        process.send_signal(signal.SIGINT)
        while b"abort: " not in seen:
            seen += os.read(ours, 1024)
        process.communicate(timeout=10)
    os.close(ours)

    assert b"\r\x1b[Krunning 1 s, calls: 1 made, 1 open" in seen
    assert b"\r\x1b[Kabort: " in seen


def test_output_is_escaped_on_a_terminal() -> None:
    """A program cannot speak to the terminal behind the command."""
    ours, theirs = pty.openpty()
    with subprocess.Popen([COMMAND, "run", "-"], stdin=subprocess.PIPE, stdout=theirs) as process:
        os.close(theirs)
        process.communicate(b"print('\\x1b]0;title\\x07')", timeout=30)
    shown = os.read(ours, 1024)
    os.close(ours)

    assert b"\\x1b]0;title\\x07\r\n" == shown


def test_the_version_is_that_of_the_package() -> None:
    """One number, in the metadata."""
    done = subprocess.run([COMMAND, "--version"], capture_output=True, text=True, check=True)

    assert f"codemode {version('codemode')}\n" == done.stdout


def test_what_a_tools_child_process_writes_is_not_the_programs_output(tmp_path: Path) -> None:
    """Standard output is the program's alone, whoever else has the descriptor."""
    tools = tmp_path / "tools.py"
    tools.write_text(
        "import os, subprocess\nfrom codemode import ToolRegistry\nregistry = ToolRegistry()\n"
        "@registry.tool\ndef noisy() -> int:\n    os.write(1, b'raw\\n')\n"
        "    return subprocess.run(['echo', 'child']).returncode\n"
    )
    program = tmp_path / "program.py"
    program.write_text("return await tools.noisy()")
    done = subprocess.run(
        [COMMAND, "run", program, "--tools", f"{tools}:registry", "--json"],
        capture_output=True,
        check=False,
        timeout=60,
    )

    assert {"value": 0, "logs": [], "error": None} == json.loads(done.stdout)
    assert b"raw\nchild\n" == done.stderr


@pytest.mark.parametrize("closing", ["0<&-", "1>&-", "2>&-", "0<&- 1>&- 2>&-"])
def test_closed_streams_change_neither_the_outcome_nor_the_words(
    tmp_path: Path, closing: str
) -> None:
    """There is no traceback, and what can be said is said."""
    program = tmp_path / "program.py"
    program.write_text("return 7")
    done = subprocess.run(
        ["/bin/sh", "-c", f"'{COMMAND}' run '{program}' {closing}"],
        capture_output=True,
        check=False,
        timeout=60,
    )

    assert (0, b"") == (done.returncode, done.stderr)
    assert done.stdout == (b"" if "1>&-" in closing else b"7\n")


def test_an_output_that_cannot_be_written_is_one_clear_message(tmp_path: Path) -> None:
    """A full disk is no failure of the program, and no traceback."""
    program = tmp_path / "program.py"
    program.write_text("return 7")
    done = subprocess.run(
        ["/bin/sh", "-c", f"'{COMMAND}' run '{program}' > /dev/full"],
        capture_output=True,
        check=False,
        timeout=60,
    )

    assert 2 == done.returncode
    assert b"cannot be written" in done.stderr
    assert b"Traceback" not in done.stderr


def test_a_tool_that_exits_is_a_rejection(tmp_path: Path) -> None:
    """The program may go on; the command does not hang."""
    tools = tmp_path / "tools.py"
    tools.write_text(
        "from codemode import ToolRegistry\nregistry = ToolRegistry()\n"
        "@registry.tool\nasync def leave() -> int:\n    raise SystemExit(4)\n"
    )
    program = tmp_path / "program.py"
    program.write_text(
        "try:\n    await tools.leave()\nexcept ToolCallError as error:\n    return str(error)"
    )
    done = subprocess.run(
        [COMMAND, "run", program, "--tools", f"{tools}:registry"],
        capture_output=True,
        check=False,
        timeout=60,
    )

    assert (0, b"leave: SystemExit: 4\n") == (done.returncode, done.stdout)
