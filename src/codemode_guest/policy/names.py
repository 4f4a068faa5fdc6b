"""The rule for names and for names of attributes, with its lists.

An ordinary name is free, one with leading underscores too. Refused are: the special names of
Python (`__x__`) that are not listed here, names of the form `_x_`, which belong to the policy's
own guards, and the attributes that lead from an object to the interpreter's inside. `world`
applies the same rule to names that a program computes.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import (
    AsyncGeneratorType,
    CodeType,
    CoroutineType,
    FrameType,
    GeneratorType,
    TracebackType,
)
from typing import Final

from RestrictedPython.transformer import INSPECT_ATTRIBUTES


@dataclass(frozen=True, slots=True, kw_only=True)
class Rejection:
    """Why something may not be written, and what to write instead."""

    reason: str
    substitute: str | None


def _special(names: str) -> frozenset[str]:
    return frozenset(f"__{name}__" for name in names.split())


#: Special methods that a class may define. Python's data model, without `__reduce__` and
#: `__reduce_ex__` (`copy` sets attributes on whatever object they name), `__class__`, and
#: `__buffer__` (a C-level protocol that no program needs).
DEFINABLE: Final = _special(
    # construction and classes
    "new init post_init del init_subclass set_name class_getitem mro_entries prepare "
    "instancecheck subclasscheck subclasshook "
    # attributes
    "getattr getattribute setattr delattr dir get set delete "
    # conversion
    "repr str bytes format bool int float complex index hash sizeof fspath "
    "round trunc floor ceil "
    # comparison
    "lt le eq ne gt ge "
    # containers and iteration
    "len length_hint getitem setitem delitem missing contains iter next reversed "
    # calls and contexts
    "call enter exit await aiter anext aenter aexit "
    # copying
    "copy deepcopy replace getstate setstate getnewargs getnewargs_ex "
    # arithmetic
    "neg pos abs invert "
    "add sub mul matmul truediv floordiv mod divmod pow lshift rshift and or xor "
    "radd rsub rmul rmatmul rtruediv rfloordiv rmod rdivmod rpow rlshift rrshift rand ror rxor "
    "iadd isub imul imatmul itruediv ifloordiv imod ipow ilshift irshift iand ior ixor"
)

#: Class attributes that Python reads as lists of names: assigned only as literals.
NAME_LISTS: Final = _special("slots match_args")

#: What `enum` looks up under the reserved form.
ENUM_HOOKS: Final = frozenset(("_missing_", "_generate_next_value_", "_ignore_", "_order_"))
ENUM_ATTRIBUTES: Final = frozenset(("_value_", "_name_"))

#: Special methods that take the *name* of an attribute, as `getattr` does.
BY_NAME: Final = _special("getattribute getattr setattr delattr")

#: Special methods that are read of `super()` only, where the object is the program's own: they
#: reach attributes by name, bind functions to objects, or hand out an object's attributes.
ON_SUPER: Final = _special("setattr delattr dir")

#: The other methods of that kind, which no program calls: of a class of the library's they would
#: reach into whatever object that one stands for.
BY_LIBRARY: Final = _special("getattr get set delete getstate setstate")

#: Facts about an object, as text.
LABELS: Final = _special("name qualname doc module")

#: Attributes that lead nowhere.
READABLE: Final = (
    DEFINABLE - BY_NAME - ON_SUPER - BY_LIBRARY
    | LABELS
    | _special("mro members cause context suppress_context notes version all slots")
    # what `abc` and `typing` note
    | _special("abstractmethods isabstractmethod args origin parameters metadata type_params value")
)

#: Special attributes that may be assigned: what decorators copy, and links between errors.
ASSIGNABLE: Final = _special("name qualname doc cause context suppress_context notes")

#: Special names that may be read as variables.
READABLE_NAMES: Final = _special("name doc debug all version author")

#: Special names that the top level may bind; they have no effect.
MODULE_LABELS: Final = _special("all version author doc")

#: What a class body may read under a special name, besides the methods that it defines.
CLASS_LABELS: Final = _special("qualname module")

#: `str.format` walks attributes in C; the world hands out one that checks them.
FORMATS: Final = frozenset(("format", "format_map"))

# From the interpreter itself, so that what a new version adds is refused from the first day.
_INSPECTED: Final = (
    (TracebackType, "tb_"),
    (FrameType, "f_"),
    (CodeType, "co_"),
    (GeneratorType, "gi_"),
    (CoroutineType, "cr_"),
    (AsyncGeneratorType, "ag_"),
)

#: Ordinary names that lead into the interpreter: what `inspect` documents; what a cell holds, such
#: as the class that `super()` goes by; and ways from tasks and futures to their loop and frames.
INTERNALS: Final = (
    INSPECT_ATTRIBUTES
    | {name for kind, prefix in _INSPECTED for name in dir(kind) if name.startswith(prefix)}
    | {"cell_contents", "get_loop", "get_stack", "print_stack", "get_coro"}
)

#: Private attributes of futures and tasks, which lead to the event loop and to other tasks.
OF_FUTURES: Final = frozenset(
    {"_loop", "_get_loop", "_coro", "_callbacks", "_fut_waiter", "_asyncio_future_blocking"}
)

_SUBSTITUTES: Final = {
    "__class__": "write type(x)",
    "__dict__": "write vars(x)",
    "__bases__": "write issubclass() for a check",
    "__base__": "write issubclass() for a check",
    "__subclasses__": "keep a list of your own, filled in __init_subclass__ or by a decorator",
    "__annotations__": "write dataclasses.fields(x) or a dict of your own",
    "__dataclass_fields__": "write dataclasses.fields(x)",
    "__traceback__": "write traceback.format_exc() or traceback.format_exception(error)",
    "__getattribute__": "write getattr(x, name)",
    "__getattr__": "write getattr(x, name)",
    "__setattr__": "write setattr(x, name, value), or super().__setattr__(name, value)",
    "__delattr__": "write delattr(x, name)",
    "__dir__": "write dir(x)",
    "__reduce__": "define __copy__ and __deepcopy__",
    "__reduce_ex__": "define __copy__ and __deepcopy__",
    "__wrapped__": "keep a reference to the function under a name of your own",
    "__self__": "keep a reference to the object under a name of your own",
    "__func__": "keep a reference to the function under a name of your own",
    "__import__": "write an import statement",
    "__file__": "leave it out: a program has no file",
    "__globals__": "pass what is needed as an argument",
    "__builtins__": "write the name of the function itself",
    "__get__": "call the function, or write getattr(x, name)",
}

_NO_CODE: Final = "write the statements themselves, or a function that you call"

#: Built-in functions that a program does not find. It may define its own under these names.
ABSENT_BUILTINS: Final = {
    "eval": Rejection(
        reason="eval() is not available: text is not run as code",
        substitute="write the expression itself, or json.loads(text) for data",
    ),
    "exec": Rejection(
        reason="exec() is not available: text is not run as code", substitute=_NO_CODE
    ),
    "compile": Rejection(
        reason="compile() is not available: text is not run as code",
        substitute=f"write re.compile() for a pattern; otherwise {_NO_CODE}",
    ),
    "open": Rejection(
        reason="open() is not available: a program has no files",
        substitute="write io.StringIO(text) for a file in memory, or call a tool that reads files",
    ),
    "input": Rejection(
        reason="input() is not available: nobody types while a program runs",
        substitute="write the value into the program, or ask for it with a tool",
    ),
    "globals": Rejection(
        reason="globals() is not available", substitute="keep the values in a dict of your own"
    ),
    "locals": Rejection(
        reason="locals() is not available", substitute="keep the values in a dict of your own"
    ),
    "breakpoint": Rejection(
        reason="breakpoint() is not available: there is no debugger", substitute="write print(…)"
    ),
    "exit": Rejection(
        reason="exit() is not available", substitute="write return at the top level, or raise"
    ),
    "quit": Rejection(
        reason="quit() is not available", substitute="write return at the top level, or raise"
    ),
    "help": Rejection(
        reason="help() is not available: there is no pager", substitute="write print(x.__doc__)"
    ),
}


def is_special(name: str) -> bool:
    """Whether a name is one of Python's own, `__x__`."""
    return name.startswith("__") and name.endswith("__") and name.strip("_") != ""


def is_reserved(name: str) -> bool:
    """Whether a name has the form of the policy's guards, `_x_`; special names have it too."""
    return name.startswith("_") and name.endswith("_") and name.strip("_") != ""


def is_mangled(name: str) -> bool:
    """Whether a class body makes a name its own, as in `self.__x`."""
    return name.startswith("__") and not name.endswith("__")


def mangle(name: str, class_name: str | None) -> str:
    """Spell a name as the compiler does inside a class (Language Reference, 6.2.1.1)."""
    stripped = (class_name or "").lstrip("_")
    return f"_{stripped}{name}" if stripped and is_mangled(name) else name


def refuse_variable(name: str) -> Rejection | None:
    """Return why a variable, parameter, function or class may not bear this name."""
    if not is_reserved(name):
        return None
    if is_special(name):
        return Rejection(
            reason=f"the special name {name!r} belongs to Python",
            substitute=_SUBSTITUTES.get(name, "choose a name without the underscores"),
        )
    return Rejection(
        reason=f"the name {name!r} has the form _x_, which is reserved",
        substitute=f"write {name.rstrip('_')!r}",
    )


def refuse_class_name(name: str) -> Rejection | None:
    """Return why the body of a class may not define this name."""
    if name in DEFINABLE or name in ENUM_HOOKS or name == "__doc__":
        return None
    if name in NAME_LISTS:
        return Rejection(
            reason=f"{name!r} may only be assigned a literal string or tuple of strings",
            substitute=f'write {name} = ("x", "y")',
        )
    if is_special(name):
        return Rejection(
            reason=f"a class may not define {name!r}",
            substitute=_SUBSTITUTES.get(name, "choose a name without the underscores"),
        )
    return refuse_variable(name)


def refuse_attribute(name: str) -> Rejection | None:
    """Return why no object's attribute of this name may be read."""
    if name in INTERNALS:
        return _leads_inside(name)
    if not is_reserved(name) or name in READABLE or name in ENUM_ATTRIBUTES:
        return None
    return _leads_inside(name) if is_special(name) else refuse_variable(name)


def refuse_assignment(name: str) -> Rejection | None:
    """Return why no object's attribute of this name may be assigned or deleted."""
    if is_special(name) and name not in ASSIGNABLE:
        return Rejection(
            reason=f"the attribute {name!r} may not be changed",
            substitute="define it in the body of the class" if name in DEFINABLE else None,
        )
    return None if name in ASSIGNABLE else refuse_attribute(name)


def _leads_inside(name: str) -> Rejection:
    return Rejection(
        reason=f"the attribute {name!r} leads into the interpreter",
        substitute=_SUBSTITUTES.get(name),
    )


def forbidden_attribute(name: str) -> str | None:
    """Return, in a sentence, why a computed name may not be read; None when it may.

    `format` and `format_map`, and names with a single leading underscore, pass: what they give
    depends on the object. Ask with exact strings only.
    """
    return _sentence(refuse_attribute(name))


def forbidden_assignment(name: str) -> str | None:
    """Return, in a sentence, why a computed name may not be assigned; None when it may."""
    return _sentence(refuse_assignment(name))


def _sentence(rejection: Rejection | None) -> str | None:
    if rejection is None:
        return None
    advice = "" if rejection.substitute is None else f"; {rejection.substitute}"
    return rejection.reason + advice
