"""What the README says is what happens.

The examples of the library print exactly what is shown. The two programs print what this
repository is like, which every commit changes: of those, the shape is compared, and
`tox -e golden` writes the text of the day into the README.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).parents[2]
README = CHECKOUT / "README.md"
BIN = Path(sys.executable).parent
RECORD = "CODEMODE_RECORD_GOLDEN" in os.environ

pytestmark = pytest.mark.golden


def block(kind: str, name: str) -> re.Pattern[str]:
    """The fenced block behind `<!-- kind name -->`; its groups are the fence and the text in it."""
    fenced = r"(`{3,})\w*\n(.*?)\1"
    return re.compile(rf"(?<=<!-- {kind} {re.escape(name)} -->\n){fenced}", re.DOTALL)


def shown(kind: str, name: str) -> str:
    found = block(kind, name).search(README.read_text())
    assert found is not None
    return found[2]


def record(name: str, output: str) -> None:
    """Write `output` into the README if golden texts are being recorded."""
    if RECORD:
        README.write_text(
            block("output of", name).sub(
                lambda found: f"{found[1]}\n{output}{found[1]}", README.read_text(), count=1
            )
        )


def run(*command: str | Path) -> str:
    done = subprocess.run(
        command, cwd=CHECKOUT, capture_output=True, text=True, check=False, timeout=60
    )
    assert (0, "") == (done.returncode, done.stderr)
    return done.stdout


def masked(output: str) -> list[str]:
    """Each line with numbers, paths and names taken out, and so its shape."""
    shape = re.sub(r"\d+", "0", output)
    shape = re.sub(r"[\w./]+\.py", "PATH", shape)
    shape = re.sub(r"\((\w+|no function), 0\)", "(NAME, 0)", shape)
    shape = re.sub(r'^    "[\w.]+"', "MODULE", shape, flags=re.MULTILINE)
    return [line.strip() for line in shape.splitlines()]


def test_the_command_of_the_readme_prints_what_the_readme_shows() -> None:
    """The ten largest modules of this repository, in the form that is shown."""
    command = re.search(r"\.venv/bin/(codemode run .*)$", README.read_text(), re.MULTILINE)
    assert command is not None
    name, *arguments = shlex.split(command[1])
    output = run(BIN / name, *arguments)
    record("examples/largest_modules.py", output)

    assert masked(output) == masked(shown("output of", "examples/largest_modules.py"))
    assert 11 == len(output.splitlines())


def test_the_other_program_returns_what_the_readme_shows() -> None:
    """The modules that are imported most, in the form that is shown."""
    output = run(
        BIN / "codemode",
        "run",
        "examples/gather_files.py",
        "--tools",
        "examples/workspace.py:registry",
    )
    record("examples/gather_files.py", output)

    assert masked(output) == masked(shown("output of", "examples/gather_files.py"))


def test_the_program_over_a_server_prints_what_the_readme_shows(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """To the letter: of no zone in it the clocks change."""
    monkeypatch.setenv("PATH", f"{BIN}:{os.environ['PATH']}")
    command = re.search(r"&& PATH=\S+ (codemode run .*)$", README.read_text(), re.MULTILINE)
    assert command is not None
    name, *arguments = shlex.split(command[1])
    output = run(BIN / name, *arguments)
    record("examples/meeting.py", output)

    assert shown("output of", "examples/meeting.py") == output


def run_example(name: str, folder: Path) -> str:
    """Copy an example out of the README into a file and run it as it stands."""
    script = folder / "example.py"
    script.write_text(shown("example:", name))
    return run(sys.executable, "-W", "error", script)


def test_the_example_of_the_registry_prints_what_the_readme_shows(tmp_path: Path) -> None:
    """To the letter."""
    output = run_example("registry", tmp_path)
    record("registry", output)

    assert shown("output of", "registry") == output


def test_the_example_of_the_seam_holds_what_it_asserts(tmp_path: Path) -> None:
    """It checks itself and prints nothing."""
    assert "" == run_example("seam", tmp_path)
