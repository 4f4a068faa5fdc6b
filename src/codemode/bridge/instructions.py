"""What a model is told of `run_code`: all it needs to write a program that works."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from codemode.errors import UsageError

_PYTHON: Final = """\
Run a Python program that calls tools. Only what it prints and what it returns comes back to you.

The program is the body of an async function: `await` and `return` work at the top level. Each \
program starts afresh; no name or file of an earlier one is there.
- Call a tool with keyword arguments and await it: `page = await tools.list_items(page=1)`. \
Results are plain dicts, lists, texts and numbers.
- Independent calls go in one `asyncio.gather(...)`; they overlap where the tools allow it.
- A call that fails raises `ToolCallError` (`error.tool_name`, `str(error)`); catch it to go on.
- Do the filtering, joining and counting here, and return the little that you need as JSON \
values. Images in tools' results are shown to you after the program's own result.
- Modules for computing can be imported (json, re, datetime, collections, math, asyncio, …). \
There are no files, processes or network: tools are the only way out.

For example, with a made-up tool:
```python
import asyncio

pages = await asyncio.gather(*(tools.list_items(page=n) for n in range(1, 4)))
items = [item for page in pages for item in page["items"]]
print(len(items), "items")
return [item["name"] for item in items if item["price"] < 20][:10]
```"""

_CODE: Final = "The program, as {language} source: the body of an async function."

_INSTRUCTIONS: Final[Mapping[str, str]] = MappingProxyType({"python": _PYTHON})


class UnknownProgramLanguageError(UsageError):
    """A runtime runs a language that nobody here can explain to a model."""

    def __init__(self, language: str) -> None:
        super().__init__(
            f"there are no instructions for programs in {language!r}; known are "
            f"{', '.join(map(repr, _INSTRUCTIONS))}, so give a runtime of one of these"
        )
        self.language = language


def instructions_for(language: str) -> str:
    """Return the description of `run_code`.

    Raises:
        UnknownProgramLanguageError: If there is none for this language.
    """
    if language not in _INSTRUCTIONS:
        raise UnknownProgramLanguageError(language)
    return _INSTRUCTIONS[language]


def run_code_schema(language: str) -> dict[str, object]:
    """Return the schema of the arguments of `run_code`.

    Open: a model that adds a description of its own is not sent back for it.
    """
    description = _CODE.format(language=language.capitalize())
    return {
        "type": "object",
        "properties": {"code": {"type": "string", "description": description}},
        "required": ["code"],
    }
