"""A turn in code mode and one in both modes, whole, as a golden text.

A scripted model over real tools: system text, wire tools, header, events and results. `tox -e
golden` records them anew; then read the diff.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from codemode import CodeMode, ProcessRuntime, ToolCallError, ToolRegistry
from codemode.adapters import Dialogue, openai_chat
from codemode.session import LogFile, Session
from codemode.tools import Presentation

GOLDEN = Path(__file__).parent
RECORD = "CODEMODE_RECORD_GOLDEN" in os.environ

pytestmark = pytest.mark.golden

# What differs from one machine and minute to the next, and is shown as 0.
MEASURED = {"at_ms", "bytes_in", "bytes_out", "compute_ms", "parked_ms", "queued_ms", "seed"}
MEASURED |= {"wall_ms", "waited_ms", "body_sha256", "product"}

PROGRAM = """\
import asyncio

names = await tools.list_files()
texts = await asyncio.gather(*(tools.read_file(path=name) for name in names))
for name, text in zip(names, texts):
    print(f"{len(text.splitlines()):3}  {name}")
try:
    await tools.read_file(path="missing.txt")
except ToolCallError as error:
    print(error.tool_name, "failed:", error)
return {"files": len(names), "longest": max(zip(map(len, texts), names))[1]}
"""

SHORT = "text = await tools.read_file(path='list.txt')\nprint('read')\nreturn text[100]"


@dataclass
class Model:
    """Answers from a script, in the form of a chat completion."""

    replies: Iterator[dict[str, Any]]

    def answer(self, request: bytes) -> dict[str, Any]:
        assert json.loads(request)["messages"]
        return {"choices": [{"message": {"role": "assistant", **next(self.replies)}}]}


def asks(call_id: str, name: str, **arguments: str) -> dict[str, Any]:
    function = {"name": name, "arguments": json.dumps(arguments)}
    return {"tool_calls": [{"id": call_id, "type": "function", "function": function}]}


def registry_over(folder: Path, mode: Presentation) -> ToolRegistry:
    registry = ToolRegistry(mode=mode)

    @registry.tool(concurrency_safe=True)
    async def list_files() -> list[str]:
        """List the names of all files."""
        return sorted(path.name for path in folder.iterdir())

    @registry.tool(concurrency_safe=True)
    async def read_file(path: str) -> str:
        """Read a file.

        Args:
            path: One of the names that list_files gives.
        """
        try:
            return (folder / Path(path).name).read_text()
        except FileNotFoundError:
            raise ToolCallError(f"there is no {path!r}", effect="not-started") from None

    return registry


async def turn(folder: Path, mode: Presentation, *replies: dict[str, Any]) -> str:
    """Let the model answer one question; return all there is to see of it."""
    (folder / "files").mkdir()
    (folder / "files" / "poem.txt").write_text("Roses are red\nViolets are blue\n")
    (folder / "files" / "list.txt").write_text("milk\neggs\nflour\n")
    registry = registry_over(folder / "files", mode)
    model = Model(iter(replies))
    with LogFile(folder / "log") as log:
        async with CodeMode(registry, runtime=ProcessRuntime(), session=Session(log)) as codemode:
            codemode.prompt.variable("name", "Ada")
            codemode.prompt.section("host:persona", "You help {{name}} with files. Be brief.")
            dialogue = Dialogue(codemode, openai_chat, {"model": "scripted"})
            dialogue.say("Which of my files is longest?")
            while calls := dialogue.hear(model.answer(await dialogue.request())).calls:
                await dialogue.answer(calls)
            assembly = await codemode.assemble()
    return transcript(assembly.system, assembly.tools, folder / "log", dialogue.messages)


def transcript(system: str, tools: object, log: Path, messages: object) -> str:
    events = [shown(json.loads(line)) for line in log.read_text().splitlines()]
    return "\n".join(
        [
            "=== system text",
            system,
            "=== wire tools",
            json.dumps(tools, indent=1),
            "=== events",
            *events,
            "=== messages",
            json.dumps(messages, indent=1, ensure_ascii=False),
            "",
        ]
    )


def shown(entry: dict[str, Any]) -> str:
    """One line of the log; what stands above in full is not shown again."""
    for holder in (entry, entry.get("report") or {}):
        for name in MEASURED & holder.keys():
            holder[name] = 0
    if entry["event"] == "request/header":
        entry |= {"system": "(as above)", "tools": "(as above)"}
    return json.dumps(entry, ensure_ascii=False)


def check(name: str, found: str) -> None:
    golden = GOLDEN / name
    if RECORD:
        golden.write_text(found, encoding="utf-8")
    assert golden.read_text(encoding="utf-8") == found


@pytest.mark.parametrize("anyio_backend", ["asyncio"])
async def test_a_turn_in_code_mode(tmp_path: Path) -> None:
    """One wire tool, one program, four calls of which one fails (checklist 37, 99, 101, 102)."""
    found = await turn(
        tmp_path,
        "code",
        asks("call_a", "run_code", code=PROGRAM),
        {"content": "list.txt has more lines, poem.txt more characters."},
    )

    check("code_mode_turn.txt", found)


@pytest.mark.parametrize("anyio_backend", ["asyncio"])
async def test_a_turn_in_both_modes(tmp_path: Path) -> None:
    """A call by name, and then a program that fails (checklist 37, 58, 99, 101, 102)."""
    found = await turn(
        tmp_path,
        "both",
        asks("call_a", "list_files"),
        asks("call_b", "run_code", code=SHORT),
        {"content": "list.txt, I think."},
    )

    check("both_mode_turn.txt", found)
