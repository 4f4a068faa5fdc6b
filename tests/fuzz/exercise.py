"""What the fuzzer does with bytes: speak them to a host, as a guest would, and look at the host.

The first byte chooses how the rest is spoken: raw, as it would come from a socket, or its lines as
the bodies of frames, so that a mutation need not get lengths right. The second, how it is split.
"""

from __future__ import annotations

from codemode import CodeBindingNamespace
from codemode.process.conversation import CallMade, Conversation, ProtocolViolationError
from codemode.process.decoding import items_of
from codemode.runtime import Returned
from codemode_guest.frames import pack
from codemode_guest.gentle import GentleReader, has_more_parts, most_parts
from codemode_guest.values import MalformedJsonError, decode, encode, refuse_lossy

MAX_FRAME_BYTES = 2**12
MAX_PARTS = 2**10
MAX_PENDING = 4


async def _nothing(_args: object) -> object:
    """A binding; a conversation calls none."""
    return None


_NAMESPACES = (
    CodeBindingNamespace(global_name="tools", functions={"a": _nothing, "__class__": _nothing}),
    CodeBindingNamespace(global_name="files", functions={"c": _nothing}),
)


def exercise(data: bytes) -> list[str]:
    """Return what the host made of the bytes: its events, and the violation at their end if any.

    Raises:
        AssertionError: If the host was made to do what no guest may make it do. Anything else
            that is raised is a mistake of the host's too.
    """
    if len(data) < 2:
        return []
    how, piece_bytes, said = data[0], data[1] or 1, data[2:]
    if how & 1:
        said = b"".join(pack(body) for body in said.split(b"\n"))
        for body in data[2:].split(b"\n"):
            _compare_readers(body)
    if how & 2:
        said = pack(b'["ready",1]') + said
    answers = bool(how & 4)
    whole = _told([said], answers=answers)
    pieces = [said[at : at + piece_bytes] for at in range(0, len(said), piece_bytes)]
    # A frame that is too long is seen with its length, and in one piece before others are heard.
    if not any("bytes, where" in told for told in whole):
        assert whole == _told(pieces, answers=answers)
    return whole


def _told(pieces: list[bytes], *, answers: bool) -> list[str]:
    talk = Conversation(
        _NAMESPACES,
        max_frame_bytes=MAX_FRAME_BYTES,
        max_frame_parts=MAX_PARTS,
        max_pending_calls=MAX_PENDING,
    )
    told: list[str] = []
    unanswered = 0
    try:
        for piece in pieces:
            for body in talk.bodies(piece):
                assert len(body) <= MAX_FRAME_BYTES
                event = talk.hear(body, items_of(body))
                told.append(repr(event))
                if isinstance(event, CallMade):
                    unanswered += 1
                    assert event.number == talk.call_count == len(talk.calls())
                    assert event.member in _NAMESPACES[event.namespace].functions
                    assert type(event.args) is dict
                    if answers:
                        talk.returned(event.number, event.args)
                        talk.delivered(event.number)
                        unanswered -= 1
                if isinstance(event, Returned) and event.encoded_bytes:
                    assert len(encode(event.value)) <= MAX_FRAME_BYTES * 6
                assert unanswered <= MAX_PENDING
    except ProtocolViolationError as error:
        assert len(str(error)) < 1_000  # noqa: PT017 - events are as good
        told.append(f"violation: {error}")
    return told


def _compare_readers(body: bytes) -> None:
    """Both readers read the same, or refuse; and parts are counted as they are."""
    try:
        found = decode(body)
        refuse_lossy(found)
    except ValueError:
        return
    try:
        gently = GentleReader(body.decode()).document()
    except MalformedJsonError as error:
        raise AssertionError(f"only one reader refuses {body!r}: {error}") from None
    assert repr(found) == repr(gently)
    # A key that comes twice is counted twice, and read once.
    parts = _parts(found)
    assert parts <= most_parts(body)
    assert not parts or has_more_parts(body, parts - 1)


def _parts(value: object) -> int:
    if isinstance(value, dict):
        return sum(1 + _parts(inner) for inner in value.values())
    if isinstance(value, list):
        return sum(1 + _parts(inner) for inner in value)
    return 0
