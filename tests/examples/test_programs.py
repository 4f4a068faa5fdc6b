"""The example programs, run by the command over a small tree whose answers are known."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).parents[2]
COMMAND = Path(sys.executable).with_name("codemode")

CORE = '''"""Core."""
import os
from shop import money


class Cart:
    def __init__(
        self,
        owner,
    ):
        self.owner = owner

    async def total(self, prices):
        total = 0
        for price in prices:

            total += price
        return total


def last(cart):
    return cart
'''


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """Twelve modules, two of which import a third."""
    source = tmp_path / "src" / "shop"
    source.mkdir(parents=True)
    (source / "__init__.py").touch()
    (source / "core.py").write_text(CORE)
    (source / "money.py").write_text("def cents(amount):\n    return 100 * amount\n")
    (source / "web.py").write_text("import shop.money\n\nfrom shop import core\n")
    for number in range(8):
        (source / f"page{number}.py").write_text("# page\n" * (number + 3))
    return tmp_path


def output(program: str, *options: str, workspace: Path) -> str:
    """What the command prints on standard output; it must succeed."""
    tools = f"{CHECKOUT}/examples/workspace.py:registry"
    return subprocess.run(
        [COMMAND, "run", CHECKOUT / "examples" / program, "--tools", tools, *options],
        env={**os.environ, "WORKSPACE": str(workspace)},
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    ).stdout


def test_largest_modules_tells_the_ten_longest_and_their_longest_function(shop: Path) -> None:
    """A signature over several lines, a blank line and an async method are counted right."""
    expected = """\
12 modules, 79 lines
   22  src/shop/core.py  (total, 6)
   10  src/shop/page7.py  (no function, 0)
    9  src/shop/page6.py  (no function, 0)
    8  src/shop/page5.py  (no function, 0)
    7  src/shop/page4.py  (no function, 0)
    6  src/shop/page3.py  (no function, 0)
    5  src/shop/page2.py  (no function, 0)
    4  src/shop/page1.py  (no function, 0)
    3  src/shop/page0.py  (no function, 0)
    3  src/shop/web.py  (no function, 0)
"""

    assert expected == output("largest_modules.py", workspace=shop)


def test_gather_files_tells_which_modules_are_imported_most(shop: Path) -> None:
    """Imports from outside the tree do not count."""
    told = json.loads(output("gather_files.py", "--json", workspace=shop))

    assert {
        "value": {
            "modules": 12,
            "imports": 3,
            "imported_most": {"shop": 2, "shop.money": 1},
        },
        "logs": [],
        "error": None,
    } == told
