"""A typed function as a tool: what it takes, what it refuses, what it gives."""

from __future__ import annotations

import enum
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from typing import Annotated, Any

import anyio
import anyio.from_thread
import anyio.lowlevel
import pytest
from pydantic import BaseModel, Field
from typing_extensions import TypedDict

from codemode.tools import ToolCallError, ToolSignatureError
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
        ({"number": 0}, "number: Input should be greater than or equal to 1"),
        ({"number": "1"}, "number: Input should be a valid integer, not str"),
        ({"number": True}, "number: Input should be a valid integer, not bool"),
        ({"number": 1, "filters": [{}]}, "filters[0].name: Field required"),
        ({"number": 1, "filters": [{"name": "a", "prices": [3]}]}, "filters[0].prices[0]: "),
        ([1], "page takes arguments by name, as one object, not list"),
        (None, "page takes arguments by name, as one object, not NoneType"),
    ],
)
async def test_arguments_that_do_not_fit_are_refused_with_their_path(
    sent: object, told: str
) -> None:
    """The message says which argument is wrong, and how, before the function is called."""
    with pytest.raises(ToolCallError) as refused:
        await define(page).invoke(sent)

    assert told in str(refused.value)


async def test_a_refusal_names_every_parameter_and_which_may_be_left_out() -> None:
    """The program's next guess needs no guessing."""
    with pytest.raises(ToolCallError) as refused:
        await define(page).invoke({"numbr": 1, "filters": 3})

    assert (
        "page: the argument 'number' is missing; filters: Input should be a valid array, not int; "
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


async def test_nan_is_left_to_the_seam_that_refuses_it() -> None:
    """It does not turn into null on the way, as pydantic would have it."""
    assert "nan" == repr(await define(nan).invoke({}))


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
        (wrong_number, "wrong_number returned a value that is not what it declares: it: Input"),
        (wrong_item, "not what it declares: [0].next: Input should be a valid integer"),
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
