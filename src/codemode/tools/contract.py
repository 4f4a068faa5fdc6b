"""What a tool takes and gives, checked: the half of a tool that a model's mistakes meet."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from codemode.tools.errors import ToolCallError, ToolSchemaError
from codemode.tools.faults import argument_words, json_type
from codemode.tools.schema import CompiledSchema, SchemaFault
from codemode_guest.values import decode, encode


class Contract(Protocol):
    """Checks the arguments and the value of one tool."""

    def accept(self, snapshot: bytes) -> dict[str, object]:
        """Return what the body is called with, its own to change.

        Args:
            snapshot: The arguments as JSON; an object.

        Raises:
            ToolCallError: If they do not fit, as `INVALID_ARGS`.
        """

    def settle(self, value: object) -> bytes:
        """Return the value of the body as JSON.

        Raises:
            ToolCallError: If it does not fit, as `INVALID_TOOL_OUTPUT`.
        """


class SchemaContract:
    """Checks by JSON Schemas, compiled once.

    Raises:
        ToolSchemaError: If one of them is not usable, with everything that is wrong with it.
    """

    def __init__(
        self,
        name: str,
        input_schema: Mapping[str, object],
        output_schema: Mapping[str, object] | None,
    ) -> None:
        if not _allows_objects(input_schema):
            words = "$.type: the arguments of a tool are one object, so that they have names"
            raise ToolSchemaError(name, "input", [words])
        self._input_schema = input_schema
        self._input = _compiled(name, "input", input_schema)
        self._output = _compiled(name, "output", {} if output_schema is None else output_schema)

    def accept(self, snapshot: bytes) -> dict[str, object]:
        """See `Contract`."""
        arguments = decode(snapshot)
        if self._input is not None and (faults := self._input.faults(arguments)):
            raise invalid_arguments(argument_words(faults, self._input_schema))
        return arguments  # type: ignore[return-value]  # an object, as the pipeline has seen

    def settle(self, value: object) -> bytes:
        """See `Contract`."""
        settled = lossless(value)
        if self._output is not None and (faults := self._output.faults(value)):
            raise invalid_output("; ".join(map(str, faults)))
        return settled


def _compiled(name: str, which: str, schema: Mapping[str, object]) -> CompiledSchema | None:
    """Return what checks; `None` where everything passes."""
    if schema == {}:
        return None
    try:
        return CompiledSchema(schema)
    except SchemaFault as fault:
        raise ToolSchemaError(name, which, fault.violations) from None


def _allows_objects(schema: object) -> bool:
    """Whether arguments can fit at all; what is no schema is found out by the compiler."""
    types = schema.get("type", "object") if isinstance(schema, Mapping) else None
    return not isinstance(types, (str, list)) or "object" in types


def no_object(sent: object) -> ToolCallError:
    """Return what is told to who sends something else than named arguments."""
    return invalid_arguments(f"it takes arguments by name, as one object, not {json_type(sent)}")


def lossless(value: object) -> bytes:
    """Return a value as JSON.

    Raises:
        ToolCallError: If it is not lossless JSON, as `INVALID_TOOL_OUTPUT`.
    """
    try:
        return encode(value)
    except ValueError as error:
        raise ToolCallError(
            f"its result is not lossless JSON: {error}",
            code="INVALID_TOOL_OUTPUT",
            effect="committed",
        ) from None


def invalid_arguments(words: str) -> ToolCallError:
    """Return the refusal of arguments."""
    return ToolCallError(words, code="INVALID_ARGS", effect="not-started")


def invalid_output(words: str) -> ToolCallError:
    """Return the refusal of a value, which the tool has already worked for."""
    return ToolCallError(
        f"it returned a value that is not what it declares: {words}",
        code="INVALID_TOOL_OUTPUT",
        effect="committed",
    )
