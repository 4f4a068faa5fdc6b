"""Calls are sent in order, kept to a window, and settled each by its own reply."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from typing import Any

import pytest

from codemode_guest.bridge import Bridge
from codemode_guest.calls import Calls, NamespaceSpec, install
from codemode_guest.values import LossyValueError, ValueTooLargeError
from codemode_guest.window import Window
from tests.guest.loops import Script, ScriptedLoop

TOOLS = NamespaceSpec(
    "tools",
    ("add", "list_items", "my-tool", "", "__class__", "class", "\ud800", "x" * 200),
    "ToolCallError",
    "tool_name",
)


class Sent(Bridge):
    """A bridge that keeps what is sent."""

    def __init__(self) -> None:
        self.frames: list[Any] = []

    def send(self, *parts: bytes) -> None:
        self.frames.append(json.loads(b"".join(parts)))


class Host:
    """The other side of some calls, played by the test.

    Attributes:
        sent: The frames from the program.
    """

    def __init__(
        self,
        *turns: Sequence[object],
        max_pending: int = 10,
        max_pending_bytes: int = 10_000,
        max_pending_parts: int = 1_000,
        max_args_bytes: int = 1_000,
        max_args_parts: int = 100,
    ) -> None:
        bridge = Sent()
        self.sent = bridge.frames
        self.calls = Calls(
            bridge,
            Window(max_calls=max_pending, max_bytes=max_pending_bytes, max_parts=max_pending_parts),
            max_args_bytes=max_args_bytes,
            max_args_parts=max_args_parts,
        )
        self.names = install([TOOLS], self.calls)
        self.tools: Any = self.names["tools"]
        self._script = Script(*turns)

    def run(self, main: Coroutine[Any, Any, Any]) -> Any:
        """Run a program's coroutine; each turn of frames comes when it can only wait."""
        with ScriptedLoop(self._script, self.calls.receive) as loop:
            return loop.run_until_complete(main)


def reply(number: int, payload: object = None) -> list[object]:
    """A success."""
    return ["reply", number, True, payload]


def rejection(number: int, message: str = "no") -> list[object]:
    """A failure."""
    return ["reply", number, False, message]


async def outcome(awaitable: Awaitable[object]) -> object:
    """The result of a call, or what it raised."""
    try:
        return await awaitable
    except Exception as error:
        return error


@pytest.mark.parametrize(
    "call",
    [
        lambda tools: tools.add(a=1, b=2),
        lambda tools: tools.add({"a": 1, "b": 2}),
        lambda tools: tools["add"](a=1, b=2),
    ],
    ids=["keywords", "dict", "subscript"],
)
def test_each_way_of_calling_sends_the_same(call: Callable[[Any], Awaitable[object]]) -> None:
    """Number, namespace, member, arguments."""
    host = Host([reply(1, 3)])

    async def main() -> object:
        return await call(host.tools)

    assert 3 == host.run(main())
    assert [["call", 1, 0, 0, {"a": 1, "b": 2}]] == host.sent


def test_a_call_may_have_no_arguments() -> None:
    """They are an empty dict."""
    host = Host([reply(1, [])])

    async def main() -> object:
        return await host.tools.list_items()

    assert [] == host.run(main())
    assert [["call", 1, 0, 1, {}]] == host.sent


@pytest.mark.parametrize("index,name", list(enumerate(TOOLS.members)), ids=ascii)
def test_any_name_is_an_ordinary_member(index: int, name: str) -> None:
    """Checklist 79: by subscript, whatever attributes of objects are called."""
    host = Host([reply(1, "ok")])

    async def main() -> object:
        return await host.tools[name](x=1)

    assert "ok" == host.run(main())
    assert [["call", 1, 0, index, {"x": 1}]] == host.sent


def test_an_argument_may_have_any_name() -> None:
    """`self`, `name` and `args` are none of ours."""
    host = Host([reply(1)])

    async def main() -> None:
        await host.tools.add(self=1, name=2, args=3, namespace=4, positional=5, member=6)

    host.run(main())
    assert {"self", "name", "args", "namespace", "positional", "member"} == set(host.sent[0][4])


@pytest.mark.parametrize(
    "call",
    [
        lambda tools: tools.add(1, 2),
        lambda tools: tools.add(1),
        lambda tools: tools.add([("a", 1)]),
        lambda tools: tools.add({"a": 1}, b=2),
        lambda tools: tools.add({"a": 1}, {"b": 2}),
        lambda tools: tools.add(None),
    ],
)
def test_arguments_by_position_are_refused_with_both_forms(
    call: Callable[[Any], Awaitable[object]],
) -> None:
    """The error is found where the call is awaited, and shows what to write."""
    host = Host()

    async def main() -> object:
        return await outcome(call(host.tools))

    error = host.run(main())

    assert isinstance(error, TypeError)
    assert (
        "tools.add takes keyword arguments, as in tools.add(name=value), "
        "or one dict, as in tools.add({'name': value})"
    ) == str(error)
    assert [] == host.sent


def test_the_forms_are_shown_by_subscript_for_a_name_that_needs_it() -> None:
    """As the program has to write it."""
    host = Host()

    async def main() -> object:
        return await outcome(host.tools["my-tool"](1))

    assert "as in tools['my-tool'](name=value)" in str(host.run(main()))


@pytest.mark.parametrize(
    "args,path",
    [({"a": {1}}, "$.a"), ({"a": [float("nan")]}, "$.a[0]"), ({"a": 10**4300}, "$.a")],
    ids=["set", "nan", "long integer"],
)
def test_lossy_arguments_are_refused_where_they_are_awaited(
    args: dict[str, object], path: str
) -> None:
    """Checklist 93, 97: with their path, and nothing is sent."""
    host = Host()

    async def main() -> object:
        return await outcome(host.tools.add(**args))

    error = host.run(main())

    assert isinstance(error, LossyValueError)
    assert path == error.path
    assert [] == host.sent


def test_arguments_that_are_too_long_are_refused() -> None:
    """To the byte; what fits is sent."""
    host = Host([reply(1)], max_args_bytes=10)

    async def main() -> list[object]:
        return [await outcome(host.tools.add(a=text)) for text in ("xx", "xxx")]

    fits, error = host.run(main())

    assert fits is None
    assert isinstance(error, ValueTooLargeError)
    assert 1 == len(host.sent)


def test_arguments_of_too_many_parts_are_refused() -> None:
    """However few bytes they are; the list itself is one."""
    host = Host([reply(1)], max_args_parts=10)

    async def main() -> list[object]:
        return [await outcome(host.tools.add(a=[0] * count)) for count in (9, 10)]

    fits, error = host.run(main())

    assert fits is None
    assert isinstance(error, ValueTooLargeError)
    assert "parts" == error.unit


def test_arguments_are_taken_as_they_are_when_the_call_is_made() -> None:
    """What the program does to its dict before it awaits is not sent."""
    host = Host([reply(1)])
    args = {"a": [1]}

    async def main() -> None:
        call = host.tools.add(args)
        args["a"].append(2)
        await call

    host.run(main())

    assert {"a": [1]} == host.sent[0][4]


def test_a_call_that_is_never_awaited_is_never_sent() -> None:
    """As with any coroutine."""
    host = Host()

    async def main() -> None:
        host.tools.add().close()
        host.tools.add(1).close()

    host.run(main())

    assert [] == host.sent


def test_a_coroutine_of_a_call_is_named_as_the_program_wrote_it() -> None:
    """So Python's own words about it, never awaited for one, make sense."""
    host = Host()
    function, coroutine = host.tools.add, host.tools["my-tool"]()
    coroutine.close()

    assert ("add", "tools.add", "__main__") == (
        function.__name__,
        function.__qualname__,
        function.__module__,
    )
    assert ("my-tool", "tools['my-tool']") == (coroutine.__name__, coroutine.__qualname__)


# How a call ends.


def test_a_rejected_call_raises_the_class_of_its_namespace() -> None:
    """Checklist 62, 79: a real exception class, with the exact name and the host's message."""
    host = Host([rejection(1, "it is locked")])

    async def main() -> object:
        return await outcome(host.tools["__class__"]())

    error = host.run(main())

    error_class = host.names["ToolCallError"]
    assert isinstance(error_class, type)
    assert issubclass(error_class, Exception)
    assert type(error) is error_class
    assert ("it is locked", "__class__") == (str(error), vars(error)["tool_name"])


def test_without_an_error_class_a_rejected_call_raises_runtime_error() -> None:
    """And there is no global but the namespace's."""
    host = Host([rejection(1, "no")])
    names = install([NamespaceSpec("files", ("read",), None, None)], host.calls)
    files: Any = names["files"]

    async def main() -> object:
        return await outcome(files.read())

    assert ["files"] == list(names)
    error = host.run(main())
    assert (RuntimeError, "no") == (type(error), str(error))


def test_namespaces_that_name_one_error_class_share_it() -> None:
    """Checklist 74: one `except` catches the rejections of both, each with its own member."""
    host = Host([rejection(1, "a"), rejection(2, "b")])
    names = install(
        [
            NamespaceSpec("one", ("first",), "ToolCallError", "tool_name"),
            NamespaceSpec("two", ("second",), "ToolCallError", "tool_name"),
        ],
        host.calls,
    )
    one, two, error_class = names["one"], names["two"], names["ToolCallError"]

    async def main(one: Any, two: Any) -> list[object]:
        return list(await asyncio.gather(outcome(one.first()), outcome(two.second())))

    errors = host.run(main(one, two))

    assert {"one", "two", "ToolCallError"} == set(names)
    assert [error_class, error_class] == [type(error) for error in errors]
    assert ["first", "second"] == [error.tool_name for error in errors]
    assert [(0, 0), (1, 0)] == [tuple(frame[2:4]) for frame in host.sent]


def test_replies_settle_their_own_calls_in_any_order() -> None:
    """Checklist 72: a result is there on completion, not behind a slower sibling."""
    host = Host([reply(3, "c")], [reply(1, "a")], [rejection(2, "b")])
    order: list[object] = []

    async def call(number: int) -> None:
        order.append(str(await outcome(host.tools.add(n=number))))

    async def main() -> None:
        await asyncio.gather(*(call(number) for number in range(3)))

    host.run(main())

    assert ["c", "a", "b"] == order


def test_numbers_count_from_one_in_the_order_of_submission() -> None:
    """Checklist 61."""
    host = Host([reply(number) for number in (1, 2, 3)], [reply(4)])

    async def main() -> None:
        await asyncio.gather(*(host.tools.add(n=number) for number in range(3)))
        await host.tools.list_items()

    host.run(main())

    assert [(1, 0), (2, 1), (3, 2)] == [(frame[1], frame[4]["n"]) for frame in host.sent[:3]]
    assert ["call", 4, 0, 1, {}] == host.sent[3]


# The window.


def test_calls_beyond_the_window_wait_their_turn() -> None:
    """Checklist 71: never an error, and sent one for one as replies come."""
    host = Host([reply(2)], [reply(1), reply(3)], [reply(4), reply(5)], max_pending=2)
    sent_at: list[int] = []

    async def call(number: int) -> None:
        await host.tools.add(n=number)
        sent_at.append(len(host.sent))

    async def main() -> None:
        await asyncio.gather(*(call(number) for number in range(5)))

    host.run(main())

    assert list(range(5)) == [frame[4]["n"] for frame in host.sent]
    assert [3, 5, 5, 5, 5] == sent_at


def test_five_thousand_calls_complete() -> None:
    """Checklist 71: with never more than the window with the host."""
    host = Host(*([reply(number, number)] for number in range(1, 5_001)), max_pending=128)
    most = 0

    async def call(number: int) -> object:
        nonlocal most
        result = await host.tools.add(n=number)
        assert isinstance(result, int)
        most = max(most, len(host.sent) - result)
        return result

    async def main() -> list[object]:
        return await asyncio.gather(*(call(number) for number in range(5_000)))

    assert list(range(1, 5_001)) == host.run(main())
    assert 128 == most


def test_large_arguments_wait_for_room_in_bytes() -> None:
    """Eleven bytes each, and thirty at once are two of them."""
    host = Host([reply(1)], [reply(2)], [reply(3)], max_pending_bytes=30)
    sent_at: list[int] = []

    async def call() -> None:
        await host.tools.add(a="xxx")
        sent_at.append(len(host.sent))

    async def main() -> None:
        await asyncio.gather(call(), call(), call())

    host.run(main())

    assert 11 == len(host.calls.encode({"a": "xxx"}))
    assert [3, 3, 3] == sent_at


def test_arguments_of_many_parts_wait_for_room() -> None:
    """Two hundred at once are two calls of ninety."""
    host = Host([reply(1)], [reply(2)], [reply(3)], max_pending_parts=200)
    sent_at: list[int] = []

    async def call() -> None:
        await host.tools.add(a=[0] * 90)
        sent_at.append(len(host.sent))

    async def main() -> None:
        await asyncio.gather(call(), call(), call())

    host.run(main())

    assert [3, 3, 3] == sent_at


def test_a_call_larger_than_the_room_goes_alone() -> None:
    """And those behind it do not overtake it."""
    host = Host([reply(1)], [reply(2)], [reply(3)], max_pending_bytes=30)

    async def main() -> list[int]:
        tasks = [asyncio.create_task(host.tools.add(a=text)) for text in ("x", "y" * 100, "z")]
        seen = []
        for task in tasks:
            await task
            seen.append(len(host.sent))
        return seen

    assert [2, 3, 3] == host.run(main())
    assert ["x", "y" * 100, "z"] == [frame[4]["a"] for frame in host.sent]


# Cancelling.


def test_cancelling_the_task_that_awaits_cancels_the_call_on_the_host() -> None:
    """Checklist 73: and its room is taken until the host has answered."""
    host = Host([rejection(1, "cancelled"), reply(2)], max_pending=1)

    async def main() -> None:
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(host.tools.add(n=1), 1)
        await host.tools.add(n=2)

    host.run(main())

    assert [["call", 1, 0, 0, {"n": 1}], ["cancel", 1], ["call", 2, 0, 0, {"n": 2}]] == host.sent


def test_a_failing_sibling_in_a_task_group_cancels_the_call_on_the_host() -> None:
    """Checklist 73."""
    host = Host([rejection(1)])

    async def main() -> None:
        with pytest.raises(ExceptionGroup):
            await together()

    async def together() -> None:
        async with asyncio.TaskGroup() as group:
            group.create_task(host.tools.add())
            group.create_task(host.tools.list_items())

    host.run(main())

    assert ["cancel", 2] == host.sent[-1]


def test_a_call_that_is_cancelled_in_the_queue_is_never_sent() -> None:
    """Nor is its cancellation; those behind it move up."""
    host = Host([reply(1)], [reply(2)], max_pending=1)

    async def main() -> None:
        first, second, third = (
            asyncio.create_task(host.tools.add(n=number)) for number in range(3)
        )
        await asyncio.sleep(0)
        second.cancel()
        await asyncio.gather(first, third)

    host.run(main())

    assert [["call", 1, 0, 0, {"n": 0}], ["call", 2, 0, 0, {"n": 2}]] == host.sent


def test_a_queue_of_nothing_but_cancelled_calls_blocks_nobody() -> None:
    """A later call is sent at once when there is room."""
    host = Host([reply(1)], [reply(2)], max_pending=1)

    async def main() -> None:
        first, second = (asyncio.create_task(host.tools.add(n=number)) for number in range(2))
        await asyncio.sleep(0)
        second.cancel()
        await first
        await host.tools.add(n=2)

    host.run(main())

    assert [0, 2] == [frame[4]["n"] for frame in host.sent]


def test_a_call_cancelled_when_its_reply_is_there_is_not_cancelled_on_the_host() -> None:
    """There is nothing left to stop."""
    host = Host([reply(1), reply(2)])

    async def main() -> None:
        async def cancel_the_other() -> None:
            await host.tools.add()
            second.cancel()

        first = asyncio.create_task(cancel_the_other())
        second = asyncio.create_task(host.tools.list_items())
        await asyncio.gather(first, second, return_exceptions=True)
        assert second.cancelled()

    host.run(main())

    assert ["call", "call"] == [frame[0] for frame in host.sent]


# What the namespace is as an object.


def test_a_namespace_is_a_container_of_its_names() -> None:
    """So a program can look around."""
    tools = Host().tools

    assert "add" in tools
    assert "nope" not in tools
    assert 1 not in tools
    assert len(TOOLS.members) == len(tools)
    assert list(TOOLS.members) == list(tools)
    assert sorted(TOOLS.members) == dir(tools)
    assert "<tools: 8 functions>" == repr(tools)


@pytest.mark.parametrize(
    "wrong,told",
    [
        ("ad", "; did you mean 'add'?"),
        ("listItems", "; did you mean 'list_items'?"),
        ("LIST_ITEMS", "; did you mean 'list_items'?"),
        ("my_tool", "; did you mean 'my-tool'?"),
        ("zzzzzz", "; it has 'add', 'list_items', 'my-tool', '', '__class__', 'class',"),
        ("y" * 10_000, "…'; it has 'add'"),
    ],
)
def test_a_wrong_name_is_told_the_right_one(wrong: str, told: str) -> None:
    """As an attribute and by subscript; the first words say what has no such member."""
    tools = Host().tools

    with pytest.raises(AttributeError, match="tools has no member") as by_attribute:
        getattr(tools, wrong)
    with pytest.raises(KeyError, match="tools has no member") as by_subscript:
        tools[wrong]

    assert told in str(by_attribute.value)
    assert told in by_subscript.value.args[0]
    assert 800 > len(str(by_attribute.value))


@pytest.mark.parametrize(
    "members,told",
    [
        ((), "tools has no member 'zzz'; it is empty"),
        (
            tuple(f"t{number:02}" for number in range(14)),
            "'t06', 't07', 't08', 't09', 't10', 't11' and 2 more",
        ),
    ],
)
def test_what_is_there_instead_is_listed_up_to_a_dozen(members: tuple[str, ...], told: str) -> None:
    """A namespace may have five thousand."""
    host = Host()
    tools: Any = install([NamespaceSpec("tools", members, None, None)], host.calls)["tools"]

    with pytest.raises(AttributeError) as caught:
        tools.zzz  # noqa: B018 - the read itself is what fails

    assert str(caught.value).endswith(told)


@pytest.mark.parametrize("key", [0, None, ("add",), b"add"])
def test_a_key_that_is_no_text_is_no_name(key: object) -> None:
    """It is told so, with its type."""
    with pytest.raises(KeyError, match=f"names of type str, not {type(key).__name__}"):
        Host().tools[key]


def test_a_namespace_cannot_be_written_to() -> None:
    """Checklist 89: a program cannot put its own function in the place of a tool."""
    tools = Host().tools

    with pytest.raises(AttributeError):
        tools.add = print
    with pytest.raises(AttributeError):
        tools.other = print
    with pytest.raises(AttributeError):
        del tools.add
    with pytest.raises(TypeError):
        tools["add"] = print


def test_nothing_of_the_bridge_can_be_reached_by_an_attribute() -> None:
    """Functions are closures, and the object has no slot."""
    tools = Host().tools

    assert () == type(tools).__slots__
    assert not hasattr(tools, "__dict__")
    assert {} == vars(tools.add)
    assert ("tools", "__main__") == (type(tools).__name__, type(tools).__module__)
