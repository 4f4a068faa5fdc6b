"""Scopes: layers that shadow, restrictions that intersect, handles that undo what they did."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

import pytest

from codemode.errors import UsageError
from codemode.tools import (
    RUN_CODE,
    DuplicateToolError,
    Registration,
    ReservedToolError,
    Scope,
    ScopeError,
    ToolCall,
    ToolDefinition,
    ToolRegistry,
    ToolsChange,
    define,
)


def tool(name: str, value: object = None, **more: str | None) -> ToolDefinition:
    return define(lambda: value, name=name, **more)  # type: ignore[arg-type]  # namespace, member


@pytest.fixture
def registry() -> ToolRegistry:
    """With the tools a, b and c."""
    registry = ToolRegistry()
    for name in "abc":
        registry.register(tool(name, "global"))
    return registry


def names(scope: Scope) -> str:
    return "".join(definition.name for definition in scope.tools)


def test_a_handle_removes_exactly_its_tool_and_only_once(registry: ToolRegistry) -> None:
    """Checklist 1: a second closing does not take away what came in its place."""
    handle = registry.register(tool("d"))
    handle.close()
    assert "abc" == names(registry)

    registry.register(tool("d"))
    handle.close()
    assert "abcd" == names(registry)


async def test_the_same_name_in_a_scope_shadows_and_in_one_layer_is_refused(
    registry: ToolRegistry,
) -> None:
    """Checklist 2: lookup and execution agree on which of the two it is."""
    scope = registry.scope("agent")
    handle = scope.register(tool("a", "own"))

    with pytest.raises(DuplicateToolError, match="'a' is already registered"):
        scope.register(tool("a"))

    assert ("own", "global") == (
        (await scope.call("a", {})).value,
        (await registry.call("a", {})).value,
    )
    handle.close()
    assert "global" == (await scope.call("a", {})).value


def test_a_child_has_what_its_ancestors_have(registry: ToolRegistry) -> None:
    """Checklist 9: through any number of scopes, and what is registered later as well."""
    child = registry.scope("agent").scope("task")
    registry.register(tool("d"))

    assert "abcd" == names(child)


@pytest.mark.parametrize("mode", ["native", "code", "both"])
def test_the_transport_can_be_neither_registered_nor_shadowed_nor_restricted(mode: str) -> None:
    """Checklist 3: in no mode, in no scope, and under no name that is the same on the wire."""
    registry = ToolRegistry(mode=mode)  # type: ignore[arg-type]  # one of three
    scope = registry.scope("agent")

    claims: list[Callable[[], object]] = [
        lambda: registry.register(tool(RUN_CODE)),
        lambda: scope.register(tool(RUN_CODE)),
        lambda: registry.register(tool("run.code")),
        lambda: scope.restrict(deny=[RUN_CODE]),
        lambda: scope.restrict(allow=[RUN_CODE]),
    ]
    for claim in claims:
        with pytest.raises(ReservedToolError, match="transport of programs"):
            claim()


def test_a_registration_that_is_refused_changes_nothing(registry: ToolRegistry) -> None:
    """Checklist 2: it is validated first and mutates last, and nobody is told."""
    told: list[ToolsChange] = []
    registry.on_change(told.append)
    before = registry.view()

    for bad in (tool("a"), tool(RUN_CODE), tool("d", namespace="not a name")):
        with pytest.raises(UsageError):
            registry.register(bad)

    assert before is registry.view()
    assert [] == told


@pytest.mark.parametrize(
    "first,second,place",
    [
        (tool("git_log", namespace="git", member="log"), tool("x", namespace="git", member="log"),
         "tools 'x' and 'git_log' would both be git.log in programs"),
        (tool("git.log"), tool("git_log"), "would both be 'git_log' in the API of a model"),
    ],
)  # fmt: skip
def test_two_tools_in_one_place_are_refused_loudly(
    first: ToolDefinition, second: ToolDefinition, place: str
) -> None:
    """Checklist 2: in a program or on the wire, in one scope or in one above or below."""
    registry = ToolRegistry()
    scope = registry.scope("agent")
    registry.register(first)
    for where in (registry, scope):
        with pytest.raises(DuplicateToolError, match=place):
            where.register(second)

    other = ToolRegistry()
    other.scope("agent").register(first)
    with pytest.raises(DuplicateToolError, match=place):
        other.register(second)


def test_a_tool_that_is_taken_back_leaves_its_places_to_others() -> None:
    """In programs and on the wire; as long as it is there, a shadow of its name shares them."""
    registry = ToolRegistry()
    scope = registry.scope("agent")
    first = tool("git.log", namespace="git", member="log")
    held = registry.register(first), scope.register(replace(first))
    rivals = tool("git_log"), tool("x", namespace="git", member="log")

    for registration in held:
        for rival in rivals:
            with pytest.raises(DuplicateToolError, match=r"'git\.log' would both be"):
                registry.register(rival)
        registration.close()

    for rival in rivals:
        registry.register(rival)
    assert [*rivals] == [*scope.tools]


@pytest.mark.parametrize(
    "one,other", [("x" * 64 + "a", "x" * 64 + "b"), ("天气", "时间"), ("\ud800", "\ud801")]
)
def test_every_name_has_one_of_its_own_on_the_wire(one: str, other: str) -> None:
    """Checklist 2: long ones and those in other scripts too; it finds its tool."""
    registry = ToolRegistry()
    for name in (one, other):
        registry.register(tool(name))
    view = registry.view()

    for definition in view.native:
        assert re.fullmatch("[A-Za-z0-9_-]{1,64}", definition.wire_name)
        assert definition is view.find(definition.wire_name)


def test_a_listener_that_fails_undoes_nothing(registry: ToolRegistry) -> None:
    """Checklist 12: what it is told of has happened."""

    def broken(change: ToolsChange) -> None:
        raise RuntimeError("screen")

    registry.on_change(broken)
    handle = registry.register(tool("d"))

    assert "abcd" == names(registry)
    handle.close()
    assert "abc" == names(registry)


@pytest.mark.parametrize("namespace", ["tools", "ToolCallError", "class", "my-server", "_x_"])
def test_a_namespace_that_no_program_could_use_is_refused(namespace: str) -> None:
    """Checklist 2: as the seam would refuse it, but when the tool is written."""
    with pytest.raises(UsageError, match=namespace):
        ToolRegistry().register(tool("a", namespace=namespace))


def test_restrictions_intersect_and_only_those_that_allow_hide_what_comes_later(
    registry: ToolRegistry,
) -> None:
    """Checklist 8: closing one gives back exactly what it hid."""
    scope = registry.scope("agent")
    allowing = scope.restrict(allow=["a", "b"])
    denying = scope.restrict(deny=["b"])
    registry.register(tool("d"))

    assert "a" == names(scope)
    allowing.close()
    assert "acd" == names(scope)
    denying.close()
    assert "abcd" == names(scope)


def test_a_restriction_never_hides_the_scope_s_own_and_reaches_its_children(
    registry: ToolRegistry,
) -> None:
    """Checklist 9: a child's own tools are its own as well."""
    scope = registry.scope("agent")
    scope.register(tool("own"))
    child = scope.scope("task")
    child.register(tool("b", "child's"))
    scope.restrict(allow=["a"])

    assert ["a", "own"] == [t.name for t in scope.tools]
    assert ["a", "own", "b"] == [t.name for t in child.tools]


@pytest.mark.parametrize(
    "restriction,told",
    [
        ({}, "a restriction names tools"),
        ({"allow": []}, "a restriction names tools"),
        ({"deny": ["aa"]}, "there is no tool 'aa' \\(did you mean 'a'\\?\\)"),
        ({"allow": ["own"]}, "tool 'own' is this scope's own"),
    ],
)
def test_a_restriction_that_makes_no_sense_is_refused(
    registry: ToolRegistry, restriction: dict[str, list[str]], told: str
) -> None:
    """Checklist 7: empty, of an unknown name, of a name that it could not hide."""
    scope = registry.scope("agent")
    scope.register(tool("own"))

    with pytest.raises(ScopeError, match=told):
        scope.restrict(**restriction)

    assert "abcown" == names(scope)


def test_only_a_scope_can_be_restricted_or_presented_otherwise(registry: ToolRegistry) -> None:
    """Checklist 7, 14: the registry itself is for everybody."""
    with pytest.raises(ScopeError, match="restrict a scope of it"):
        registry.restrict(deny=["a"])
    with pytest.raises(ScopeError, match="use a scope"):
        registry.present_as("code")


async def test_a_hidden_tool_cannot_be_called_either(registry: ToolRegistry) -> None:
    """Checklist 9: visibility, lookup and execution agree."""
    scope = registry.scope("agent")
    scope.restrict(deny=["a"])

    result = await scope.call("a", {})

    assert result.failure is not None
    assert "UNKNOWN_TOOL" == result.failure.code
    assert "a" not in scope.program_calls().bindings[0].functions


def test_the_view_of_a_scope_is_one_record_until_something_changes(
    registry: ToolRegistry,
) -> None:
    """Checklist 11: what is seen is that scope's, sorted for text, by either name."""
    scope = registry.scope("agent")
    dotted = tool("B.dotted")
    scope.register(dotted)
    view = scope.view()

    assert view is scope.view()
    assert ["B.dotted", "a", "b", "c"] == [t.name for t in view.native]
    assert dotted is view.find("B.dotted") is view.find("B_dotted")
    assert registry.view().find("B.dotted") is None
    registry.register(tool("d"))
    assert view is not scope.view()
    assert view.find("d") is None


def test_schemas_are_plain_json(registry: ToolRegistry) -> None:
    """Checklist 11: no function is in what is shown of a tool."""

    def every(value: object) -> list[object]:
        if isinstance(value, dict):
            return [part for each in value.values() for part in every(each)]
        return [part for each in value for part in every(each)] if type(value) is list else [value]

    @registry.tool
    def paint(colour: list[dict[str, int | None]], depth: int = 3) -> bool:
        return bool(colour)

    shown = [every(t.input_schema) + every(t.output_schema) for t in registry.view().native]

    assert not any(callable(part) for parts in shown for part in parts)


def test_listeners_are_told_of_each_change_here_above_and_below(registry: ToolRegistry) -> None:
    """Checklist 12: of tools, restrictions, presentation, hooks, and of their end."""
    scope = registry.scope("agent")
    told: list[tuple[str, str, str, tuple[str, ...]]] = []
    registry.on_change(lambda c: told.append(("registry", c.kind, c.scope, c.names)))
    listening = scope.on_change(lambda c: told.append(("scope", c.kind, c.scope, c.names)))

    registry.register(tool("d")).close()
    scope.restrict(deny=["a"])
    scope.present_as("code")
    scope.attach(guard=lambda call: None)
    listening.close()
    scope.register(tool("own"))
    scope.close()

    here = [change[1:] for change in told if change[0] == "registry"]
    assert [
        ("tools", "", ("d",)),
        ("tools", "", ("d",)),
        ("restriction", "agent", ("a",)),
        ("presentation", "agent", ()),
        ("hooks", "agent", ()),
        ("tools", "agent", ("own",)),
        ("scope", "agent", ("own",)),
    ] == here
    assert here[:5] == [change[1:] for change in told if change[0] == "scope"]


async def test_closing_a_scope_takes_back_all_that_was_done_through_it(
    registry: ToolRegistry,
) -> None:
    """Checklist 13: tools, policies, restrictions, presentation, children, what it owns."""
    released: list[str] = []
    with registry.scope("agent") as scope:
        child = scope.scope("task")
        child.register(tool("own"))
        scope.restrict(deny=["a"])
        scope.guard(lambda call: "no")
        scope.own(Registration(lambda: released.append("section")))
        assert (await scope.call("b", {})).is_error

    assert ["section"] == released
    assert (False, False, True) == (scope.is_open, child.is_open, registry.is_open)
    assert "abc" == names(registry)
    assert not (await registry.call("b", {})).is_error
    # Its restriction is gone, and must not have opened what it closed.
    assert ("", "") == (names(scope), names(child))
    with pytest.raises(ScopeError, match="scope 'task' is closed"):
        child.register(tool("late"))
    late = await child.call("own", {})
    assert late.failure is not None
    assert "scope 'task' is closed, and none of its tools is left" == late.failure.message


def test_the_nearest_presentation_counts_and_closing_restores_the_one_above() -> None:
    """Checklist 14: once per scope."""
    registry = ToolRegistry(mode="native")
    scope = registry.scope("agent")
    child = scope.scope("task")

    handle = scope.present_as("code")
    assert ("native", "code", "code") == (registry.mode, scope.mode, child.mode)
    with pytest.raises(ScopeError, match="is presented as 'code' already"):
        scope.present_as("both")
    child.present_as("both")
    handle.close()
    assert ("native", "both") == (scope.mode, child.mode)


@pytest.mark.parametrize(
    "mode,native,code",
    [
        ("native", ["both", "native", "plain"], ["both", "code"]),
        ("code", ["both", "native"], ["both", "code", "plain"]),
        ("both", ["both", "native", "plain"], ["both", "code", "plain"]),
    ],
)
def test_a_tool_can_say_itself_where_it_shows(
    mode: str, native: list[str], code: list[str]
) -> None:
    """Checklist 14: whatever the mode."""
    registry = ToolRegistry(mode=mode)  # type: ignore[arg-type]  # one of three
    registry.tool(name="plain")(lambda: 1)
    registry.tool(name="native", present_as="native")(lambda: 1)
    registry.tool(name="code", present_as="code")(lambda: 1)
    registry.tool(name="both", present_as="both")(lambda: 1)
    view = registry.view()

    assert (native, code) == ([t.name for t in view.native], [t.name for t in view.code])


async def test_hooks_of_a_scope_are_for_its_calls_and_a_handle_takes_them_away(
    registry: ToolRegistry,
) -> None:
    """Checklist 10, 13: the registry's come first."""
    scope = registry.scope("agent")
    seen: list[str] = []
    scope.attach(pre_execute=lambda call: seen.append("scope"))
    handle = registry.attach(
        pre_execute=lambda call: seen.append("registry"), guard=lambda call: seen.append("guard")
    )

    await scope.call("a", {})
    await registry.call("a", {})
    handle.close()
    await scope.call("a", {})

    assert ["registry", "scope", "guard", "registry", "guard", "scope"] == seen


@pytest.mark.parametrize("timeout_ms", [0, -1, float("inf"), float("nan")])
def test_a_timeout_is_positive_and_finite(timeout_ms: float) -> None:
    """Checklist 6: or the tool is refused."""
    with pytest.raises(UsageError, match="give a positive, finite number of milliseconds"):
        ToolRegistry().tool(name="a", timeout_ms=timeout_ms)(lambda: None)


@pytest.mark.parametrize("limit", [0, -1, True, 1.5])
def test_the_limit_of_parallel_calls_is_a_positive_integer(limit: int) -> None:
    """Checklist 66: anything else is refused by name."""
    with pytest.raises(UsageError, match="max_parallel_calls"):
        ToolRegistry(max_parallel_calls=limit)


def test_a_mode_that_there_is_not_is_refused() -> None:
    """Checklist 14: with those that there are."""
    with pytest.raises(UsageError, match=r"mode: .*'native', 'code' or 'both', not 'ptc'"):
        ToolRegistry(mode="ptc")  # type: ignore[arg-type]  # that is the test


async def test_a_scope_is_named_to_its_policies(registry: ToolRegistry) -> None:
    """Checklist 10: one policy can serve many agents."""
    seen: list[str] = []

    @registry.pre_execute
    def policy(call: ToolCall) -> None:
        seen.append(call.scope)

    await registry.scope("agent").call("a", {})
    await registry.call("a", {})

    assert ["agent", ""] == seen
