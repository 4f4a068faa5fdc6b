"""From a typed function to a tool: its name, its docstring, its types and its body."""

from __future__ import annotations

import functools
import inspect
import typing
from collections.abc import Callable

import pydantic

from codemode.tools.bodies import awaitable
from codemode.tools.definition import Body, ToolContext, ToolDefinition
from codemode.tools.docstrings import read_docstring
from codemode.tools.errors import ToolSignatureError
from codemode.tools.faults import no_such
from codemode.tools.function_contract import FunctionContract


class Metadata(typing.TypedDict, total=False):
    """What a definition may say of a function beside what it is; see `ToolDefinition`."""

    namespace: str | None
    member: str | None
    concurrency_safe: bool | Callable[[dict[str, object]], object]
    resource_key: str | Callable[[dict[str, object]], str] | None
    timeout_ms: float | None
    present_as: typing.Literal["native", "code", "both"] | None
    present_call: typing.Any
    present_result: typing.Any
    render: typing.Any
    finalize: typing.Any


def define(
    function: Callable[..., object],
    *,
    name: str | None = None,
    description: str | None = None,
    **metadata: typing.Unpack[Metadata],
) -> ToolDefinition:
    """Make a tool from a typed function, async or not.

    An async function runs in the event loop; any other in a worker thread, which is left
    behind when the call is cancelled, since nothing can stop a thread.

    Args:
        function: Each parameter can be given by name. A parameter or a result without an
            annotation may be anything; one annotated `ToolContext` gets the context of the call.
        name: The function's own name if left out.
        description: The docstring, less what it says of parameters, if left out.
        metadata: As in `ToolDefinition`.

    Raises:
        ToolSignatureError: If the name is empty, a parameter cannot be given by name, the
            function is a generator, or pydantic has no schema for one of the types.
    """
    name = _name(function) if name is None else name
    if not name:
        raise ToolSignatureError(name, "it has no name; say @registry.tool(name=...)")
    if inspect.isasyncgenfunction(function) or inspect.isgeneratorfunction(function):
        raise ToolSignatureError(name, "it yields, and a call has one result; return a list")
    for key in metadata.keys() - Metadata.__annotations__.keys():
        raise ToolSignatureError(name, no_such("option", key, Metadata.__annotations__))
    docs = read_docstring(function)
    try:
        hints = typing.get_type_hints(_annotated(function), include_extras=True)
        contract = FunctionContract(name, function, hints, docs.parameters)
        return ToolDefinition(
            name=name,
            description=docs.description if description is None else description,
            input_schema=contract.input_schema,
            output_schema=contract.output_schema,
            body=_body(function, [key for key, hint in hints.items() if hint is ToolContext]),
            contract=contract,
            **metadata,
        )
    except pydantic.errors.PydanticSchemaGenerationError as error:
        raise ToolSignatureError(
            name,
            f"{_first_sentence(error)}; annotate with JSON types, dataclasses or pydantic models",
        ) from error
    except (NameError, TypeError, ValueError, pydantic.errors.PydanticUserError) as error:
        raise ToolSignatureError(name, str(error).splitlines()[0]) from error


def _first_sentence(error: Exception) -> str:
    return str(error).partition(". ")[0]


def _name(function: Callable[..., object]) -> str:
    name: str = getattr(function, "__name__", "")
    if name == "<lambda>":
        raise ToolSignatureError(name, "a lambda has no name; say @registry.tool(name=...)")
    return name


def _annotated(function: Callable[..., object]) -> object:
    """Return what has the annotations of a function, a partial one, or an object's call."""
    while isinstance(function, functools.partial):
        function = function.func
    return function if inspect.isroutine(function) else type(function).__call__


def _body(function: Callable[..., object], contexts: list[str]) -> Body:
    run = awaitable(function)
    if not contexts:

        async def plain(arguments: dict[str, object], _: ToolContext) -> object:
            return await run(**arguments)

        return plain

    async def body(arguments: dict[str, object], context: ToolContext) -> object:
        return await run(**arguments, **dict.fromkeys(contexts, context))

    return body
