"""Import statements: what they bind, and what is said of modules that are not there."""

from __future__ import annotations

import pytest

from codemode_guest.policy import compile_program
from tests.guest.policy.running import is_native, refusal, run, words


def explain(module: str) -> str | None:
    return {"os": "call a tool", "numpy": "write statistics or math"}.get(module.partition(".")[0])


@pytest.mark.parametrize(
    "source",
    [
        "import json",
        "import json, math",
        "import json as j",
        "import collections.abc",
        "import urllib.parse as p",
        "from json import dumps",
        "from json import dumps as _dumps, loads",
        "from collections.abc import (Mapping, Sequence)",
        "def f():\n import json\n from math import pi",
        "class A:\n from math import pi",
        "from string import Formatter as format",
    ],
)
def test_imports_stay_native(source: str) -> None:
    """Which modules there are is decided by `__import__`, when the program runs."""
    assert is_native(source)


def test_imports_bind_what_python_says() -> None:
    """A dotted import binds the outer module, or the inner one under `as`."""
    source = """
import collections.abc
import urllib.parse as parse
from math import pi as circle
def late():
    from math import sqrt
    return sqrt(9)
return [collections.__name__, parse.__name__, int(circle), late()]
"""
    assert run(source) == ["collections", "urllib.parse", 3, 3.0]


@pytest.mark.parametrize("source", ["from . import x", "from .a import b", "from ..a import b"])
def test_relative_imports_are_refused(source: str) -> None:
    """A program is in no package."""
    assert words(source) == (
        "a program is in no package, so nothing can be imported relative to it; "
        "write the full name of a module"
    )


@pytest.mark.parametrize("module", ["_thread", "__main__", "asyncio._x", "a._b.c"])
def test_private_modules_are_refused(module: str) -> None:
    """Under any name that the program gives them."""
    reason = f"the module {module!r} is private; import a public module"
    assert words(f"import {module} as m") == reason
    assert words(f"from {module} import x") == reason


@pytest.mark.parametrize("name", ["_os", "__dict__", "_x_"])
def test_private_names_of_modules_are_refused(name: str) -> None:
    """Under any name that the program gives them; Python reads them without a guard."""
    assert words(f"from random import {name} as x") == (
        f"a module's private name {name!r} cannot be imported; import a public name"
    )


def test_a_module_that_is_not_there_is_refused_with_what_to_write() -> None:
    """Before anything has run, at every import of it, inside functions too."""
    source = (
        "import json\nimport os\ndef f():\n    from os.path import join\n    import numpy as np"
    )
    findings = refusal(source, explain_import=explain).findings

    assert [(found.line, found.reason, found.substitute) for found in findings] == [
        (2, "the module 'os' is not available", "call a tool"),
        (4, "the module 'os.path' is not available", "call a tool"),
        (5, "the module 'numpy' is not available", "write statistics or math"),
    ]


@pytest.mark.parametrize(
    "handler",
    [
        "except ImportError",
        "except ModuleNotFoundError",
        "except (ImportError, OSError)",
        "except Exception as e",
        "except BaseException",
        "except",
    ],
)
def test_a_program_that_is_ready_for_a_missing_module_runs(handler: str) -> None:
    """It has its fallback in the handler."""
    source = f"try:\n    import numpy as np\n{handler}:\n    np = None\nreturn np"

    compile_program(source, explain_import=explain)


@pytest.mark.parametrize(
    "source",
    [
        "try:\n    pass\nexcept ImportError:\n    import numpy",
        "try:\n    import numpy\nexcept ValueError:\n    pass",
        "try:\n    import numpy\nfinally:\n    pass",
        "try:\n    import json\nexcept ImportError:\n    pass\nimport numpy",
    ],
)
def test_only_what_the_handler_covers_is_excused(source: str) -> None:
    """A handler for another error, or an import beside the body, is no fallback."""
    assert "the module 'numpy' is not available" in words(source, explain_import=explain)


def test_a_star_import_is_written_out() -> None:
    """It binds the public names of the module, which nested functions see."""
    source = "from math import *\ndef f():\n    return sqrt(16)\nreturn [int(pi), f()]"
    assert run(source) == [3, 4.0]


def test_a_star_import_stands_where_it_was_written() -> None:
    """What it binds replaces what was bound before, and not what is bound after."""
    source = "pi = sqrt = 1\nfrom math import *\nsqrt = 2\nreturn [pi > 3, sqrt]"
    assert run(source) == [True, 2]


def test_a_star_import_of_who_knows_what_is_refused() -> None:
    """Where the names of the module are not known, those that are needed must be written."""
    message = (
        "what a star import would bind is not known here; "
        "write the names that you need: from … import a, b"
    )
    assert words("from math import *") == message
    assert words("from math import *", public_names=lambda _: ()) == message


def test_a_star_import_in_a_function_is_refused_as_python_does() -> None:
    """In CPython's words."""
    (finding,) = refusal("def f():\n    from math import *").findings

    assert (finding.kind, finding.reason) == ("syntax", "import * only allowed at module level")
