"""Read JSON Schema into the type tree. `keywords.py` says what becomes of each keyword."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from codemode.sdk.document import Document
from codemode.sdk.field_memory import FieldMemory
from codemode.sdk.merging import join, meet, meet_all, meet_records, optional, records_in
from codemode.sdk.notes import Notes, folded
from codemode.sdk.tree import (
    ANYTHING,
    BOOL,
    FLOAT,
    INT,
    NOTHING,
    NULL,
    STR,
    Again,
    Array,
    Defined,
    Extra,
    Field,
    Missing,
    Node,
    Record,
    ScalarValue,
    Table,
    Values,
    array_of,
    choice_of,
    record_of,
    table_of,
    values_of,
)

#: Levels of a schema that are read; what lies deeper is any JSON. Each takes up to five
#: frames of the interpreter's thousand, and a reader has lost the thread long before.
MAX_LEVELS = 64

_SCALARS: Mapping[str, Node] = MappingProxyType(
    {"string": STR, "integer": INT, "number": FLOAT, "boolean": BOOL, "null": NULL}
)
_SIMPLE = frozenset(
    ("type", "description", "title", "default", "format", "minimum", "maximum", "minLength")
)
_BARE = frozenset(("type", "description"))
_OBJECT_WORDS = frozenset(
    ("properties", "required", "additionalProperties", "patternProperties", "propertyNames")
)
_OTHERS = frozenset(("additionalProperties", "unevaluatedProperties", "patternProperties"))
_ARRAY_WORDS = frozenset(("items", "prefixItems"))
_COMPOSING = frozenset(
    (
        *("$ref", "$dynamicRef", "$recursiveRef", "allOf", "anyOf", "oneOf"),
        *("if", "dependentSchemas", "dependencies"),
    )
)
_REFERENCES = ("$ref", "$dynamicRef", "$recursiveRef")

#: How good a name is that comes from a definition, a title, a property, or a tool.
FROM_DEFINITION, FROM_TITLE, FROM_PROPERTY, FROM_TOOL = range(4)
Hint = tuple[int, str]


class Reader:
    """Reads the schemas of one document.

    Args:
        root: The document.
        known_fields: What is remembered of fields; see `FieldMemory`.
    """

    def __init__(self, root: object, known_fields: FieldMemory | None = None) -> None:
        self._fields = FieldMemory() if known_fields is None else known_fields
        self._document = Document(root)
        self._notes = Notes(self._document)
        self._known: dict[str, Node] = {}
        self._open: dict[str, str | None] = {}
        # Definitions entered since the last list or object: one of them again is no recursion
        # but a circle, which says nothing.
        self._trail: frozenset[str] = frozenset()

    def read(self, schema: object, hint: Hint, level: int = 0) -> Node:
        """Return the type of a schema.

        Args:
            schema: Any JSON value; what is no schema is any JSON.
            hint: What to call it if it needs a name and has none of its own.
            level: How deep in the document it is.
        """
        if schema is False:
            return NOTHING
        if not isinstance(schema, dict) or level > MAX_LEVELS:
            return ANYTHING
        kind = schema.get("type")
        if isinstance(kind, str) and kind in _SCALARS and schema.keys() <= _SIMPLE:
            return _SCALARS[kind]
        node = self._own(schema, _titled(schema, hint), level)
        node = self._composed(schema, node, hint, level)
        if schema.get("nullable") is True:
            node = choice_of((node, NULL))
        return node

    def note(self, schema: object, name: str = "") -> tuple[str, str]:
        """Return the description of a schema, and what else no type says, a line each."""
        return self._notes.note(schema, name)

    def _own(self, schema: Mapping[str, object], hint: Hint, level: int) -> Node:
        """Return the type that `type`, `enum` and `const` and their companions give."""
        kind, listed = schema.get("type"), schema.get("enum")
        if kind == "string" and isinstance(listed, list) and "const" not in schema:
            return values_of(value for value in listed if isinstance(value, str))
        if isinstance(kind, str):
            node = self._kind(kind, schema, hint, level)
        elif isinstance(kind, list):
            node = choice_of(self._kind(each, schema, hint, level) for each in kind)
        elif not _OBJECT_WORDS.isdisjoint(schema):
            # Nobody lists properties of what is no object.
            node = self._object(schema, hint, level)
        elif not _ARRAY_WORDS.isdisjoint(schema):
            node = self._array(schema, hint, level)
        else:
            node = ANYTHING
        if "const" in schema:
            node = meet(_type_of_values((schema["const"],)), node)
        if isinstance(listed, list):
            node = meet(_type_of_values(listed), node)
        return node

    def _kind(self, kind: object, schema: Mapping[str, object], hint: Hint, level: int) -> Node:
        if kind == "object":
            return self._object(schema, hint, level)
        if kind == "array":
            return self._array(schema, hint, level)
        return _SCALARS.get(kind, ANYTHING) if isinstance(kind, str) else ANYTHING

    def _inside(self, schema: object, hint: Hint, level: int) -> Node:
        """Return the type of what an object or a list holds."""
        trail, self._trail = self._trail, frozenset()
        node = self.read(schema, hint, level + 1)
        self._trail = trail
        return node

    def _composed(self, schema: Mapping[str, object], node: Node, hint: Hint, level: int) -> Node:
        """Merge in what references, compositions and conditions say."""
        if _COMPOSING.isdisjoint(schema):
            return node
        for word in _REFERENCES:
            if isinstance(reference := schema.get(word), str):
                node = meet(self._referred(reference, level), node)
        if isinstance(parts := schema.get("allOf"), list):
            node = meet_all([node, *(self.read(part, hint, level + 1) for part in parts)])
        for word in ("anyOf", "oneOf"):
            if isinstance(parts := schema.get(word), list) and parts:
                node = self._either(node, parts, hint, level)
        for addition in _additions(schema):
            node = _extended(node, self.read(addition, hint, level + 1))
        return node

    def _either(self, node: Node, parts: list[object], hint: Hint, level: int) -> Node:
        branches = [
            self.read(part, _numbered(part, hint, n), level + 1) for n, part in enumerate(parts)
        ]
        if isinstance(node, Record) and all(
            (isinstance(b, Record) and not b.fields) or _only_requires(p)
            for b, p in zip(branches, parts, strict=True)
        ):
            # `anyOf: [{required: [a]}, {required: [b]}]`: which keys go together is a comment.
            return node
        return meet(choice_of(branches), node)

    # --- references ---------------------------------------------------------------------

    def _referred(self, reference: str, level: int) -> Node:
        found = self._document.find(reference)
        if found is None:
            return ANYTHING
        place, schema = found
        if place in self._known:
            return self._known[place]
        if place in self._trail:
            return ANYTHING
        if place in self._open:
            key = self._open[place] or "D" + self._document.family(place, schema)
            self._open[place] = key
            return Again(key)
        self._open[place] = None
        hint = (FROM_DEFINITION, place.rpartition("/")[2])
        trail, self._trail = self._trail, self._trail | {place}
        node = self.read(schema, hint, level + 1)
        self._trail = trail
        if isinstance(node, Record) and (doc := self._notes.own(schema)):
            node = _documented(node, doc)
        used = self._open.pop(place)
        if used is not None:
            node = ANYTHING if isinstance(node, Again) else Defined(node, hint, used)
        self._known[place] = node
        return node

    # --- objects and arrays -------------------------------------------------------------

    def _object(self, schema: Mapping[str, object], hint: Hint, level: int) -> Node:
        properties = schema.get("properties")
        listed = properties if isinstance(properties, dict) else {}
        needed = schema.get("required")
        required = [r for r in needed if isinstance(r, str)] if isinstance(needed, list) else []
        extra, more = self._others(schema, hint, level)
        if not listed and not required:
            names = self._names(schema.get("propertyNames"), hint, level)
            if extra == "refused":
                return table_of(NOTHING, extra=extra)
            return table_of(more or ANYTHING, extra=extra, names=names)
        must = frozenset(required)
        fields = [
            self._field(str(name), inner, level, required=str(name) in must)
            for name, inner in listed.items()
        ]
        fields += [
            Field(name=name, node=more or ANYTHING, required=True)
            for name in dict.fromkeys(required)
            if name not in listed
        ]
        return record_of(
            fields, extra=extra, hint=hint, more=(more or ANYTHING) if extra == "accepted" else None
        )

    def _field(self, name: str, schema: object, level: int, *, required: bool) -> Field:
        if isinstance(schema, dict) and _BARE.issuperset(schema):
            kind, said = schema.get("type"), schema.get("description", "")
            if isinstance(kind, str) and kind in _SCALARS and isinstance(said, str):
                node = _SCALARS[kind]
                return Field(name=name, node=node, required=required, note=folded(said))
        key = self._fields.key(name, schema, level, required=required)
        known = self._fields.get(key)
        if known is None:
            known = self._read_field(name, schema, level, required=required)
            self._fields.keep(key, known)
        return known

    def _read_field(self, name: str, schema: object, level: int, *, required: bool) -> Field:
        node = self._inside(schema, (FROM_PROPERTY, name), level)
        note, facts = self._notes.note(schema, name)
        default = schema.get("default", Missing.DEFAULT) if isinstance(schema, dict) else None
        sayable = isinstance(default, str | int | float) or default is None
        return Field(
            name=name,
            node=node,
            required=required,
            note=note,
            facts=facts,
            default=default if sayable else Missing.DEFAULT,
        )

    def _others(
        self, schema: Mapping[str, object], hint: Hint, level: int
    ) -> tuple[Extra, Node | None]:
        """Say whether keys may be there that are not listed, and of what type."""
        if _OTHERS.isdisjoint(schema):
            return "unsaid", None
        rest = schema.get("additionalProperties", schema.get("unevaluatedProperties"))
        patterns = schema.get("patternProperties")
        inner = list(patterns.values()) if isinstance(patterns, dict) else []
        if rest is not None and rest is not False:
            inner.append(rest)
        if not inner:
            return ("refused", None) if rest is False else ("unsaid", None)
        name = (FROM_PROPERTY, hint[1] + "_value")
        more = choice_of(self._inside(each, name, level) for each in inner)
        return "accepted", more

    def _names(self, schema: object, hint: Hint, level: int) -> Values | None:
        node = self._inside(schema, hint, level) if schema is not None else None
        if isinstance(node, Values) and all(isinstance(value, str) for value in node.values):
            return node
        return None

    def _array(self, schema: Mapping[str, object], hint: Hint, level: int) -> Array:
        items, first = schema.get("items"), schema.get("prefixItems")
        rest = items
        if isinstance(items, list):
            first, rest = items, schema.get("additionalItems")
        if rest is None:
            rest = schema.get("unevaluatedItems")
        name = (min(hint[0], FROM_PROPERTY), singular(hint[1]))
        if not isinstance(first, list) or not first:
            return array_of(self._inside(rest, name, level))
        members = [self._inside(each, name, level) for each in first]
        most = schema.get("maxItems")
        is_full = isinstance(most, int) and most <= len(first)
        if rest is not False and not is_full:
            members.append(self._inside(rest, name, level) if rest is not None else ANYTHING)
        return array_of(choice_of(members))


def _titled(schema: Mapping[str, object], hint: Hint) -> Hint:
    title = schema.get("title")
    if hint[0] > FROM_TITLE and isinstance(title, str) and title.isidentifier():
        return (FROM_TITLE, title)
    return hint


def _numbered(part: object, hint: Hint, number: int) -> Hint:
    """Name a branch after the constant that tells it from the others, if it has one."""
    properties = part.get("properties") if isinstance(part, dict) else None
    if isinstance(properties, dict):
        for inner in properties.values():
            if isinstance(inner, dict):
                listed = inner.get("enum")
                only = listed[0] if isinstance(listed, list) and len(listed) == 1 else None
                told = inner.get("const", only)
                if isinstance(told, str) and told:
                    return (hint[0], f"{hint[1]}_{told[:40]}")
    return hint if number == 0 else (hint[0] + 1, hint[1])


def _only_requires(part: object) -> bool:
    return isinstance(part, dict) and part.keys() <= {"required", "not", "description", "title"}


def _additions(schema: Mapping[str, object]) -> Iterable[object]:
    """Schemas that hold under a condition."""
    for word in ("then", "else"):
        if "if" in schema and word in schema:
            yield schema[word]
    for word in ("dependentSchemas", "dependencies"):
        if isinstance(table := schema.get(word), dict):
            yield from (each for each in table.values() if isinstance(each, dict))


def _extended(node: Node, addition: Node) -> Node:
    """Return the type with the keys that a condition may add, none of them required."""
    known = records_in(node)
    added = records_in(addition)
    if not added or not isinstance(node, Record | Table):
        return node
    more = optional(join(added))
    if not known:
        return more
    names = {item.name for item in known[0].fields}
    new = [item for item in more.fields if item.name not in names]
    return meet_records(known[0], record_of(new, extra=known[0].extra, hint=more.hint))


def _documented(record: Record, doc: str) -> Record:
    return record_of(record.fields, extra=record.extra, more=record.more, doc=doc, hint=record.hint)


def _type_of_values(values: Iterable[object]) -> Node:
    """Return the type of what `enum` lists: literals, and wider types for what has none."""
    literal: list[ScalarValue] = []
    wider: list[Node] = []
    for value in values:
        if value is None or isinstance(value, str | bool | int):
            literal.append(value)
        elif isinstance(value, float):
            wider.append(FLOAT)
        else:
            wider.append(
                array_of(ANYTHING)
                if isinstance(value, list)
                else table_of(ANYTHING, extra="accepted")
            )
    return choice_of((values_of(literal), *wider))


def singular(name: str) -> str:
    """Return what to call one of many: `entries` hold an entry."""
    for ending, one in (
        ("ies", "y"),
        ("sses", "ss"),
        ("xes", "x"),
        ("ches", "ch"),
        ("ss", "ss"),
        ("us", "us"),
        ("is", "is"),
        ("s", ""),
    ):
        if name.lower().endswith(ending) and len(name) > len(ending) + 1:
            return name[: len(name) - len(ending)] + one
    return name
