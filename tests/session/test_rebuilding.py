"""Requests come out of a log as they went to the model."""

from __future__ import annotations

import pytest

from codemode.errors import RuntimeFault
from codemode.session import Event, HeaderAssembled, MessageAdded, RequestSent, recorded_requests
from tests.session.records import ONE_OF_EACH, entries, settled, started

HEADER = HeaderAssembled(reason="initial", mode="code", system="S", tools=[{"name": "run_code"}])
SENT = RequestSent(api="openai-chat", parameters={"model": "m"}, body_sha256="aa")


def message(text: str) -> MessageAdded:
    return MessageAdded(message={"content": text})


def test_a_request_is_the_last_header_and_the_messages_so_far() -> None:
    """Each change of the header holds from there on (checklist 102)."""
    changed = HeaderAssembled(reason="change", mode="code", system="S2", tools=[])
    log: list[Event] = [HEADER, message("a"), SENT, message("b"), changed, message("c"), SENT]

    first, second = recorded_requests(entries(*log))

    assert ("S", [{"name": "run_code"}]) == (first.system, first.tools)
    assert ({"content": "a"},) == first.messages
    assert ("S2", []) == (second.system, second.tools)
    assert ({"content": "a"}, {"content": "b"}, {"content": "c"}) == second.messages


def test_what_runs_did_is_in_no_message() -> None:
    """The call of a model and its result stand side by side (checklist 101)."""
    log: list[Event] = [
        HEADER,
        message("call"),
        started(1),
        settled(1),
        *ONE_OF_EACH[8:],
        message("result"),
    ]

    (request,) = recorded_requests(entries(*log, SENT))

    assert ({"content": "call"}, {"content": "result"}) == request.messages


def test_a_request_without_a_header_says_that_the_beginning_is_missing() -> None:
    """It is not made up."""
    with pytest.raises(RuntimeFault, match="entry 2 is a request, and no header"):
        list(recorded_requests(entries(message("a"), SENT)))
