"""Programs that were found to reach what they may not, each as a kind."""

from __future__ import annotations

import pytest

from codemode import CodeRunRequest, ProcessRuntime, ProcessRuntimeConfig

LOOSE = "class S(str): pass\n"
REAL = "real = next(asyncio.Future().__await__())\n"

ESCAPES = {
    "a name that is a subclass of str": (
        f"import operator\n{LOOSE}return repr(operator.attrgetter(S('__builtins__'))(getattr))"
    ),
    "a property that is told what to read": (
        "import enum\np = enum.property()\nclass C: x = p\n"
        "p._attr_type = 'attr'; p._cls_type = getattr; p.name = '__builtins__'\n"
        "return repr(C().x)"
    ),
    "a property of an enum that `vars` shows": (
        "import enum, random\nclass E(enum.Enum):\n    value = 1\n    A = 2\n"
        "p = vars(E)['value']\nclass C: x = p\n"
        "p.fget = None; p._attr_type = 'attr'; p._cls_type = random.choice\n"
        "p.name = '__reduce_ex__'\nreturn repr(C().x)"
    ),
    "globals that an annotation is evaluated in": (
        "import functools, typing\ncaught, seen = [], []\nclass Spy:\n"
        "    def __call__(self): pass\n    def __hash__(self): return 1\n"
        "    def __eq__(self, other): return not caught.append(other)\n"
        "typing.List['kept'] == typing.List[Spy()]\n"
        "type(caught[-1])._evaluate = lambda *args, **options: seen.extend(args) or int\n"
        "@functools.singledispatch\ndef f(x): pass\n"
        "@f.register\ndef g(x: 'typing.List[\"int\"]'): pass\n"
        "return [sorted(names) for names in seen if isinstance(names, dict) and names]"
    ),
    "a method of an event on a lock": (
        "try: asyncio.Event.set(asyncio.Lock())\nexcept AttributeError as e: return repr(e.obj)"
    ),
    "the beginning of a future on an object of one's own": (
        "class C: pass\nc = C()\nasyncio.Future.__init__(c)\nreturn repr(vars(c))"
    ),
    "a context that is shown what the loop calls": (
        "class Fake:\n    def run(self, *shown): print(shown)\n"
        "asyncio.gather().add_done_callback(print, context=Fake())\nawait asyncio.sleep(0)\n"
        "return 'shown'"
    ),
    "the module that a path asks": (
        "import pathlib\nclass P(pathlib.PurePosixPath):\n"
        "    def m(self): return getattr(self, 'parser', None) or self._flavour\n"
        "asks = P().m()\nreturn repr(getattr(asks, 'pathmod', asks).os)"
    ),
    "an alias that forwards": (
        "import typing\nclass B(type(typing.List[int]), _root=True):\n"
        "    def read(self, n): return super().__getattr__(n)\n"
        "return repr(B(getattr, (), name='x').read('__self__'))"
    ),
    "an alias of a future": (
        f"import types\n{REAL}class G(types.GenericAlias): pass\nreturn repr(G(real, ())._loop)"
    ),
    "a subclass of the real future": f"{REAL}class G(type(real)): pass\nreturn repr(G()._loop)",
    "a future in a method": (
        f"{REAL}class C:\n    def m(self): return self._loop\nreturn repr(C.m(real))"
    ),
    "a queue for a lock": (
        "try: asyncio.Condition(asyncio.Queue())\nexcept AttributeError as e: q = e.obj\n"
        "class C:\n    def m(self): return self._get_loop()\nreturn repr(C.m(q))"
    ),
    "a cached property": (
        "import functools\nclass CP(functools.cached_property):\n"
        "    def g(self, x): return super().__get__(x, None)\n"
        "cp = CP(len); cp.attrname = '_loop'\nreturn repr(cp.g(asyncio.Queue()))"
    ),
    "a field with another name": (
        "import dataclasses\n@dataclasses.dataclass\nclass S:\n    x: int = 1\n"
        "s = S()\ndataclasses.fields(S)[0].name = '__reduce_ex__'\n"
        "return repr(dataclasses.asdict(s))"
    ),
    "a field that is source": (
        "import dataclasses\nclass M(type):\n"
        "    def __new__(m, n, b, d): return type.__new__(m, n, b, d)\n"
        "    @classmethod\n    def __prepare__(m, *a):\n"
        "        return {'__annotations__': {'x=0\\n  y': int}}\n"
        "@dataclasses.dataclass\nclass A(metaclass=M): pass\nreturn 'made'"
    ),
}


@pytest.fixture
def anyio_backend() -> str:
    """One is enough: the guest is the same."""
    return "asyncio"


async def test_what_got_out_once_is_refused_or_raises() -> None:
    """At compile time or when it runs; no value comes of any."""
    ended = {}
    async with ProcessRuntime(ProcessRuntimeConfig(spare_guests=0)) as runtime:
        for name, program in ESCAPES.items():
            result = await runtime.run(CodeRunRequest(program=program))
            ended[name] = result.error.kind if result.error else result.value

    assert dict.fromkeys(ESCAPES, "exception") == ended
