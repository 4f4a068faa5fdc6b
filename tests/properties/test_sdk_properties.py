"""Any schema gives types that accept what it accepts; any name stays itself."""

from __future__ import annotations

import ast
import json
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, example, given, settings
from hypothesis import strategies as st

from codemode.sdk import generate, observe, render_sdk, search_tools, tool_facts
from tests.properties.schemas import Typed, recursive, typed
from tests.sdk.checking import Checker

ANY_TEXT = st.text(alphabet=st.characters(exclude_categories=()), max_size=12)
JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), st.text()),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4), st.dictionaries(st.text(max_size=5), inner, max_size=4)
    ),
    max_leaves=12,
)


@pytest.fixture(scope="module")
def mypy(tmp_path_factory: pytest.TempPathFactory) -> Checker:
    """A checker for all batches."""
    return Checker(tmp_path_factory.mktemp("properties"))


def argument(number: int, case: Typed) -> Any:
    """A tool that takes one value of the case's type, and gives one."""
    root = case.schema if isinstance(case.schema, dict) else {}
    schema = {"type": "object", "properties": {"x": case.schema}, "required": ["x"]}
    if "$defs" in root:
        schema["$defs"] = root["$defs"]
    return {"name": f"t{number}", "inputSchema": schema, "outputSchema": case.schema}


# Each example is a run of mypy, so a failing one is shown as it is.
@settings(
    max_examples=4,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
)
@given(cases=st.lists(st.one_of(typed(), recursive(typed())), min_size=20, max_size=40))
def test_the_type_of_any_schema_accepts_the_values_that_the_schema_accepts(
    cases: list[Typed], mypy: Checker
) -> None:
    """Checklist 45, 46, 52: by keyword and in a dict, literally, mypy has nothing to say."""
    tools = [argument(number, case) for number, case in enumerate(cases)]
    stub = render_sdk(tools, form="stub")
    lines = [f"await tools.t{n}(x={case.value!r})" for n, case in enumerate(cases)]
    lines += [f"await tools.t{n}({{'x': {case.value!r}}})" for n, case in enumerate(cases)]

    found = mypy.complaints(stub, lines)

    shown = [(lines[n] if n >= 0 else stub, said) for n, said in found.items()]
    assert [] == shown
    assert {} == mypy.complaints(render_sdk(tools))


@settings(max_examples=150, deadline=None)
@given(schema=JSON, description=ANY_TEXT)
@example(schema=None, description="\ud800")
def test_any_json_in_place_of_a_schema_gives_text_that_compiles(
    schema: Any, description: str
) -> None:
    """Checklist 45, 48: what is no schema at all is any JSON, and the text still compiles."""
    properties = {"x": schema} if not isinstance(schema, dict) else schema
    entries = [
        {"name": "a", "description": description, "inputSchema": schema, "outputSchema": schema},
        {"name": "b", "inputSchema": {"type": "object", "properties": properties}},
    ]
    for form in ("prompt", "stub"):
        compile(render_sdk(entries, form=form), "sdk", "exec", dont_inherit=True)
    json.dumps(tool_facts(entries))


@settings(max_examples=150, deadline=None)
@given(names=st.lists(ANY_TEXT, min_size=1, max_size=8, unique=True), seed=st.randoms())
def test_any_set_of_names_goes_through_the_text_unchanged_in_any_order(
    names: list[str], seed: Any
) -> None:
    """Checklist 43, 47: each name is a member of `tools`, once, and none is made up."""
    fields = {name: {"type": "integer"} for name in names}
    entries = [
        {"name": name, "inputSchema": {"type": "object", "properties": fields}} for name in names
    ]
    stub = render_sdk(entries, form="stub")
    prompt = render_sdk(entries)
    seed.shuffle(entries)

    assert stub == render_sdk(entries, form="stub")
    assert prompt == render_sdk(entries)
    assert sorted(names) == sorted(members(stub))
    assert set(names) == {found["name"] for found in search_tools(entries, "")}
    assert all(set(names) == set(facts["parameters"]) for facts in tool_facts(entries))


def members(stub: str) -> list[str]:
    """The members of `tools`, attributes and literal subscripts."""
    (tools,) = (
        node.annotation.id
        for node in ast.parse(stub).body
        if isinstance(node, ast.AnnAssign)
        and isinstance(node.target, ast.Name)
        and node.target.id == "tools"
        and isinstance(node.annotation, ast.Name)
    )
    (body,) = (
        node.body
        for node in ast.parse(stub).body
        if isinstance(node, ast.ClassDef) and node.name == tools
    )
    found = [ast.unparse(node.target) for node in body if isinstance(node, ast.AnnAssign)]
    for node in body:
        if isinstance(node, ast.FunctionDef) and node.name == "__getitem__":
            note = node.args.posonlyargs[1].annotation
            if isinstance(note, ast.Subscript):
                found.append(ast.literal_eval(note.slice))
    return found


@settings(max_examples=60, deadline=None)
@given(values=st.lists(JSON, min_size=1, max_size=5))
def test_the_shape_learned_from_results_does_not_depend_on_their_order(values: list[Any]) -> None:
    """Whatever was observed, the shape compiles as a type, and counts every result."""
    forward = backward = None
    for value in values:
        forward = observe(forward, value)
    for value in reversed(values):
        backward = observe(backward, value)

    assert forward == backward
    assert forward is not None
    assert len(values) == forward["x-observed"]
    text = generate([{"name": "f", "inputSchema": {}, "outputSchema": forward}]).text
    compile(text, "sdk", "exec", dont_inherit=True)
