"""Whatever a guest says, the host has an event, or a violation, and nothing else."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    consumes,
    initialize,
    invariant,
    precondition,
    rule,
)

from codemode import CodeBindingNamespace
from codemode.process.conversation import (
    CallDropped,
    CallMade,
    Conversation,
    Printed,
    ProtocolViolationError,
)
from codemode_guest.frames import FrameDecoder, pack
from codemode_guest.values import decode, encode
from tests.process.talking import heard
from tests.properties.json_values import any_texts, texts, values

MAX_FRAME_BYTES = 2**16
MAX_FRAME_PARTS = 10_000
MAX_PENDING = 4


async def nothing(args: object) -> object:
    """A binding; a conversation calls none."""
    return None


NAMESPACES = (
    CodeBindingNamespace(global_name="tools", functions={"a": nothing, "b": nothing}),
    CodeBindingNamespace(global_name="files", functions={"c": nothing}),
)


def conversation() -> Conversation:
    """One whose guest has said nothing yet."""
    return Conversation(
        NAMESPACES,
        max_frame_bytes=MAX_FRAME_BYTES,
        max_frame_parts=MAX_FRAME_PARTS,
        max_pending_calls=MAX_PENDING,
    )


numbers = st.integers(-1, 5) | st.sampled_from([True, 1.0, 2**63, None])
outcomes = (
    st.fixed_dictionaries({}, optional={"value": values, "failure": values, "more": values})
    | st.fixed_dictionaries({"failure": st.dictionaries(st.sampled_from(["kind", "phase"]), texts)})
    | values
)
plausible = st.one_of(
    st.tuples(st.just("ready"), numbers),
    st.tuples(st.just("call"), numbers, numbers, numbers, st.dictionaries(texts, values) | values),
    st.tuples(st.just("cancel"), numbers),
    st.tuples(st.just("log"), texts),
    st.tuples(st.just("done"), outcomes),
    st.lists(values, max_size=5),
    values,
)
streams = st.lists(plausible, max_size=12).map(lambda said: [["ready", 1], *said])


def said_of(stream: bytes, sizes: list[int]) -> list[str]:
    """The events of a stream in pieces of some sizes, and the violation at its end if any."""
    talk, told, start = conversation(), [], 0
    for size in [*sizes, len(stream)]:
        try:
            for event in heard(talk, stream[start : start + size]):
                told.append(repr(event))  # noqa: PERF401 - kept if a violation follows
        except ProtocolViolationError as error:
            return [*told, f"violation: {error}"]
        start += size
    return told


@given(st.binary(), st.booleans())
def test_any_bytes_are_frames_or_a_violation(data: bytes, framed: bool) -> None:  # noqa: FBT001
    """Checklist 88: as they come, and as the body of a frame."""
    assert said_of(pack(b'["ready",1]') + (pack(data) if framed else data), [])


@given(streams)
def test_any_frames_are_events_or_a_violation(frames: list[object]) -> None:
    """Checklist 88: shapes and numbers that are nearly right are told from right ones."""
    assert said_of(b"".join(pack(encode(frame)) for frame in frames), [])


@given(streams, st.lists(st.integers(0, 200), max_size=20))
def test_any_split_of_a_stream_gives_the_same_events(
    frames: list[object], sizes: list[int]
) -> None:
    """And the same violation after them."""
    stream = b"".join(pack(encode(frame)) for frame in frames)

    assert said_of(stream, []) == said_of(stream, sizes)


@given(st.dictionaries(texts, values))
def test_arguments_arrive_as_they_were_sent(args: dict[str, object]) -> None:
    """Checklist 97: with their types."""
    talk = conversation()
    frames = pack(b'["ready",1]'), pack(b'["call",1,0,1,', encode(args), b"]")

    _, made = heard(talk, b"".join(frames))

    assert isinstance(made, CallMade)
    assert ("b", repr(args)) == (made.member, repr(made.args))


class Talk(RuleBasedStateMachine):
    """A well-behaved guest and a host, against a list of what became of each call."""

    pending: Bundle[int] = Bundle("pending")
    answered: Bundle[int] = Bundle("answered")

    @initialize()
    def begin(self) -> None:
        self.talk = conversation()
        self.states: list[str] = []
        self.names: list[tuple[str, str]] = []
        self.unanswered: set[int] = set()
        self.undelivered: set[int] = set()
        self.dropped: set[int] = set()
        self.say(["ready", 1])

    def say(self, frame: list[object]) -> Any:
        (event,) = heard(self.talk, pack(encode(frame)))
        return event

    def settle(self, frame: bytes, number: int, state: str, payload: list[object]) -> None:
        (body,) = FrameDecoder().feed(frame)
        assert ["reply", number, *payload] == decode(body)
        self.states[number - 1] = state
        self.undelivered.add(number)

    @rule()
    def read_some(self) -> None:
        """The guest reads one of the answers that are on their way."""
        if self.undelivered:
            number = self.undelivered.pop()
            self.talk.delivered(number)
            self.unanswered.discard(number)

    @precondition(lambda self: len(self.unanswered) < MAX_PENDING)
    @rule(target=pending, binding=st.sampled_from([(0, 0, "a"), (0, 1, "b"), (1, 0, "c")]))
    def call(self, binding: tuple[int, int, str]) -> int:
        namespace, member, name = binding
        number = len(self.states) + 1
        event = self.say(["call", number, namespace, member, {}])
        assert event == CallMade(number, namespace, name, {})
        self.states.append("pending")
        self.names.append((NAMESPACES[namespace].global_name, name))
        self.unanswered.add(number)
        return number

    @rule(target=answered, number=consumes(pending), value=values)
    def answer(self, number: int, value: object) -> int:
        self.settle(self.talk.returned(number, value), number, "returned", [True, value])
        return number

    @rule(target=answered, number=consumes(pending), message=any_texts)
    def reject(self, number: int, message: str) -> int:
        spelt = message.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")
        self.settle(self.talk.raised(number, message), number, "raised", [False, spelt])
        return number

    @rule(target=answered, number=consumes(pending))
    def drop(self, number: int) -> int:
        self.dropped.add(number)
        assert CallDropped(number) == self.say(["cancel", number])
        assert "cancelled" == self.talk.calls()[number - 1].state
        self.settle(self.talk.cancelled(number), number, "cancelled", [False, "cancelled"])
        return number

    @rule(number=answered)
    def drop_what_was_answered(self, number: int) -> None:
        if number in self.dropped:
            with pytest.raises(ProtocolViolationError):
                self.say(["cancel", number])
        else:
            self.dropped.add(number)
            assert CallDropped(number) == self.say(["cancel", number])

    @rule(text=texts.filter(bool))
    def log(self, text: str) -> None:
        assert Printed(text) == self.say(["log", text])

    @invariant()
    def every_call_is_listed_as_it_is(self) -> None:
        listed = self.talk.calls()
        assert len(self.states) == self.talk.call_count
        assert self.states == [made.state for made in listed]
        assert self.names == [(made.global_name, made.member) for made in listed]
        assert list(range(1, len(listed) + 1)) == [made.id for made in listed]


TestTalk = Talk.TestCase
