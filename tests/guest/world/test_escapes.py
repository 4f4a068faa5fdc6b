"""Programs that were found to reach what they may not, each as a kind."""

from __future__ import annotations

import pytest

from codemode import CodeRunRequest, ProcessRuntime, ProcessRuntimeConfig

LOOSE = "class S(str): pass\n"
REAL = "real = next(asyncio.Future().__await__())\n"

LYING = "import json\nclass M(type):\n    def __instancecheck__(cls, obj):\n"

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
    "a metaclass that makes up what a pattern reads": (
        f"{LYING}        return True\n    def __getattr__(cls, name):\n"
        "        if name == '__match_args__': return ('__globals__',)\n"
        "        raise AttributeError(name)\nclass K(metaclass=M): pass\n"
        "match json.dumps:\n    case K(found): return repr(found)\nraise ValueError"
    ),
    "a metaclass that changes it when it is asked": (
        f"{LYING}        cls.put('__match_args__', ('__globals__',))\n        return True\n"
        "    def put(cls, name, value): super().__setattr__(name, value)\n"
        "class K(metaclass=M): pass\n"
        "match json.dumps:\n    case K(found): return repr(found)\nraise ValueError"
    ),
    "a text that says it is of another class": (
        "import dataclasses, json\n@dataclasses.dataclass\nclass K: format: object\nt = type\n"
        "S = t('S', (str,), {'__class__': property(lambda s: K)})\n"
        "match S('{0.__globals__}'):\n    case K(found): return found(json.dumps)"
    ),
    "a field named as what formats": (
        "import dataclasses, json\n@dataclasses.dataclass\nclass S(str):\n    x: int = 1\n"
        "dataclasses.fields(S)[0].name = 'format'\ns = S.__new__(S, '{0.__globals__}')\n"
        "return dataclasses.asdict(s)['format'](json.dumps)"
    ),
    "a field whose default formats": (
        "import dataclasses, json\n@dataclasses.dataclass(init=False, repr=False, eq=False)\n"
        "class S(str): format: object\n"
        "return dataclasses.fields(S)[0].default('{0.__globals__}', json.dumps)"
    ),
    "the type of what reads by name": (
        "import json, operator\n"
        "return repr(type(operator.attrgetter('x'))('__globals__')(json.dumps))"
    ),
    "the type of what calls by name": (
        "import json, operator\nkind = type(operator.methodcaller('x'))\n"
        "return repr(kind('__getattribute__', '__globals__')(json.dumps))"
    ),
    "a copy that shows the code of an annotation": (
        "import copy, typing\ngot = []\n"
        "class F(type(typing.List['x'].__args__[0]), _root=True):\n"
        "    def __setstate__(self, state): got.append(state)\n"
        "copy.copy(F('().__class__'))\n"
        "return repr(type(lambda: 0)(got[0][1]['__forward_code__'], {})())"
    ),
    "a copy of a queue whose metaclass drops what forbids it": (
        "import copy\ngot = []\nclass M(type):\n    def mro(cls):\n"
        "        return [c for c in super().mro() if c.__name__ != 'Sealed']\n"
        "class Q(asyncio.Queue, metaclass=M):\n"
        "    def __setstate__(self, state): got.append(state)\n"
        "copy.copy(Q())\nreturn repr(got)"
    ),
    "the owner of a builtin in a partial method": (
        "import functools\nclass D:\n    def __get__(self, obj, cls): return len\n"
        "    def __call__(self): pass\nclass C: m = functools.partialmethod(D())\n"
        "@functools.wraps(C().m)\ndef own(): pass\n"
        "return repr(own.__dict__['__self__'].open)"
    ),
    "the subclasses that a dispatch compares": (
        "import functools\nfound = []\nclass H:\n    def __init__(self, h): self.h = h\n"
        "    def __hash__(self): return self.h\n"
        "    def __eq__(self, other): found.append(other)\n"
        "class M(type):\n    def __getattribute__(cls, name):\n"
        "        if name == '__mro__': return bases\n"
        "        return super().__getattribute__(name)\n"
        "class C(metaclass=M): pass\n"
        "bases = (H(hash(functools.partialmethod)),)\n"
        "functools.singledispatch(repr).dispatch(C)\nreturn repr(found[0])"
    ),
    "another super in the body of a class": (
        "import os\ndef f():\n    class C:\n        super = lambda: type\n"
        "        put = super().__setattr__\n    return C\n"
        "f().put(os.PathLike, '__module__', '__main__')\nBase = os.PathLike\n"
        "return repr(Base.__subclasses__())"
    ),
    "the defaults of a function behind an alias": (
        "import inspect, json, types\n"
        "return str(inspect.signature(types.GenericAlias(json.dumps, int)))"
    ),
    "the lines of a file in which an error says it was raised": (
        "import os, traceback\nclass Named(str):\n    def __eq__(self, other): return True\n"
        "    __hash__ = str.__hash__\n"
        "class Code:\n    co_filename, co_name, co_qualname = Named('/etc/passwd'), 'f', 'f'\n"
        "    def co_positions(self): return iter([(1, 1, 0, 1)] * 9)\n"
        "class Frame: f_code, f_globals, f_locals, f_lineno = Code(), {}, {}, 1\n"
        "class Where: tb_frame, tb_lineno, tb_lasti, tb_next = Frame(), 1, 0, None\n"
        "class E(Exception):\n    def __getattribute__(self, name):\n"
        "        if name == '__traceback__': return Where()\n"
        "        return super().__getattribute__(name)\n"
        "text = ''.join(traceback.format_exception(E('x')))\n"
        "if 'passwd' in text: return text\nraise ValueError"
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


#: What a program prints or returns reaches the host as it is, whatever it has changed.
FORGERIES = {
    "a separator": (
        "import json\njson.JSONEncoder.item_separator = property(lambda self: ',\"b\":2,')\n"
        "return {'a': 1, 'c': 3}"
    ),
    "a log line that is no text": (
        "import sys\nclass Text(str):\n    def __len__(self): return 3\n"
        "    def __getitem__(self, part): return {'forged': 1}\n"
        "sys.stdout.write(Text('said'))\nprint('a', end=Text('b'))\nreturn {'a': 1, 'c': 3}"
    ),
}


async def test_no_program_forges_what_the_host_is_told() -> None:
    """By properties of the encoder's class, or by text that answers for itself."""
    told = {}
    async with ProcessRuntime(ProcessRuntimeConfig(spare_guests=0)) as runtime:
        for name, program in FORGERIES.items():
            result = await runtime.run(CodeRunRequest(program=program))
            told[name] = result.error.kind if result.error else result.value

    assert [{"a": 1, "c": 3}] * len(FORGERIES) == [*told.values()]
