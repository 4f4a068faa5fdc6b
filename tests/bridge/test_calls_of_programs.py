"""What a program can call, and what comes of its calls for the model."""

from __future__ import annotations

import pytest

from codemode import (
    ProcessRuntime,
    ToolRegistry,
)
from codemode.session import (
    RunStarted,
    SubCallSettled,
    ToolReturned,
)
from codemode.tools import (
    Deny,
    ImagePart,
    TextPart,
    ToolCall,
)
from tests.bridge.conftest import Agent, agent_of


async def test_a_program_finds_the_visible_tools_and_no_others(
    registry: ToolRegistry, runtime: ProcessRuntime
) -> None:
    """run_code itself is not among them, nor what is restricted (checklist 60)."""
    scope = registry.scope("agent")
    scope.restrict(deny=["fail"])
    agent = agent_of(scope, runtime)
    answer = await agent.run(
        "found = []\n"
        "for name in ('add', 'draw', 'fail', 'finish', 'run_code'):\n"
        "    try:\n        tools[name]\n        found.append(name)\n"
        "    except (KeyError, AttributeError):\n        pass\n"
        "return found"
    )

    assert {"logs": [], "result": ["add", "draw", "finish"]} == answer.value


async def test_a_tools_failure_is_an_exception_with_its_name_and_message(agent: Agent) -> None:
    """And nothing else of the host's (checklist 62)."""
    answer = await agent.run(
        "try:\n    await tools.fail(message='nope')\n"
        "except Exception as error:\n"
        "    return [isinstance(error, ToolCallError), error.tool_name, str(error)]"
    )

    assert {"logs": [], "result": [True, "fail", "fail: nope"]} == answer.value


@pytest.mark.parametrize("ending", ["return 1", "raise ValueError"])
async def test_images_of_sub_results_follow_the_text_in_order(agent: Agent, ending: str) -> None:
    """With what the tools have deferred, also when the program fails (checklist 63)."""
    answer = await agent.run(f"await tools.draw(name='a')\nawait tools.draw(name='b')\n{ending}")

    assert [
        ImagePart(data="a==", mime_type="image/png"),
        TextPart("about a"),
        ImagePart(data="b==", mime_type="image/png"),
        TextPart("about b"),
    ] == list(answer.parts[1:])
    (returned,) = agent.events(ToolReturned)
    assert isinstance(returned, ToolReturned)
    assert {"type": "image", "data": "a==", "mimeType": "image/png"} == returned.content[1]


@pytest.mark.parametrize(
    "call,concludes", [("finish()", True), ("finish(broken=True)", False), ("add(a=1, b=1)", False)]
)
async def test_only_a_success_ends_the_turn(agent: Agent, call: str, *, concludes: bool) -> None:
    """Of a call from inside a program as of one of the model's own (checklist 64)."""
    answer = await agent.run(
        f"try:\n    await tools.{call}\nexcept ToolCallError:\n    pass\nreturn 1"
    )

    assert concludes is answer.concludes_turn


async def test_a_denied_call_raises_and_the_program_goes_on(
    registry: ToolRegistry, agent: Agent
) -> None:
    """The reason is the message (checklist 65)."""

    @registry.pre_execute
    def deny(call: ToolCall) -> Deny | None:
        return Deny("adding is over") if call.name == "add" else None

    answer = await agent.run(
        "try:\n    await tools.add(a=1, b=2)\nexcept ToolCallError as error:\n    return str(error)"
    )

    assert "adding is over" in answer.content
    assert not answer.is_error
    (settled,) = agent.events(SubCallSettled)
    assert isinstance(settled, SubCallSettled)
    assert settled.failure is not None
    assert ("DENIED", "not-started") == (settled.failure["code"], settled.failure["effect"])


async def test_a_policy_sees_the_program_before_it_runs(
    registry: ToolRegistry, agent: Agent
) -> None:
    """`run_code` is a call like any other to it."""

    @registry.pre_execute
    def look(call: ToolCall) -> Deny | None:
        return Deny("no loops") if "while" in str(call.arguments.get("code")) else None

    answer = await agent.run("while True: pass")

    assert "no loops" in answer.content
    assert [] == agent.events(RunStarted)


async def test_a_program_calls_the_tools_that_its_model_was_told_of(
    registry: ToolRegistry, agent: Agent
) -> None:
    """One replaced since is not called with arguments meant for the old (checklist 115)."""
    called: list[int] = []
    scope = registry.scope("agent")
    announced = await agent.codemode.assemble(scope)

    @scope.tool(name="add")
    async def other(a: int, b: int) -> int:
        called.append(a)
        return -1

    program = {"code": "return await tools.add(a=1, b=2)"}
    old = await agent.codemode.execute("run_code", program, assembly=announced)
    await agent.codemode.assemble(scope)
    new = await agent.codemode.execute("run_code", program)

    assert "removed or replaced after this program had been told of it" in old.content
    assert ("-1", [1]) == (new.content, called)


async def test_a_tool_announced_later_is_not_there_for_an_earlier_request(
    registry: ToolRegistry, agent: Agent
) -> None:
    """SDK, schemas and bindings are those of the request (checklist 115)."""
    announced = await agent.codemode.assemble()

    @registry.tool
    async def later() -> int:
        return 1

    answer = await agent.codemode.execute(
        "run_code", {"code": "return await tools.later()"}, assembly=announced
    )

    assert answer.is_error
    assert "later" in answer.content
