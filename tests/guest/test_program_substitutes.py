"""What a refusal says to write instead can itself be written."""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Iterator
from typing import Final

import pytest

from codemode_guest import policy
from codemode_guest.policy.advice import ABSENT_BUILTINS, SUBSTITUTES, Rejection
from codemode_guest.program import compiled
from codemode_guest.world.imports import explain_import, explain_name
from codemode_guest.world.table.elsewhere import INSTEAD
from codemode_guest.world.table.modules import MODULES

#: A call or a dotted name, with what follows it: `super().__setattr__(name, value)`.
_CODE: Final = re.compile(r"(?:await )?\b[A-Za-z_]\w*(?:\.\w+|\((?:[^()]|\([^()]*\))*\))+")
#: Dots that end a word of prose, and numbers.
_PROSE: Final = re.compile(r"\d|^e\.g|\.$")

#: Where the code of a message stands: a method, in which the names of the messages mean something.
_PLACE: Final = """
{imports}
class Place:
    async def method(self, x, e, f, g, obj, name, value, text, file, main, data, date):
        {code}
"""


def _rejections() -> Iterator[str]:
    """Yield the substitutes of all rejections that the policy's modules hold."""
    for found in pkgutil.iter_modules(policy.__path__):
        module = importlib.import_module(f"{policy.__name__}.{found.name}")
        for value in vars(module).values():
            if isinstance(value, Rejection) and value.substitute is not None:
                yield value.substitute


def _messages() -> Iterator[str]:
    yield from SUBSTITUTES.values()
    yield from (rejection.substitute or "" for rejection in ABSENT_BUILTINS.values())
    yield from _rejections()
    yield from INSTEAD.values()
    for module, table in MODULES.items():
        yield from (explain_name(module, name) or "" for name in table.left_out_here())


def _code() -> list[str]:
    found = {code for message in _messages() for code in _CODE.findall(message)}
    return sorted(code for code in found if not _PROSE.search(code))


@pytest.mark.parametrize("code", _code())
def test_the_code_in_a_message_passes_the_policy(code: str) -> None:
    """With the imports that it needs; what it names is offered."""
    root = re.split(r"\W", code.removeprefix("await "))[0]
    imports = f"import {root}" if root in MODULES else ""

    compiled(_PLACE.format(imports=imports, code=code.replace("…", "...")), {})


def test_messages_hold_code_of_many_kinds() -> None:
    """So that the test above is of something."""
    assert {"type(x)", "vars(x)", "getattr(x, name)", "super().__setattr__(name, value)"} <= {
        *_code()
    }
    assert len(_code()) > 30


def test_modules_that_a_message_names_are_there() -> None:
    """`write import json` is no help where json is not."""
    for message in _messages():
        for module, name in re.findall(r"\bfrom ([\w.]+) import (\w+)", message):
            assert explain_import(module) is explain_name(module, name) is None, message
        for module in re.findall(r"\bwrite import ([\w.]+)", message):
            assert explain_import(module) is None, message
