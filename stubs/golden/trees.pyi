from typing import Any, Callable, Coroutine, Iterator, Mapping, NotRequired, Protocol, Sequence, TypeAlias, TypedDict, overload

Json: TypeAlias = None | bool | int | float | str | Sequence[Any] | Mapping[str, Any]

class PutArgs(TypedDict):  # other keys too: int
    book: Book | Mapping[str, Json]

class Book(TypedDict):  # other keys too: Json
    title: str

SearchArgs = TypedDict("SearchArgs", {
    "where": "Where",
    "list": "NotRequired[list[str]]",
})

Where: TypeAlias = "Where2 | Where4 | Where3"

Where3 = TypedDict("Where3", {
    "field": "str",
    "is": "Json",
})

Where4 = TypedDict("Where4", {
    "or": "list[Where]",
})

Where2 = TypedDict("Where2", {
    "and": "list[Where]",
})

class PutResult(TypedDict):
    n: NotRequired[int]

class Put(Protocol):
    "[result observed in 7 calls, not declared]"
    @overload
    async def __call__(self, *, book: Book | Mapping[str, Json], **more: int) -> PutResult: ...
    @overload
    async def __call__(self, args: PutArgs | Mapping[str, Json], /) -> PutResult: ...

class Search(Protocol):
    'Find "books" by a tree of conditions; the words are `and`, `or`. [no result is declared]'
    @overload
    async def __call__(self, *, where: Where, list: list[str] = ...) -> Any: ...
    @overload
    async def __call__(self, args: SearchArgs, /) -> Any: ...

class Tools(Protocol):
    put: Put
    search: Search
    def __getitem__(self, name: str, /) -> Callable[..., Coroutine[Any, Any, Any]]: ...
    def __contains__(self, name: object, /) -> bool: ...
    def __iter__(self) -> Iterator[str]: ...
    def __len__(self) -> int: ...

tools: Tools

class Library(Protocol):
    put: Put
    search: Search
    def __getitem__(self, name: str, /) -> Callable[..., Coroutine[Any, Any, Any]]: ...
    def __contains__(self, name: object, /) -> bool: ...
    def __iter__(self) -> Iterator[str]: ...
    def __len__(self) -> int: ...

library: Library

class ToolCallError(Exception):
    tool_name: str

class Catalog(Protocol):
    async def search(self, *, query: str, limit: int = 20) -> list[dict[str, str]]: ...
    async def describe(self, *, name: str) -> str: ...

catalog: Catalog
