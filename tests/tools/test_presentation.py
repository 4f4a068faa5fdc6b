"""Cards: made from what a log holds, and never in anybody's way."""

from __future__ import annotations

from codemode.tools import (
    DiffCard,
    GenericCard,
    TerminalCard,
    ToolDefinition,
    call_card,
    result_card,
)


async def body(arguments: dict[str, object], context: object) -> None: ...


EDIT = ToolDefinition(
    name="edit",
    body=body,
    present_call=lambda arguments: DiffCard(
        path=str(arguments["path"]), old=str(arguments["old"]), new=None
    ),
    present_result=lambda arguments, value: TerminalCard(
        command=str(arguments["path"]), output=str(value), exit_code=0
    ),
)
PLAIN = ToolDefinition(name="plain", body=body)


def test_a_tool_presents_its_calls_and_results_as_it_likes() -> None:
    """Checklist 20: from arguments and value alone."""
    arguments: dict[str, object] = {"path": "a.txt", "old": "x"}

    assert DiffCard(path="a.txt", old="x", new=None) == call_card(EDIT, arguments)
    assert TerminalCard(command="a.txt", output="1", exit_code=0) == result_card(EDIT, arguments, 1)


def test_a_tool_that_says_nothing_has_a_plain_card_with_its_arguments() -> None:
    """Checklist 20: presenters are optional."""
    assert GenericCard(title="plain", raw_input={"a": 1}) == call_card(PLAIN, {"a": 1})
    assert result_card(PLAIN, {"a": 1}, 1) is None


def test_arguments_that_a_log_has_wrong_cost_a_plain_card_and_nothing_more() -> None:
    """Checklist 20: a presenter that fails, or returns no card, is soft."""
    assert GenericCard(title="edit", raw_input={}) == call_card(EDIT, {})
    assert result_card(EDIT, {}, 1) is None

    odd = ToolDefinition(
        name="odd",
        body=body,
        present_call=lambda arguments: "a title",  # type: ignore[arg-type,return-value]  # a mistake
    )
    assert GenericCard(title="odd", raw_input={}) == call_card(odd, {})
