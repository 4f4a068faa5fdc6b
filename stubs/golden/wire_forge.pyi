from typing import Any, Callable, Coroutine, Iterator, Literal, NotRequired, Protocol, Required, TypedDict, overload

class CloseIssueArgs(TypedDict):
    owner: str  # The account that owns the repository, a user or an organisation
    repo: str  # The name of the repository, without its owner
    number: int  # The number of the issue
    reason: NotRequired[Literal["done", "duplicate", "not-planned"]]  # Why

class CreateIssueArgs(TypedDict):
    owner: str  # The account that owns the repository, a user or an organisation
    repo: str  # The name of the repository, without its owner
    title: str  # A short title
    body: NotRequired[str]  # The text, in Markdown
    labels: NotRequired[list[str]]  # Labels to set

class DeleteFileArgs(TypedDict):
    owner: str  # The account that owns the repository, a user or an organisation
    repo: str  # The name of the repository, without its owner
    path: str  # Path in the repository
    message: str  # The message of the commit

class GetIssueArgs(TypedDict):
    owner: str  # The account that owns the repository, a user or an organisation
    repo: str  # The name of the repository, without its owner
    number: int  # The number of the issue

class ListIssuesArgs(TypedDict, total=False):
    owner: Required[str]  # The account that owns the repository, a user or an organisation
    repo: Required[str]  # The name of the repository, without its owner
    page: float  # Which page of the results, from 1 [>= 1; default 1]
    per_page: float  # Results on each page [1..100]
    state: Literal["open", "closed", "all"]  # Only issues in this state

class ReadFileArgs(TypedDict):
    owner: str  # The account that owns the repository, a user or an organisation
    repo: str  # The name of the repository, without its owner
    path: str  # Path in the repository
    ref: NotRequired[str]  # A branch, tag or commit; the default branch if left out

class SearchCodeArgs(TypedDict):
    owner: str  # The account that owns the repository, a user or an organisation
    repo: str  # The name of the repository, without its owner
    page: NotRequired[float]  # Which page of the results, from 1 [>= 1; default 1]
    per_page: NotRequired[float]  # Results on each page [1..100]
    query: str  # What to look for

class WriteFileArgs(TypedDict):
    owner: str  # The account that owns the repository, a user or an organisation
    repo: str  # The name of the repository, without its owner
    path: str  # Path in the repository
    text: str  # The whole new contents
    message: str  # The message of the commit
    branch: NotRequired[str]  # The branch to commit to

class CreateIssueResult(TypedDict):
    issue: Issue

class Issue(TypedDict):
    number: int  # The number of the issue
    title: str  # The title
    state: Literal["open", "closed"]
    labels: NotRequired[list[str]]
    author: NotRequired[str]  # Login of who opened it

class DeleteFileResult(TypedDict):
    commit: str

class ListIssuesResult(TypedDict):
    issues: list[Issue]

class ReadFileResult(TypedDict):
    text: str

class SearchCodeResult(TypedDict):
    hits: list[Hit]

class Hit(TypedDict):
    path: str  # Path in the repository
    line: int
    text: str

class CloseIssue(Protocol):
    "Close an issue. Closing one that is closed does nothing. [no result is declared]"
    @overload
    async def __call__(self, *, owner: str, repo: str, number: int, reason: Literal["done", "duplicate", "not-planned"] = ...) -> Any: ...
    @overload
    async def __call__(self, args: CloseIssueArgs, /) -> Any: ...

class CreateIssue(Protocol):
    "Open a new issue and return it as it was stored."
    @overload
    async def __call__(self, *, owner: str, repo: str, title: str, body: str = ..., labels: list[str] = ...) -> CreateIssueResult: ...
    @overload
    async def __call__(self, args: CreateIssueArgs, /) -> CreateIssueResult: ...

class DeleteFile(Protocol):
    "Delete a file in a new commit and return the commit."
    @overload
    async def __call__(self, *, owner: str, repo: str, path: str, message: str) -> DeleteFileResult: ...
    @overload
    async def __call__(self, args: DeleteFileArgs, /) -> DeleteFileResult: ...

class GetIssue(Protocol):
    "Return one issue with its labels."
    @overload
    async def __call__(self, *, owner: str, repo: str, number: int) -> CreateIssueResult: ...
    @overload
    async def __call__(self, args: GetIssueArgs, /) -> CreateIssueResult: ...

class ListIssues(Protocol):
    "List the issues of a repository, the newest first."
    @overload
    async def __call__(self, *, owner: str, repo: str, page: float = 1, per_page: float = ..., state: Literal["open", "closed", "all"] = ...) -> ListIssuesResult: ...
    @overload
    async def __call__(self, args: ListIssuesArgs, /) -> ListIssuesResult: ...

class ReadFile(Protocol):
    "Return a file as text."
    @overload
    async def __call__(self, *, owner: str, repo: str, path: str, ref: str = ...) -> ReadFileResult: ...
    @overload
    async def __call__(self, args: ReadFileArgs, /) -> ReadFileResult: ...

class SearchCode(Protocol):
    "Search the contents of files in a repository; the query may use wildcards."
    @overload
    async def __call__(self, *, owner: str, repo: str, page: float = 1, per_page: float = ..., query: str) -> SearchCodeResult: ...
    @overload
    async def __call__(self, args: SearchCodeArgs, /) -> SearchCodeResult: ...

class WriteFile(Protocol):
    "Store a file in a new commit and return the commit."
    @overload
    async def __call__(self, *, owner: str, repo: str, path: str, text: str, message: str, branch: str = ...) -> DeleteFileResult: ...
    @overload
    async def __call__(self, args: WriteFileArgs, /) -> DeleteFileResult: ...

class Tools(Protocol):
    close_issue: CloseIssue
    create_issue: CreateIssue
    get_issue: GetIssue
    list_issues: ListIssues
    read_file: ReadFile
    search_code: SearchCode
    @overload
    def __getitem__(self, name: Literal["delete-file"], /) -> DeleteFile: ...
    @overload
    def __getitem__(self, name: Literal["write-file"], /) -> WriteFile: ...
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
