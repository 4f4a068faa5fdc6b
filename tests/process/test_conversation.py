"""The host's side of one run rebuilds every frame and believes none."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from codemode import CodeBindingErrorClass, CodeBindingNamespace
from codemode.process.conversation import (
    CallDropped,
    CallMade,
    Conversation,
    Event,
    Printed,
    ProtocolViolationError,
    Ready,
)
from codemode.runtime import Failed, Returned
from codemode_guest.frames import MAX_LOG_CHARACTERS, FrameDecoder, pack
from codemode_guest.values import LossyValueError
from tests.process.talking import heard

MAX_FRAME_BYTES = 2**16
MAX_FRAME_PARTS = 10_000
READY = b'["ready",0]'


async def nothing(args: object) -> object:
    """A binding; a conversation calls none."""
    return None


NAMESPACES = (
    CodeBindingNamespace(
        global_name="tools",
        functions={"add": nothing, "my-tool": nothing, "\ud800": nothing},
        error_class=CodeBindingErrorClass(name="ToolCallError", member_name_property="tool_name"),
    ),
    CodeBindingNamespace(global_name="empty", functions={}),
    CodeBindingNamespace(global_name="files", functions={"__class__": nothing}),
)


@pytest.fixture
def unready() -> Conversation:
    """A conversation whose guest has said nothing."""
    return Conversation(
        NAMESPACES,
        max_frame_bytes=MAX_FRAME_BYTES,
        max_frame_parts=MAX_FRAME_PARTS,
        max_pending_calls=3,
    )


@pytest.fixture
def conversation(unready: Conversation) -> Conversation:
    """A conversation whose guest is ready."""
    say(unready, READY)
    return unready


def say(conversation: Conversation, *bodies: bytes) -> list[Event]:
    """The events of frames that come in one piece."""
    return list(heard(conversation, b"".join(pack(body) for body in bodies)))


def call(number: int, namespace: int = 0, member: int = 0, args: bytes = b"{}") -> bytes:
    """The body of a call."""
    return b'["call",%d,%d,%d,%s]' % (number, namespace, member, args)


def read(frame: bytes) -> object:
    """The JSON of exactly one frame."""
    (body,) = FrameDecoder().feed(frame)
    return json.loads(body)


def test_the_start_frame_describes_program_seed_and_namespaces(unready: Conversation) -> None:
    """Names are given once; afterwards a position stands for each."""
    start = read(unready.start('print("é\ud800")', 2**64 - 1))

    tools = ["tools", ["add", "my-tool", "\ud800"], "ToolCallError", "tool_name"]
    namespaces = [tools, ["empty", [], None, None], ["files", ["__class__"], None, None]]
    described = {"program": 'print("é\ud800")', "seed": 2**64 - 1, "namespaces": namespaces}
    assert ["start", described] == start


def test_ready_tells_the_cpu_time_so_far(unready: Conversation) -> None:
    """In nanoseconds, as the guest's own clock gives them."""
    assert [Ready(12_345)] == say(unready, b'["ready",12345]')


def test_a_call_names_its_binding_by_position(conversation: Conversation) -> None:
    """Checklist 79: the event carries the exact name, `__class__` like any other."""
    events = say(conversation, call(1, args=b'{"a":[1,2.5,null]}'), call(2, 0, 2), call(3, 2, 0))

    assert events == [
        CallMade(1, 0, "add", {"a": [1, 2.5, None]}),
        CallMade(2, 0, "\ud800", {}),
        CallMade(3, 2, "__class__", {}),
    ]
    assert 3 == conversation.call_count


def test_printed_text_comes_as_it_was_printed(conversation: Conversation) -> None:
    """Checklist 95: any number of lines, lone surrogates and astral characters included."""
    assert [Printed("a\nb"), Printed("\ud800😀")] == say(
        conversation, b'["log","a\\nb"]', '["log","\\ud800😀"]'.encode()
    )


@pytest.mark.parametrize(
    "outcome,event",
    [
        (b"{}", Returned()),
        (b'{"value":null}', Returned(None, 4)),
        (b'{"value":[1,"a"]}', Returned([1, "a"], 7)),
        (b'{"value":-0.0}', Returned(-0.0, 4)),
        (b'{"value":{"value":{}}}', Returned({"value": {}}, 12)),
    ],
)
def test_done_tells_the_value_and_the_bytes_that_it_takes(
    conversation: Conversation, outcome: bytes, event: Returned
) -> None:
    """Checklist 92, 98: no value is not null, and its size is the frame's less the envelope."""
    (got,) = say(conversation, b'["done",' + outcome + b"]")

    assert event == got
    assert repr(event) == repr(got)


@pytest.mark.parametrize("claim", ["exception", "invalid-output", "output-limit", "memory"])
def test_done_tells_a_failure_in_the_guests_words(conversation: Conversation, claim: str) -> None:
    """All fields cross."""
    failure = {
        "kind": claim,
        "message": "m",
        "phase": "run",
        "line": 3,
        "column": 4,
        "source_line": "x",
        "exception_type": "E",
    }

    body = json.dumps(["done", {"failure": failure}]).encode()

    assert [Failed(claim, "m", "run", 3, 4, "x", "E")] == say(conversation, body)


def test_a_failure_needs_a_claim_and_a_message_and_nothing_more(conversation: Conversation) -> None:
    """Fields of other types are left out: they are ornament, and not worth the run."""
    failure = {"kind": "exception", "message": "m", "line": "3", "column": True, "source_line": 1}

    body = json.dumps(["done", {"failure": {**failure, "exception_type": [], "more": 1}}])

    assert [Failed("exception", "m")] == say(conversation, body.encode())


def test_frames_may_come_in_any_pieces(conversation: Conversation) -> None:
    """One byte at a time gives the events of the whole."""
    stream = pack(call(1)) + pack(b'["log","a"]') + pack(b'["cancel",1]') + pack(b'["done",{}]')

    events = [event for byte in stream for event in heard(conversation, bytes((byte,)))]

    assert events == [
        CallMade(1, 0, "add", {}),
        Printed("a"),
        CallDropped(1),
        Returned(),
    ]


def test_events_before_a_violation_are_told_first(conversation: Conversation) -> None:
    """What the program had printed is kept, whatever came after it."""
    events = heard(conversation, pack(b'["log","kept"]') + pack(b"garbage"))

    assert Printed("kept") == next(events)
    with pytest.raises(ProtocolViolationError):
        next(events)


# What no guest of ours says. Each is the end of the run, and of nothing else (checklist 88).


@pytest.mark.parametrize(
    "body,told",
    [
        (b"", "not JSON"),
        (b"garbage", "not JSON"),
        (b'["log","a"', "not JSON"),
        (b'["log","a"]x', "not JSON"),
        (b'["log","\xff"]', "not JSON: 'utf-8'"),
        (b'["log","\xed\xa0\x80"]', "not JSON: 'utf-8'"),
        (b"\xef\xbb\xbf[]", "not JSON"),
        (b"[" * 60_000, "not JSON"),
        (b"[" * 30_000 + b"]" * 30_000, "not JSON: nested more than"),
        (b'["log",NaN]', "not JSON: NaN is not JSON"),
        (b'["log",Infinity]', "not JSON: Infinity is not JSON"),
        (b'["ready",' + b"1" * 4301 + b"]", "not JSON: an integer has more than 4300 digits"),
        (b"[]", "a frame that is not a list"),
        (b"{}", "a frame that is not a list"),
        (b"null", "a frame that is not a list"),
        (b'"log"', "a frame that is not a list"),
        (b'{"log":"a"}', "a frame that is not a list"),
    ],
)
def test_what_is_no_frame_ends_the_run(conversation: Conversation, body: bytes, told: str) -> None:
    """Checklist 88, 95: broken bytes, broken JSON and other JSON than a list."""
    with pytest.raises(ProtocolViolationError, match=told):
        say(conversation, body)


@pytest.mark.parametrize(
    "body",
    [
        b'["exec","rm"]',
        b'["start",{}]',
        b'["reply",1,true,null]',
        b'["LOG","a"]',
        b"[0]",
        b"[null]",
        b"[true]",
        b"[[]]",
        b'[["log"],"a"]',
        b'[{"log":1},"a"]',
        b'["log"]',
        b'["log","a","b"]',
        b'["log",1]',
        b'["log",null]',
        b'["log",["a"]]',
        b'["call",1,0,0]',
        b'["call",1,0,0,{},0]',
        b'["cancel"]',
        b'["cancel",1,1]',
        b'["done"]',
        b'["done",null]',
        b'["done",[]]',
        b'["done",{},{}]',
    ],
)
def test_an_unknown_kind_or_form_of_frame_ends_the_run(
    conversation: Conversation, body: bytes
) -> None:
    """Kinds of the other direction, wrong numbers and wrong types of fields."""
    with pytest.raises(ProtocolViolationError, match="an unknown frame: "):
        say(conversation, body)


NO_COUNTS = [b"true", b"false", b"1.0", b'"1"', b"null", b"[1]", b"{}", b"-1", b"1e99", b"-0.0"]
NO_COUNTS += [b"9223372036854775808", b"1" * 4300]


@pytest.mark.parametrize("field", NO_COUNTS, ids=lambda field: field[:20].decode())
@pytest.mark.parametrize("form", ['["call",%s,0,0,{}]', '["call",1,%s,0,{}]', '["call",1,0,%s,{}]'])
def test_in_a_call_only_a_count_is_a_count(
    conversation: Conversation, form: str, field: bytes
) -> None:
    """A bool is no int, a float is none either, and no number is too large to compare."""
    with pytest.raises(ProtocolViolationError, match="where a count belongs"):
        say(conversation, form.encode() % field)


@pytest.mark.parametrize("field", NO_COUNTS, ids=lambda field: field[:20].decode())
def test_in_ready_only_a_count_is_a_count(unready: Conversation, field: bytes) -> None:
    """As in a call."""
    with pytest.raises(ProtocolViolationError, match="where a count belongs"):
        say(unready, b'["ready",%s]' % field)


@pytest.mark.parametrize("field", NO_COUNTS, ids=lambda field: field[:20].decode())
def test_in_cancel_only_a_count_is_a_count(conversation: Conversation, field: bytes) -> None:
    """As in a call."""
    say(conversation, call(1))

    with pytest.raises(ProtocolViolationError, match="where a count belongs"):
        say(conversation, b'["cancel",%s]' % field)


@pytest.mark.parametrize("number", [0, 2, 3, 2**62])
def test_the_first_call_has_the_number_one(conversation: Conversation, number: int) -> None:
    """Numbers are positions in the host's own list."""
    with pytest.raises(ProtocolViolationError, match=f"call {number} after call 0"):
        say(conversation, call(number))


@pytest.mark.parametrize("number", [0, 1, 2, 4])
def test_a_repeated_or_skipped_number_ends_the_run(conversation: Conversation, number: int) -> None:
    """Whether the earlier call was answered or not."""
    say(conversation, call(1), call(2))
    conversation.returned(1, None)

    with pytest.raises(ProtocolViolationError, match=f"call {number} after call 2"):
        say(conversation, call(number))


@pytest.mark.parametrize("namespace,member", [(3, 0), (1, 0), (0, 3), (2**62, 2**62)])
def test_a_position_that_was_not_offered_ends_the_run(
    conversation: Conversation, namespace: int, member: int
) -> None:
    """One past the end, anything of an empty namespace, and far beyond."""
    with pytest.raises(ProtocolViolationError, match=f"unknown member {member} of {namespace}"):
        say(conversation, call(1, namespace, member))


@pytest.mark.parametrize("args", [b"[]", b"null", b'"a"', b"1", b'[["a",1]]'])
def test_arguments_that_are_no_dict_end_the_run(conversation: Conversation, args: bytes) -> None:
    """A binding may rely on it."""
    with pytest.raises(ProtocolViolationError, match="arguments that are not a dict"):
        say(conversation, call(1, args=args))


@pytest.mark.parametrize(
    "args,path",
    [
        (b'{"a":1e999}', r"\$\[4\]\.a: inf"),
        (b'{"a":[0,-1e999]}', r"\$\[4\]\.a\[1\]: -inf"),
        (b'{"s":"\\ud83d\\ude00","t":[1E400]}', r"\$\[4\]\.t\[0\]: inf"),
    ],
)
def test_arguments_that_overflow_end_the_run(
    conversation: Conversation, args: bytes, path: str
) -> None:
    """Checklist 97: no binding is ever given an infinity, however it is spelt."""
    with pytest.raises(ProtocolViolationError, match="not lossless: " + path):
        say(conversation, call(1, args=args))
    assert 0 == conversation.call_count


def test_arguments_that_are_not_a_number_end_the_run(conversation: Conversation) -> None:
    """Checklist 93: NaN is not even JSON."""
    with pytest.raises(ProtocolViolationError, match="NaN is not JSON"):
        say(conversation, call(1, args=b'{"a":NaN}'))


@pytest.mark.parametrize("levels", [10_000, 19_000])
def test_deep_arguments_and_values_cross(conversation: Conversation, levels: int) -> None:
    """Checklist 94: neither side recurses."""
    deep = b"[" * levels + b"]" * levels

    made, done = say(
        conversation, call(1, args=b'{"a":%s}' % deep), b'["done",{"value":%s}]' % deep
    )

    assert isinstance(made, CallMade)
    assert isinstance(done, Returned)
    assert 2 * levels == done.encoded_bytes
    assert levels == depth(done.value)


def depth(value: object) -> int:
    """How deeply lists with one item nest."""
    found = 0
    while isinstance(value, list):
        found += 1
        value = value[0] if value else None
    return found


@pytest.mark.parametrize("levels", [20_001, 100_000])
def test_a_value_nested_too_deeply_ends_the_run(unready: Conversation, levels: int) -> None:
    """Whatever handles it next would recurse."""
    conversation = Conversation(
        NAMESPACES, max_frame_bytes=2**20, max_frame_parts=MAX_FRAME_PARTS, max_pending_calls=1
    )
    say(conversation, READY)

    with pytest.raises(ProtocolViolationError, match="levels deep"):
        say(conversation, b'["done",{"value":%s}]' % (b"[" * levels + b"]" * levels))


@pytest.mark.parametrize("number", [0, 2])
def test_cancelling_a_call_that_was_never_made_ends_the_run(
    conversation: Conversation, number: int
) -> None:
    """The guest knows its own calls."""
    say(conversation, call(1))

    with pytest.raises(ProtocolViolationError, match=f"cancel of the unknown call {number}"):
        say(conversation, b'["cancel",%d]' % number)


def test_cancelling_an_answered_call_is_no_violation(conversation: Conversation) -> None:
    """The reply may have been on its way; the state of the call stays what it was."""
    say(conversation, call(1))
    conversation.returned(1, None)

    assert [CallDropped(1)] == say(conversation, b'["cancel",1]')
    assert ["returned"] == [made.state for made in conversation.calls()]


@pytest.mark.parametrize("body", [b'["log","a"]', call(1), b'["cancel",1]', b'["done",{}]'])
def test_nothing_may_be_said_before_ready(unready: Conversation, body: bytes) -> None:
    """A guest that is not confined yet has no program to speak for."""
    with pytest.raises(ProtocolViolationError, match="ready twice, or a frame before it"):
        say(unready, body)


def test_ready_may_be_said_once(conversation: Conversation) -> None:
    """A second one would move the start of the CPU clock."""
    with pytest.raises(ProtocolViolationError, match="ready twice"):
        say(conversation, READY)


@pytest.mark.parametrize(
    "body", [b'["done",{}]', b'["log","a"]', call(1), b'["cancel",1]', READY, b'["?"]']
)
def test_nothing_may_be_said_after_done(conversation: Conversation, body: bytes) -> None:
    """Checklist 88: a second outcome is as bad as any other frame."""
    say(conversation, call(1), b'["done",{"value":1}]')

    with pytest.raises(ProtocolViolationError, match="a frame after the end of the run"):
        say(conversation, body)


@pytest.mark.parametrize(
    "outcome,told",
    [
        (b'{"value":1,"failure":{"kind":"exception","message":""}}', "an unknown outcome"),
        (b'{"value":1,"more":2}', "an unknown outcome"),
        (b'{"result":1}', "an unknown outcome"),
        (b'{"failure":null}', "an unknown outcome"),
        (b'{"failure":"exception"}', "an unknown outcome"),
        (b'{"failure":{"kind":"exception","message":"m"},"more":1}', "an unknown outcome"),
        (b'{"failure":{}}', "an unknown failure"),
        (b'{"failure":{"kind":"exception"}}', "an unknown failure"),
        (b'{"failure":{"kind":"exception","message":1}}', "an unknown failure"),
        (b'{"failure":{"kind":"exception","message":null}}', "an unknown failure"),
        (b'{"failure":{"kind":"timeout","message":"m"}}', "an unknown failure"),
        (b'{"failure":{"kind":"abort","message":"m"}}', "an unknown failure"),
        (b'{"failure":{"kind":"worker-exit","message":"m"}}', "an unknown failure"),
        (b'{"failure":{"kind":["exception"],"message":"m"}}', "an unknown failure"),
        (b'{"failure":{"kind":"exception","message":"m","phase":"later"}}', "an unknown failure"),
        (b'{"failure":{"kind":"exception","message":"m","phase":[]}}', "an unknown failure"),
        (b'{"value":1e999}', r"not lossless: \$\[1\]\.value: inf"),
        (b'{"value":{"a":[1e999]}}', r"not lossless: \$\[1\]\.value\.a\[0\]: inf"),
    ],
)
def test_an_outcome_of_another_form_ends_the_run(
    conversation: Conversation, outcome: bytes, told: str
) -> None:
    """Checklist 75, 88: what only a host can know, a guest cannot claim."""
    with pytest.raises(ProtocolViolationError, match=told):
        say(conversation, b'["done",' + outcome + b"]")


def test_a_frame_that_is_too_large_is_refused_before_its_body(conversation: Conversation) -> None:
    """Four bytes are enough to know."""
    with pytest.raises(ProtocolViolationError, match="a frame of 65537 bytes, where 65536 are"):
        list(heard(conversation, (MAX_FRAME_BYTES + 1).to_bytes(4, "big")))


def test_a_frame_of_exactly_the_limit_is_read(conversation: Conversation) -> None:
    """The limit is the longest body."""
    body = b'["done",{"value":"%s"}]'
    text = b"a" * (MAX_FRAME_BYTES - len(body % b""))

    assert [Returned(text.decode(), len(text) + 2)] == say(conversation, body % text)


@pytest.mark.parametrize("text", ["", "a" * (MAX_LOG_CHARACTERS + 1)], ids=["none", "too much"])
def test_a_log_of_no_text_or_of_too_much_ends_the_run(
    conversation: Conversation, text: str
) -> None:
    """A guest cuts what is printed into pieces that cost the host little."""
    with pytest.raises(ProtocolViolationError, match="an unknown frame"):
        say(conversation, b'["log","%s"]' % text.encode())


def test_more_unanswered_calls_than_agreed_end_the_run(conversation: Conversation) -> None:
    """The guest queues the others itself."""
    say(conversation, call(1), call(2), call(3))

    with pytest.raises(ProtocolViolationError, match="more unanswered calls than agreed"):
        say(conversation, call(4))


@pytest.mark.parametrize(
    "answer",
    [
        lambda conversation: conversation.returned(2, None),
        lambda conversation: conversation.raised(2, "no"),
        lambda conversation: conversation.cancelled(2),
    ],
    ids=["returned", "raised", "cancelled"],
)
def test_every_answer_that_has_left_makes_room_for_another_call(
    conversation: Conversation, answer: Callable[[Conversation], bytes]
) -> None:
    """The window is of unanswered calls, not of calls."""
    say(conversation, call(1), call(2), call(3))
    answer(conversation)
    conversation.delivered(2)

    assert [CallMade(4, 0, "add", {})] == say(conversation, call(4))


def test_an_answer_that_nobody_takes_makes_no_room(conversation: Conversation) -> None:
    """Checklist 88: a peer that stops reading has at most its window of answers kept for it."""
    say(conversation, call(1), call(2), call(3))
    conversation.returned(2, "kept by the host until it is read")

    with pytest.raises(ProtocolViolationError, match="more unanswered calls than agreed"):
        say(conversation, call(4))


def test_cancelling_alone_makes_no_room(conversation: Conversation) -> None:
    """A call is with the host until the host has answered it."""
    say(conversation, call(1), call(2), call(3), b'["cancel",1]')

    with pytest.raises(ProtocolViolationError, match="more unanswered calls than agreed"):
        say(conversation, call(4))


def test_more_bytes_of_unanswered_arguments_than_agreed_end_the_run() -> None:
    """Few calls can hold much of the host's memory, too."""
    conversation = Conversation(
        NAMESPACES,
        max_frame_bytes=MAX_FRAME_BYTES,
        max_frame_parts=MAX_FRAME_PARTS,
        max_pending_calls=100,
    )
    large = b'{"a":"%s"}' % (b"x" * 30_000)
    say(conversation, READY, call(1, args=large), call(2, args=large))

    with pytest.raises(ProtocolViolationError, match="more unanswered calls than agreed"):
        say(conversation, call(3, args=large))


def test_more_parts_of_unanswered_arguments_than_agreed_end_the_run() -> None:
    """Nor can they be tiny and many."""
    conversation = Conversation(
        NAMESPACES, max_frame_bytes=MAX_FRAME_BYTES, max_frame_parts=1_000, max_pending_calls=100
    )
    many = b'{"a":[%s]}' % b",".join([b"[]"] * 200)
    say(conversation, READY, call(1, args=many), call(2, args=many))

    with pytest.raises(ProtocolViolationError, match="more unanswered calls than agreed"):
        say(conversation, call(3, args=many))


def test_answered_arguments_are_counted_no_longer() -> None:
    """Any number of large calls may follow one another."""
    conversation = Conversation(
        NAMESPACES,
        max_frame_bytes=MAX_FRAME_BYTES,
        max_frame_parts=MAX_FRAME_PARTS,
        max_pending_calls=100,
    )
    large = b'{"a":"%s"}' % (b"x" * 60_000)
    say(conversation, READY)

    for number in range(1, 10):
        say(conversation, call(number, args=large))
        conversation.returned(number, None)
        conversation.delivered(number)

    assert 9 == conversation.call_count


def test_one_call_may_fill_a_whole_frame(conversation: Conversation) -> None:
    """`max_frame_bytes` is the longest arguments of a call."""
    args = b'{"a":"%s"}'
    text = b"x" * (MAX_FRAME_BYTES - len(call(1, args=args % b"")))

    (made,) = say(conversation, call(1, args=args % text))

    assert isinstance(made, CallMade)
    assert {"a": text.decode()} == made.args


@pytest.mark.parametrize("body", [b"[" * 19_000 + b"]" * 19_000, b'["%s"]' % (b"x" * 60_000)])
def test_a_violation_is_told_in_few_words(conversation: Conversation, body: bytes) -> None:
    """What the guest sent is shown in part, and shown it must not recurse."""
    with pytest.raises(ProtocolViolationError) as caught:
        say(conversation, body)

    assert 300 > len(str(caught.value))


def test_a_violation_is_told_in_ascii(conversation: Conversation) -> None:
    """It goes to logs and terminals; the guest chose the characters."""
    with pytest.raises(ProtocolViolationError) as caught:
        say(conversation, '["\\u001b[2J\\ud800é"]'.encode())

    assert str(caught.value).isascii()
    assert str(caught.value).isprintable()


# What the host answers.


def test_a_result_crosses_as_lossless_json(conversation: Conversation) -> None:
    """With the call's own number."""
    say(conversation, call(1), call(2))

    answer = conversation.returned(2, {"a": [True, 1, -0.0, None, "\ud800"]})

    assert ["reply", 2, True, {"a": [True, 1, -0.0, None, "\ud800"]}] == read(answer)
    assert ["pending", "returned"] == [made.state for made in conversation.calls()]


@pytest.mark.parametrize("value", [{1, 2}, float("nan"), {1: 2}, b"", object()])
def test_a_result_that_is_not_json_leaves_the_call_unanswered(
    conversation: Conversation, value: object
) -> None:
    """Checklist 80: the run answers with a rejection instead."""
    say(conversation, call(1))

    with pytest.raises(LossyValueError):
        conversation.returned(1, value)

    assert ["pending"] == [made.state for made in conversation.calls()]
    assert ["reply", 1, False, "lossy"] == read(conversation.raised(1, "lossy"))
    assert ["raised"] == [made.state for made in conversation.calls()]


@pytest.mark.parametrize("message", ["", "no", 'a "quoted"\nline', "\ud800", "\ud83d\ude00", "é"])
def test_a_rejection_carries_any_message(conversation: Conversation, message: str) -> None:
    """A host's exception may say anything, and pairs of surrogates are shown as what they spell."""
    say(conversation, call(1))

    shown = json.loads(json.dumps(message))

    assert ["reply", 1, False, shown] == read(conversation.raised(1, message))


def test_every_call_is_listed_with_what_became_of_it(conversation: Conversation) -> None:
    """In the order of submission, whatever the order of the answers."""
    say(conversation, call(1), call(2, 0, 1), call(3, 2, 0))
    conversation.raised(3, "no")
    say(conversation, b'["cancel",1]')
    conversation.cancelled(1)

    assert [
        (1, "tools", "add", "cancelled"),
        (2, "tools", "my-tool", "pending"),
        (3, "files", "__class__", "raised"),
    ] == [(made.id, made.global_name, made.member, made.state) for made in conversation.calls()]


def test_a_call_that_returns_though_it_was_cancelled_has_returned(
    conversation: Conversation,
) -> None:
    """A binding may have done its work before it could be stopped, and that is the fact."""
    say(conversation, call(1), b'["cancel",1]')
    before = conversation.calls()[0].state
    conversation.returned(1, "done")

    assert ("cancelled", "returned") == (before, conversation.calls()[0].state)
