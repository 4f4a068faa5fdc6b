"""What programs may and may not write against the golden stubs. Read by mypy, never run.

A comment that ignores an error is a claim: mypy says so where there is none to ignore.
"""

from __future__ import annotations

from golden.shop import catalog, tools
from golden.trees import ToolCallError, library


async def shop() -> float:
    """Results are typed down to their lines; odd names are reached by subscript."""
    page = await tools.list_orders(status="open")
    lines = [line["count"] for order in page["orders"] for line in order["lines"]]
    order = await tools["get-order"](id=page["orders"][0]["id"])
    await tools.move({"from": "a", "to": "b"})
    await tools["list_orders"]()
    total = order["total"] if order is not None else 0
    text: str = await catalog.describe(name="move")
    return sum(lines) + total + len(text)


async def wrong_shop() -> None:
    """Names, literals, types and missing arguments are errors."""
    await tools.list_orders(status="closed")  # type: ignore[call-overload]
    await tools.list_orders(pages=1)  # type: ignore[call-overload]
    await tools.move({"from": "a"})  # type: ignore[typeddict-item]
    await tools["get-order"]()  # type: ignore[call-overload]
    (await tools.list_orders())["rows"]  # type: ignore[typeddict-item]
    tools.list_order  # type: ignore[attr-defined]  # noqa: B018
    tools.list_orders()["orders"]  # type: ignore[index]


async def trees() -> int:
    """Recursion, further keys, and a namespace of its own."""
    try:
        await library.search(where={"and": [{"field": "a", "is": 1}, {"or": []}]}, list=["x"])
    except ToolCallError as error:
        return len(error.tool_name)
    made = await library.put(book={"title": "x", "year": 1900}, shelf=3)
    return made.get("n", 0)


async def wrong_trees() -> None:
    """Deep mistakes are found where they are."""
    await library.search(where={"and": [{"or": 1}]})  # type: ignore[call-overload]
    await library.put(book={"title": "x"}, shelf="top")  # type: ignore[call-overload]
