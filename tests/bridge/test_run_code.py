"""One call of `run_code`, from the model's arguments to the text that it reads."""

from __future__ import annotations

import pytest

from codemode import (
    AbortSignal,
    CodeMode,
    CodeRunRequest,
    ProcessRuntime,
    ToolRegistry,
    UsageError,
)
from codemode.session import (
    RunStarted,
    SubCallStarted,
)
from codemode.tools import (
    GenericCard,
)
from tests.bridge.conftest import Agent, agent_of

DEEP = """\
[
  [
    [
      [
        [
          [[1,2]]
        ]
      ]
    ]
  ]
]"""


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    """One is enough: what a model reads does not depend on the host's event loop."""
    return "asyncio"


@pytest.mark.parametrize(
    "arguments,said",
    [
        ({}, "'code' is missing"),
        ({"code": 5}, "code"),
        ({"code": None}, "code"),
        ("return 1", "arguments"),
    ],
)
async def test_a_call_without_a_program_is_refused(
    agent: Agent, arguments: object, said: str
) -> None:
    """With what is missing (checklist 56)."""
    answer = await agent.codemode.execute("run_code", arguments)

    assert answer.failure is not None
    assert "INVALID_ARGS" == answer.failure.code
    assert said in answer.content
    assert [] == agent.events(RunStarted)


@pytest.mark.parametrize(
    "program,shown",
    [
        ("print('a')\nprint('b')\nreturn 'text as it is'", "a\nb\ntext as it is"),
        ("return {'b': [1, None], 'a': {}}", '{\n  "b": [\n    1,\n    null\n  ],\n  "a": {}\n}'),
        ("return [[[[[[[1, 2]]]]]]]", DEEP),
        ("return None", "null"),
        ("print('only')", "only"),
        ("return ''", ""),
        (r"return 'bad \ud800'", r"bad \ud800"),
        (r"print('\ud800')", r"\ud800"),
        (
            "pass",
            "(The program neither printed nor returned anything. Print or return what you need.)",
        ),
    ],
)
async def test_a_success_is_the_printed_lines_and_then_the_value(
    agent: Agent, program: str, shown: str
) -> None:
    """Text raw, JSON indented to five levels, null said, no stray null (checklist 57, 59)."""
    answer = await agent.run(program)

    assert (shown, False) == (answer.content, answer.is_error)


async def test_the_value_for_the_host_has_logs_and_result(agent: Agent) -> None:
    """A result that is null is there, one that is not is not (checklist 57)."""
    printed = await agent.run("print(1)")
    nothing = await agent.run("return None")

    assert ({"logs": ["1"]}, {"logs": [], "result": None}) == (printed.value, nothing.value)


async def test_a_failure_says_kind_place_output_calls_and_what_to_do(agent: Agent) -> None:
    """So that the next program can be right, and repeats nothing (checklist 58)."""
    answer = await agent.run(
        "print('begun')\n"
        "await tools.add(a=1, b=2)\n"
        "try:\n    await tools.fail(message='no such page')\nexcept ToolCallError:\n    pass\n"
        "raise ValueError('x is wrong')"
    )

    assert (
        """\
The program failed (exception).
ValueError: x is wrong
  line 7
    raise ValueError('x is wrong')

Printed until then:
begun

Tool calls until then:
  add(a=1, b=2): done
  fail(message="no such page"): failed, outcome unknown (no such page)

Correct the program and send it again; find out first what became of the calls of unknown \
outcome; the calls that are done stay done, so do not make them again unless that is harmless.\
"""
        == answer.content
    )
    assert answer.failure is not None
    assert ("CODE_RUN_FAILED", "unknown") == (answer.failure.code, answer.failure.effect)


@pytest.mark.parametrize(
    "calls,effect",
    [
        ("await tools.add(a=1, b=2)", "committed"),
        ("pass", "not-started"),
        ("await catalog.search(query='add')", "not-started"),
    ],
)
async def test_a_failure_tells_the_host_what_the_calls_have_done(
    agent: Agent, calls: str, effect: str
) -> None:
    """As much as any of them (checklist 58)."""
    answer = await agent.run(f"{calls}\nraise ValueError")

    assert answer.failure is not None
    assert effect == answer.failure.effect


@pytest.mark.parametrize(
    "program,kind,said",
    [
        ("x = (", "exception", "No tool was called. Correct the program"),
        ("await tools.ad(a=1, b=2)", "exception", "did you mean 'add'?"),
        ("raise ValueError('v')", "exception", "ValueError: v\n  line 1"),
        ("while True: pass", "timeout", "Do less in one program"),
        ("return {1}", "invalid-output", "Return plain JSON values"),
        ("print('x' * 2_000_000)", "output-limit", "Print and return less"),
    ],
)
async def test_each_kind_of_failure_has_its_own_advice(
    agent: Agent, program: str, kind: str, said: str
) -> None:
    """Kind and message are never to be guessed (checklist 58)."""
    answer = await agent.run(program)

    assert f"({kind})." in answer.content
    assert said in answer.content
    assert answer.is_error


async def test_a_program_that_cannot_run_makes_no_call(agent: Agent) -> None:
    """A wrong call further down stops it before the first one (checklist 108)."""
    answer = await agent.run("await tools.add(a=1, b=2)\nawait tools.add(a=1)")

    assert answer.content.startswith("The program was not begun (exception).")
    assert [] == agent.events(SubCallStarted)


async def test_a_run_that_is_aborted_says_what_it_had_done(
    registry: ToolRegistry, agent: Agent
) -> None:
    """Its output and its calls are kept (checklist 58)."""
    signal = AbortSignal()

    @registry.tool
    async def stop() -> None:
        signal.abort("enough")

    program = "print('so far')\nawait tools.add(a=1, b=1)\nawait tools.stop()\nwhile True: pass"
    answer = await agent.codemode.execute("run_code", {"code": program}, signal=signal)

    assert "(abort).\nthe run was aborted: enough" in answer.content
    assert "so far" in answer.content
    assert "add(a=1, b=1): done" in answer.content


async def test_a_signal_that_has_fired_stops_the_call_before_it_begins(agent: Agent) -> None:
    """No program is begun (checklist 33)."""
    signal = AbortSignal()
    signal.abort("too late")

    answer = await agent.codemode.execute("run_code", {"code": "return 1"}, signal=signal)

    assert answer.failure is not None
    assert "ABORTED_BEFORE_DISPATCH" == answer.failure.code
    assert [] == agent.events(RunStarted)


async def test_a_card_shows_the_program_as_its_title(agent: Agent) -> None:
    """Generic, of kind execute; what a log holds instead breaks nothing (checklist 20)."""
    await agent.codemode.assemble()

    card = agent.codemode.call_card("run_code", {"code": "return 1"})
    odd = agent.codemode.call_card("run_code", {})
    unknown = agent.codemode.call_card("gone", {"a": 1})

    assert GenericCard(title="return 1", kind="execute", raw_input="return 1") == card
    assert GenericCard(title="", kind="execute", raw_input="") == odd
    assert GenericCard(title="gone", raw_input={"a": 1}) == unknown


async def test_a_runtime_that_nobody_opened_is_the_hosts_mistake(registry: ToolRegistry) -> None:
    """The model could do nothing about it (checklist 38)."""
    agent = agent_of(registry, ProcessRuntime())

    with pytest.raises(UsageError, match="not open; use it in `async with`"):
        await agent.run("return 1")
    unknown = await agent.codemode.execute("nothing", {})
    assert unknown.is_error


async def test_a_runtime_given_unopened_is_closed_with_it(registry: ToolRegistry) -> None:
    """One that is open already is left open."""
    owned, lent = ProcessRuntime(), ProcessRuntime()
    async with lent:
        async with CodeMode(registry, runtime=owned), CodeMode(registry, runtime=lent) as codemode:
            answer = await codemode.execute("run_code", {"code": "return 1"})
        assert "1" == answer.content
        assert 2 == (await lent.run(CodeRunRequest(program="return 2"))).value
    with pytest.raises(UsageError, match="closed"):
        await owned.run(CodeRunRequest(program="return 3"))
