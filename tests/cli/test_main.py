"""The command group: what a shell completes, and how the list of commands reads."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from codemode.cli.main import main

COMMAND = str(Path(sys.executable).with_name("codemode"))


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_that_completes_the_command_is_printed(shell: str) -> None:
    """As the documentation has it."""
    done = complete(_CODEMODE_COMPLETE=f"{shell}_source")

    assert "_CODEMODE_COMPLETE" in done
    assert f"{shell}_complete" in done


def test_commands_and_their_options_are_completed() -> None:
    """What the script asks for at each tab."""
    asked = {"_CODEMODE_COMPLETE": "bash_complete"}

    assert ["plain,run"] == complete(COMP_WORDS="codemode ru", COMP_CWORD="1", **asked).splitlines()
    assert "plain,--compute-ms" in complete(
        COMP_WORDS="codemode run --comp", COMP_CWORD="2", **asked
    )


def test_no_line_of_the_list_of_commands_is_cut_off() -> None:
    """Each says in a few words what the command is for."""
    assert "..." not in CliRunner().invoke(main, ["--help"]).output.partition("Commands:")[2]


def complete(**environ: str) -> str:
    done = subprocess.run(
        [COMMAND],
        env=os.environ | environ,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    return done.stdout
