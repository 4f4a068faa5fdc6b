"""JSON Schema: which schemas a tool may have, compiled once, and what is wrong with a value.

The validator is jsonschema-rs: drafts 4 to 2020-12, a third of a microsecond for a small
object, no recursion in Python. `True` is no integer to it, and 1.0 is one, as the standard says.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, Final, cast

from codemode.tools.faults import Fault, path_text, schema_faults
from codemode_guest.values import LossyValueError, decode, encode

if TYPE_CHECKING:
    import jsonschema_rs

# The library checks a value of any depth that `codemode_guest.values` lets through, but its
# compiler gives up at 255 levels of JSON in one schema, of which a nested schema takes two.
_MAX_LEVELS: Final = 100
_MAX_PARTS_PASSED: Final = 8_000
_MIN_LEVELS: Final = 50
_MAP_KEYWORDS: Final = frozenset(
    ["$defs", "definitions", "dependencies", "dependentSchemas", "patternProperties", "properties"]
)
_SCHEMA_KEYWORDS: Final = _MAP_KEYWORDS | {
    *("additionalItems", "additionalProperties", "allOf", "anyOf", "contains", "contentSchema"),
    *("else", "if", "items", "not", "oneOf", "prefixItems", "propertyNames", "then"),
    *("unevaluatedItems", "unevaluatedProperties"),
}
_REFERENCE: Final = re.compile(rb'"\$(?:ref|dynamicRef|recursiveRef|id|anchor)":')
_META_SCHEMA: Final = "https://json-schema.org/draft/2020-12/schema"
_KNOWN_DIALECT: Final = re.compile(
    r"https?://json-schema\.org/(draft-0[467]|draft/2019-09|draft/2020-12)/schema#?\Z"
)
_LONE_SURROGATE: Final = re.compile(rb"\\(u[dD][89a-fA-F][0-9a-fA-F]{2}|.)")


class SchemaFault(ValueError):
    """A schema that is not usable.

    Attributes:
        violations: Each as `$.path: what is wrong`.
    """

    def __init__(self, violations: list[str]) -> None:
        super().__init__("; ".join(violations))
        self.violations = violations


class CompiledSchema:
    """A schema, ready to check values.

    Raises:
        SchemaFault: If it is not a JSON Schema, or refers to what is not in it.
    """

    def __init__(self, schema: Mapping[str, object]) -> None:
        # A copy in plain types: what the caller does to its own afterwards changes nothing.
        plain = _plain(schema)
        self._max_levels = _levels_checked(plain)
        self._validator = _compile(plain)

    def faults(self, value: object) -> list[Fault]:
        """Return what is wrong with a lossless JSON value, each with its path; empty if nothing.

        A lone surrogate, which no schema can speak of, counts as the replacement character.
        """
        if self._max_levels is not None and nests_deeper(value, self._max_levels):
            words = f"nests over {self._max_levels} levels, more than its schema is checked for"
            return [Fault((), "wrong", words)]
        try:
            if self._validator.is_valid(value):
                return []
        except UnicodeEncodeError:
            return self.faults(decode(_LONE_SURROGATE.sub(_replaced, encode(value))))
        except ValueError:  # two parts that nest too deeply for it to compare
            return [Fault((), "wrong", "nests too deeply to be compared")]
        return schema_faults(self._validator, value)


def _plain(schema: object) -> dict[str, object]:
    if not isinstance(schema, Mapping):
        raise SchemaFault([f"$: a schema is an object, not {type(schema).__name__}"])
    try:
        copy = decode(_LONE_SURROGATE.sub(_replaced, encode(dict(schema))))
    except LossyValueError as error:
        raise SchemaFault([str(error)]) from None
    return cast("dict[str, object]", copy)


def _levels_checked(schema: dict[str, Any]) -> int | None:
    """Return how deep a value may be; `None` for any depth.

    The library recurses on the stack of the thread, about 450 bytes for each part of a schema
    that it passes: once for each part, unless references lead it round, level after level of
    whatever a program sends. So much of both together stays below half of 8 MiB.
    """
    if not _REFERENCE.search(encode(schema)):
        return None
    parts, schemas = 0, [schema]
    while schemas:
        parts += len(schemas)
        places = (place for part in schemas for place in _schemas_below(part))
        schemas = [part for holder, key in places if type(part := holder[key]) is dict]
    return max(_MIN_LEVELS, _MAX_PARTS_PASSED // parts)


def nests_deeper(value: object, levels: int) -> bool:
    """Whether a value has more levels of lists and objects than that."""
    parts = [value]
    for _ in range(levels + 1):
        below: list[object] = []
        for part in parts:
            if type(part) is dict:
                below.extend(part.values())
            elif type(part) in (list, tuple):
                below.extend(part)  # type: ignore[arg-type]  # one of the two
        if not below:
            return False
        parts = below
    return True


def _compile(schema: dict[str, Any]) -> jsonschema_rs.Validator:
    # 25 ms, and a host whose tools are all typed functions never needs it.
    import jsonschema_rs  # noqa: PLC0415

    dialect = schema.get("$schema", _META_SCHEMA)
    if not isinstance(dialect, str) or not _KNOWN_DIALECT.match(dialect):
        raise SchemaFault([f"$.$schema: {dialect!r} is no known draft; leave it out for 2020-12"])
    shallow = _hoist_deep_parts(schema)
    meta = _meta_validator(dialect)
    try:
        if not meta.is_valid(shallow):
            raise SchemaFault([_at_root(fault) for fault in schema_faults(meta, shallow)])
        return jsonschema_rs.validator_for(shallow, offline=True)
    except jsonschema_rs.ValidationError as error:
        path = path_text(error.instance_path)
        raise SchemaFault(
            [f"$.{path}: {error.message}" if path else f"$: {error.message}"]
        ) from None
    except ValueError as error:
        if isinstance(error, SchemaFault):
            raise
        # A constant that nests too deeply for the library's compiler.
        raise SchemaFault([f"$: {error}"]) from None


@cache  # takes a hundred times as long as to compile an ordinary schema
def _meta_validator(known_dialect: str) -> jsonschema_rs.Validator:
    """Return what checks schemas of that dialect, of which there are few."""
    import jsonschema_rs  # noqa: PLC0415

    return jsonschema_rs.validator_for(
        {"$schema": known_dialect, "$ref": known_dialect}, offline=True
    )


def _at_root(fault: Fault) -> str:
    return f"$.{fault}" if fault.steps else f"$: {fault.words}"


def _hoist_deep_parts(schema: dict[str, Any]) -> dict[str, Any]:
    """Return an equal schema in which nothing nests deeply: deep parts move into `$defs`.

    Raises:
        SchemaFault: If a deep one refers within itself: its paths would lead elsewhere.
    """
    deep = _deep_places(schema)
    if not deep:
        return schema
    if _REFERENCE.search(encode(schema)):
        raise SchemaFault([f"$: nests over {_MAX_LEVELS} schemas and has references; use $defs"])
    hoisted = {f"deep {number}": holder[key] for number, (holder, key) in enumerate(deep)}
    for number, (holder, key) in enumerate(deep):
        holder[key] = {"$ref": f"#/$defs/deep%20{number}"}
    return {**schema, "$defs": {**schema.get("$defs", {}), **hoisted}}


def _deep_places(schema: dict[str, Any]) -> list[tuple[Any, Any]]:
    """Return holder and key of every schema at a multiple of the level that is too deep."""
    found: list[tuple[Any, Any]] = []
    level, schemas = 0, [schema]
    while schemas:
        level += 1
        places = [place for part in schemas for place in _schemas_below(part)]
        if level % _MAX_LEVELS == 0:
            found += places
        schemas = [part for holder, key in places if type(part := holder[key]) is dict]
    return found


def _schemas_below(schema: dict[str, Any]) -> Iterator[tuple[Any, Any]]:
    """Yield holder and key of each schema directly inside this one."""
    for keyword in schema.keys() & _SCHEMA_KEYWORDS:
        if type(below := schema[keyword]) is list:
            yield from ((below, index) for index in range(len(below)))
        elif keyword in _MAP_KEYWORDS and type(below) is dict:
            yield from ((below, name) for name in below)
        else:
            yield schema, keyword


def _replaced(found: re.Match[bytes]) -> bytes:
    return b"\\ufffd" if found.group(1)[:1] == b"u" else found.group(0)
