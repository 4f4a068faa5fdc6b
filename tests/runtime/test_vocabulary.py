"""The records of the seam are frozen, keyword-only, and keep copies."""

from __future__ import annotations

import copy
import dataclasses
import pickle

import pytest

from codemode import (
    ABSENT,
    CodeBindingErrorClass,
    CodeBindingNamespace,
    CodeRunFailure,
    CodeRunRequest,
    CodeRunResult,
)
from codemode.runtime import Binding, CodeCall, CodeRunReport

RECORDS = [
    CodeBindingErrorClass(name="E", member_name_property="member"),
    CodeBindingNamespace(global_name="tools", functions={}),
    CodeRunRequest(program=""),
    CodeRunFailure(kind="exception", message=""),
    CodeCall(id=1, global_name="tools", member="m", state="pending"),
    CodeRunReport(),
    CodeRunResult(),
]


async def nothing(args: object) -> object:
    """A binding."""
    return None


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: type(record).__name__)
def test_a_record_is_frozen_and_has_no_room_for_more(record: object) -> None:
    """What a run was given, and what came of it, stays."""
    assert dataclasses.is_dataclass(record)
    for field in dataclasses.fields(record):
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(record, field.name, getattr(record, field.name))
    assert not hasattr(record, "__dict__")


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: type(record).__name__)
def test_a_record_takes_keywords_only(record: object) -> None:
    """A field added in between breaks nobody."""
    with pytest.raises(TypeError, match="positional argument"):
        type(record)("by position")  # type: ignore[call-arg]


def test_a_namespace_keeps_its_own_copy_of_the_functions() -> None:
    """A run must not change when its caller's dict does, nor the other way round."""
    functions: dict[str, Binding] = {"a": nothing}
    namespace = CodeBindingNamespace(global_name="tools", functions=functions)
    functions["b"] = nothing

    assert ["a"] == list(namespace.functions)
    with pytest.raises(TypeError):
        namespace.functions["c"] = nothing  # type: ignore[index]


@pytest.mark.parametrize("name", ["__proto__", "__class__", "constructor", "my-tool", "", "\ud800"])
def test_any_text_names_a_function(name: str) -> None:
    """Checklist 79: no name is special."""
    namespace = CodeBindingNamespace(global_name="tools", functions={name: nothing})

    assert namespace.functions[name] is nothing


def test_a_namespace_keeps_the_order_of_its_functions() -> None:
    """Positions are what crosses to the guest."""
    names = ["z", "a", "m"]
    namespace = CodeBindingNamespace(global_name="t", functions=dict.fromkeys(names, nothing))

    assert names == list(namespace.functions)


def test_a_request_keeps_its_own_copy_of_the_bindings() -> None:
    """Any sequence may be given; a tuple is kept."""
    bindings = [CodeBindingNamespace(global_name="a", functions={})]
    request = CodeRunRequest(program="pass", bindings=bindings)
    bindings.clear()

    assert isinstance(request.bindings, tuple)
    assert ["a"] == [namespace.global_name for namespace in request.bindings]


def test_a_request_may_be_a_program_and_nothing_more() -> None:
    """No binding and no signal."""
    request = CodeRunRequest(program="return 1")

    assert ((), None) == (request.bindings, request.signal)


def test_a_result_of_nothing_has_no_value() -> None:
    """Checklist 92: the default is the absence of a value."""
    result = CodeRunResult()

    assert result.value is ABSENT
    assert ((), None, CodeRunReport()) == (result.logs, result.error, result.report)


def test_absent_is_one_object_whatever_is_done_to_it() -> None:
    """`is ABSENT` may be asked of a copy and in another process."""
    assert copy.copy(ABSENT) is ABSENT
    assert copy.deepcopy(ABSENT) is ABSENT
    assert pickle.loads(pickle.dumps(ABSENT)) is ABSENT  # noqa: S301 - our own bytes
    assert "ABSENT" == repr(ABSENT)


def test_absent_is_no_json_value() -> None:
    """It equals nothing that a program could return."""
    values: list[object] = [None, False, 0, "", "ABSENT", [], {}]

    assert ABSENT not in values


def test_equal_results_are_equal() -> None:
    """Records compare by what they hold."""
    one, other = CodeRunResult(value=[1], logs=("a",)), CodeRunResult(value=[1], logs=("a",))

    assert one == other
    assert one != CodeRunResult(value=[1], logs=("b",))
