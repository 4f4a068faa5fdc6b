"""Whether the arguments of a call are sure to be rejected, by what is written in the call."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from codemode_guest.check.literals import PYTHON, UNKNOWN, Literal, kind_of, literal
from codemode_guest.check.signatures import ParameterSpec, SignatureSpec
from codemode_guest.near import nearest

_MAX_SHOWN: Final = 12
_MAX_VALUE: Final = 40
#: Beyond this, looking for a similar name takes longer than it helps.
_MAX_NAMES: Final = 60


_Place: TypeAlias = ast.expr | ast.keyword


@dataclass(slots=True, kw_only=True)
class _Given:
    """What a call gives, as far as it can be read.

    Attributes:
        named: The arguments that are written out, each with where its name stands.
        whole: Whether these are all.
    """

    named: dict[str, tuple[ast.expr, _Place]] = field(default_factory=dict)
    whole: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """What is wrong with the arguments of a call.

    Attributes:
        node: Where.
        reason: What, to be continued after the name of what is called.
        advice: What the call takes, or how it is made.
        sure: Whether the call is sure to be rejected.
    """

    node: _Place
    reason: str
    advice: str | None
    sure: bool = True


#: A part of a fault: where, what, whether it is sure.
_Part: TypeAlias = tuple[_Place, str, bool]


def fault_of(
    call: ast.Call, shown: str, signature: SignatureSpec | None, *, builtin_dict: bool
) -> Fault | None:
    """Return what is wrong with the arguments of a call; None when it may well be right.

    Args:
        call: The call of a member.
        shown: What it calls, as a program writes it.
        signature: What the member takes, if that is known.
        builtin_dict: Whether `dict` means Python's own.
    """
    given = _given(call, builtin_dict=builtin_dict)
    if given is None:
        return Fault(
            node=call,
            reason="takes keyword arguments, or one dict",
            advice=f"write {shown}(name=value)" + (f"; {_taken(signature)}" if signature else ""),
        )
    parts = list(_not_json(given))
    if signature is not None:
        parts += _against(signature, given, call)
    if not parts:
        return None
    return Fault(
        node=parts[0][0],
        reason="; ".join(what for _, what, _ in parts),
        advice=None if signature is None else _taken(signature),
        sure=any(sure for _, _, sure in parts),
    )


def _given(call: ast.Call, *, builtin_dict: bool) -> _Given | None:
    """Read the arguments as the guest's `calls` takes them; None when it will not."""
    positional = call.args
    if any(argument.__class__ is ast.Starred for argument in positional):
        return _Given(whole=False)
    if not positional:
        return _keywords(call)
    if len(positional) > 1 or any(keyword.arg is not None for keyword in call.keywords):
        return None
    (only,) = positional
    if isinstance(only, ast.Dict):
        return _items(only)
    if (
        builtin_dict
        and isinstance(only, ast.Call)
        and isinstance(only.func, ast.Name)
        and only.func.id == "dict"
        and not only.args
    ):
        return _keywords(only)
    known = literal(only)
    return _Given(whole=False) if known is None or known.kind == "object" else None


def _keywords(call: ast.Call) -> _Given:
    given = _Given()
    for keyword in call.keywords:
        if keyword.arg is None:
            spread = _items(keyword.value) if isinstance(keyword.value, ast.Dict) else None
            given.named |= {} if spread is None else spread.named
            given.whole = given.whole and spread is not None and spread.whole
        else:
            given.named[keyword.arg] = keyword.value, keyword
    return given


def _items(display: ast.Dict) -> _Given:
    given = _Given()
    for key, value in zip(display.keys, display.values, strict=True):
        if isinstance(key, ast.Constant) and type(key.value) is str:
            given.named[key.value] = value, key
        else:
            given.whole = False
    return given


def _not_json(given: _Given) -> Iterator[_Part]:
    for name, (value, place) in given.named.items():
        known = literal(value)
        if known is not None and not known.is_json:
            # A later `**` may replace it, though nobody writes that.
            yield place, f"{name!r} is {known}, which has no JSON form", given.whole


def _against(signature: SignatureSpec, given: _Given, call: ast.Call) -> Iterator[_Part]:
    parameters = signature.parameters
    for name, (value, place) in given.named.items():
        parameter = parameters.get(name)
        if parameter is not None:
            wrong = _mismatch(literal(value), parameter)
            if wrong is not None:
                yield place, f"{name!r} {wrong}", given.whole
            continue
        near = _near(name, parameters)
        # Another name is no mistake where others are accepted, unless one goes without.
        if signature.others != "accepted" or (near and near not in given.named):
            hint = f" (did you mean {near!r}?)" if near else ""
            yield place, f"there is no {_quoted(name)}{hint}", signature.others == "rejected"
    missing = [name for name, one in parameters.items() if one.required and name not in given.named]
    if missing and given.whole:
        yield call, f"{_listed(missing)} is missing", True


def _near(name: str, parameters: Mapping[str, ParameterSpec]) -> str | None:
    return nearest(name, parameters) if len(parameters) <= _MAX_NAMES else None


def _mismatch(known: Literal | None, parameter: ParameterSpec) -> str | None:
    """Say why a value that is written out does not fit; None when it may."""
    if known is None or not known.is_json:
        return None
    if parameter.values is not None:
        return _no_such_value(known, parameter.values)
    kinds = parameter.kinds
    if kinds is None or known.kind in kinds or (known.kind == "integer" and "number" in kinds):
        return None
    # JSON Schema calls 2.0 an integer.
    if "integer" in kinds and isinstance(known.value, float) and known.value.is_integer():
        return None
    return f"is {known}, not {' or '.join(PYTHON[kind] for kind in kinds) or 'to be given'}"


def _no_such_value(known: Literal, values: tuple[object, ...]) -> str | None:
    if known.value is UNKNOWN:
        if known.kind in {kind_of(value) for value in values}:
            return None
        return f"is {known}, not {_alternatives(values)}"
    # As JSON compares: true is not 1.
    for value in values:
        if known.value == value and isinstance(known.value, bool) == isinstance(value, bool):
            return None
    return f"is {_shown(known.value)}, not {_alternatives(values)}"


def _taken(signature: SignatureSpec) -> str:
    """Write `it takes (query: str, limit: int = …)`."""
    if not signature.parameters:
        return "it takes no arguments" if signature.others == "rejected" else "it names none"
    shown = [
        f"{name}{_annotation(one)}{'' if one.required else ' = …'}"
        for name, one in list(signature.parameters.items())[:_MAX_SHOWN]
    ]
    more = len(signature.parameters) - _MAX_SHOWN
    return f"it takes ({', '.join(shown)}{f' and {more} more' if more > 0 else ''})"


def _annotation(parameter: ParameterSpec) -> str:
    if parameter.values is not None:
        return f": {_alternatives(parameter.values)}"
    kinds = parameter.kinds or ()
    text = parameter.text or " | ".join(PYTHON[kind] for kind in kinds)
    return f": {text}" if 0 < len(text) <= _MAX_VALUE else ""


def _alternatives(values: tuple[object, ...]) -> str:
    shown = " | ".join(_shown(value) for value in values[:_MAX_SHOWN])
    return shown + (" | …" if len(values) > _MAX_SHOWN else "")


def _shown(value: object) -> str:
    try:
        text = repr(value)
    except ValueError:  # an integer of more digits than Python writes
        return "a very long integer"
    return text if len(text) <= _MAX_VALUE else text[:_MAX_VALUE] + "…"


def _quoted(name: str) -> str:
    return repr(name if len(name) <= _MAX_VALUE else name[:_MAX_VALUE] + "…")


def _listed(names: list[str]) -> str:
    shown = " and ".join(_quoted(name) for name in names[:_MAX_SHOWN])
    return shown + (f" and {len(names) - _MAX_SHOWN} more" if len(names) > _MAX_SHOWN else "")
