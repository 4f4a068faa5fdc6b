"""What a typed function takes and gives, as pydantic reads it off the annotations."""

from __future__ import annotations

import inspect
import re
import typing
from collections.abc import Callable, Mapping
from dataclasses import replace

import pydantic
import pydantic.json_schema
import pydantic_core

from codemode.tools.contract import invalid_arguments, invalid_output, lossless
from codemode.tools.definition import ToolContext
from codemode.tools.errors import ToolSignatureError
from codemode.tools.faults import argument_words, pydantic_faults
from codemode.tools.results import ToolOutput
from codemode_guest.values import decode

_ARGUMENTS = pydantic.ConfigDict(extra="forbid", strict=True)
# NaN has no JSON form. Left as it is, the pipeline refuses it with its path; pydantic's own
# choice is to make it null without a word.
_RESULT = pydantic.ConfigDict(ser_json_inf_nan="constants")
_HEAD = len('{"value":')
# What pydantic writes and JSON does not have, and integers longer than may cross.
_SUSPICIOUS = re.compile(rb"NaN|Infinity|[0-9]{4301}")


class _Schemas(pydantic.json_schema.GenerateJsonSchema):
    """Without the titles that pydantic makes up, and without a word about odd defaults."""

    ignored_warning_kinds = {"skipped-choice", "non-serializable-default"}  # noqa: RUF012 - theirs

    def field_title_should_be_set(self, _: object) -> bool:
        """Refuse: a field is called by its name."""
        return False


class FunctionContract:
    """The types of one function, as a `Contract`.

    Raises:
        ToolSignatureError: If a parameter cannot be given by name.
    """

    def __init__(
        self,
        name: str,
        function: Callable[..., object],
        hints: Mapping[str, object],
        descriptions: Mapping[str, str],
    ) -> None:
        self._arguments = _arguments_model(name, function, hints, descriptions)
        returned = hints.get("return", object)
        field: typing.Any = (object if returned is ToolOutput else returned, ...)
        self._result = pydantic.create_model("Result", __config__=_RESULT, value=field)
        # Not by way of the models' own methods, which cost as much again as the check.
        self._check_arguments = self._arguments.__pydantic_validator__.validate_json
        self._check_result = self._result.__pydantic_validator__.validate_python
        self._serialize = self._result.__pydantic_serializer__.to_json
        self._parameters = {
            field: info.alias or field for field, info in self._arguments.model_fields.items()
        }
        self.input_schema = _schema(self._arguments, "validation")
        self.output_schema: dict[str, object] | None = None
        if returned is not ToolOutput and "return" in hints:
            whole = _schema(self._result, "serialization")
            properties = typing.cast("dict[str, dict[str, object]]", whole["properties"])
            definitions = {key: whole[key] for key in whole.keys() & {"$defs"}}
            self.output_schema = {**properties["value"], **definitions}

    def accept(self, snapshot: bytes) -> dict[str, object]:
        """Return the keywords to call with; a parameter that was not sent is left out."""
        try:
            # As JSON and strictly: a date may come as text, but True is no int and "5" neither.
            checked = self._check_arguments(snapshot)
        except pydantic.ValidationError as error:
            faults = pydantic_faults(error, decode(snapshot))
            raise invalid_arguments(argument_words(faults, self.input_schema)) from None
        parameters, values = self._parameters, checked.__dict__
        return {parameters[field]: values[field] for field in checked.model_fields_set}

    def settle(self, value: object) -> bytes:
        """Return the value as JSON: models as objects, dates as text."""
        try:
            checked = self._check_result({"value": value})
        except pydantic.ValidationError as error:
            faults = pydantic_faults(error, {"value": value})
            told = (str(replace(fault, steps=fault.steps[1:])) for fault in faults)
            raise invalid_output("; ".join(told)) from None
        try:
            settled = self._serialize(checked, warnings="error")[_HEAD : -len("}")]
        except (pydantic_core.PydanticSerializationError, ValueError):
            return _settled_plainly(checked)
        return _settled_plainly(checked) if _SUSPICIOUS.search(settled) else settled


def _settled_plainly(checked: pydantic.BaseModel) -> bytes:
    """Write a value the slow way, which finds whatever is not lossless and says where."""
    try:
        plain = checked.model_dump(mode="json", warnings="error")["value"]
    except (pydantic_core.PydanticSerializationError, ValueError) as error:
        raise invalid_output(str(error)) from None
    return lossless(plain)


def _schema(
    model: type[pydantic.BaseModel], mode: pydantic.json_schema.JsonSchemaMode
) -> dict[str, object]:
    schema = model.model_json_schema(schema_generator=_Schemas, mode=mode)
    return {key: value for key, value in schema.items() if key != "title"}


def _arguments_model(
    name: str,
    function: Callable[..., object],
    hints: Mapping[str, object],
    descriptions: Mapping[str, str],
) -> type[pydantic.BaseModel]:
    """Build a model whose field aliases are the parameters.

    Aliases, since a parameter may be called `schema` or `_x`, and a field may not.
    """
    fields: dict[str, typing.Any] = {}
    for number, parameter in enumerate(inspect.signature(function).parameters.values()):
        hint = hints.get(parameter.name, object)
        if hint is ToolContext:
            continue
        if parameter.kind not in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY):
            raise ToolSignatureError(
                name,
                f"a program gives arguments by name, and {parameter.name!r} cannot be given so; "
                "name each parameter, and leave out *, ** and /",
            )
        # What the annotation itself says comes last, and so has the last word.
        description = pydantic.Field(description=descriptions.get(parameter.name))
        default = ... if parameter.default is parameter.empty else parameter.default
        field = pydantic.Field(default, alias=parameter.name)
        fields[f"p{number}"] = (_described(hint, description), field)
    return pydantic.create_model("Arguments", __config__=_ARGUMENTS, **fields)


def _described(hint: object, description: object) -> object:
    annotated = typing.cast("typing.Any", typing.Annotated)
    if typing.get_origin(hint) is typing.Annotated:
        inner, *metadata = typing.get_args(hint)
        return annotated[(inner, description, *metadata)]
    return annotated[hint, description]
