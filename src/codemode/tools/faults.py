"""What is wrong with a value, found by whichever validator and told in the same words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Final, Literal

from codemode_guest.near import nearest

if TYPE_CHECKING:
    import jsonschema_rs
    import pydantic_core

Steps = Sequence[int | str]

_MAX_FAULTS: Final = 20
_MAX_WORDS: Final = 300
_MAX_NAME: Final = 200
# Forms in forms in forms: whoever sent the value reads no further.
_MAX_FORMS_WITHIN: Final = 3
_A_VALID: Final = re.compile(r"\ba valid ([aeiou])")
_TYPES: Final = {int: "integer", float: "number", str: "string", list: "array", dict: "object"}


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong.

    Attributes:
        steps: Where, from the root.
        what: A key that is missing, one that may not be there, or a value that does not fit.
        words: For a value that does not fit: why.
    """

    steps: tuple[int | str, ...]
    what: Literal["missing", "extra", "wrong"]
    words: str = ""

    def __str__(self) -> str:
        place = path_text(self.steps) or "it"
        if self.what == "missing":
            return f"{place} is missing"
        if self.what == "extra":
            return f"{place} is not allowed"
        return f"{place}: {self.words}"


def json_type(value: object) -> str:
    """Return what JSON calls the type of a value."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    return _TYPES.get(type(value), type(value).__name__)


def path_text(steps: Iterable[int | str]) -> str:
    """Write `items[3].price`; a key that is no plain name is quoted, a long path cut."""
    written = (
        f".{step}" if isinstance(step, str) and step.isidentifier() else f"[{step!r}]"
        for step in steps
    )
    text = "".join(written).removeprefix(".")
    return text if len(text) <= _MAX_WORDS else f"…{text[1 - _MAX_WORDS :]}"


def no_such(what: str, name: str, known: Iterable[str]) -> str:
    """Say that there is no such thing, and which one may have been meant."""
    near = nearest(name, known)
    hint = f" (did you mean {near!r}?)" if near else ""
    return f"there is no {what} {name!r:.{_MAX_NAME}}{hint}"


def argument_words(faults: Iterable[Fault], schema: Mapping[str, object]) -> str:
    """Tell what is wrong with each argument, then which ones the schema names."""
    properties, required = schema.get("properties"), schema.get("required")
    names = list(properties) if isinstance(properties, Mapping) else []
    needed = required if isinstance(required, Sequence) else ()
    told = "; ".join(_argument_fault(fault, names) for fault in faults)
    takes = ", ".join(name if name in needed else f"{name}?" for name in names)
    return f"{told}; it takes ({takes})" if names or not properties else told


def _argument_fault(fault: Fault, names: Sequence[str]) -> str:
    if len(fault.steps) == 1:
        (name,) = fault.steps
        if fault.what == "missing":
            return f"the argument {name!r} is missing"
        if fault.what == "extra":
            return no_such("argument", str(name), names)
    return str(fault) if fault.steps else f"the arguments: {fault.words}"


def schema_faults(validator: jsonschema_rs.Validator, value: object) -> list[Fault]:
    """Return what a JSON Schema validator has against a value, the first of many."""
    try:
        errors = list(islice(validator.iter_errors(value), _MAX_FAULTS))
    except ValueError:  # the library cannot quote a value that nests so deeply
        return [Fault((), "wrong", "does not fit, and nests too deeply to say where")]
    return [fault for error in errors for fault in _schema_faults(error)]


def _schema_faults(
    error: jsonschema_rs.ValidationError, forms_within: int = _MAX_FORMS_WITHIN
) -> list[Fault]:
    steps, kind = tuple(error.instance_path), error.kind.as_dict()
    match error.kind.name:
        case "required":
            return [Fault((*steps, kind["property"]), "missing")]
        case "additionalProperties" | "unevaluatedProperties":
            return [Fault((*steps, name), "extra") for name in kind["unexpected"]]
        case "type":
            types = " or ".join(kind["types"])
            words = f"must be {types}, not {json_type(error.instance)}"
            return [Fault(steps, "wrong", words)]
        case "anyOf" | "oneOf" if forms_within and any(kind.get("context", ())):
            forms = kind["context"]
            nearest = min(forms, key=_distance)
            faults = [f for each in nearest for f in _schema_faults(each, forms_within - 1)]
            words = f"fits none of {len(forms)} forms; nearest: {'; '.join(map(str, faults))}"
            return [Fault(steps, "wrong", _cut(words))]
    return [Fault(steps, "wrong", _cut(error.message))]


def _distance(form: Sequence[jsonschema_rs.ValidationError]) -> tuple[int, bool, int]:
    """Tell how far a value is from a form: the deeper it fits, the nearer."""
    deepest = max((len(error.instance_path) for error in form), default=0)
    return -deepest, any(error.kind.name == "type" for error in form), len(form)


def pydantic_faults(error: pydantic_core.ValidationError, root: object) -> list[Fault]:
    """Return what pydantic has against a value; `root` is the value as JSON."""
    details = error.errors(include_url=False, include_context=False)
    return [_pydantic_fault(detail, root) for detail in details[:_MAX_FAULTS]]


def _pydantic_fault(detail: pydantic_core.ErrorDetails, root: object) -> Fault:
    steps = _steps_into(root, detail["loc"])
    if detail["type"] == "missing":
        return Fault(steps, "missing")
    if detail["type"] == "extra_forbidden":
        return Fault(steps, "extra")
    words = detail["msg"].replace("Input should be", "must be", 1)
    # "a valid integer, unable to parse string as an integer": what else than a valid one?
    words = _A_VALID.sub(r"an \1", words).partition(", unable to parse")[0]
    words = _cut(words.replace("a valid ", "a "))
    if detail["type"].endswith(("_type", "_parsing")):
        words += f", not {json_type(detail['input'])}"
    return Fault(steps, "wrong", words)


def _steps_into(root: object, loc: Steps) -> tuple[int | str, ...]:
    """Leave out the steps with which pydantic names the form of a union that it tried."""
    steps: list[int | str] = []
    for position, step in enumerate(loc, 1):
        if isinstance(root, dict):
            if step not in root and position < len(loc):
                continue
            root = root.get(step)
        elif isinstance(root, list) and isinstance(step, int) and step < len(root):
            root = root[step]
        else:
            continue
        steps.append(step)
    return tuple(steps)


def _cut(words: str) -> str:
    return words if len(words) <= _MAX_WORDS else f"{words[: _MAX_WORDS - 1]}…"
