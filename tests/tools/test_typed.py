"""A typed function as a tool: what it takes, what it refuses, what it gives."""

from __future__ import annotations

import enum
import functools
import threading
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from typing import Annotated, Any, Literal, cast

import anyio
import anyio.from_thread
import anyio.lowlevel
import pytest
from pydantic import BaseModel, Field
from typing_extensions import TypedDict

from codemode.tools import ToolCallError, ToolContext, ToolSignatureError
from codemode.tools.typed import define


class Price(BaseModel):
    amount: Decimal
    since: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    name: str
    prices: list[Price]


class Page(TypedDict):
    items: list[Item]
    next: int | None


class Order(enum.Enum):
    UP = "up"


def page(
    number: Annotated[int, Field(ge=1)], order: Order = Order.UP, *, filters: Sequence[Item] = ()
) -> Page:
    """One page of the catalogue.

    Pages start at 1.
    """
    prices = [Price(amount=Decimal("1.50"), since=datetime(2024, 1, 2, tzinfo=UTC))]
    items = [Item(name=order.value, prices=prices), *filters]
    return {"items": items, "next": number + 1}


async def test_models_dataclasses_and_dates_come_out_as_plain_json_values() -> None:
    """What the function returns reaches the program as dicts, lists and text."""
    value = await define(page).invoke({"number": 1})

    price = {"amount": "1.50", "since": "2024-01-02T00:00:00Z"}
    assert {"items": [{"name": "up", "prices": [price]}], "next": 2} == value


async def test_nested_arguments_arrive_as_the_types_that_the_function_declares() -> None:
    """Objects become dataclasses and models on the way in, enums and dates come as text."""
    price = {"amount": "2.00", "since": "2024-01-02T00:00:00Z"}
    item = {"name": "lamp", "prices": [price]}

    value = await define(page).invoke({"number": 1, "order": "up", "filters": [item]})

    assert isinstance(value, dict)
    assert item == value["items"][1]


@pytest.mark.parametrize(
    "sent,told",
    [
        ({}, "the argument 'number' is missing"),
        ({"numbr": 1}, "there is no argument 'numbr' (did you mean 'number'?)"),
        ({"number": 1, "zzz": 1}, "there is no argument 'zzz'; it takes"),
        ({"number": 0}, "number: must be greater than or equal to 1"),
        ({"number": "1"}, "number: must be an integer, not string"),
        ({"number": True}, "number: must be an integer, not boolean"),
        ({"number": 1, "filters": [{}]}, "filters[0].name is missing"),
        ({"number": 1, "filters": [{"name": "a", "prices": [3]}]}, "filters[0].prices[0]: "),
        ([1], "page: it takes arguments by name, as one object, not array"),
        (None, "page: it takes arguments by name, as one object, not null"),
    ],
)
async def test_arguments_that_do_not_fit_are_refused_with_their_path(
    sent: object, told: str
) -> None:
    """Checklist 16, 19: path and expected type are named before the function is called."""
    with pytest.raises(ToolCallError) as refused:
        await define(page).invoke(sent)

    assert told in str(refused.value)


async def test_a_refusal_names_every_parameter_and_which_may_be_left_out() -> None:
    """The program's next guess needs no guessing."""
    with pytest.raises(ToolCallError) as refused:
        await define(page).invoke({"numbr": 1, "filters": 3})

    assert (
        "page: the argument 'number' is missing; filters: must be an array, not integer; "
        "there is no argument 'numbr' (did you mean 'number'?); it takes (number, order?, filters?)"
    ) == str(refused.value)


async def test_a_parameter_may_have_any_name_that_python_allows() -> None:
    """Names that pydantic keeps for itself, or reads as private, are ordinary parameters."""

    def odd(schema: int, _x: int, model_config: int, self: int) -> list[int]:
        return [schema, _x, model_config, self]

    sent = {"schema": 1, "_x": 2, "model_config": 3, "self": 4}

    assert [1, 2, 3, 4] == await define(odd).invoke(sent)


async def test_a_parameter_without_a_type_takes_any_value_as_it_is() -> None:
    """No annotation means no check, not a refusal."""

    def echo(value):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202 - that is the case
        return value

    value = {"a": [1, -0.0, None, True, "\u2028", 10**400]}

    assert repr(value) == repr(await define(echo).invoke({"value": value}))


async def test_an_async_function_runs_in_the_event_loop() -> None:
    """Nothing moves it to a thread, so it may use what belongs to the loop."""

    async def where() -> int:
        await anyio.lowlevel.checkpoint()
        return threading.get_ident()

    assert threading.get_ident() == await define(where).invoke({})


async def test_a_plain_function_blocks_its_thread_and_not_the_loop() -> None:
    """Two calls that wait for each other both end."""
    meeting = threading.Barrier(2, timeout=5)
    tool = define(lambda: meeting.wait() >= 0, name="meet")
    met: list[object] = []

    async def call() -> None:
        met.append(await tool.invoke({}))

    async with anyio.create_task_group() as both:
        both.start_soon(call)
        both.start_soon(call)

    assert [True, True] == met


async def test_cancelling_a_call_does_not_wait_for_the_thread_it_left() -> None:
    """A function that blocks for good holds nobody up once its call is cancelled."""
    entered, free = anyio.Event(), threading.Event()

    def block() -> None:
        anyio.from_thread.run_sync(entered.set)
        free.wait(5)

    async def call() -> None:
        await define(block).invoke({})

    with anyio.fail_after(2):
        async with anyio.create_task_group() as calls:
            calls.start_soon(call)
            await entered.wait()
            calls.cancel_scope.cancel()
    was_blocked = not free.is_set()
    free.set()

    assert was_blocked


async def test_what_the_function_raises_reaches_the_caller_as_it_is() -> None:
    """The tool's own exception is neither wrapped nor reworded."""

    def fail() -> None:
        raise ToolCallError("no page 9; the last is 4")

    with pytest.raises(ToolCallError, match=r"^no page 9; the last is 4$"):
        await define(fail).invoke({})


async def nan() -> float:
    return float("nan")


async def test_nan_is_refused_and_does_not_turn_into_null() -> None:
    """Checklist 19: pydantic alone would have made it null without a word."""
    with pytest.raises(ToolCallError, match=r"nan: its result is not lossless JSON: .*nan is not"):
        await define(nan).invoke({})


async def wrong_number() -> int:
    return None  # type: ignore[return-value]


async def wrong_item() -> list[Page]:
    return [{"items": [], "next": "last"}]  # type: ignore[typeddict-item]


async def no_json() -> object:
    return object()


async def deep() -> list[Any]:
    value: list[Any] = []
    for _ in range(1_000):
        value = [value]
    return value


@pytest.mark.parametrize(
    "function,told",
    [
        (
            wrong_number,
            "wrong_number: it returned a value that is not what it declares: it: must be",
        ),
        (wrong_item, "not what it declares: [0].next: must be an integer, not string"),
        (no_json, "Unable to serialize unknown type"),
        (deep, "depth exceeded"),
    ],
)
async def test_a_result_that_is_not_what_was_declared_fails_the_call(
    function: Callable[..., object], told: str
) -> None:
    """The program never gets a value of another shape than it was told."""
    with pytest.raises(ToolCallError) as refused:
        await define(function).invoke({})

    assert told in str(refused.value)


def positional(a: int, /) -> None: ...
def several(*a: int) -> None: ...
def keywords(**a: int) -> None: ...
def unknown(a: NoSuchType) -> None: ...  # type: ignore[name-defined]  # noqa: F821 - that is the case
def schemaless(a: threading.Lock) -> None: ...


@pytest.mark.parametrize(
    "function,told",
    [
        (positional, "'positional' cannot be a tool: a program gives arguments by name, and"),
        (several, "'a' cannot be given so"),
        (keywords, "'a' cannot be given so"),
        (unknown, "'unknown' cannot be a tool: name 'NoSuchType' is not defined"),
        (schemaless, "'schemaless' cannot be a tool: "),
    ],
)
def test_a_function_that_cannot_be_called_by_name_is_refused_when_it_is_defined(
    function: Callable[..., object], told: str
) -> None:
    """The mistake shows where the tool is written, not in a model's first call."""
    with pytest.raises(ToolSignatureError) as refused:
        define(function)

    assert told in str(refused.value)


def test_a_tool_is_described_by_the_docstring_of_its_function() -> None:
    """Indentation is taken off; no docstring is an empty description."""
    assert "One page of the catalogue.\n\nPages start at 1." == define(page).description
    assert "" == define(nan).description


async def stream() -> AsyncIterator[int]:
    yield 1


def items() -> Iterator[int]:
    yield 1


@pytest.mark.parametrize(
    "function,told",
    [
        (stream, "'stream' cannot be a tool: it yields, and a call has one result; return a list"),
        (items, "'items' cannot be a tool: it yields, and a call has one result; return a list"),
        (lambda: 1, "'<lambda>' cannot be a tool: a lambda has no name; say @registry.tool(name="),
    ],
)
def test_a_generator_or_a_nameless_function_is_refused_in_words(
    function: Callable[..., object], told: str
) -> None:
    """What it lacks, and what to do about it."""
    with pytest.raises(ToolSignatureError) as refused:
        define(function)

    assert told in str(refused.value)


async def test_a_function_gets_the_context_of_its_call_if_it_wants_it() -> None:
    """Under any name, and nobody else sees that parameter."""

    def where(n: int, context: ToolContext) -> str:
        return f"{context.call.name} {n}"

    tool = define(where)

    assert "where 1" == await tool.invoke({"n": 1})
    assert ["n"] == list(cast("dict[str, object]", tool.input_schema["properties"]))
    with pytest.raises(ToolCallError, match="there is no argument 'context'"):
        await tool.invoke({"n": 1, "context": {}})


async def test_an_object_with_an_async_call_runs_in_the_event_loop() -> None:
    """It is as async as an async function."""

    class Where:
        async def __call__(self) -> int:
            await anyio.lowlevel.checkpoint()
            return threading.get_ident()

    assert threading.get_ident() == await define(Where(), name="where").invoke({})


async def test_a_partial_function_keeps_the_types_of_what_is_left_of_it() -> None:
    """What was given already can still be given, as in Python."""
    tool = define(functools.partial(everything_but, b=2), name="rest")

    assert 3 == await tool.invoke({"a": 1})
    with pytest.raises(ToolCallError, match="a: must be an integer, not string"):
        await tool.invoke({"a": "1"})


def everything_but(a: int, b: int) -> int:
    return a + b


def everything(  # noqa: PLR0913, PLR0917 - one of each type
    text: str,
    number: float,
    integer: int,
    flag: bool,  # noqa: FBT001 - as a model sends it
    nothing: None,
    array: list[int],
    item: Item,
    json: Any,
    either: str | int,
    choice: Literal["a", 1],
    optional: int | None = None,
) -> Page:
    raise NotImplementedError


def test_types_say_what_a_schema_can_say() -> None:
    """Checklist 17: each kind of JSON, alternatives, choices, and what is required."""
    schema = define(everything).input_schema
    properties = cast("dict[str, dict[str, object]]", schema["properties"])

    assert {
        "text": {"type": "string"},
        "number": {"type": "number"},
        "integer": {"type": "integer"},
        "flag": {"type": "boolean"},
        "nothing": {"type": "null"},
        "array": {"type": "array", "items": {"type": "integer"}},
        "item": {"$ref": "#/$defs/Item"},
        "json": {},
        "either": {"anyOf": [{"type": "string"}, {"type": "integer"}]},
        "choice": {"enum": ["a", 1]},
        "optional": {"anyOf": [{"type": "integer"}, {"type": "null"}], "default": None},
    } == properties
    assert [*properties][:-1] == schema["required"]
    assert False is schema["additionalProperties"]


def test_the_output_schema_is_that_of_the_return_type() -> None:
    """Checklist 4: as the value is written; a function that says nothing declares nothing."""
    page_schema = define(page).output_schema

    assert page_schema is not None
    assert "#/$defs/Page" == page_schema["$ref"]
    assert {"Item", "Page", "Price"} == set(cast("dict[str, object]", page_schema["$defs"]))
    assert define(lambda: None, name="f").output_schema is None


async def odd_default(value: object = object()) -> bool:
    return value is None


async def test_a_default_that_is_no_json_is_left_out_of_the_schema() -> None:
    """It is the function's own business, and no warning."""
    assert {"value": {}} == define(odd_default).input_schema["properties"]
    assert await define(odd_default).invoke({}) is False


async def test_an_error_inside_a_union_is_told_without_the_names_of_its_forms() -> None:
    """Checklist 16: the path is one that the caller can follow."""

    def take(item: Item | int) -> None: ...

    with pytest.raises(ToolCallError) as refused:
        await define(take).invoke({"item": {"name": "a", "prices": [{"amount": "x"}]}})

    assert "item.prices[0].amount: " in str(refused.value)
    assert "item.prices[0].since is missing" in str(refused.value)
    assert "Item." not in str(refused.value)
