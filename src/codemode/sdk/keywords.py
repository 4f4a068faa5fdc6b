"""What becomes of each keyword of JSON Schema: the one table of decisions.

`typed`: a Python type says it. `widened`: the nearest type that accepts no less says it. `comment`:
the text beside the type says it. `ignored`: it has nothing to say about the values. A keyword
that is not here is the author's own, and is ignored.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

Decision = Literal["typed", "widened", "comment", "ignored"]


@dataclass(frozen=True, slots=True)
class Treatment:
    """What happens to one keyword, and how."""

    decision: Decision
    how: str


def _table(rows: str) -> Mapping[str, Treatment]:
    table: dict[str, Treatment] = {}
    decisions: dict[str, Decision] = {
        "typed": "typed",
        "widened": "widened",
        "comment": "comment",
        "ignored": "ignored",
    }
    for row in rows.strip().splitlines():
        words, decision, how = (part.strip() for part in row.split("|"))
        for word in words.split():
            table[word] = Treatment(decisions[decision], how)
    return MappingProxyType(table)


#: Drafts 04 to 07, 2019-09 and 2020-12, and OpenAPI's `nullable`.
DECISIONS: Mapping[str, Treatment] = _table("""
type                            | typed   | one name or several; an unknown one widens to any JSON
enum const                      | typed   | Literal; floats, lists and objects widen to their types
properties required             | typed   | a TypedDict, Required and NotRequired
additionalProperties            | typed   | types the other keys; false, and absent, close
unevaluatedProperties           | typed   | as additionalProperties, where that is absent
patternProperties               | widened | the values of keys that are not listed
propertyNames                   | widened | Literal keys if it lists them, else a comment
items                           | typed   | list[T]; a list of schemas is as prefixItems
prefixItems additionalItems     | widened | list of a union; the order is a comment
unevaluatedItems                | widened | as additionalItems
anyOf oneOf                     | typed   | a union; of a tool's arguments, one merged signature
allOf                           | typed   | merged
$ref                            | typed   | to anywhere in the document; siblings are merged
$dynamicRef $recursiveRef       | widened | as $ref, to where it leads without an extending document
$defs definitions $anchor       | typed   | where references lead; nothing by themselves
$dynamicAnchor $recursiveAnchor | typed   | as $anchor
$id id                          | typed   | the address of a schema inside the document
nullable                        | typed   | OpenAPI 3.0: or None
if then else                    | widened | what either branch adds is optional
dependentSchemas dependencies   | widened | what they add is optional
dependentRequired               | comment | which keys need which
not                             | comment | no type says what a value is not
minimum maximum                 | comment | a range; the bounds of a double's integers are left out
exclusiveMinimum exclusiveMaximum | comment | a range
multipleOf                      | comment | multiple of
minLength maxLength             | comment | a range of characters
pattern                         | comment | between slashes; a long one only without a format
format                          | comment | its name
minItems maxItems uniqueItems   | comment | a range of items; distinct
contains minContains maxContains | comment | what the list must hold
minProperties maxProperties     | comment | a range of keys
contentEncoding contentMediaType contentSchema | comment | what the text holds
title                           | comment | where there is no description, and it adds to the name
description                     | comment | on one line
default                         | typed   | the parameter's, if a scalar of its type; else a comment
examples example                | comment | the first few
deprecated readOnly writeOnly   | comment | the word
$schema $vocabulary $comment    | ignored | about the schema, not about the values
""")
