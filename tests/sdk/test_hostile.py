"""Names, descriptions and schemas that were made to break a generator, or might as well be."""

from __future__ import annotations

import ast
import re
from typing import Any

import pytest

from codemode.sdk import generate, render_sdk, tool_facts
from tests.sdk.checking import STRING, Checker, raw, tool

NAMES = [
    "class",
    "None",
    "print",
    "match",
    "self",
    "list",
    "Literal",
    "overload",
    "Tools",
    "tools",
    "ToolCallError",
    "catalog",
    "Json",
    "__init__",
    "__class__",
    "__private",
    "_led",
    "_",
    "",
    " ",
    "a b",
    "a.b",
    "a-b",
    "1a",
    'quo"te',
    "quo'te",
    "back\\slash",
    "new\nline",
    "nul\0",
    "\u202eright to left",
    "\ud800",
    "ﬁle",
    "日本語",
    "é",
    "e\u0301",
    "🎉",
    '"""',
    "#",
    "# type: ignore",
    "{}",
    "x" * 400,
    "search",
    "describe",
    "search_tools",
]

DESCRIPTIONS = [
    '"""; import os; """',
    'ends with a quote"',
    "ends with a backslash \\",
    "''' and \"\"\" and \\N{BULLET} and \\x41 {braces} {{name}} %s",
    "two\nlines\r\nand\ttabs\x0b\x0c\x1c\x85\u2028\u2029of space",
    "nul \0 bell \a escape \x1b[31m",
    "lone \ud800 surrogate and \u202e right to left \u2066",
    "# type: ignore",
    "type: ignore",
    "noqa  # noqa: F821 # pyright: ignore # mypy: ignore-errors # ty: ignore",
    "type: list of int",
    "-*- coding: latin-1 -*-",
    ")]}\n    def f(self): ...\n",
]

DIRECTIVE = re.compile(r"#\s*(type:\s*ignore|mypy:|pyright:|ty:|noqa)")


def constants(text: str) -> set[object]:
    """Every name and string of a source text."""
    fields = ("name", "id", "arg", "attr", "value")
    nodes = ast.walk(ast.parse(text))
    held = (getattr(node, field, None) for node in nodes for field in fields)
    return {value for value in held if isinstance(value, str)}


@pytest.mark.parametrize("form", ["prompt", "stub"])
def test_every_name_of_a_tool_is_in_the_text_exactly_and_typed(form: Any, mypy: Checker) -> None:
    """Checklist 45, 47: keywords, quotes, newlines, NUL and the rest: parsed, kept, checked."""
    tools = [tool(name, n={"type": "integer"}) for name in NAMES]
    text = render_sdk(tools, form=form)

    assert set(NAMES) <= constants(text)
    assert text.isprintable() or {"\n"} == {char for char in text if not char.isprintable()}
    plain = [name for name in NAMES if name.isidentifier() and name[0] != "_"]
    plain = [name for name in plain if name not in ("class", "None", "ﬁle", "e\u0301")]
    odd = [name for name in NAMES if name not in plain]
    calls = [f"tools.{name}" for name in plain] + [f"tools[{name!r}]" for name in odd]
    right = [f"await {call}(n=1)" for call in calls]
    wrong = [f"await {call}(n='x')" for call in calls]
    found = mypy.complaints(text, right + wrong)
    assert set(range(len(right), len(right + wrong))) == set(found)


@pytest.mark.parametrize("form", ["prompt", "stub"])
def test_every_name_of_an_argument_and_of_a_result_is_kept_and_typed(
    form: Any, mypy: Checker
) -> None:
    """Checklist 47, 105: whatever an argument is called, it is in the text under its name."""
    fields = {name: {"type": "integer"} for name in NAMES}
    optional = {"type": "object", "properties": fields}
    required = {**optional, "required": NAMES}
    tools = [raw("some", optional, optional), raw("every", required, required)]
    text = render_sdk(tools, form=form)

    assert set(NAMES) <= constants(text)
    right = dict.fromkeys(NAMES, 1)
    wrong = [{**right, name: "x"} for name in NAMES]
    lines = [f"await tools.every({args!r})" for args in (right, *wrong)]
    lines += ["(await tools.some(self=1, print=2, list=3))['class'] + 1"]
    found = mypy.complaints(text, lines)
    assert set(range(1, len(lines) - 1)) == set(found)


@pytest.mark.parametrize("description", DESCRIPTIONS)
@pytest.mark.parametrize("form", ["prompt", "stub"])
def test_a_hostile_description_is_inert(form: Any, description: str) -> None:
    """Checklist 48: wherever it stands, it ends where it should, and directs no checker."""
    deep = {
        "type": "object",
        "description": description,
        "properties": {
            "x": {
                "type": "string",
                "description": description,
                "pattern": description,
                "default": description,
                "title": description,
                "examples": [description],
            }
        },
    }
    args = {
        "type": "object",
        "properties": {
            "deep": deep,
            "flat": {**STRING, "description": description, "enum": [description, "b"]},
            "class": deep,
        },
    }
    text = render_sdk([raw("f", args, deep, description), tool("g", n=STRING)], form=form)

    tree = ast.parse(text)
    quiet = [raw("f", args, deep, "quiet"), tool("g", n=STRING)]
    assert len(ast.dump(tree)) > len(ast.dump(ast.parse(render_sdk(quiet, form=form)))) - 400
    assert "g" in constants(text)
    assert not DIRECTIVE.search(text)
    assert {"\n"} == {char for char in text if not char.isprintable()}


def test_hostile_descriptions_pass_mypy(mypy: Checker) -> None:
    """Checklist 48: a comment that starts like a directive or a type is read as neither."""
    tools = [
        tool(f"f{number}", description=text, x={**STRING, "description": text})
        for number, text in enumerate(DESCRIPTIONS)
    ]
    for form in ("prompt", "stub"):
        text = render_sdk(tools, form=form)
        found = mypy.complaints(text, [f"await tools.f{n}(x=1)" for n in range(len(DESCRIPTIONS))])
        assert set(range(len(DESCRIPTIONS))) == set(found)


def test_ten_thousand_levels_are_typed_as_far_as_is_useful(mypy: Checker) -> None:
    """Checklist 45, 52: deep objects, lists, choices and chains of references end in any JSON."""
    arrays: Any = STRING
    objects: Any = STRING
    choices: Any = STRING
    for _ in range(10_000):
        arrays = {"type": "array", "items": arrays}
        objects = {"type": "object", "properties": {"a": objects}, "required": ["a"]}
        choices = {"anyOf": [choices, {"type": "null"}]}
    chain = {f"d{n}": {"$ref": f"#/$defs/d{n + 1}"} for n in range(10_000)} | {"d10000": STRING}
    nested = {
        f"d{n}": {"type": "array", "items": {"$ref": f"#/$defs/d{n + 1}"}} for n in range(10_000)
    } | {"d10000": STRING}
    tools = [
        tool("arrays", arrays, x=arrays),
        tool("objects", objects, x=objects),
        tool("choices", choices, x=choices),
        raw(
            "chain", {"type": "object", "properties": {"x": {"$ref": "#/$defs/d0"}}, "$defs": chain}
        ),
        raw(
            "nested",
            {"type": "object", "properties": {"x": {"$ref": "#/$defs/d0"}}, "$defs": nested},
        ),
        tool("plain", n={"type": "integer"}),
    ]

    mypy.accepts(tools, "await tools.plain(n=1)", "await tools.arrays(x=[[]])")
    mypy.refuses(tools, "await tools.arrays(x=[1])", "await tools.objects(x={'b': 1})")
    ast.parse(render_sdk(tools))


@pytest.mark.slow
@pytest.mark.parametrize("form,count", [("stub", 50_000), ("prompt", 10_000)])
def test_tens_of_thousands_of_members_are_all_kept(form: Any, count: int) -> None:
    """Checklist 45: wide objects, enums, choices and merges parse and lose nothing."""
    fields = {f"k{n}": {"type": "integer"} for n in range(count)}
    either = [{"type": "object", "properties": {f"b{n}": STRING}} for n in range(count // 20)]
    parts = [{"type": "object", "properties": {f"c{n}": STRING}} for n in range(count // 20)]
    tools = [
        raw("fields", {"type": "object", "properties": fields}),
        tool("values", x={"enum": [f"v{n}" for n in range(count)]}),
        tool("choices", x={"anyOf": either}),
        tool("parts", x={"allOf": parts}),
    ]
    text = render_sdk(tools, form=form)

    ast.parse(text)
    names = set(re.findall(r"\b[kvbc]\d+\b", text))
    assert {f"{letter}{n}" for letter in "kv" for n in range(count)} <= names
    assert {f"{letter}{n}" for letter in "bc" for n in range(count // 20)} <= names


BROKEN: list[Any] = [
    None,
    True,
    False,
    [],
    "object",
    7,
    {"type": 7},
    {"type": "date"},
    {"type": []},
    {"type": {}},
    {"properties": {"x": {"type": {}}, "y": {"type": [{}, "string"]}, "z": {"type": [[]]}}},
    {"type": "object", "properties": []},
    {"type": "object", "properties": {"x": None}, "required": "x"},
    {"type": "object", "properties": {"x": 1}, "required": [1, None]},
    {"properties": {"x": {"$ref": 5}}},
    {"properties": {"x": {"$ref": "#/nowhere"}}},
    {"properties": {"x": {"$ref": "https://example.com/schema.json"}}},
    {"properties": {"x": {"$ref": "#/properties/x"}}},
    {"properties": {"x": {"$ref": "#/properties/y"}, "y": {"$ref": "#/properties/x"}}},
    {"$ref": "#"},
    {"allOf": [{"$ref": "#"}]},
    {"anyOf": [{"$ref": "#"}, {"type": "object"}]},
    {
        "properties": {"x": {"$ref": "#/$defs/a"}},
        "$defs": {
            "a": {"anyOf": [{"$ref": "#/$defs/b"}, {"type": "integer"}]},
            "b": {"anyOf": [{"$ref": "#/$defs/a"}, {"items": {"$ref": "#/$defs/b"}}]},
        },
    },
    {"properties": {"x": {"enum": []}}},
    {"properties": {"x": {"enum": {}}}},
    {"properties": {"x": {"enum": [[], {}, 1.5, None, 10**5000, -(10**400)]}}},
    {"properties": {"x": {"const": float("inf"), "default": float("nan")}}},
    {"properties": {"x": {"allOf": [STRING, {"type": "integer"}]}}},
    {"properties": {"x": {"anyOf": []}, "y": {"allOf": 3}, "z": {"items": 3}}},
    {"properties": {"x": {"not": {}}, "y": {"if": True, "then": False}}},
    {"properties": {"x": {"minimum": "low", "pattern": 3, "format": [], "examples": {}}}},
    {"properties": {"x": {"type": ["string", 3, "null", "whatever"]}}},
    {"properties": {"x": {"patternProperties": {"(": STRING}, "propertyNames": False}}},
    {"properties": {"x": {"description": 3, "title": [], "default": {"deep": [1]}}}},
]


@pytest.mark.parametrize("schema", BROKEN, ids=range(len(BROKEN)))
def test_a_broken_schema_spoils_no_other_tool(schema: Any) -> None:
    """Checklist 52: whatever one schema says, the text of its neighbour is the same."""
    good = tool("good", {"type": "object", "properties": {"n": STRING}}, n={"type": "integer"})
    alone = render_sdk([good], form="stub")
    beside = render_sdk([good, raw("bad", schema, schema)], form="stub")

    lines = [line for line in alone.splitlines() if "good" in line.lower()]
    assert lines
    assert set(lines) <= set(beside.splitlines())
    ast.parse(render_sdk([good, raw("bad", schema, schema)]))


def test_broken_schemas_pass_mypy_together(mypy: Checker) -> None:
    """Checklist 52: what has no type widens; the stub of all of them is right."""
    tools = [raw(f"bad_{n}", schema, schema) for n, schema in enumerate(BROKEN)]
    mypy.accepts([*tools, tool("good", n={"type": "integer"})], "await tools.good(n=1)")
    mypy.refuses([*tools, tool("good", n={"type": "integer"})], "await tools.good(n='x')")
    assert {} == mypy.complaints(render_sdk(tools))


def test_references_that_double_at_each_level_do_not_double_the_text() -> None:
    """A document of forty lines that stands for a trillion nodes is written in its own size."""
    defs: dict[str, Any] = {
        f"d{n}": {
            "anyOf": [
                {"type": "array", "items": {"$ref": f"#/$defs/d{n + 1}"}},
                {"type": "object", "additionalProperties": {"$ref": f"#/$defs/d{n + 1}"}},
            ]
        }
        for n in range(40)
    }
    defs["d40"] = {"type": "object", "properties": {"x": STRING}}
    schema = {"type": "object", "properties": {"x": {"$ref": "#/$defs/d0"}}, "$defs": defs}

    assert generate([raw("f", schema)], form="stub").size < 100_000
    assert generate([raw("f", schema)]).size < 100_000


def test_facts_of_hostile_tools_are_made_too() -> None:
    """What the check before a run reads exists for every broken schema and odd name."""
    facts = tool_facts([raw(f"bad_{n}", schema) for n, schema in enumerate(BROKEN)])
    assert len(BROKEN) == len(facts)
