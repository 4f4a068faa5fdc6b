"""What a tool is to everyone who did not write it, and what one call of it is."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from types import TracebackType
from typing import Final, Literal, Protocol, Self, cast, get_args

import anyio.from_thread
import sniffio

from codemode.errors import UsageError
from codemode.runtime import CodeBindingNamespace
from codemode.session import EventSink, ToolProgressed
from codemode.tools.bodies import awaitable
from codemode.tools.contract import Contract, SchemaContract, no_object
from codemode.tools.errors import ToolCallError, ToolSignatureError
from codemode.tools.parts import Part
from codemode.tools.presentation import PresentCall, PresentResult
from codemode.tools.results import ToolOutput, ToolResult
from codemode_guest.values import decode, encode

#: Whether tools, or one of them, are shown to the model directly, reached from programs, or both.
Presentation = Literal["native", "code", "both"]

Arguments = dict[str, object]
Body = Callable[[Arguments, "ToolContext"], object]
Render = Callable[[Arguments, object], str | Sequence[Part]]
FinalizeContent = Callable[[tuple[Part, ...]], Sequence[Part]]

_MAX_WIRE_NAME: Final = 64
_UNSAFE_ON_WIRE: Final = re.compile(r"[^A-Za-z0-9_-]")


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolDefinition:
    """One tool: what it is called, what it takes and gives, and its body.

    Attributes:
        name: Any text but the empty one; a program reaches odd names by subscript.
        description: For the model.
        input_schema: JSON Schema of the arguments, which are one object; `{}` takes anything.
        output_schema: JSON Schema of the value; `None` where nothing is declared.
        body: Called with checked arguments, its own to change, and the context of the call; in
            a worker thread if it is not async. Returns the value, or a `ToolOutput` where there
            is more to show than that.
        namespace: The global of a program that has this tool as a member, besides `tools`.
        member: Its name there; `name` where there is a namespace and nothing is said.
        concurrency_safe: Whether a call may overlap others; a function tells from the arguments.
            Whatever is not exactly `True` is not safe.
        resource_key: What its calls work on; a function tells from the arguments. An unsafe call
            waits for the calls before it that share its key, and those after it wait for it.
            `None` shares every key.
        timeout_ms: How long the body may take.
        present_as: Where the tool shows, whatever the mode of the registry and its scopes.
        present_call: How a call is shown to a person; must be pure.
        present_result: How a result is; likewise.
        render: What the model sees of a value; its JSON, or text as it is, where nothing is said.
        finalize: Has the last word on what the model sees, of failures too; must be quick.
        contract: How arguments and value are checked; by the two schemas where nothing is said.
        perform: The body, as something to await.
        wire_name: The name in the APIs of models: ASCII letters, digits, `_` and `-`, at most 64.
            One that is long or not ASCII keeps what it can, and a hash that tells it from others.
    """

    name: str
    description: str = ""
    input_schema: Mapping[str, object] = field(default_factory=dict)
    output_schema: Mapping[str, object] | None = None
    body: Body
    namespace: str | None = None
    member: str | None = None
    concurrency_safe: bool | Callable[[Arguments], object] = False
    resource_key: str | Callable[[Arguments], str] | None = None
    timeout_ms: float | None = None
    present_as: Presentation | None = None
    present_call: PresentCall | None = None
    present_result: PresentResult | None = None
    render: Render | None = None
    finalize: FinalizeContent | None = None
    contract: Contract | None = field(default=None, repr=False)
    perform: Callable[[Arguments, ToolContext], Awaitable[object]] = field(init=False, repr=False)
    wire_name: str = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Fill in the member, what is to be awaited, and the name on the wire.

        Raises:
            ToolSignatureError: If the name is empty, the body is no function, or there is no such
                way to present it.
        """
        if not self.name:
            raise ToolSignatureError(self.name, "it has no name; say @registry.tool(name=...)")
        if not callable(self.body):
            raise ToolSignatureError(
                self.name, "its body must be a function of arguments and context, best async"
            )
        if self.present_as not in (None, *(modes := get_args(Presentation))):
            raise ToolSignatureError(
                self.name, f"present_as is {self.present_as!r}; give one of {', '.join(modes)}"
            )
        if self.namespace is not None and self.member is None:
            object.__setattr__(self, "member", self.name)
        object.__setattr__(self, "perform", awaitable(self.body))
        object.__setattr__(self, "wire_name", _wire_name(self.name))

    def checks(self) -> Contract:
        """Return what checks arguments and values, compiled at the first use.

        Raises:
            ToolSchemaError: If a schema is not usable.
        """
        if self.contract is None:
            contract = SchemaContract(self.name, self.input_schema, self.output_schema)
            object.__setattr__(self, "contract", contract)
            return contract
        return self.contract

    async def invoke(self, arguments: object) -> object:
        """Call the tool alone, without a registry and its policies, and return the value.

        Raises:
            ToolCallError: If arguments or value do not fit. What the body raises passes through.
        """
        snapshot, contract = encode(arguments), self.checks()
        call = ToolCall(
            id="",
            root_id="",
            parent_id=None,
            name=self.name,
            definition=self,
            arguments_json=snapshot,
        )
        try:
            if not isinstance(arguments, dict):
                raise no_object(arguments)
            accepted = contract.accept(snapshot)
        except ToolCallError as error:
            raise error.named(self.name) from None
        value = await self.perform(accepted, ToolContext(call=call))
        try:
            return decode(contract.settle(value.value if isinstance(value, ToolOutput) else value))
        except ToolCallError as error:
            raise error.named(self.name) from None


def _wire_name(name: str) -> str:
    safe = _UNSAFE_ON_WIRE.sub("_", name)
    if len(safe) <= _MAX_WIRE_NAME and name.isascii():
        return safe
    digest = sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    return f"{safe[: _MAX_WIRE_NAME - 9]}_{digest}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCall:
    """One call, native or from inside a program; nothing in it can be changed.

    Attributes:
        id: `<parent>:code:<n>` for the n-th call that a program has submitted.
        root_id: The id of the call that the model made.
        parent_id: For a call from inside a program: the call that runs the program.
        name: What was asked for, whether there is such a tool or not.
        definition: The tool; `None` if there is none of that name.
        arguments_json: The arguments, taken down before anybody saw them.
        scope: The name of the scope for which the call is made; empty for the registry itself.
    """

    id: str
    root_id: str
    parent_id: str | None
    name: str
    definition: ToolDefinition | None
    arguments_json: bytes
    scope: str = ""

    @property
    def arguments(self) -> dict[str, object]:
        """The arguments, a copy for each reader: to change one changes nothing else."""
        return cast("dict[str, object]", decode(self.arguments_json))

    @property
    def is_nested(self) -> bool:
        """Whether a program made it."""
        return self.parent_id is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class SubCall:
    """A call that a program has made and that has ended.

    Attributes:
        call: The call. Of arguments that take more than 4 KiB only their size is left.
        result: What came of it, less value and content: a program may make many calls.
    """

    call: ToolCall
    result: ToolResult


class OpenProgram(Protocol):
    """What one program can call, and the calls that it makes; see `ProgramCalls`."""

    @property
    def bindings(self) -> Sequence[CodeBindingNamespace]:
        """The namespaces of the program: `tools`, then those that tools name."""

    @property
    def settled(self) -> Sequence[SubCall]:
        """The calls that were started and have ended, in the order of submission."""

    @property
    def deferred(self) -> Sequence[Part]:
        """What the model is to be shown after the program's own result, in that order."""

    @property
    def concludes_turn(self) -> bool:
        """Whether a tool that succeeded wants the model's turn to end."""

    async def __aenter__(self) -> Self:
        """Begin."""

    async def __aexit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """End the calls."""


def _no_program(*_: object) -> OpenProgram:
    raise UsageError("only a call that a model has made itself can run a program with tools")


@dataclass(slots=True, kw_only=True, eq=False)
class ToolContext:
    """What the body of a tool can say beside its value.

    A typed function that wants it has a parameter annotated `ToolContext`.

    Attributes:
        call: The call.
        deferred: What the model is to be shown after the result.
        concludes_turn: Whether the model's turn is to end with this call, if it succeeds.
        program_calls: For a transport such as `run_code`: what a program that this call runs may
            call. Takes the view that the program was told of; that of now, if left out.
        sink: Where progress goes; nowhere once the call has ended.
    """

    call: ToolCall
    program_calls: Callable[..., OpenProgram] = _no_program
    sink: EventSink | None = field(default=None, repr=False)
    deferred: list[Part] = field(default_factory=list)
    concludes_turn: bool = False

    def report_progress(
        self, progress: float, total: float | None = None, message: str | None = None
    ) -> None:
        """Tell whoever watches the session how far the call is, from any thread of the tool.

        Args:
            progress: So much is done, in the tool's own unit.
            total: Of so much, where it is known.
            message: In words.
        """
        event = ToolProgressed(
            call_id=self.call.id, progress=progress, total=total, message=message
        )
        try:
            sniffio.current_async_library()
        except sniffio.AsyncLibraryNotFoundError:
            # A sync tool has a thread of its own, and a session belongs to the event loop.
            anyio.from_thread.run_sync(self._emit, event)
        else:
            self._emit(event)

    def _emit(self, event: ToolProgressed) -> None:
        if self.sink is not None:
            self.sink.emit(event)

    def defer(self, *parts: Part) -> None:
        """Show the model these parts after the result of the call that it made itself."""
        self.deferred.extend(parts)

    def conclude_turn(self) -> None:
        """Ask for the model's turn to end with this call; of no effect if it fails."""
        self.concludes_turn = True
