"""How a program calls its bindings, and what it gets."""

import math

import anyio
import pytest

from codemode import (
    CodeBindingErrorClass,
    CodeBindingNamespace,
    CodeRunRequest,
    CodeRuntime,
)
from tests.contract.conftest import MakeRuntime, RunProgram, request_for


async def echo(args: object) -> object:
    return args


@pytest.mark.parametrize(
    "call",
    [
        "tools.echo(path='x')",
        "tools.echo({'path': 'x'})",
        "tools['echo'](path='x')",
        "tools['echo']({'path': 'x'})",
        "tools.echo(**{'path': 'x'})",
        "getattr(tools, 'echo')(path='x')",
    ],
)
async def test_keywords_a_dict_and_a_subscript_are_ways_to_call(run: RunProgram, call: str) -> None:
    """Each gives the binding one dict (checklist 113)."""
    assert {"path": "x"} == (await run(f"return await {call}", echo=echo)).value


async def test_a_call_without_arguments_gives_an_empty_dict(run: RunProgram) -> None:
    """`tools.name()` is a call like any other (checklist 113)."""
    assert {} == (await run("return await tools.echo()", echo=echo)).value


@pytest.mark.parametrize("call", ["tools.echo('x')", "tools.echo({}, {})", "tools.echo({}, a=1)"])
async def test_another_form_is_a_type_error_that_shows_the_right_one(
    run: RunProgram, call: str
) -> None:
    """The message says how to write it."""
    error = (await run(f"await {call}", echo=echo)).error

    assert error is not None
    assert "TypeError" == error.exception_type
    assert "tools.echo(name=value)" in error.message


async def test_any_string_names_a_binding(runtime: CodeRuntime) -> None:
    """No name is special; odd ones are reached by subscript (checklist 79)."""
    names = ["__proto__", "__class__", "constructor", "my-tool", "", "класс", "a\nb", "\ud800"]

    def named(name: str) -> object:
        async def call(_args: object) -> object:
            return name

        return call

    program = f"return [await tools[name]() for name in {names!a}]"
    result = await runtime.run(request_for(program, **{name: named(name) for name in names}))

    assert names == result.value


@pytest.mark.parametrize(
    "expression, type_name", [("tools.ecko", "AttributeError"), ("tools['ecko']", "KeyError")]
)
async def test_a_wrong_name_gets_a_did_you_mean(
    run: RunProgram, expression: str, type_name: str
) -> None:
    """The nearest name is offered (checklist 113)."""
    error = (await run(expression, echo=echo)).error

    assert error is not None
    assert type_name == error.exception_type
    assert "did you mean 'echo'?" in error.message


async def test_a_rejected_call_raises_the_error_class_with_the_exact_name(
    run: RunProgram,
) -> None:
    """The program sees name and message, and nothing else of the host (checklist 62)."""

    async def fail(_args: object) -> object:
        raise ValueError("no page 9")

    result = await run(
        "try:\n"
        "    await tools['my-tool'](page=9)\n"
        "except ToolCallError as error:\n"
        "    return [isinstance(error, Exception), error.tool_name, str(error), vars(error)]",
        **{"my-tool": fail},
    )

    assert [True, "my-tool", "no page 9", {"tool_name": "my-tool"}] == result.value


async def test_an_uncaught_rejection_names_the_class_and_the_line(run: RunProgram) -> None:
    """It is an exception of the program (checklist 75)."""

    async def fail(_args: object) -> object:
        raise ValueError

    error = (await run("x = 1\nawait tools.fail()", fail=fail)).error

    assert error is not None
    assert ("exception", "ToolCallError", 2) == (error.kind, error.exception_type, error.line)
    assert error.message.startswith("ToolCallError: ValueError\n")


async def test_without_an_error_class_a_rejection_is_a_runtime_error(
    runtime: CodeRuntime,
) -> None:
    """A namespace need not bring a class."""

    async def fail(_args: object) -> object:
        raise ValueError("no")

    request = CodeRunRequest(
        program="try:\n    await host.fail()\nexcept RuntimeError as e:\n    return str(e)",
        bindings=[CodeBindingNamespace(global_name="host", functions={"fail": fail})],
    )

    assert "no" == (await runtime.run(request)).value


async def test_namespaces_may_share_an_error_class(runtime: CodeRuntime) -> None:
    """Equal classes are one, and each rejection carries its own member."""

    async def fail(_args: object) -> object:
        raise ValueError("no")

    shared = CodeBindingErrorClass(name="CallError", member_name_property="member")
    request = CodeRunRequest(
        program=(
            "found = []\n"
            "for namespace in (first, second):\n"
            "    try:\n        await namespace.fail()\n"
            "    except CallError as e:\n        found.append(e.member)\n"
            "return found"
        ),
        bindings=[
            CodeBindingNamespace(global_name=name, functions={"fail": fail}, error_class=shared)
            for name in ("first", "second")
        ],
    )

    assert ["fail", "fail"] == (await runtime.run(request)).value


@pytest.mark.parametrize("lossy", [math.nan, {1: 2}, {1, 2}, b"bytes", object()])
async def test_a_lossy_result_is_a_rejection_with_its_path(run: RunProgram, lossy: object) -> None:
    """The host's mistake does not end the run (checklist 80, 97)."""

    async def give(_args: object) -> object:
        return {"items": [lossy]}

    result = await run(
        "try:\n    await tools.give()\nexcept ToolCallError as e:\n    return str(e)", give=give
    )

    assert isinstance(result.value, str)
    assert "$.items[0]: " in result.value


async def test_lossy_arguments_raise_in_the_program_and_reach_no_binding(run: RunProgram) -> None:
    """What cannot cross is refused where it was written (checklist 97)."""
    seen: list[object] = []

    async def note(args: object) -> object:
        seen.append(args)
        return None

    error = (await run("await tools.note(rows=[{'x': {1, 2}}])", note=note)).error

    assert error is not None
    assert ("exception", 1) == (error.kind, error.line)
    assert "$.rows[0].x: a set is not JSON; use sorted(x) or list(x)" in error.message
    assert [] == seen


async def test_arguments_are_those_of_the_moment_of_the_call(run: RunProgram) -> None:
    """What the program changes afterwards does not change them."""
    program = "x = [1]\ncall = tools.echo(x=x)\nx.append(2)\nreturn await call"

    assert {"x": [1]} == (await run(program, echo=echo)).value


async def test_each_result_comes_when_it_is_there(run: RunProgram) -> None:
    """A quick call does not wait behind a slow one (checklist 72)."""
    slow_may_end = anyio.Event()

    async def slow(_args: object) -> object:
        await slow_may_end.wait()
        return "slow"

    async def quick(_args: object) -> object:
        return "quick"

    async def release(_args: object) -> object:
        slow_may_end.set()
        return None

    result = await run(
        "order = []\n"
        "async def note(call):\n    order.append(await call)\n"
        "calls = [tools.slow(), tools.quick()]\n"
        "tasks = [asyncio.create_task(note(call)) for call in calls]\n"
        "await tasks[1]\n"
        "await tools.release()\n"
        "await tasks[0]\n"
        "return order",
        slow=slow,
        quick=quick,
        release=release,
    )

    assert ["quick", "slow"] == result.value


async def test_cancelling_the_awaiting_task_cancels_the_binding(run: RunProgram) -> None:
    """A timeout in the program stops that call alone (checklist 73)."""
    cancelled = anyio.Event()

    async def slow(_args: object) -> None:
        try:
            await anyio.sleep_forever()
        finally:
            cancelled.set()

    async def wait_cancelled(_args: object) -> object:
        await cancelled.wait()
        return "cancelled"

    result = await run(
        "try:\n    await asyncio.wait_for(tools.slow(), 0.01)\n"
        "except TimeoutError:\n    return await tools.wait_cancelled()",
        slow=slow,
        wait_cancelled=wait_cancelled,
    )

    assert "cancelled" == result.value
    assert ["cancelled", "returned"] == [call.state for call in result.report.calls]


async def test_5_000_gathered_calls_wait_their_turn(run: RunProgram) -> None:
    """More calls than may be with the host at once queue up, and none fails (71)."""

    async def double(args: dict[str, int]) -> object:
        await anyio.lowlevel.checkpoint()
        return args["n"] * 2

    result = await run(
        "return await asyncio.gather(*(tools.double(n=n) for n in range(5_000)))", double=double
    )

    assert [n * 2 for n in range(5_000)] == result.value


async def test_gathering_one_call_twice_gives_its_result_twice(run: RunProgram) -> None:
    """As for any coroutine, it is made once."""
    result = await run("call = tools.echo(n=1)\nreturn await asyncio.gather(call, call)", echo=echo)

    assert [{"n": 1}, {"n": 1}] == result.value
    assert 1 == len(result.report.calls)


async def test_a_call_left_running_is_cancelled_and_its_program_done(run: RunProgram) -> None:
    """The run ends with its body; what it left behind ends too (checklist 69)."""
    cancelled = anyio.Event()
    begun = anyio.Event()

    async def slow(_args: object) -> None:
        begun.set()
        try:
            await anyio.sleep_forever()
        finally:
            cancelled.set()

    async def wait_begun(_args: object) -> object:
        await begun.wait()
        return None

    result = await run(
        "task = asyncio.create_task(tools.slow())\nawait tools.wait_begun()\nreturn 'done'",
        slow=slow,
        wait_begun=wait_begun,
    )

    assert "done" == result.value
    assert cancelled.is_set()
    assert {"slow": "pending", "wait_begun": "returned"} == {
        call.member: call.state for call in result.report.calls
    }


async def test_calls_over_their_budget_end_the_run(make_runtime: MakeRuntime) -> None:
    """A program cannot swallow the limit; the message says which it was."""
    async with make_runtime(max_calls=3) as runtime:
        result = await runtime.run(
            request_for(
                "while True:\n    try:\n        await tools.echo()\n"
                "    except Exception:\n        pass",
                echo=echo,
            )
        )

    error = result.error
    assert error is not None
    assert ("timeout", "max_calls") == (error.kind, error.budget)
    assert "more than 3 calls" in error.message


async def test_the_report_lists_the_calls_in_order(run: RunProgram) -> None:
    """Which calls were made and how far each came, also for a failed run."""

    async def fail(_args: object) -> object:
        raise ValueError("no")

    result = await run(
        "await tools.echo()\n"
        "try:\n    await tools.fail()\nexcept ToolCallError:\n    pass\n"
        "raise RuntimeError",
        echo=echo,
        fail=fail,
    )

    assert [(1, "tools", "echo", "returned"), (2, "tools", "fail", "raised")] == [
        (call.id, call.global_name, call.member, call.state) for call in result.report.calls
    ]


async def test_cancelling_right_after_calling_cancels_the_binding(run: RunProgram) -> None:
    """Also when call and cancellation reach the host together (checklist 73)."""
    finished: list[object] = []

    async def slow(_args: object) -> None:
        await anyio.sleep(0.2)
        finished.append(1)

    async def rest(_args: object) -> None:
        await anyio.sleep(0.4)

    result = await run(
        "for _ in range(20):\n"
        "    task = asyncio.create_task(tools.slow())\n"
        "    await asyncio.sleep(0)\n"
        "    task.cancel()\n"
        "await tools.rest()",
        slow=slow,
        rest=rest,
    )

    assert result.error is None
    assert [] == finished
    assert {"cancelled"} == {c.state for c in result.report.calls if c.member == "slow"}


class Wordless(Exception):
    def __str__(self) -> str:
        raise LookupError


@pytest.mark.parametrize(
    "error, words", [(SystemExit(4), "4"), (Wordless(), "Wordless"), (KeyError("k"), "'k'")]
)
async def test_whatever_a_binding_raises_is_a_rejection(
    run: RunProgram, error: BaseException, words: str
) -> None:
    """Also what would end the host, and what has no words for itself (checklist 62)."""

    async def fail(_args: object) -> None:
        raise error

    result = await run(
        "try:\n    await tools.fail()\nexcept ToolCallError as e:\n    return str(e)", fail=fail
    )

    assert words == result.value
