"""What a module does not offer is said before anything runs, where the program is not ready."""

from __future__ import annotations

import ast
import sys
from typing import Any

import pytest

from codemode_guest.policy import compile_program
from codemode_guest.policy.transformer import Policy
from codemode_guest.policy.walk import Reading
from tests.guest.policy.running import refusal, words

OFFERED: dict[str, tuple[str, ...]] = {
    "m": ("a", "inner"),
    "m.inner": ("b",),
    "n": ("a",),
    "here": ("a",),
    "contextlib": ("suppress",),
    "typing": ("TYPE_CHECKING",),
}


def explain_import(module: str) -> str | None:
    return None if module in OFFERED else "write import m"


def explain_name(module: str, name: str) -> str | None:
    return None if name in OFFERED[module] else "did you mean 'a'?"


KNOWLEDGE: dict[str, Any] = {
    "explain_import": explain_import,
    "explain_name": explain_name,
    "always_there": ("here",),
    "provided": ("tools",),
}


@pytest.mark.parametrize(
    "source, name",
    [
        ("from m import x", "m.x"),
        ("from m import x as a", "m.x"),
        ("from m.inner import x", "m.inner.x"),
        ("def f():\n from m import x", "m.x"),
        ("import m\nm.x", "m.x"),
        ("import m\nm.x()", "m.x"),
        ("import m\nm.x.y.z", "m.x"),
        ("import m as k\nk.x", "m.x"),
        ("def f(): return m.x\nimport m", "m.x"),
        ("import m\ndef f(): return [m.x for _ in y]", "m.x"),
        ("import m.inner\nm.inner.x", "m.inner.x"),
        ("import m.inner as i\ni.x", "m.inner.x"),
        ("from m import inner\ninner.x", "m.inner.x"),
        ("from m import inner as i\ni.x", "m.inner.x"),
        ("import m\nm.inner.b, m.x", "m.x"),
        ("import m\nimport m.inner\nm.x", "m.x"),
        ("here.x", "here.x"),
        ("import here\nhere.x", "here.x"),
        ("import m\nclass A:\n a: m.x = 1", "m.x"),
        ("import m\ntry: pass\nexcept AttributeError: m.x", "m.x"),
        ("import m\ntry: m.x\nexcept ValueError: pass", "m.x"),
        ("try: from m import x\nexcept AttributeError: pass", "m.x"),
        ("import m\nif not TYPE_CHECKING: m.x", "m.x"),
        ("import m\nif TYPE_CHECKING: pass\nelse: m.x", "m.x"),
        ("import m\nwith suppress(KeyError): m.x", "m.x"),
        ("import m\nwith open_(AttributeError): m.x", "m.x"),
    ],
)
def test_what_a_module_does_not_offer_is_refused(source: str, name: str) -> None:
    """With what to write instead, under whatever name the module goes."""
    assert words(source, **KNOWLEDGE) == f"{name} is not available; did you mean 'a'?"


@pytest.mark.parametrize(
    "source",
    [
        "from m import a, inner",
        "import m\nm.a.anything, m.inner.b.anything",
        "import m\nm.x = 1",
        # the program is ready for it
        "try: from m import x\nexcept ImportError: x = None",
        "try: from m import x\nexcept (KeyError, ModuleNotFoundError): x = None",
        "try: from m import x\nexcept: x = None",
        "import m\ntry: m.x\nexcept AttributeError: pass",
        "import m\ntry: m.x\nexcept Exception: pass",
        "import m\nif hasattr(m, 'x'): m.x",
        "import m\nf = m.x if 'x' in dir(m) else None",
        "from contextlib import suppress\nwith suppress(AttributeError): here.x",
        "import contextlib\nwith contextlib.suppress(ImportError): from m import x",
        # it never runs, or is never evaluated
        "if TYPE_CHECKING: from m import x",
        "if TYPE_CHECKING:\n import numpy as np",
        "import typing\nif typing.TYPE_CHECKING: from elsewhere import x",
        "from __future__ import annotations\nimport m\ndef f(y: m.x) -> m.z: pass",
        "import m\ny: m.x = 1",
        "import m\ndef f():\n y: m.x = 1",
        # the name may stand for something else
        "import m\nm = 1\nm.x",
        "import m\ndef f(m): return m.x",
        "import m\ndef m(): pass\nm.x",
        "import m\nfor m in y: m.x",
        "import m\nprint(m := 1)\nm.x",
        "import m\nexcept_ = [m.x for m in y]",
        "import m as k\nimport n as k\nk.x",
        "import m\nfrom n import a as m\nm.x",
        "import m\ntry: pass\nexcept E as m: m.x",
        "import m\nmatch y:\n case [m]: m.x",
        "import m\nclass m: pass\nm.x",
        "tools.x",
        "def f(here): return here.x",
        "x.m.y",
    ],
)
def test_what_may_work_is_left_to_run(source: str) -> None:
    """No program is refused that Python would have run to its end."""
    compile_program(source, **KNOWLEDGE)


@pytest.mark.skipif(
    sys.version_info < (3, 14), reason="annotations are lazy from 3.14 on (PEP 649)"
)
def test_lazy_annotations_may_name_what_is_not_there() -> None:
    """Nothing evaluates them unless it is asked to."""
    compile_program("import m\ndef f(y: m.x): pass", **KNOWLEDGE)


@pytest.mark.skipif(sys.version_info >= (3, 14), reason="annotations are lazy from 3.14 on")
@pytest.mark.parametrize(
    "source", ["import m\ndef f(y: m.x): pass", "import m\ndef f() -> m.x: pass"]
)
def test_annotations_that_are_evaluated_are_read(source: str) -> None:
    """When the function is defined."""
    assert words(source, **KNOWLEDGE) == "m.x is not available; did you mean 'a'?"


def test_all_that_is_missing_is_found_at_once() -> None:
    """With the other findings, in the order of the text."""
    source = "import numpy\nfrom m import x, a, y\nimport m\nm.z()\nm.inner.q\neval('1')"

    assert [(found.line, found.reason) for found in refusal(source, **KNOWLEDGE).findings] == [
        (1, "the module 'numpy' is not available"),
        (2, "m.x is not available"),
        (2, "m.y is not available"),
        (4, "m.z is not available"),
        (5, "m.inner.q is not available"),
        (6, "eval() is not available: text is not run as code"),
    ]


def test_a_private_name_of_a_module_is_refused_when_it_is_read() -> None:
    """The guard would refuse it, too, when the program runs."""
    assert words("import m\nm._os", **KNOWLEDGE) == "m._os is not available; use a public name"


def test_a_module_that_is_not_there_is_refused_once() -> None:
    """Not again for each name that is read of it."""
    assert words("import numpy as np\nnp.array([1])", **KNOWLEDGE).startswith("the module 'numpy'")


@pytest.mark.parametrize(
    "source, settled",
    [
        ("import m\nm.__name__", "import m\n'm'"),
        ("import m as k\nf(k.__name__)", "import m as k\nf('m')"),
        ("import m.inner as i\ni.__name__", "import m.inner as i\n'm.inner'"),
        ("from m import inner\ninner.__name__", "from m import inner\n'm.inner'"),
        ("here.__name__.upper()", "'here'.upper()"),
        ("import m\nm.a.__name__", "import m\nm.a.__name__"),
        ("import m\nm = x\nm.__name__", "import m\nm = x\nm.__name__"),
    ],
)
def test_the_name_of_a_module_is_put_there_as_text(source: str, settled: str) -> None:
    """Where it is a module's; of anything else it is read as ever."""
    tree = ast.parse(source)
    policy = Policy(Reading(source_lines=tuple(source.split("\n")), **KNOWLEDGE))
    policy.visit(tree)

    assert policy.findings == []
    assert ast.unparse(tree) == settled
