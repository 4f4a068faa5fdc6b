"""From a typed function to a tool: pydantic checks what goes in and what comes out."""

from __future__ import annotations

import functools
import inspect
import typing
from collections.abc import Callable
from difflib import get_close_matches

import anyio.to_thread
import pydantic
import pydantic_core

from codemode.tools.definition import ToolDefinition
from codemode.tools.errors import ToolCallError, ToolSignatureError
from codemode_guest.values import encode

_ARGUMENTS = pydantic.ConfigDict(extra="forbid", strict=True)
# NaN has no JSON form. Left as it is, the seam refuses it with its path; pydantic's own
# choice is to make it null without a word.
_RESULT = pydantic.ConfigDict(ser_json_inf_nan="constants")


def define(function: Callable[..., object], *, name: str | None = None) -> ToolDefinition:
    """Make a tool from a typed function, async or not.

    An async function runs in the event loop; any other in a worker thread, which is left
    behind when the call is cancelled, since nothing can stop a thread.

    Args:
        function: Each parameter can be given by name. A parameter or a result without an
            annotation may be anything.
        name: The function's own name if left out.

    Raises:
        ToolSignatureError: If the name is empty, a parameter cannot be given by name, or
            pydantic has no schema for one of the types.
    """
    name = getattr(function, "__name__", "") if name is None else name
    if not name:
        raise ToolSignatureError(name, "it has no name; say @registry.tool(name=...)")
    try:
        hints = typing.get_type_hints(function, include_extras=True)
        arguments = _arguments_model(name, function, hints)
        returned = hints.get("return", object)
        result = pydantic.create_model(name, __config__=_RESULT, value=(returned, ...))
    except (NameError, TypeError, pydantic.errors.PydanticUserError) as error:
        raise ToolSignatureError(name, str(error).splitlines()[0]) from error

    async def invoke(sent: object) -> object:
        keywords = _check_arguments(name, arguments, sent)
        if inspect.iscoroutinefunction(function):
            value = await function(**keywords)
        else:
            call = functools.partial(function, **keywords)
            value = await anyio.to_thread.run_sync(call, abandon_on_cancel=True)
        return _plain(name, result, value)

    return ToolDefinition(name=name, description=inspect.getdoc(function) or "", invoke=invoke)


def _arguments_model(
    name: str, function: Callable[..., object], hints: dict[str, object]
) -> type[pydantic.BaseModel]:
    """Build a model whose field aliases are the parameters.

    Aliases, since a parameter may be called `schema` or `_x`, and a field may not.
    """
    fields: dict[str, typing.Any] = {}
    for number, parameter in enumerate(inspect.signature(function).parameters.values()):
        if parameter.kind not in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY):
            raise ToolSignatureError(
                name,
                f"a program gives arguments by name, and {parameter.name!r} cannot be given so; "
                "name each parameter, and leave out *, ** and /",
            )
        default = ... if parameter.default is parameter.empty else parameter.default
        field = pydantic.Field(default, alias=parameter.name)
        fields[f"p{number}"] = (hints.get(parameter.name, object), field)
    return pydantic.create_model(name, __config__=_ARGUMENTS, **fields)


def _check_arguments(name: str, model: type[pydantic.BaseModel], sent: object) -> dict[str, object]:
    """Return the keywords to call with; a parameter that was not sent is left out."""
    if not isinstance(sent, dict):
        given = type(sent).__name__
        raise ToolCallError(f"{name} takes arguments by name, as one object, not {given}")
    try:
        # As JSON and strictly: a date may come as text, but True is no int and "5" neither.
        checked = model.model_validate_json(encode(sent))
    except pydantic.ValidationError as error:
        raise ToolCallError(_explain(name, model, error)) from None
    aliases = {field: info.alias or field for field, info in model.model_fields.items()}
    return {aliases[field]: getattr(checked, field) for field in checked.model_fields_set}


def _explain(name: str, model: type[pydantic.BaseModel], error: pydantic.ValidationError) -> str:
    """Say what is wrong with each argument, then which there are."""
    parameters = {info.alias or "": info.is_required() for info in model.model_fields.values()}
    wrong = "; ".join(_explain_one(detail, parameters) for detail in error.errors())
    takes = ", ".join(p if required else f"{p}?" for p, required in parameters.items())
    return f"{name}: {wrong}; it takes ({takes})"


def _explain_one(detail: pydantic_core.ErrorDetails, parameters: typing.Iterable[str]) -> str:
    place = _path(detail["loc"])
    if detail["type"] == "extra_forbidden" and len(detail["loc"]) == 1:
        close = get_close_matches(place, parameters, n=1)
        hint = f" (did you mean {close[0]!r}?)" if close else ""
        return f"there is no argument {place!r}{hint}"
    if detail["type"] == "missing" and len(detail["loc"]) == 1:
        return f"the argument {place!r} is missing"
    given = "" if detail["type"] == "missing" else f", not {type(detail['input']).__name__}"
    return f"{place or 'the arguments'}: {detail['msg']}{given}"


def _path(loc: tuple[int | str, ...]) -> str:
    """Write `items[3].price`."""
    steps = (f"[{step}]" if isinstance(step, int) else f".{step}" for step in loc)
    return "".join(steps).removeprefix(".")


def _plain(name: str, model: type[pydantic.BaseModel], value: object) -> object:
    """Return the value in plain JSON types: models as dicts, dates as text."""
    try:
        dumped = model.model_validate({"value": value}).model_dump(mode="json", warnings="error")
    except pydantic.ValidationError as error:
        detail = error.errors()[0]
        place = _path(detail["loc"][1:]) or "it"
        why = f"{place}: {detail['msg']}"
    except (pydantic_core.PydanticSerializationError, ValueError) as error:
        why = str(error)
    else:
        return dumped["value"]
    raise ToolCallError(f"{name} returned a value that is not what it declares: {why}")
