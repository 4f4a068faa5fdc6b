"""The page of the documentation that says what a program may use, written from the table.

python -m codemode_guest.world.reference > docs/language.md
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from typing import Final

from codemode_guest.policy import names
from codemode_guest.policy.advice import ABSENT_BUILTINS
from codemode_guest.world.builtin import GUARDED, OFFERED
from codemode_guest.world.table import COMMAND, IMPORTED, INTERNAL, ModuleTable
from codemode_guest.world.table.elsewhere import GROUPS
from codemode_guest.world.table.modules import MODULES

_OF_SUPER: Final = "class C:\n    def m(self, *args): super().{}(*args)"

_BEGINNING: Final = """\
# The Python that programs may use

This page is written by `python -m codemode_guest.world.reference` from the tables that the
guest itself uses; a test compares it with them.

A program is the body of an async function: `await` and `return` work at its top level, and what
it returns is its value. It is ordinary Python of the version that the host runs, except for
these:

- Names that begin and end with underscores belong to Python, and to the policy: see below.
- A name with one leading underscore is ordinary on what the program made itself. On anything
  else it is private, except for `_replace`, `_asdict`, `_fields`, `_make` and
  `_field_defaults` of named tuples.
- Text is never run as code, and there are no files, processes, threads or sockets.
- A module is a read-only view of its public names. Nothing is imported from disk.

`asyncio` is there without an import. `asyncio.run(main())` works at the top level, where
`await main()` is shorter.
"""

#: What may be written of special names: the sentence, the names, and a program that does it.
SPECIAL_NAMES: Final = (
    ("A class may define", names.DEFINABLE, "class C:\n    def {}(self, *args): pass"),
    (
        "It may assign, as literal text or tuples of text,",
        names.NAME_LISTS,
        'class C:\n    {} = ("a", "b")',
    ),
    (
        "An enumeration may define",
        names.ENUM_HOOKS,
        "import enum\nclass E(enum.Enum):\n    def {}(self): pass",
    ),
    ("Of any object can be read", names.READABLE | names.ENUM_ATTRIBUTES, "(1).{}"),
    ("Of `super()` can be called, too,", names.ON_SUPER, _OF_SUPER),
    (
        "Of what the program made itself can be read",
        names.OF_OWN,
        "class C: pass\nC.{}",
    ),
    ("Of what can be changed at all can be assigned", names.ASSIGNABLE, "def f(): pass\nf.{} = 1"),
    (
        "A method may assign to its own object",
        names.ASSIGNABLE_TO_OWN,
        "class C:\n    def m(self, x): self.{} = x",
    ),
    ("As variables can be read", names.READABLE_NAMES, "print({})"),
    ("The top level may assign", names.MODULE_LABELS, "{} = 'x'"),
)

#: Expressions that are allowed as they stand, whatever is said of their names alone.
ALSO: Final = (
    "x.__class__.__name__",
    'object.__setattr__(x, "name", 1)',
    'object.__getattribute__(x, "name")',
    "traceback.print_exception(type(e), e, e.__traceback__)",
    "traceback.format_tb(e.__traceback__)",
)

_NOT_LISTED: Final = frozenset({COMMAND, IMPORTED, INTERNAL})


def language_page() -> str:
    """Return the page, the same on every version of Python."""
    return "\n".join([_BEGINNING, *_special_names(), *_builtins(), *_modules(), *_elsewhere()])


def _special_names() -> Iterator[str]:
    yield "## Special names\n"
    yield "Names of the form `__x__` are Python's. What is not listed here is refused before the"
    yield "program runs, and so is any other name of the form `_x_`.\n"
    for sentence, listed, _ in SPECIAL_NAMES:
        yield f"- {sentence} {_names(' '.join(sorted(listed)))}."
    yield "- As they stand, " + ", ".join(f"`{each}`" for each in ALSO) + "."
    yield ""
    yield "Refused under their ordinary names are the attributes that lead into the interpreter:"
    yield "those of frames (`f_…`), tracebacks (`tb_…`), code (`co_…`), generators (`gi_…`),"
    yield "coroutines (`cr_…`, `ag_…`), functions and tasks.\n"


def _builtins() -> Iterator[str]:
    yield "## Builtins\n"
    yield f"As Python has them: {_names(OFFERED)}, and all exceptions.\n"
    yield "| builtin | difference |"
    yield "| --- | --- |"
    for listed, how in GUARDED.items():
        yield f"| {_names(listed)} | {how} |"
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
    for listed, how in table.replaced.items():
        yield f"- {_names(listed)}: {how}."
    for listed, why in table.left_out.items():
        if why not in _NOT_LISTED:
            yield f"- Not {_names(listed)}: {why}."
    if table.rest:
        yield f"- Nothing else: {table.rest}."
    if table.rest or table.replaced or not _NOT_LISTED.issuperset(table.left_out.values()):
        yield ""


def _elsewhere() -> Iterator[str]:
    yield "## Instead of other modules\n"
    yield "| modules | instead |"
    yield "| --- | --- |"
    for listed, instead in GROUPS.items():
        yield f"| {_names(listed)} | {instead} |"
    yield ""


def _names(listed: str) -> str:
    return ", ".join(_name(name) for name in listed.split())


def _name(entry: str) -> str:
    name, *rest = re.split("(>=|<)", entry)
    if not rest:
        return f"`{name}`"
    relation, version = rest
    return f"`{name}` ({'from' if relation == '>=' else 'before'} {version})"


if __name__ == "__main__":
    sys.stdout.write(language_page())
