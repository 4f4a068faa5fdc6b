"""For `pathlib`: paths as text, which lead to no module and no file."""

from __future__ import annotations

import ntpath
import pathlib
import posixpath
import sys
from operator import attrgetter
from types import ModuleType
from typing import Any, Final

from codemode_guest.world.facade import LeftOut, make_facade
from codemode_guest.world.stand_ins.functional import hidden

#: What `pathlib` asks of `posixpath` and `ntpath` about text.
_ABOUT_TEXT: Final = [
    "altsep",
    "basename",
    "commonpath",
    "curdir",
    "dirname",
    "isabs",
    "isreserved",
    "join",
    "normcase",
    "normpath",
    "pardir",
    "sep",
    "split",
    "splitdrive",
    "splitext",
    "splitroot",
]


def _of_files() -> dict[str, object]:
    """Return what stands in the place of each method that touches files."""
    why = "is not available: a program has no files; call a tool"
    names = {name for name in dir(pathlib.Path) if not name.startswith("_")}
    return {name: LeftOut(f"Path.{name} {why}") for name in names - {*dir(pathlib.PurePosixPath)}}


#: `PurePosixPath`, which says of each method of `pathlib.Path` why it is not there.
Path: Any = type("Path", (pathlib.PurePosixPath,), {"__slots__": (), **_of_files()})


def seal_paths() -> None:
    """Take modules out of the attributes of paths, in this process, for good.

    A path keeps the module that it asks: in `_flavour`, whose `pathmod` it is (3.11), in
    `_flavour` itself (3.12), in the public `parser` and, to walk folders, in `_globber` (3.13).
    Some hold an `attrgetter`; see `hidden`.
    """
    home = sys.modules[pathlib.PurePath.__module__]
    for real in (posixpath, ntpath):
        view = _view(real)
        for cls in (pathlib.PurePath, pathlib.PurePosixPath, pathlib.PureWindowsPath):
            for name in ("_flavour", "parser"):
                if vars(cls).get(name) is real:
                    setattr(cls, name, view)
        for flavour in (vars(home).get("_PosixFlavour"), vars(home).get("_WindowsFlavour")):
            if flavour is not None and flavour.pathmod is real:
                flavour.pathmod = view
        # Where it asks which of the two a path has.
        vars(home)[real.__name__] = view
    globber = getattr(pathlib.PurePath, "_globber", None)
    for name in ("lexists", "parse_entry", "scandir"):
        if hasattr(globber, name):
            setattr(globber, name, LeftOut(f"{name} is not available: a program has no files"))
    _hide_getters()


def _hide_getters() -> None:
    """Take `attrgetter` out of properties (3.11)."""
    for name, value in [*vars(pathlib.PurePath).items()]:
        if type(value) is property and type(value.fget) is attrgetter:
            setattr(pathlib.PurePath, name, property(hidden(value.fget), doc=value.__doc__))


def _view(real: ModuleType) -> Any:  # noqa: ANN401 - as the module, for text
    names = {name: getattr(real, name) for name in _ABOUT_TEXT if hasattr(real, name)}
    return make_facade(real.__name__, names, {})
