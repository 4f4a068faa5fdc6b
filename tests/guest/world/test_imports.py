"""`import` finds facades, and says what to write instead of everything else."""

from __future__ import annotations

import importlib
import sys

import pytest

from codemode_guest import world
from codemode_guest.world.facade import Facade
from codemode_guest.world.imports import (
    explain_import,
    explain_name,
    facades,
    import_module,
    public_names,
)
from codemode_guest.world.table.elsewhere import INSTEAD
from codemode_guest.world.table.modules import MODULES
from tests.guest.world.programs import run


@pytest.mark.parametrize(
    "source,printed",
    [
        ("import json\nprint(json.dumps([1]))", "[1]\n"),
        ("import json as j\nprint(j.loads('1'))", "1\n"),
        ("import collections.abc\nprint(isinstance([], collections.abc.Sized))", "True\n"),
        ("import collections.abc as abc\nprint(abc.Sized.__name__)", "Sized\n"),
        ("import urllib.parse, math\nprint(urllib.parse.quote(' '), math.pi > 3)", "%20 True\n"),
        ("from urllib import parse\nprint(parse.quote(' '))", "%20\n"),
        ("from math import sqrt as root, pi\nprint(root(4))", "2.0\n"),
        ("from json.decoder import JSONDecodeError as E\nprint(E.__name__)", "JSONDecodeError\n"),
        ("def f():\n    import math\n    return math.tau\nprint(f() > 6)", "True\n"),
        ("import asyncio as other\nprint(other is asyncio)", "True\n"),
    ],
)
def test_every_form_of_import_works(source: str, printed: str) -> None:
    """Dotted, renamed, from, inside a function."""
    assert printed == run(source)


@pytest.mark.parametrize("name", [*MODULES])
def test_a_module_of_the_table_is_imported(name: str) -> None:
    """As a facade, and there is nothing to explain."""
    assert explain_import(name) is None
    assert facades()[name] is import_module(name, fromlist=("*",))


@pytest.mark.parametrize(
    "name,words",
    [
        ("requests", "tool"),
        ("urllib.request", "tool"),
        ("shutil", "io.StringIO"),
        ("zipfile", "tool"),
        ("lzma", "zlib"),
        ("pandas", "plain Python"),
        ("numpy.linalg", "plain Python"),
        ("threading", "asyncio.gather"),
        ("concurrent.futures", "asyncio.gather"),
        ("posixpath", "import os.path"),
        ("queue", "asyncio.Queue"),
        ("pickle", "json"),
        ("maths", "did you mean math?"),
        ("colections", "did you mean collections?"),
        ("json.decode", "json.decoder"),
        ("antigravity", "call a tool"),
        ("", "call a tool"),
        ("_strptime", "call a tool"),
    ],
)
def test_any_other_module_is_explained(name: str, words: str) -> None:
    """The same words for the policy and at run time."""
    explained = explain_import(name)
    assert explained is not None
    assert words in explained
    with pytest.raises(ModuleNotFoundError) as caught:
        import_module(name)
    assert explained in str(caught.value)
    assert name == caught.value.name


def test_no_module_of_the_table_has_a_substitute() -> None:
    """The two tables do not contradict each other."""
    assert set() == set(INSTEAD) & set(MODULES)


@pytest.mark.parametrize("name", ["sys", "os", "json", "codemode_guest", "tests.guest"])
def test_no_loaded_module_is_found_behind_a_facade(name: str) -> None:
    """`from a import b` does not fall back to the interpreter's own `a.b`."""
    for module in ("json", "asyncio", "urllib", "collections"):
        with pytest.raises(ImportError):
            import_module(module, fromlist=(name,))
    assert not hasattr(facades()["json"], "__name__")


def test_a_name_that_is_not_there_is_suggested() -> None:
    """`from module import typo` says what is near, and why a name is left out."""
    with pytest.raises(ImportError, match="did you mean 'dumps'"):
        import_module("json", fromlist=("dump_s",))
    with pytest.raises(ImportError, match=r"json\.codecs is not available"):
        import_module("json", fromlist=("codecs",))


def test_a_relative_import_is_refused() -> None:
    """There is no package."""
    with pytest.raises(ImportError, match="one file"):
        import_module("x", level=1)


def test_the_interpreters_own_imports_pass_when_loaded() -> None:
    """C code such as `time.strptime` asks with a list, and uses what is loaded."""
    importlib.import_module("_strptime")
    assert import_module("_strptime", {}, {}, [], 0) is None
    assert "xmlrpc.client" not in sys.modules
    with pytest.raises(ImportError):
        import_module("xmlrpc.client", {}, {}, [], 0)


def test_a_star_stands_for_the_public_names() -> None:
    """Those of `__all__` that are offered, or all that are; none of a foreign module."""
    assert {"sqrt", "pi"} <= set(public_names("math"))
    assert {"dumps", "loads"} <= set(public_names("json"))
    assert "decoder" not in public_names("json")
    assert () == public_names("subprocess")
    assert public_names is world.public_names


@pytest.mark.parametrize("name", ["json", "math", "asyncio", "collections.abc"])
def test_a_facade_is_read_only(name: str) -> None:
    """Setting, adding and deleting say so, without a live object in the error."""
    facade = facades()[name]
    first = dir(facade)[0]
    read_only = pytest.raises(AttributeError, match=f"module {name}> is read-only")
    with read_only:
        setattr(facade, first, 1)
    with read_only:
        facade.new = 1
    with read_only:
        delattr(facade, first)
    with pytest.raises(AttributeError, match=f"module {name} is read-only"):
        setattr(type(facade), first, 1)
    with pytest.raises(AttributeError, match=f"module {name} is read-only"):
        delattr(type(facade), first)
    assert isinstance(facade, Facade)
    assert f"<module {name}>" == repr(facade)


@pytest.mark.parametrize(
    "module,name,words",
    [
        ("json", "dump_s", "did you mean 'dumps'?"),
        ("collections", "Mapping", "write from collections.abc import Mapping"),
        ("typing", "dataclass", "write from dataclasses import dataclass"),
        ("typing", "ForwardRef", "it evaluates text as code"),
        ("asyncio", "to_thread", "a program has one thread; await asyncio.gather"),
        ("typing", "re", "write import re"),
        ("math", "x", "there is no such name"),
    ],
)
def test_a_name_that_a_module_does_not_offer_is_explained(
    module: str, name: str, words: str
) -> None:
    """By where it is, what to write instead, or which name is like it."""
    assert (explain_name(module, name) or "").startswith(words)


@pytest.mark.skipif(sys.version_info >= (3, 13), reason="it came with 3.13")
def test_a_name_of_a_later_python_is_said_to_be_one() -> None:
    """A model writes for the newest."""
    assert explain_name("copy", "replace") == "it is there from Python 3.13 on, which this is not"


def test_all_that_a_facade_offers_needs_no_explanation() -> None:
    """The policy refuses by this answer."""
    for module, facade in facades().items():
        for name in dir(facade):
            assert explain_name(module, name) is None
    assert explain_name("subprocess", "run") is None
    assert "call a tool" in (explain_name("os", "system") or "")
