"""`str.format` for programs: a template may walk the attributes that a program may name."""

from __future__ import annotations

from _string import (  # type: ignore[import-not-found]  # what `string.Formatter` is made of
    formatter_field_name_split,
    formatter_parser,
)
from collections import UserString
from functools import lru_cache
from itertools import zip_longest
from types import BuiltinMethodType, MethodType
from typing import Any, Final

from codemode_guest.policy.names import LABELS
from codemode_guest.world.names import check_name

#: How deep Python itself follows the fields within the specification of a field.
_MAX_DEPTH: Final = 2
_LABELS: Final = frozenset((True, label) for label in LABELS)


def read_format(obj: object, name: str) -> Any:  # noqa: ANN401 - whatever the attribute is
    """Return `obj.format` or `obj.format_map`, safe to call.

    Raises:
        AttributeError: If there is none, or if `obj` is a template that walks to an attribute
            that a program may not read.
    """
    return safe_format(getattr(obj, name))


def safe_format(value: Any) -> Any:  # noqa: ANN401 - whatever the attribute is
    """Return what was read as `format` or `format_map`, or what stands in for it.

    Raises:
        AttributeError: If it is the method of a template that walks to an attribute that a
            program may not read.
    """
    if value is str.format or value is UserString.format:
        return _format
    if value is str.format_map or value is UserString.format_map:
        return _format_map
    if type(value) is BuiltinMethodType and issubclass(type(value.__self__), str):
        check_template(str.__str__(value.__self__), _MAX_DEPTH)
    elif type(value) is MethodType and value.__func__ is UserString.format:
        return MethodType(_format, value.__self__)
    elif type(value) is MethodType and value.__func__ is UserString.format_map:
        return MethodType(_format_map, value.__self__)
    return value


@lru_cache(maxsize=256)
def check_template(template: str, depth: int) -> None:
    """Check the attributes that a template reads, those of nested ones too.

    A malformed template is left to the formatting itself: it fails there in Python's own words,
    and what stands before the fault has been checked.

    Raises:
        AttributeError: If it walks to an attribute that a program may not read.
    """
    if "." not in template or not depth:
        return
    try:
        for _, field, spec, _ in formatter_parser(template):
            if field is None:
                continue
            path = list(formatter_field_name_split(field)[1])
            for (is_attribute, part), after in zip_longest(path, path[1:]):
                # Free where a label is read of it, as in a program's own text.
                if is_attribute and not (part == "__class__" and after in _LABELS):
                    check_name(part)
            if spec:
                check_template(spec, depth - 1)
    except ValueError:
        return


def _text(template: object) -> str:
    """Take a snapshot of a template: what is checked is what is formatted."""
    text = template.data if isinstance(template, UserString) else template
    if not issubclass(type(text), str):
        raise TypeError(f"a template is a string, not {type(text).__name__!r}")
    exact = str.__str__(text)
    check_template(exact, _MAX_DEPTH)
    return exact


def _format(template: object, /, *args: object, **kwargs: object) -> str:
    """Stand in for `str.format` where the template is an argument."""
    return _text(template).format(*args, **kwargs)


def _format_map(template: object, mapping: Any, /) -> str:  # noqa: ANN401 - any mapping
    """Stand in for `str.format_map` where the template is an argument."""
    return _text(template).format_map(mapping)
