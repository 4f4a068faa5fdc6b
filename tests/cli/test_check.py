"""`codemode check` as a user starts it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

COMMAND = Path(sys.executable).with_name("codemode")
TOOLS = """
from codemode import CodeBindingNamespace, ToolRegistry

registry = ToolRegistry()

async def nothing(arguments):
    print("called")

other = CodeBindingNamespace(global_name="other", functions={"ping": nothing})

@registry.tool
async def add(a: int, b: int) -> int:
    print("called")
    return a + b
"""
CATALOG = {
    "tools": [
        {
            "name": "search",
            "inputSchema": {
                "type": "object",
                "properties": {"query": {"type": "string"}},
                "required": ["query"],
                "additionalProperties": False,
            },
        }
    ]
}


@pytest.fixture
def tools(tmp_path: Path) -> str:
    """The option that names a file of tools."""
    (tmp_path / "tools.py").write_text(TOOLS)
    return f"--tools={tmp_path}/tools.py:registry"


@pytest.fixture
def catalog(tmp_path: Path) -> str:
    """The option that names an answer to tools/list."""
    (tmp_path / "list.json").write_text(json.dumps(CATALOG))
    return f"--catalog={tmp_path}/list.json"


def check(*arguments: str, program: str, timeout: float = 30) -> subprocess.CompletedProcess[str]:
    """What the command printed and with what status it ended; the program is on stdin."""
    return subprocess.run(
        [COMMAND, "check", *arguments, "-"],
        input=program,
        capture_output=True,
        check=False,
        text=True,
        timeout=timeout,
    )


def test_a_correct_program_is_passed_over_in_silence_and_not_run(tools: str) -> None:
    """No output, status 0, and no tool was called."""
    outcome = check(tools, program="print('begun')\nreturn await tools.add(a=1, b=2)")

    assert (0, "", "") == (outcome.returncode, outcome.stdout, outcome.stderr)


def test_mistakes_are_printed_with_their_place_and_remedy(tools: str) -> None:
    """Checklist 108: one line each, in the order of the text, status 1."""
    outcome = check(tools, program="await tools.ad(a=1)\nif await tools.add(a=1, b=2):\n  x.y\n")

    assert 1 == outcome.returncode
    assert [
        "line 1, column 7: tools has no member 'ad'; did you mean 'add'?",
        "perhaps: line 3, column 3: the name 'x' is not defined",
    ] == outcome.stdout.splitlines()


def test_what_is_not_certain_fails_only_strictly(tools: str) -> None:
    """A run would be begun."""
    program = "if await tools.add(a=1, b=2):\n    await tools.add(a=1)"

    assert 0 == check(tools, program=program).returncode
    assert 1 == check(tools, "--strict", program=program).returncode


def test_findings_can_be_had_as_json(tools: str) -> None:
    """Every field of each finding."""
    outcome = check(tools, "--json", program="await tools.add(a='1', b=2)")

    (found,) = json.loads(outcome.stdout)["findings"]
    assert (1, 17, "check", True) == (
        found["line"],
        found["column"],
        found["kind"],
        found["certain"],
    )


def test_a_catalogue_and_a_registry_are_checked_together(tools: str, catalog: str) -> None:
    """Both are members of `tools`; those of the catalogue are never called."""
    program = "await tools.add(a=1)\nawait tools.search(q='x')"

    outcome = check(tools, catalog, program=program)

    assert ["1", "2"] == [line.split()[1].strip(",") for line in outcome.stdout.splitlines()]


def test_a_namespace_of_its_own_is_known_by_its_members(tools: str) -> None:
    """Of its arguments nothing is known, so it is not looked into."""
    other = tools.replace(":registry", ":other")

    assert 0 == check(tools, other, program="await other.ping(anything=1)").returncode


def test_types_are_checked_on_request(tools: str) -> None:
    """What is found is marked as possible, and changes no status."""
    program = "total = await tools.add(a=1, b=2)\nprint(total.upper())"

    outcome = check(tools, "--types", program=program, timeout=90)

    assert 0 == outcome.returncode
    assert 'perhaps: line 2, column 7: "int" has no attribute "upper"\n' == outcome.stdout


@pytest.mark.parametrize(
    "text, words",
    [
        ("{}", "no list of tools"),
        ("[1]", "no list of tools"),
        ("{", "Expecting"),
        ("", "tools/list"),
    ],
)
def test_a_catalogue_that_is_none_is_a_usage_error(tmp_path: Path, text: str, words: str) -> None:
    """Status 2, and what is needed."""
    (tmp_path / "list.json").write_text(text)

    outcome = check(f"--catalog={tmp_path}/list.json", program="1")

    assert 2 == outcome.returncode
    assert words in outcome.stderr


def test_two_tools_of_one_name_are_a_usage_error(catalog: str, tmp_path: Path) -> None:
    """Which of the two it would be checked against is not guessed."""
    (tmp_path / "again.json").write_text(json.dumps(CATALOG["tools"]))

    outcome = check(catalog, f"--catalog={tmp_path}/again.json", program="1")

    assert 2 == outcome.returncode
    assert "has 'search' already" in outcome.stderr


def test_the_documented_example_says_what_the_page_says(tmp_path: Path) -> None:
    """docs/check.md shows the output of this version."""
    page = Path(__file__).parents[2].joinpath("docs", "check.md").read_text(encoding="utf-8")
    program = page.split("```python\n")[1].split("```")[0]
    shown = page.split("```text\n")[1].split("```")[0].splitlines()[1:]
    (tmp_path / "tools.py").write_text(
        "from codemode import ToolRegistry\n"
        "registry = ToolRegistry()\n"
        "@registry.tool\n"
        "async def search(query: str, limit: int = 3) -> list[str]: ...\n"
        "@registry.tool\n"
        "async def get_item(id: int) -> dict[str, object]: ...\n"
    )

    outcome = check(f"--tools={tmp_path}/tools.py:registry", program=program)

    assert shown == [line.removeprefix("perhaps: ") for line in outcome.stdout.splitlines()]
