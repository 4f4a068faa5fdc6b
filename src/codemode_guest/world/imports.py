"""What `import` finds: facades, or a sentence that says what to write instead."""

from __future__ import annotations

import difflib
import importlib
import sys
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Final

from codemode_guest.world.facade import Facade, make_facade
from codemode_guest.world.stand_ins.gathered import STAND_INS
from codemode_guest.world.table.elsewhere import INSTEAD
from codemode_guest.world.table.modules import MODULES


@cache
def facades() -> Mapping[str, Facade]:
    """Make the facades of all modules, by full name; later calls return the same."""
    made: dict[str, Facade] = {}
    # Inner modules first: an outer one has them as attributes.
    for module in sorted(MODULES, key=lambda name: -name.count(".")):
        table = MODULES[module]
        real = importlib.import_module(module)
        names = {name: getattr(real, name) for name in table.offered_here()}
        names |= {name: STAND_INS[module][name] for name in table.replaced_here()}
        names |= {
            inner.rpartition(".")[2]: facade
            for inner, facade in made.items()
            if inner.rpartition(".")[0] == module
        }
        made[module] = make_facade(module, names, table.left_out_here())
    return MappingProxyType(made)


def public_names(module: str) -> tuple[str, ...]:
    """Return what `from module import *` binds; nothing for a module that is not offered."""
    facade = facades().get(module)
    if facade is None:
        return ()
    public = getattr(importlib.import_module(module), "__all__", None)
    return tuple(name for name in dir(facade) if public is None or name in public)


def explain_import(name: str) -> str | None:
    """Say what to write instead of importing a module.

    Args:
        name: The full name, as in `import a.b`.

    Returns:
        One sentence, without a full stop; None when the module can be imported.
    """
    if name in MODULES:
        return None
    outer = name.partition(".")[0]
    instead = INSTEAD.get(name) or INSTEAD.get(outer)
    if instead is not None:
        return instead
    if outer in MODULES and outer != name:
        inner = [full for full in MODULES if full.startswith(f"{outer}.")]
        near = difflib.get_close_matches(name, inner, n=1)
        return f"write import {(near or [outer])[0]}"
    near = difflib.get_close_matches(name, MODULES, n=1, cutoff=0.75)
    if near:
        return f"did you mean {near[0]}?"
    return (
        "a program has the standard library's modules for computing, such as json, re, datetime "
        "and collections; for anything else call a tool"
    )


def import_module(
    name: str,
    globals: object = None,  # noqa: A002, ARG001 - the interpreter passes all five
    locals: object = None,  # noqa: A002, ARG001
    fromlist: tuple[str, ...] | list[str] | None = None,
    level: int = 0,
) -> Facade | None:
    """Stand in for `__import__`.

    Raises:
        ImportError: If the module, or one of the names that are imported from it, is not there.
    """
    if type(fromlist) is list and name in sys.modules:
        # No statement passes a list. This is C code of the interpreter's, which was called by the
        # program (`time.strptime`) and uses what is loaded, not what is returned here.
        # Source: PyImport_Import in Python/import.c.
        return None
    if level:
        raise ImportError("there is no package to import from relatively: a program is one file")
    instead = explain_import(name)
    if instead is not None:
        raise ModuleNotFoundError(f"No module named {name!r} is available: {instead}", name=name)
    facade = facades()[name if fromlist else name.partition(".")[0]]
    for wanted in fromlist or ():
        if wanted != "*":
            _check_has(facade, name, wanted)
    return facade


def _check_has(facade: Facade, module: str, name: str) -> None:
    try:
        getattr(facade, name)
    except AttributeError as error:
        near = difflib.get_close_matches(name, dir(facade), n=1)
        hint = f": did you mean {near[0]!r}?" if near else ""
        reason = str(error) if name in MODULES[module].left_out_here() else None
        raise ImportError(
            reason or f"cannot import name {name!r} from {module!r}{hint}", name=module
        ) from None


#: For documentation and tests: the facade that programs have without an import.
ALWAYS_THERE: Final = "asyncio"
