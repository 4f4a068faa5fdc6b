"""The rule for names and for names of attributes, with its lists.

An ordinary name is free, one with leading underscores too. Refused are: the special names of
Python (`__x__`) that are not listed here, names of the form `_x_`, which belong to the policy's
own guards, and the attributes that lead from an object to the interpreter's inside. `world`
applies the same rule to names that a program computes.
"""

from __future__ import annotations

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

from codemode_guest.policy.advice import SUBSTITUTES, Rejection, advice_for


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
#: How a program asks what an enumeration holds.
ENUM_MAPS: Final = frozenset(
    ("_value2member_map_", "_member_map_", "_member_names_", "_member_type_")
)
ENUM_ATTRIBUTES: Final = ENUM_MAPS | {"_value_", "_name_"}

#: Special methods that take the *name* of an attribute, as `getattr` does.
BY_NAME: Final = _special("getattribute getattr setattr delattr")

#: Special methods that are read of `super()` only, where the object is the program's own: they
#: reach attributes by name, bind functions to objects, or hand out an object's attributes.
ON_SUPER: Final = _special("setattr delattr dir")

#: The other methods of that kind. Of a class of the library's they would reach into whatever
#: object that one stands for.
BY_LIBRARY: Final = _special("getattr get set delete getstate setstate")

#: What a class, function or object of the program's own says of itself. Of another's it would be
#: a way on: to all classes there are, or to what a stand-in stands for.
OF_OWN: Final = BY_LIBRARY | _special(
    "dict bases base subclasses annotations dataclass_fields wrapped defaults kwdefaults"
)

#: Those of them that are read of a variable, as in `Base.__subclasses__()`, and of nothing else.
OF_OWN_CLASSES: Final = _special("bases base subclasses")

#: What the namespace of a class made by `type(name, bases, namespace)` may hold: how an object
#: begins, how it shows itself, and facts. What makes it act belongs where the policy sees it.
BY_TYPE: Final = _special("init repr str doc module qualname annotations")

#: Facts about an object, as text.
LABELS: Final = _special("name qualname doc module")

#: Attributes that lead nowhere.
READABLE: Final = (
    DEFINABLE - BY_NAME - ON_SUPER - BY_LIBRARY
    | LABELS
    | _special("mro members cause context suppress_context notes version all slots")
    # what `abc` and `typing` note
    | _special("abstractmethods isabstractmethod args origin parameters metadata type_params value")
    | _special("bound constraints covariant contravariant orig_bases orig_class supertype total")
    | _special("required_keys optional_keys match_args signature")
)

#: Special attributes that may be assigned: what decorators copy, and links between errors.
ASSIGNABLE: Final = _special(
    "name qualname doc wrapped signature cause context suppress_context notes traceback"
)

#: What a method may assign to its own object, if the program made that: `self.__dict__ = shared`.
ASSIGNABLE_TO_OWN: Final = _special("class dict")

#: Special names that may be read as variables.
READABLE_NAMES: Final = _special("name doc debug all version author license status")

#: Special names that the top level may bind; they have no effect.
MODULE_LABELS: Final = _special(
    "all version author doc license copyright credits maintainer email status date"
)

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
            substitute=SUBSTITUTES.get(name, "choose a name without the underscores"),
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
            substitute=SUBSTITUTES.get(name, "choose a name without the underscores"),
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
            substitute=(
                "define it in the body of the class"
                if name in DEFINABLE
                else "keep the value under a name of your own"
            ),
        )
    if name in ENUM_MAPS:
        return Rejection(
            reason=f"the attribute {name!r} belongs to enum",
            substitute="define the members in the body of the class",
        )
    return None if name in ASSIGNABLE else refuse_attribute(name)


def _leads_inside(name: str) -> Rejection:
    return Rejection(
        reason=f"the attribute {name!r} leads into the interpreter",
        substitute=advice_for(name),
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


def forbidden_by_type(name: str) -> str | None:
    """Return, in a sentence, why the namespace of a class made by `type` may not hold a name."""
    return None if name in BY_TYPE else forbidden_assignment(name)


def _sentence(rejection: Rejection | None) -> str | None:
    return None if rejection is None else f"{rejection.reason}; {rejection.substitute}"
