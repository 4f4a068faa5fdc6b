"""The prompt form: compact, each thing said once, nothing lost, typed like the stub."""

from __future__ import annotations

import ast
import json
from itertools import permutations
from pathlib import Path
from typing import Any

from codemode.sdk import render_sdk
from tests.sdk.checking import STRING, Checker, raw, tool

CATALOGUES = Path(__file__).parents[1] / "typing" / "catalogs"
PERSON: dict[str, Any] = {
    "type": "object",
    "properties": {"name": STRING, "age": {"type": "integer"}, "mail": STRING},
    "required": ["name"],
    "additionalProperties": False,
}


def test_an_argument_object_is_keyword_parameters_and_the_result_a_named_type() -> None:
    """Checklist 46, 51: one line where nothing is said beside the types."""
    people = {"type": "object", "properties": {"persons": {"type": "array", "items": PERSON}}}
    text = render_sdk([tool("find", people, description="Find some.", q=STRING)])

    assert ' async def find(self, *, q: str) -> FindResult: "Find some."' in text.splitlines()
    assert " persons: NotRequired[list[Person]]" in text.splitlines()
    assert "Required" in text


def test_a_shape_that_several_tools_use_is_written_once() -> None:
    """The same object in arguments and results is one class; a long literal one alias."""
    colours = {"enum": ["vermilion", "ultramarine", "viridian", "ochre", "umber", "sienna"]}
    tools = [tool(f"t{n}", PERSON, person=PERSON, colour=colours) for n in range(4)]
    text = render_sdk(tools)

    assert 1 == text.count("(TypedDict")
    assert 1 == text.count("ultramarine")
    assert 9 == text.count("Person")


def test_a_comment_that_stands_beside_one_name_again_and_again_is_said_once() -> None:
    """It moves above, unless some field of that name has nothing said of it."""
    owner = {**STRING, "description": "The owner of the repository, a user or an organisation"}
    tools = [tool(f"t{n}", owner=owner, n=STRING) for n in range(5)]

    assert 1 == render_sdk(tools).count("a user or an organisation")
    assert 5 == render_sdk([*tools, tool("bare", owner=STRING)]).count("a user or an organisation")


def test_results_that_differ_in_words_only_are_one_type(mypy: Checker) -> None:
    """Their keys say what is said of all of them; an argument's class says its own words."""

    def counted(said: str) -> Any:
        inner = {"properties": {"n": {**STRING, "description": said}}, "required": ["n"]}
        items = {"type": "array", "items": {"type": "object", **inner}}
        return {"type": "object", "properties": {"items": items, "unit": {**STRING}}}

    tools = [tool(f"t{n}", counted(f"in {word}")) for n, word in enumerate(("cm", "kg", "s"))]
    text = render_sdk(tools)

    assert 2 == text.count("(TypedDict")
    assert "in cm" in render_sdk(tools[:1])
    assert "in cm" not in text
    (taken,) = (entry["inputSchema"] for entry in [tool("f", x=counted("in m"))])
    assert "in m" in render_sdk([*tools, raw("f", taken)])
    line = "(await tools.t1())['items'][0]['m']"
    assert {0} == set(mypy.complaints(text, [line]))


def test_of_a_key_of_a_result_is_said_how_to_read_it() -> None:
    """A unit, a format or a condition stays; what repeats the name, or tells a tale, does not."""
    said = {
        "age": "In seconds",
        "code": "ISO 4217",
        "id": "The unique ID of the order",
        "state": "Where the order stands",
    }
    keys = {name: {**STRING, "description": text} for name, text in said.items()}
    text = render_sdk([tool("f", {"type": "object", "properties": keys})])

    assert "# In seconds" in text
    assert "# ISO 4217" in text
    assert "unique" not in text
    assert "stands" not in text


def test_results_without_words_keep_no_comment_from_being_said_once() -> None:
    """What is said above is of arguments."""
    owner = {**STRING, "description": "The owner of the repository, a user or an organisation"}
    result = {"type": "object", "properties": {"owner": STRING}}
    text = render_sdk([tool(f"t{n}", result, owner=owner) for n in range(5)])

    assert 1 == text.count("a user or an organisation")


def test_a_result_does_not_say_that_it_may_hold_more_of_anything() -> None:
    """A program cannot count on it; of an argument it is said, and where the type is known."""
    loose = {"type": "object", "properties": {"a": STRING}, "additionalProperties": True}
    typed = {**loose, "additionalProperties": {"type": "integer"}}

    assert "other keys" not in render_sdk([tool("f", loose)])
    assert "other keys too: int" in render_sdk([tool("f", typed)])
    assert "other keys too: Json" in render_sdk([tool("f", x=loose)])


def test_a_parameter_called_as_the_one_for_all_others_is_kept(mypy: Checker) -> None:
    """Names of ours give way to the schema's."""
    fields = {"more": STRING, "self": STRING, "x-odd": STRING}
    entry = raw("f", {"type": "object", "properties": fields, "required": ["more", "self"]})
    lines = [
        "await tools.f(more='a', self='b', **{'x-odd': 'c'})",
        "await tools.f(more=1, self='')",
    ]

    assert {1} == set(mypy.complaints(render_sdk([entry]), lines))


def test_keys_are_optional_required_open_or_closed_to_the_eye() -> None:
    """Checklist 50: `NotRequired`, `= ...`, and what other keys hold."""
    schema = {**PERSON, "additionalProperties": {"type": "integer"}}
    text = render_sdk([raw("f", {**schema, "properties": {**PERSON["properties"], "x": schema}})])

    assert " name: Required[str]" in text
    assert "other keys too: int" in text
    assert "*, name: str, age: int = ..., mail: str = ..." in text.replace(",\n  ", ", ")
    assert "**more: int" in text


def test_a_tool_without_a_declared_result_says_so_and_names_no_type() -> None:
    """What a call returns is said honestly."""
    text = render_sdk([tool("f")])
    assert "async def f(self) -> Any: ..." in text
    assert "declares no result" in text
    assert "declares no result" not in render_sdk([tool("f", STRING)])


def test_an_argument_that_no_keyword_can_name_goes_into_a_dict_and_keeps_its_type(
    mypy: Checker,
) -> None:
    """Checklist 47, 105: required, the whole call is a dict; optional, it is unpacked."""
    fields: dict[str, Any] = {"from": STRING, "n": {"type": "integer"}}
    needed = raw("needed", {"type": "object", "properties": fields, "required": ["from", "n"]})
    spare = raw(
        "spare",
        {
            "type": "object",
            "required": ["n"],
            "properties": {"content-type": STRING, "n": {"type": "integer"}},
        },
    )
    text = render_sdk([needed, spare])
    lines = [
        "await tools.needed({'from': 'x', 'n': 1})",
        "await tools.spare(n=1)",
        "await tools.spare(n=1, **{'content-type': 'x'})",
        "await tools.needed({'n': 1})",
        "await tools.needed({'from': 1, 'n': 1})",
        "await tools.spare(n='x')",
        "await tools.spare(n=1, other=1)",
    ]
    assert {3, 4, 5, 6} == set(mypy.complaints(text, lines))


def test_namespaces_are_globals_of_their_own(mypy: Checker) -> None:
    """A tool of a namespace is shown there, once; the others on `tools`."""
    spaced = [
        {**tool(f"github__{name}", n={"type": "integer"}), "namespace": "github", "member": name}
        for name in ("search", "get-issue", "class")
    ]
    tools = [*spaced, tool("plain", n={"type": "integer"})]
    lines = [
        "await github.search(n=1)",
        "await github['get-issue'](n=1)",
        "await tools.plain(n=1)",
        "await github.search(n='x')",
        "await github['class'](n='x')",
        "await tools.github__search(n=1)",
    ]
    assert {3, 4, 5} == set(mypy.complaints(render_sdk(tools), lines))
    stub = render_sdk(tools, form="stub")
    assert {3, 4} == set(mypy.complaints(stub, lines))


def test_the_text_is_the_same_in_any_order(mypy: Checker) -> None:
    """Checklist 43: byte for byte, in both forms; and of two tools of one name, the same one."""
    tools = [tool("b", PERSON, p=PERSON), tool("a", x=PERSON), tool("c"), tool("c", y=STRING)]
    for form in ("prompt", "stub"):
        texts = {render_sdk(list(order), form=form) for order in permutations(tools)}
        assert 1 == len(texts)
        assert {} == mypy.complaints(texts.pop())


def test_no_tools_are_a_text_that_defines_tools(mypy: Checker) -> None:
    """An empty registry is no special case for whoever checks a program."""
    for form in ("prompt", "stub"):
        assert {0} == set(mypy.complaints(render_sdk([], form=form), ["tools.f"]))


def test_names_of_types_are_short_and_numbered_where_they_meet() -> None:
    """Checklist 46: capped, from titles and properties, no two alike."""
    long = "very_" * 100
    tools = [
        raw(long, {"type": "object", "properties": {long: {**PERSON, "required": []}}}, PERSON),
        tool("a", {**PERSON, "title": "Human"}, person=PERSON),
        tool("b", person={**PERSON, "required": ["mail"]}),
    ]
    tree = ast.parse(render_sdk(tools, form="stub"))
    names = [node.name for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]

    assert len(names) == len(set(names))
    assert max(map(len, names)) <= 70
    assert {"Person", "Person2"} <= set(names)


def test_the_text_is_smaller_than_the_definitions_that_it_replaces() -> None:
    """Checklist 106: at most 0.85 of name, description and input schema, returns included."""
    native = ours = 0
    for path in sorted(CATALOGUES.glob("wire_*.json")):
        listed: list[Any] = json.loads(path.read_text())
        wire = [
            {key: entry[key] for key in ("name", "description", "inputSchema")} for entry in listed
        ]
        native += len(json.dumps(wire, separators=(",", ":"), ensure_ascii=False))
        ours += len(render_sdk(listed))
    assert 0 < ours <= 0.85 * native
