"""What is changed in the standard library itself, in a process that serves programs and no one.

A stand-in does not help where the library calls the dangerous function by itself, or hands out
an object that has it as a method.
"""

from __future__ import annotations

import ast
import copy
import dataclasses
import enum
import functools
import inspect
import keyword
import pprint
import sys
import traceback
import typing
import warnings
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from types import CodeType, FunctionType, TracebackType
from typing import Any, Final, NoReturn

from codemode_guest.policy.names import OF_FUTURES, forbidden_attribute
from codemode_guest.world import guards
from codemode_guest.world.builtin import program_builtins
from codemode_guest.world.console import CONSOLE
from codemode_guest.world.names import check_assigned_name, check_name, kind_of
from codemode_guest.world.stand_ins import hints
from codemode_guest.world.stand_ins.caution import show_warning
from codemode_guest.world.stand_ins.paths import seal_paths

#: What `dataclasses` itself writes; all other attributes in its texts are names of fields.
_OF_DATACLASSES: Final = frozenset({"__class__", "__create_fn__", "__post_init__"})
#: What `dataclasses` reads of classes, beside their fields.
_READ_BY_DATACLASSES: Final = frozenset(
    {
        *("__dataclass_fields__", "__dataclass_params__", "__annotations__", "__hash__"),
        *("__doc__", "__name__", "__qualname__", "__module__", "__dict__", "__slots__"),
        *("__match_args__", "__post_init__", "__eq__", "__repr__", "__init__"),
        *("__weakrefoffset__", "__dictrefoffset__"),
    }
)
_SETTERS: Final = frozenset({"__delattr__", "__setattr__"})


def disarm() -> None:
    """Change the library, for good.

    - `dataclasses` makes source of the names of fields, which a metaclass can choose freely, and
      reads attributes by the names that fields have, which can be changed.
    - `pprint` reads attributes by those names, too, and a frozen dataclass with slots sets them.
    - `copy` sets the attributes that an object's own `__reduce_ex__` names, and its memo shows
      what objects are made of: a `ForwardRef` of code.
    - `typing` evaluates annotations that are text: `functools.singledispatch` asks it to. A
      `ForwardRef` reaches a program by way of `==` between annotations, and the method of its class
      that evaluates, which a program may replace, is given the program's globals.
    - `enum` has properties, which `vars` shows, that read what they are told to.
    - `functools.singledispatch` compares all the subclasses of a class, hidden ones too, with what
      a program's metaclass gives for the bases of its class; `partialmethod` notes whose method a
      builtin is, which may be a module's, where a program can copy it from.
    - `inspect` evaluates the signature that a builtin has as text, and shows the default arguments
      of any function.
    - `pathlib` keeps modules in its paths.
    - `traceback` imports the module that an `ImportError` names, to suggest another name, and reads
      the lines of the file that an exception says it was raised in.
    - `warnings` writes to a standard error that nobody reads.
    - `pprint` and others write to the interpreter's standard output, and keep it within reach.
    """
    vars(dataclasses)["exec"] = run_checked
    vars(dataclasses)["getattr"] = read_for_dataclasses
    _check_fields_of_dataclasses()
    vars(pprint)["getattr"] = guards.read
    vars(functools)["_find_impl"] = _find_implementation
    functools.partialmethod.__get__ = _without_owner(vars(functools.partialmethod)["__get__"])  # type: ignore[method-assign]
    vars(inspect)["eval"] = refuse_to_evaluate
    _check_functions_of_inspect()
    # Not in all of `enum`: making a class reads special methods.
    enum.property.__get__ = _with_checked_names(vars(enum.property)["__get__"])  # type: ignore[method-assign]
    seal_paths()
    vars(copy)["setattr"] = guards.write
    vars(copy)["_deepcopy_dispatch"][typing.ForwardRef] = lambda reference, _memo: reference
    vars(typing)["get_type_hints"] = hints.get_type_hints
    # Copying asks there what to show: of a reference, the code.
    if "__slots__" in vars(typing.ForwardRef):
        del typing.ForwardRef.__slots__
    for name in ("_evaluate", "evaluate"):
        if hasattr(typing.ForwardRef, name):
            setattr(typing.ForwardRef, name, hints.resolve_reference)
    for name in ("walk_tb", "_walk_tb_with_full_positions"):
        vars(traceback)[name] = _of_true_tracebacks(vars(traceback)[name])
    suggest = vars(traceback).get("_compute_suggestion_error")
    if suggest is not None:  # 3.12
        vars(traceback)["_compute_suggestion_error"] = lambda error, *rest: (
            None if isinstance(error, ImportError) else suggest(error, *rest)
        )
    warnings.showwarning = show_warning
    sys.stdout = CONSOLE


def run_checked(text: str, _globals: object, namespace: dict[str, Any]) -> None:
    """Run what `dataclasses` wrote, with a program's builtins.

    Raises:
        AttributeError: If a field's name makes it read or write what a program may not.
    """
    code = compile(text, "<dataclass>", "exec", dont_inherit=True)
    if not all(map(_is_harmless, _names(code))):
        _check(ast.parse(text))
    exec(code, _own_globals(), namespace)


def read_for_dataclasses(obj: Any, name: str, *default: object) -> Any:  # noqa: ANN401
    """Stand in for `getattr` in `dataclasses`, which reads fields and a few facts of classes.

    Raises:
        AttributeError: If a field has been given a name that a program may not read.
    """
    if type(name) is not str or (name not in _READ_BY_DATACLASSES and not name.isidentifier()):
        raise AttributeError("the name of a field is an identifier")
    if name not in _READ_BY_DATACLASSES and (kind_of(name) == "format" or name in OF_FUTURES):
        return guards.read(obj, name, *default)
    return getattr(obj, name, *default)


def _check_fields_of_dataclasses() -> None:
    """Have the names of fields checked before source is made of them, the inherited ones too."""
    get_field = vars(dataclasses)["_get_field"]
    process_class = vars(dataclasses)["_process_class"]

    def get_checked(cls: type, name: object, *rest: Any) -> object:  # noqa: ANN401
        _check_field(name)
        return get_field(cls, name, *rest)

    def process_checked(cls: type, *rest: Any, **options: Any) -> object:  # noqa: ANN401
        for base in type.__dict__["__mro__"].__get__(cls):
            for field in vars(base).get("__dataclass_fields__", {}).values():
                _check_field(field.name)
        made = process_class(cls, *rest, **options)
        listed = vars(made).get("__match_args__", ())
        if "format" in listed:
            # A pattern would read it natively, of text too.
            type.__setattr__(made, "__match_args__", listed[: listed.index("format")])
        return made

    set_state = vars(dataclasses)["_dataclass_setstate"]

    def set_state_checked(self: Any, state: Any) -> None:  # noqa: ANN401
        for field in dataclasses.fields(self):
            _check_field(field.name)
            check_assigned_name(field.name)
        set_state(self, state)

    vars(dataclasses)["_dataclass_setstate"] = set_state_checked
    vars(dataclasses)["_get_field"] = get_checked
    vars(dataclasses)["_process_class"] = process_checked


def _with_checked_names(function: FunctionType) -> Any:  # noqa: ANN401 - a function like it
    """Return a function of the library's that reads attributes as a program may."""
    names = {**function.__globals__, "getattr": guards.read}
    return FunctionType(function.__code__, names, function.__name__, function.__defaults__)


def refuse_to_evaluate(text: str, *_names: object) -> NoReturn:
    """Stand in for `eval` where the library has no need of it here.

    Raises:
        NameError: Always; `inspect` then takes a default for one that it cannot show.
    """
    raise NameError(f"{text!r} is text, and text is not evaluated")


def _of_true_tracebacks(walk: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Return a function of `traceback` that walks what the interpreter made, and nothing else."""
    return lambda tb: walk(tb if type(tb) is TracebackType else None)


def _without_owner(get: Callable[..., Any]) -> Callable[..., Any]:
    """Return the `__get__` of `functools.partialmethod`, without the owner of what it binds."""

    def get_method(self: Any, obj: Any, cls: Any = None) -> Any:  # noqa: ANN401
        found = get(self, obj, cls)
        if type(found) is functools.partial:
            vars(found).pop("__self__", None)
        return found

    return get_method


_find_among_all: Final[Callable[..., Any]] = vars(functools)["_find_impl"]


def _find_implementation(cls: Any, registry: Mapping[Any, Any]) -> Any:  # noqa: ANN401
    """Stand in for the search of `functools.singledispatch`: among true bases of a class.

    Raises:
        TypeError: If it is no class.
    """
    bases = type.__dict__["__mro__"].__get__(cls)
    if all(map(guards.behaves, bases)):
        return _find_among_all(cls, registry)
    return next((registry[base] for base in bases if base in registry), registry.get(object))


def _check_functions_of_inspect() -> None:
    """Let signatures be shown of what the program made, and of builtins, whose are text."""
    from_function = vars(inspect)["_signature_from_function"]

    def from_own_function(cls: type, func: Any, *rest: Any, **options: Any) -> object:  # noqa: ANN401
        # Not of what only acts like a function: an alias forwards to any that it stands for.
        if type(func) is not FunctionType or not guards.made_here(func):
            raise ValueError(f"no signature found for {func!r}, which the program did not make")
        return from_function(cls, func, *rest, **options)

    vars(inspect)["_signature_from_function"] = from_own_function


def _check_field(name: object) -> None:
    if type(name) is not str or not name.isidentifier() or keyword.iskeyword(name):
        raise TypeError(f"the name of a field is an identifier, not {name!r}")


def _names(code: CodeType) -> Iterator[str]:
    """Yield the names of all attributes and globals that code uses."""
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)


def _is_harmless(name: str) -> bool:
    return name in _OF_DATACLASSES or forbidden_attribute(name) is None


def _check(tree: ast.AST) -> None:
    """Check where the names stand; frozen dataclasses set attributes by name."""
    vetted = {id(func) for func in map(_setter, ast.walk(tree)) if func is not None}
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Attribute)
            and not _is_harmless(node.attr)
            and id(node) not in vetted
        ):
            check_name(node.attr)


@cache
def _own_globals() -> dict[str, object]:
    return {"__builtins__": program_builtins(), "__name__": guards.PROGRAM_MODULE}


def _setter(node: ast.AST) -> ast.Attribute | None:
    """Return what is called, if this is a call by which `dataclasses` writes an attribute."""
    if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
        return None
    if node.func.attr not in _SETTERS:
        return None
    setter = ast.unparse(node.func.value)
    if setter == "super(cls, self)":
        return node.func
    match node.args:
        case [_, ast.Constant(value=name), _] if setter == "__dataclass_builtins_object__":
            check_assigned_name(name)
            return node.func
    return None
