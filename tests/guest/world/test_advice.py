"""What programs are told to write instead works when they write it."""

from __future__ import annotations

import importlib
import re

import pytest

from codemode_guest import world
from codemode_guest.policy import compile_program
from codemode_guest.world.table.elsewhere import GROUPS
from codemode_guest.world.table.modules import MODULES
from tests.guest.world.programs import run

#: For each advice, a program that follows it.
FOLLOWED = {
    "lists and dicts hold what it gives": "rows = [{'a': 1}]\nassert rows[0]['a'] == 1",
    "io.StringIO serves for text in memory": (
        "import io\nassert [line for line in io.StringIO('a\\nb')] == ['a\\n', 'b']"
    ),
    "await asyncio.gather(...)": (
        "async def call(n): return n\nassert await asyncio.gather(call(1), call(2)) == [1, 2]"
    ),
    "asyncio.Queue": "queue = asyncio.Queue()\nawait queue.put(1)\nassert await queue.get() == 1",
    "collections.deque": "import collections\nassert collections.deque([1, 2]).popleft() == 1",
    "asyncio.run(main())": "async def main(): return 1\nassert asyncio.run(main()) == 1",
    "asyncio.timeout": "async with asyncio.timeout(5):\n    await asyncio.sleep(0)",
    "a loop with try, and await asyncio.sleep(seconds)": (
        "for attempt in range(2):\n    try:\n        1 / attempt\n"
        "    except ZeroDivisionError:\n        await asyncio.sleep(0)\nassert attempt == 1"
    ),
    "datetime.datetime.strptime": (
        "import datetime\n"
        "date = datetime.datetime.strptime('Fri, 02 Feb 2024', '%a, %d %b %Y')\n"
        "assert date.day == 2"
    ),
    "lists, dicts, collections and statistics": (
        "import collections, statistics\nrows = [('a', 1), ('a', 3)]\n"
        "groups = collections.defaultdict(list)\n"
        "for key, value in rows: groups[key].append(value)\n"
        "assert {key: statistics.mean(found) for key, found in groups.items()} == {'a': 2}"
    ),
    "math and statistics": (
        "import math, statistics\nassert math.sumprod if hasattr(math, 'sumprod') else math.dist\n"
        "assert statistics.fmean([1, 2]) == 1.5"
    ),
    "collections.deque, heapq and graphlib": (
        "import collections, heapq, graphlib\n"
        "assert [*graphlib.TopologicalSorter({'b': ['a']}).static_order()] == ['a', 'b']\n"
        "heap = []\nheapq.heappush(heap, 1)\nassert collections.deque(heap)[0] == 1"
    ),
    "itertools and functools": (
        "import itertools, functools\nassert [*itertools.chain([1], [2])] == [1, 2]\n"
        "assert functools.reduce(max, [1, 2]) == 2"
    ),
    "functools.lru_cache": (
        "import functools\n@functools.lru_cache(maxsize=9)\ndef f(x): return x\nassert f(1) == 1"
    ),
    "bisect.insort, or heapq": (
        "import bisect, heapq\nfound = [1, 3]\nbisect.insort(found, 2)\nassert found == [1, 2, 3]\n"
        "assert heapq.nsmallest(1, found) == [1]"
    ),
    "difflib.SequenceMatcher": (
        "import difflib\nassert difflib.SequenceMatcher(None, 'ab', 'ab').ratio() == 1"
    ),
    "datetime and zoneinfo": (
        "import datetime, zoneinfo\nzone = zoneinfo.ZoneInfo('Europe/Paris')\n"
        "assert datetime.datetime(2024, 7, 1, tzinfo=zone).utcoffset().seconds == 7200"
    ),
    "use re": "import re\nassert re.findall('a+', 'aab') == ['aa']",
    "use json": "import json\nassert json.loads(json.dumps({'a': [1]})) == {'a': [1]}",
    "tomllib": "import tomllib\nassert tomllib.loads('[a]\\nb = 1') == {'a': {'b': 1}}",
    "html.parser.HTMLParser": (
        "from html.parser import HTMLParser\nfound = []\nclass Links(HTMLParser):\n"
        "    def handle_starttag(self, tag, attrs): found.append((tag, dict(attrs)))\n"
        "Links().feed('<a href=x>y</a>')\nassert found == [('a', {'href': 'x'})]"
    ),
    "string.Template, or f-strings": (
        "import string\nassert string.Template('$a b').substitute(a=1) == f'{1} b'"
    ),
    "dataclasses or typing.TypedDict": (
        "import dataclasses, typing\n@dataclasses.dataclass\nclass A:\n    x: int\n"
        "class B(typing.TypedDict):\n    x: int\nassert A(1).x == B(x=1)['x']"
    ),
    "isinstance() and dataclasses": "import dataclasses\nassert isinstance(1, int)",
    "use typing": "from typing import Literal, Protocol, TypedDict, override\n"
    if hasattr(__import__("typing"), "override")
    else "from typing import Literal, Protocol, TypedDict\n",
    "hashlib, hmac and secrets": (
        "import hashlib, hmac, secrets\nassert len(secrets.token_hex(4)) == 8\n"
        "assert hmac.new(b'k', b'm', 'sha256').digest() != hashlib.sha256(b'm').digest()"
    ),
    "bytes.decode(errors='replace')": (
        "assert b'a\\xff'.decode(errors='replace') == 'a\\ufffd'\n"
        "assert bytes.decode(b'a', errors='replace') == 'a'"
    ),
    "f'{value:,.2f}'": "value = 1234.5\nassert f'{value:,.2f}' == '1,234.50'",
    "print and f-strings": "print(f'{1:>4}')",
    "use print": "print(1, [2])",
    "use logging": "import logging\nlogging.warning('x %s', 1)",
    "zlib or gzip": (
        "import zlib, gzip\nassert zlib.decompress(zlib.compress(b'x')) == b'x'\n"
        "assert gzip.decompress(gzip.compress(b'x')) == b'x'"
    ),
    "import os.path": "import os.path\nassert os.path.join('a', 'b') == 'a/b'",
    "assign the values": "verbose = True\nassert verbose",
    "use assert": "assert 1 + 1 == 2, 'sums'",
    "time.perf_counter()": "import time\nstart = time.perf_counter()\nassert start >= 0",
    "textwrap.shorten(repr(value), 80)": (
        "import textwrap\nvalue = [10] * 99\nassert len(textwrap.shorten(repr(value), 80)) <= 80"
    ),
    "binascii.b2a_qp and binascii.a2b_qp": (
        "import binascii\nassert binascii.a2b_qp(binascii.b2a_qp(b'\\xe9=')) == b'\\xe9='"
    ),
    "a dict of your own": "types = {'.txt': 'text/plain'}\nassert types['.txt']",
    "try and finally": "done = []\ntry: done.append(1)\nfinally: done.append(2)\nassert done",
    "tools is there without an import": "assert tools",
}

#: Advice without an expression to write.
SAID: tuple[str, ...] = (
    "call a tool",
    "works on values",
    "keep an ordinary reference",
    "knows nothing of the machine",
    "return the values",
    "write the formula itself",
    "write the value",
    "this is Python 3",
)


def follows(program: str) -> str:
    """Compile a program under the policy and run it."""
    importlib.import_module("_strptime")  # as `preload` does
    compile_program(
        program,
        explain_import=world.explain_import,
        public_names=world.public_names,
        provided=("tools",),
    )
    return run(f"tools = ['a tool']\n{program}\nprint('followed')")


@pytest.mark.parametrize("advice", FOLLOWED)
def test_a_program_that_follows_an_advice_works(advice: str) -> None:
    """It passes the policy, and runs."""
    assert any(advice in instead for instead in GROUPS.values())
    assert follows(FOLLOWED[advice]).endswith("followed\n")


@pytest.mark.parametrize("instead", sorted(set(GROUPS.values())))
def test_every_advice_is_followed_somewhere(instead: str) -> None:
    """A new one waits for a program above, unless it names nothing to write."""
    assert any(part in instead for part in (*FOLLOWED, *SAID))


#: Names within a module that are said of a name of that module or of another.
_NAMED = re.compile(r"\b(?:use|write|and|or) ((?:[a-z_]\w*\.)+\w+|[a-z]\w*\(\))")


def test_every_name_that_a_reason_names_is_there() -> None:
    """Reasons for names that are left out: what follows `use` or `write` exists for programs."""
    reasons = {why for table in MODULES.values() for why in (*table.left_out.values(), table.rest)}
    named = {name for why in (*reasons, *GROUPS.values()) for name in _NAMED.findall(why)}
    assert len(named) > 20
    for name in named - {"bytes.decode", "str.encode", "str.format", "try"}:
        module, _, last = name.removesuffix("()").rpartition(".")
        if module.split(".")[0] in MODULES:
            root = module.split(".")[0]
            home = module if module in MODULES else root
            rest = module.removeprefix(home).lstrip(".")
            path = f"{home}.{rest}.{last}" if rest else f"{home}.{last}"
            assert "found\n" == run(f"import {home}\n{path}\nprint('found')"), name
