"""The page of the documentation that says what a program may use, written from the table.

python -m codemode_guest.world.reference > docs/language.md
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from typing import Final

from codemode_guest.policy.names import ABSENT_BUILTINS
from codemode_guest.world.builtin import GUARDED, OFFERED
from codemode_guest.world.table import COMMAND, IMPORTED, INTERNAL, ModuleTable
from codemode_guest.world.table.elsewhere import GROUPS
from codemode_guest.world.table.modules import MODULES

_BEGINNING: Final = """\
# The Python that programs may use

This page is written by `python -m codemode_guest.world.reference` from the tables that the
guest itself uses; a test compares it with them.

A program is the body of an async function: `await` and `return` work at its top level, and what
it returns is its value. It is ordinary Python of the version that the host runs, except for
these:

- Names that begin and end with underscores belong to Python, and to the policy. A class may
  define special methods; `__name__`, `__doc__` and `type(x).__name__` can be read. Everything
  else of the form `__x__` or `_x_` is refused before the program runs, with what to write
  instead.
- A name with one leading underscore is ordinary on what the program made itself. On anything
  else it is private, except for `_replace`, `_asdict`, `_fields`, `_make` and
  `_field_defaults` of named tuples.
- Text is never run as code, and there are no files, processes, threads or sockets.
- A module is a read-only view of its public names. Nothing is imported from disk.

`asyncio` is there without an import. `asyncio.run(main())` works at the top level, where
`await main()` is shorter.
"""

_NOT_LISTED: Final = frozenset({COMMAND, IMPORTED, INTERNAL})


def language_page() -> str:
    """Return the page, the same on every version of Python."""
    return "\n".join([_BEGINNING, *_builtins(), *_modules(), *_elsewhere()])


def _builtins() -> Iterator[str]:
    yield "## Builtins\n"
    yield f"As Python has them: {_names(OFFERED)}, and all exceptions.\n"
    yield "| builtin | difference |"
    yield "| --- | --- |"
    for names, how in GUARDED.items():
        yield f"| {_names(names)} | {how} |"
    yield ""
    yield "| not available | instead |"
    yield "| --- | --- |"
    for name, rejection in sorted(ABSENT_BUILTINS.items()):
        yield f"| `{name}` | {rejection.substitute} |"
    yield ""


def _modules() -> Iterator[str]:
    yield "## Modules\n"
    yield "A name with a version in brackets is there from, or until before, that Python.\n"
    for module, table in sorted(MODULES.items()):
        yield f"### {module}\n"
        yield from _module(table)


def _module(table: ModuleTable) -> Iterator[str]:
    if table.offered:
        yield f"{_names(table.offered)}\n"
    for names, how in table.replaced.items():
        yield f"- {_names(names)}: {how}."
    for names, why in table.left_out.items():
        if why not in _NOT_LISTED:
            yield f"- Not {_names(names)}: {why}."
    if table.replaced or not _NOT_LISTED.issuperset(table.left_out.values()):
        yield ""


def _elsewhere() -> Iterator[str]:
    yield "## Instead of other modules\n"
    yield "| modules | instead |"
    yield "| --- | --- |"
    for names, instead in GROUPS.items():
        yield f"| {_names(names)} | {instead} |"
    yield ""


def _names(names: str) -> str:
    return ", ".join(_name(name) for name in names.split())


def _name(entry: str) -> str:
    name, *rest = re.split("(>=|<)", entry)
    if not rest:
        return f"`{name}`"
    relation, version = rest
    return f"`{name}` ({'from' if relation == '>=' else 'before'} {version})"


if __name__ == "__main__":
    sys.stdout.write(language_page())
