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


@pytest.mark.parametrize("program", ESCAPES.values(), ids=ESCAPES)
async def test_what_got_out_once_is_refused_or_raises(program: str) -> None:
    """At compile time or when it runs; no value comes of it."""
    async with ProcessRuntime(ProcessRuntimeConfig(spare_guests=0)) as runtime:
        result = await runtime.run(CodeRunRequest(program=program))

    assert result.error is not None, result.value
    assert "exception" == result.error.kind
