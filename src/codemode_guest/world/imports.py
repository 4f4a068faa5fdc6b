"""What `import` finds: facades, or a sentence that says what to write instead."""

from __future__ import annotations

import importlib
import re
import sys
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType, MemberDescriptorType
from typing import Final

from codemode_guest.near import nearest
from codemode_guest.world.facade import Facade, make_facade
from codemode_guest.world.stand_ins.gathered import STAND_INS
from codemode_guest.world.table import IMPORTED, INTERNAL
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
        made[module] = make_facade(module, names, left_out(module))
    return MappingProxyType(made)


@cache
def left_out(module: str) -> Mapping[str, str]:
    """Return why names of a module are not offered, on the running Python."""
    table = MODULES[module]
    reasons = table.left_out_here()
    if table.rest:
        decided = {*table.offered_here(), *table.replaced_here(), *reasons}
        shown = dir(importlib.import_module(module))
        inner = {full.rpartition(".")[2] for full in MODULES if full.startswith(f"{module}.")}
        rest = {name for name in shown if not name.startswith("_")} - decided - inner
        reasons |= dict.fromkeys(rest, table.rest)
    return MappingProxyType(reasons)


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
        return f"write import {nearest(name, inner) or outer}"
    near = nearest(name, MODULES, likeness=0.75)
    if near:
        return f"did you mean {near}?"
    return (
        "a program has the standard library's modules for computing, such as json, re, datetime "
        "and collections; for anything else call a tool"
    )


def explain_name(module: str, name: str) -> str | None:
    """Say what to write instead of a name that a module does not offer.

    Args:
        module: The full name of a module.
        name: A public name.

    Returns:
        A part of a sentence; None when the module offers it, or is not offered itself.
    """
    facade = facades().get(module)
    # A slot: what is left out is in the class of the facade, too.
    if facade is None or type(vars(type(facade)).get(name)) is MemberDescriptorType:
        return None
    table = MODULES[module]
    later = re.search(rf"\b{name}>=(3\.\d+)", f"{table.offered} {' '.join(table.replaced)}")
    if later is not None:
        return f"it is there from Python {later[1]} on, which this is not"
    why = left_out(module).get(name)
    if why is not None and why not in (IMPORTED, INTERNAL):
        return why
    return _found_elsewhere(module, name, dir(facade)) or why or "there is no such name"


def _found_elsewhere(module: str, name: str, offered: list[str]) -> str | None:
    """Say where a name is, or which one is like it."""
    if name in MODULES:
        return f"write import {name}"
    homes = [full for full, facade in facades().items() if name in dir(facade)]
    if homes:
        # The module's own inner one first, such as collections.abc for collections.
        home = min(homes, key=lambda full: (not full.startswith(f"{module}."), full))
        return f"write from {home} import {name}"
    near = nearest(name, offered)
    return f"did you mean {near!r}?" if near else None


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
        near = nearest(name, dir(facade))
        hint = f": did you mean {near!r}?" if near else ""
        reason = str(error) if name in left_out(module) else None
        raise ImportError(
            reason or f"cannot import name {name!r} from {module!r}{hint}", name=module
        ) from None


#: For documentation and tests: the facade that programs have without an import.
ALWAYS_THERE: Final = "asyncio"
