from typing import Any, Callable, Coroutine, Iterator, Literal, NotRequired, Protocol, TypedDict, overload

class GetOrderArgs(TypedDict):
    id: str  # uuid

class ListOrdersArgs(TypedDict, total=False):
    page: int  # Which page [>= 1; default 1]
    status: Literal["open", "paid", "sent"]  # Only these

MoveArgs = TypedDict("MoveArgs", {
    "from": "str",  # Where they are
    "to": "str",  # Where they go
    "note": "NotRequired[str]",  # <= 80 chars
})

class Order(TypedDict):
    id: str
    total: float

class ListOrdersResult(TypedDict):
    orders: list[Order2]
    next: int | None

class Order2(TypedDict):  # What someone bought
    id: str  # uuid
    status: Literal["open", "paid", "sent"]
    total: float  # >= 0
    lines: list[Line]

class Line(TypedDict):
    sku: str
    count: int

class GetOrder(Protocol):
    "One order by its id."
    @overload
    async def __call__(self, *, id: str) -> Order | None: ...
    @overload
    async def __call__(self, args: GetOrderArgs, /) -> Order | None: ...

class ListOrders(Protocol):
    "One page of the orders, newest first."
    @overload
    async def __call__(self, *, page: int = 1, status: Literal["open", "paid", "sent"] = ...) -> ListOrdersResult: ...
    @overload
    async def __call__(self, args: ListOrdersArgs, /) -> ListOrdersResult: ...

class Move(Protocol):
    "Send goods from one place to another. [no result is declared]"
    async def __call__(self, args: MoveArgs, /) -> Any: ...

class Tools(Protocol):
    list_orders: ListOrders
    move: Move
    @overload
    def __getitem__(self, name: Literal["get-order"], /) -> GetOrder: ...
    @overload
    def __getitem__(self, name: str, /) -> Callable[..., Coroutine[Any, Any, Any]]: ...
    def __contains__(self, name: object, /) -> bool: ...
    def __iter__(self) -> Iterator[str]: ...
    def __len__(self) -> int: ...

tools: Tools

class ToolCallError(Exception):
    tool_name: str

class Catalog(Protocol):
    async def search(self, *, query: str, limit: int = 20) -> list[dict[str, str]]: ...
    async def describe(self, *, name: str) -> str: ...

catalog: Catalog
