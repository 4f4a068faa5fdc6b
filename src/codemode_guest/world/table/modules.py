"""All modules that a program may import, with the decisions for each."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from codemode_guest.world.table import ModuleTable
from codemode_guest.world.table.computing import COMPUTING
from codemode_guest.world.table.language import LANGUAGE
from codemode_guest.world.table.system import SYSTEM_MODULES
from codemode_guest.world.table.text import TEXT
from codemode_guest.world.table.times import TIMES

MODULES: Final[Mapping[str, ModuleTable]] = MappingProxyType(
    {**LANGUAGE, **COMPUTING, **TEXT, **TIMES, **SYSTEM_MODULES}
)
