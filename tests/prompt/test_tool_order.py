"""The order of the tools in a request."""

from __future__ import annotations

import pytest

from codemode.errors import UsageError
from codemode.prompt import ToolOrder


@pytest.mark.parametrize(
    "order,expected",
    [
        (["*"], ["a", "b", "c", "d"]),
        (["c", "*"], ["c", "a", "b", "d"]),
        (["d", "*", "a"], ["d", "b", "c", "a"]),
        (["a", "b", "c", "d", "*"], ["a", "b", "c", "d"]),
    ],
)
def test_named_tools_stand_where_they_are_put_and_the_rest_by_name(
    order: list[str], expected: list[str]
) -> None:
    """Whatever the order of registration (checklist 41)."""
    assert expected == ToolOrder(order).sorted(["d", "b", "a", "c"])


@pytest.mark.parametrize(
    "order,said",
    [
        (["a", "*", "a"], "names 'a' twice"),
        (["*", "*"], "names '*' twice"),
        (["a"], "does not say where all other tools go; put '*' there"),
        ([], "put '*' there"),
    ],
)
def test_an_order_that_cannot_be_is_refused_at_once(order: list[str], said: str) -> None:
    """Before any request is made (checklist 41)."""
    with pytest.raises(UsageError) as caught:
        ToolOrder(order)

    assert said in str(caught.value)


def test_a_name_that_no_request_has_fails_the_assembly() -> None:
    """With the nearest that there is (checklist 41)."""
    with pytest.raises(UsageError, match="names 'run_cod', which no request has; did you mean"):
        ToolOrder(["run_cod", "*"]).sorted(["run_code"])
