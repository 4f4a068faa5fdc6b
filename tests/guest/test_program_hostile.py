"""Programs that try each way which the policy leaves open; each ends in an error, or harmless."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

import pytest

from codemode import (
    CodeBindingNamespace,
    CodeRunRequest,
    CodeRunResult,
    ProcessRuntime,
    ProcessRuntimeConfig,
)

#: A metaclass made of a mapping, by another name for `type`, whose classes match everything.
_LYING = """
t = type
def f(): pass
def names(cls, name):
    return ({attribute!r},) if name == "__match_args__" else (lambda: [cls])
M = t("M", (t,), {{"__module__": "x", {how}, "__instancecheck__": lambda c, o: True}})
A = M("A", (), {{}})
"""
_SMUGGLED = """
class M(type):
    @classmethod
    def __prepare__(m, *a): return {}
class A(metaclass=M): pass
"""

ATTEMPTS: Mapping[str, str] = {
    # what a class says of itself
    "a metaclass asked for the subclasses of another": (
        "class M(type): pass\nreturn M.__subclasses__(object)[0].__name__"
    ),
    "the same by a computed name": (
        "class M(type): pass\nreturn getattr(M, '__sub' + 'classes__')(object)[0].__name__"
    ),
    "the same of super": (
        "class M(type):\n    def m(cls): s = super(); return s.__subclasses__()\n"
        "class A(metaclass=M): pass\nreturn A.m()"
    ),
    "all classes there are": "x = object\nreturn x.__subclasses__()[0].__name__",
    "all classes, by way of a base": (
        "class A: pass\nB = A.__base__\nreturn B.__subclasses__()[0].__name__"
    ),
    "all classes, of an attribute": (
        "class A: pass\nA.o = object\nreturn A.o.__subclasses__()[0].__name__"
    ),
    "all classes, in a template": "return '{0.__subclasses__}'.format(object)",
    "all classes, by attrgetter": (
        "import operator\nreturn repr(operator.attrgetter('__subclasses__')(object))"
    ),
    "all classes, of an alias": (
        "import types\nclass G(types.GenericAlias): pass\n"
        "g = G(object, ())\nreturn g.__subclasses__()[0].__name__"
    ),
    "the bases of a class of the library's": (
        "import collections\nc = collections.OrderedDict\nreturn repr(c.__bases__)"
    ),
    "the attributes of a module": "import json\nx = [json][0]\nreturn repr(x.__dict__)",
    "the attributes of a module, of a call": (
        "import json\nreturn repr((lambda: json)().__dict__)"
    ),
    "the attributes of what a class forwards to": (
        "import types, json\nclass G(types.GenericAlias): pass\n"
        "g = G(json.loads, ())\nreturn repr(g.__dict__)"
    ),
    "the attributes of a class of the library's": "x = int\nreturn repr(x.__dict__)",
    "the attributes of a tool": "x = tools.echo\nreturn repr(x.__dict__)",
    "the defaults of a tool": "x = tools.echo\nreturn repr(x.__defaults__)",
    "a private name of a tool": "x = tools.echo\nx._y = 1\nreturn x._y",
    "the attributes of a function that the library made of one": (
        "import contextlib\n@contextlib.contextmanager\ndef f(): yield\n"
        "return repr(f.__kwdefaults__)"
    ),
    "the defaults of a function of the library's": (
        "import json\nf = json.dumps\nreturn repr(f.__kwdefaults__)"
    ),
    "the defaults of a function that took another's module": (
        "import json, functools\ndef own(): pass\nf = json.dumps\n"
        "functools.update_wrapper(f, own)\nreturn repr(f.__kwdefaults__)"
    ),
    "what a stand-in wraps": "import asyncio\nf = asyncio.wait_for\nreturn repr(f.__wrapped__)",
    "what a function of the library's wraps": (
        "import functools\nf = functools.lru_cache(print)\nreturn repr(f.__wrapped__)"
    ),
    "the code behind a wrapped function": (
        "import functools\n@functools.cache\ndef f(): pass\nreturn repr(f.__wrapped__.__code__)"
    ),
    "annotations of a function of the library's": (
        "import json\nf = json.dumps\nf.__annotations__['x'] = 1\nreturn 'ESCAPED'"
    ),
    # tracebacks
    "a traceback in a comparison": (
        "class E:\n    def __eq__(self, tb): return tb.tb_frame.f_globals\n"
        "try: 1/0\nexcept Exception as e: return repr(e.__traceback__ == E())"
    ),
    "a traceback in a chained comparison": (
        "class E:\n    def __eq__(self, tb): self.tb = tb\nx = E()\n"
        "try: 1/0\nexcept Exception as e: None == e.__traceback__ == x\nreturn repr(x.tb)"
    ),
    "a traceback handed to a method of the program's": (
        "class G:\n    def throw(self, t, e, tb): return getattr(tb, 'tb_' + 'frame')\n"
        "try: 1/0\nexcept Exception as e: return repr(G().throw(type(e), e, e.__traceback__))"
    ),
    "a traceback's next": (
        "class G:\n    def throw(self, t, e, tb): return tb.tb_next\n"
        "try: 1/0\nexcept Exception as e: return repr(G().throw(type(e), e, e.__traceback__))"
    ),
    "a traceback's frame by pattern": (
        "class G:\n    def __exit__(self, t, e, tb):\n        match tb:\n"
        "            case object(tb_frame=f): return f\n    def __enter__(self): return self\n"
        "with G(): 1/0\nreturn 'ESCAPED'"
    ),
    # classes
    "a class asked for and walked": "x = 1\nreturn repr((x.__class__ == int).__class__.__base__)",
    "a class called for its bases": "x = 1\nreturn repr(x.__class__(2).__class__.__mro__)",
    "the class that a method is written in, walked": (
        "class A:\n    def f(self): return __class__.__subclasses__()\nreturn A().f()"
    ),
    "the cell of the class": (
        "class A:\n    def f(self): return __class__\nreturn repr(A.f.__closure__)"
    ),
    # classes made of mappings
    "a lying metaclass of another module, by method": (
        _LYING.format(attribute="__globals__", how='"__getattribute__": names')
        + "match f:\n    case A(g): return 'ESCAPED ' + repr(g)[:20]\nreturn 1/0"
    ),
    "a lying metaclass of another module, by property": (
        _LYING.format(
            attribute="__code__",
            how='"__match_args__": property(lambda c: names(c, "__match_args__"))',
        )
        + "match f:\n    case A(g): return 'ESCAPED ' + repr(g)[:20]\nreturn 1/0"
    ),
    "a lying metaclass whose class hides what it has": (
        "class MM(type):\n"
        "    def __getattribute__(m, n):\n"
        "        return {} if n == '__dict__' else type.__getattribute__(m, n)\n"
        "class M(type, metaclass=MM):\n"
        "    def __getattribute__(c, n):\n"
        "        if n == '__match_args__': return ('__globals__',)\n"
        "        return super().__getattribute__(n)\n"
        "    def __instancecheck__(c, o): return True\n"
        "class A(metaclass=M): pass\ndef f(): pass\n"
        "match f:\n    case A(g): return 'ESCAPED ' + repr(g)[:20]\nreturn 1/0"
    ),
    "a lying metaclass that equals type": (
        "class MM(type):\n"
        "    def __eq__(m, o): return True\n"
        "    def __hash__(m): return 1\n"
        "class M(type, metaclass=MM):\n"
        "    def __getattribute__(c, n):\n"
        "        return ('__globals__',) if n == '__match_args__' else object\n"
        "    def __instancecheck__(c, o): return True\n"
        "class A(metaclass=M): pass\ndef f(): pass\n"
        "match f:\n    case A(g): return 'ESCAPED ' + repr(g)[:20]\nreturn 1/0"
    ),
    "names of a pattern in a mapping": (
        "t = type\nA = t('A', (), {'__match_args__': ('__globals__',)})\n"
        "match A():\n    case A(g): return 'ESCAPED'\nreturn 1/0"
    ),
    "names of a pattern from __prepare__": (
        _SMUGGLED.format("{'__match_args__': ('__init__', 'gi_frame')}")
        + "match A():\n    case A(i, g): return 'ESCAPED'\nreturn 1/0"
    ),
    "slots of the guards' form": (
        _SMUGGLED.format("{'__slots__': ('_inner_',)}")
        + "import asyncio\nx = asyncio.create_task(asyncio.sleep(0))\n"
        "return repr(A.__dict__['_inner_'].__get__(x))"
    ),
    "slots of the guards' form, and a changed class": (
        _SMUGGLED.format("{'__slots__': ('_inner_',)}")
        + "import asyncio\nx = asyncio.create_task(asyncio.sleep(0))\n"
        "setattr(x, '__class__', A)\nreturn repr(x)"
    ),
    "a copy that names what it is made of": (
        "import copy, json\n"
        + _SMUGGLED.format("{'__reduce_ex__': lambda s, v: (lambda: json, (), {'dumps': 1})}")
        + "copy.copy(A())\nreturn 'ESCAPED'"
    ),
    "a copy that sets the attributes of a class": (
        "import copy\n"
        + _SMUGGLED.format(
            "{'__reduce_ex__': lambda s, v: (lambda: A, (), (None, {'__class__': int}))}"
        )
        + "copy.copy(A())\nreturn 'ESCAPED'"
    ),
    "a class that is another": (
        _SMUGGLED.format("{'__class__': property(lambda s: str)}") + "return A().format.__self__"
    ),
    "a direct call of type": "K = type('K', (), {'__call__': lambda s: 7})\nreturn K()()",
    # attributes by computed names
    "the globals of a function": (
        "def f(): pass\nreturn repr(object.__getattribute__(f, '__glo' + 'bals__'))"
    ),
    "the globals of a function, bound": (
        "n = '__globals__'\ndef f(): pass\nreturn repr(f.__getattribute__(n))"
    ),
    "the globals of a function, by a name that is not exactly text": (
        "class S(str): pass\nn = S('__globals__')\ndef f(): pass\n"
        "return repr(object.__getattribute__(f, n))"
    ),
    "a private name of a module, past its facade": (
        "import random\nn = '_os'\nreturn repr(object.__getattribute__(random, n))"
    ),
    "the attributes of a module, past its facade": (
        "import json\nn = '__dict__'\nreturn repr(object.__getattribute__(json, n))"
    ),
    "a template's walk": (
        "n = 'format'\nreturn object.__getattribute__('{0.__class__.__mro__}', n)(1)"
    ),
    "a template's walk from a label": "return '{0.__class__.__doc__.__class__}'.format(1)",
    "a template's walk past a label": "return '{0.__class__[__name__]}'.format(1)",
    "the subclasses of all classes": (
        "n = '__subclasses__'\nreturn repr(type.__getattribute__(object, n)())"
    ),
    "the subclasses of all classes, of super": (
        "n = '__subclasses__'\nclass M(type):\n"
        "    def f(cls, n): return super().__getattribute__(n)\n"
        "return repr(M.f(M, n)(object))"
    ),
    "the frame of a traceback": (
        "n = 'tb_frame'\nclass C:\n    def __enter__(self): return self\n"
        "    def __exit__(self, t, e, tb): object.__getattribute__(tb, n)\n"
        "with C(): 1/0"
    ),
    "a class assigned by a computed name": (
        "n = '__class__'\nclass A: pass\nobject.__setattr__(A(), n, int)"
    ),
    # an object's own dict and class
    "the dict of a library's object": (
        "import functools\nclass A:\n    def f(self, d): self.__dict__ = d\n"
        "A.f(functools.partial(print), {})\nreturn 'ESCAPED'"
    ),
    "the class of a library's object": (
        "class A:\n    def f(self): self.__class__ = A\nA.f(asyncio.Queue())\nreturn 'ESCAPED'"
    ),
    "the dict of super": (
        "class A:\n    def f(self, d): self.__dict__ = d\n"
        "    def g(self): A.f(super(), {})\nA().g()\nreturn 'ESCAPED'"
    ),
    # descriptors
    "a library's descriptor": (
        "import functools\nclass CP(functools.cached_property): pass\n"
        "cp = CP(len); cp.attrname = '_loop'\nreturn repr(cp.__get__(asyncio.Queue(), None))"
    ),
    "a built-in's descriptor": "x = str.join\nreturn x.__get__('-')(['ESCAPED'])",
    "a slot's descriptor": (
        "class A: __slots__ = ('x',)\nd = vars(A)['x']\nreturn repr(d.__get__(A()))"
    ),
    "a method that a class of the library's forwards": (
        "import typing\nclass B(type(typing.List[int]), _root=True):\n"
        "    def read(self, n): return super().__getattr__(n)\n"
        "return repr(B(getattr, (), name='x').read('__self__'))"
    ),
    "the state of a library's object": (
        "import random\nx = random.Random()\nreturn x.__getstate__()"
    ),
    "the state of a library's object, set": (
        "import functools\nclass P(functools.partial): pass\n"
        "x = P(print)\nx.__setstate__((len, (), {}, {}))\nreturn 'ESCAPED'"
    ),
    "a property's setter": (
        "class A:\n    y = property(lambda s: s.x, lambda s, v: None)\n"
        "x = A.y\nx.__set__(A(), 1)\nreturn 'ESCAPED'"
    ),
    # modules
    "a private name of a module": "import random\nreturn repr(random._os)",
    "a private name behind a test": (
        "import random\nif hasattr(random, '_os') or True: return repr(random._os)"
    ),
    "a module's own imports behind a handler": (
        "import json\ntry: return repr(json.codecs)\nexcept AttributeError: raise"
    ),
    "a module under another name": "import json as j\nk = j\nreturn repr(k.codecs)",
    "an import that is excused": (
        "try:\n    from os import system\nexcept ImportError:\n    raise\nreturn 'ESCAPED'"
    ),
    "an import for a type checker": (
        "TYPE_CHECKING = True\nif TYPE_CHECKING:\n    import subprocess\nreturn repr(subprocess)"
    ),
}


async def _echo(args: object) -> object:
    return args


async def _outcomes() -> dict[str, CodeRunResult]:
    tools = CodeBindingNamespace(global_name="tools", functions={"echo": _echo})
    async with ProcessRuntime(ProcessRuntimeConfig(spare_guests=1)) as runtime:
        return {
            name: await runtime.run(CodeRunRequest(program=program, bindings=(tools,)))
            for name, program in ATTEMPTS.items()
        }


@pytest.fixture(scope="module")
def outcomes() -> dict[str, CodeRunResult]:
    """What became of each attempt; one runtime for all, since each has a process of its own."""
    return asyncio.run(_outcomes())


@pytest.mark.parametrize("name", ATTEMPTS)
def test_an_attempt_gets_no_further(name: str, outcomes: dict[str, CodeRunResult]) -> None:
    """It is refused, or it raises; no value comes of it."""
    result = outcomes[name]

    assert result.error is not None, result.value
    assert "exception" == result.error.kind, result.error.message
