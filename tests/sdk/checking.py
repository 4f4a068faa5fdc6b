"""What the tests of the SDK text share: a catalogue entry in a line, and type checkers."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from mypy import api

from codemode.sdk import render_sdk

_OPTIONS = ("--strict", "--no-error-summary", "--python-version", "3.11", "--hide-error-context")
STRING = {"type": "string"}


def tool(name: str = "f", output: Any = None, /, description: str = "", **properties: Any) -> Any:
    """A tool that requires each of these arguments."""
    schema = {"type": "object", "properties": properties, "required": list(properties)}
    return raw(name, schema, output, description)


def raw(name: str, schema: Any, output: Any = None, description: str = "") -> Any:
    """An entry of a tools/list answer."""
    entry = {"name": name, "description": description, "inputSchema": schema}
    return entry if output is None else {**entry, "outputSchema": output}


class Checker:
    """mypy, strict, over a stub and calls to what it declares."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._number = 0

    def complaints(self, stub: str, lines: Sequence[str] = ()) -> dict[int, str]:
        """What mypy says, by index of the line of the program; -1 for the stub itself."""
        # New names each time: one process sees no file change under it.
        self._number += 1
        name = f"sdk_{self._number}"
        (self._folder / f"{name}.pyi").write_text(stub, encoding="utf-8")
        program = [f"from {name} import *", "async def calls() -> None:", "    pass"]
        start = len(program) + 1
        program += [f"    {line}" for line in lines]
        path = self._folder / f"{name}_calls.py"
        path.write_text("\n".join(program) + "\n", encoding="utf-8")
        cache = str(self._folder / "cache")
        options = [*_OPTIONS, "--cache-dir", cache, "--config-file", ""]
        limit = sys.getrecursionlimit()
        out, err, status = api.run([*options, str(self._folder / f"{name}.pyi"), str(path)])
        # mypy raises it for itself, and would leave it raised for the other tests.
        sys.setrecursionlimit(limit)
        assert status in (0, 1), out + err
        found: dict[int, str] = {}
        for said in out.splitlines():
            place = re.search(rf"{name}_calls\.py:(\d+): error: (.*)", said)
            if place:
                found.setdefault(int(place[1]) - start, place[2])
            elif ": error: " in said:
                found.setdefault(-1, said)
        return found

    def accepts(self, tools: Sequence[Any], *lines: str) -> None:
        """Fail unless mypy accepts the stub and every line."""
        stub = render_sdk(tools, form="stub")
        found = self.complaints(stub, lines)
        assert {} == {(lines[n] if n >= 0 else stub): said for n, said in found.items()}

    def refuses(self, tools: Sequence[Any], *lines: str) -> None:
        """Fail unless mypy accepts the stub and refuses every line."""
        found = self.complaints(render_sdk(tools, form="stub"), lines)
        assert -1 not in found, found[-1]
        assert [] == [line for number, line in enumerate(lines) if number not in found]
